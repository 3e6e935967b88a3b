from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.page import name_words as words
from webclean_scrapy.cleaning.page.name_words import read_names


def says(names: str, *bits: int) -> tuple[bool, ...]:
    """Return for each of *bits* whether the names say it."""
    return tuple(read_names(names) & bit > 0 for bit in bits)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("article-content", (True, False)),
        ("sidebar", (False, True)),
        ("zhengwen", (True, False)),
        ("tuijian-list", (False, True)),
        ("article-comments", (True, True)),
        ("recommender", (False, False)),  # whole words only
    ],
)
def test_names_say_body_or_something_else_or_both(names: str, expected: tuple[bool, bool]) -> None:
    assert says(names, words.BODY, words.OTHER) == expected


def test_names_of_the_line_under_a_picture_are_those_of_a_caption() -> None:
    assert all(says(names, words.CAPTION)[0] for names in ("caption", "img_desc", "zhushi"))
    assert not any(says(names, words.CAPTION)[0] for names in ("", "picture-list", "captain"))


@pytest.mark.parametrize(
    ("names", "comments", "related"),
    [
        ("comments", True, False),
        ("replies", True, False),
        ("pinglun", True, False),
        ("uncommented", False, False),
        ("reply-to", True, False),
        ("box relatedposts", False, True),
        ("most-read", False, True),
        ("tuijian", False, True),
        ("interrelated", False, False),
    ],
)
def test_names_of_what_readers_wrote_and_of_what_leads_away(
    names: str, comments: bool, related: bool
) -> None:
    assert says(names, words.COMMENTS, words.RELATED) == (comments, related)


@given(st.text("comentrladpsip-_ \xa0\n", max_size=30))
def test_words_of_a_name_say_what_the_whole_name_does(names: str) -> None:
    whole = (words._PART_SAYS.get(part, 0) for part in words._PARTS.findall(names))
    known = {bit for part in whole for bit in (words.BODY, words.OTHER) if part & bit}

    assert says(names, words.BODY, words.OTHER) == (words.BODY in known, words.OTHER in known)
    assert says(names, words.CAPTION) == (words.says_caption(names),)
    for bit, pattern in words._PARTS_SAY:
        assert says(names, bit) == (pattern.search(names) is not None,)


@pytest.mark.cpu_seconds(5)
def test_a_name_without_end() -> None:
    assert says("content-" * 100_000, words.BODY, words.OTHER) == (True, False)
    endless = "user-post-img-most-" * 50_000
    assert not any(says(endless, words.CAPTION, words.COMMENTS, words.RELATED))


@pytest.mark.parametrize(
    ("names", "unseen"),
    [
        ("sr-only", True),
        ("screen-reader-text", True),
        ("element-invisible", True),
        ("sm:not-sr-only", False),
        ("screenshot", False),
    ],
)
def test_names_of_text_that_screen_readers_alone_get(names: str, *, unseen: bool) -> None:
    assert says(names, words.UNSEEN) == (unseen,)
