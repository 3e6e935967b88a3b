from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.page import name_words as words
from webclean_scrapy.cleaning.page.name_words import (
    name_evidence,
    read_names,
    says_caption,
    says_comments,
    says_related,
)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("article-content", (True, False)),
        ("post_body", (True, False)),
        ("sidebar", (False, True)),
        ("zhengwen", (True, False)),
        ("tuijian-list", (False, True)),
        ("article-comments", (True, True)),
        ("content2 col-8", (True, False)),
        ("wrapper", (False, False)),
        ("recommender", (False, False)),  # whole words only
        ("", (False, False)),
    ],
)
def test_names_say_body_or_something_else_or_both(names: str, says: tuple[bool, bool]) -> None:
    assert name_evidence(names) == says


@pytest.mark.parametrize(
    "names",
    ["caption", "wp-caption-text", "img_desc", "pictext", "photo-credit", "media_info", "figcap",
     "cutline", "zhushi", "images-note"],
)  # fmt: skip
def test_names_of_the_line_under_a_picture(names: str) -> None:
    assert says_caption(names)


@pytest.mark.parametrize("names", ["", "picture-list", "img", "media", "captain", "escape"])
def test_names_of_pictures_are_no_captions(names: str) -> None:
    assert not says_caption(names)


@pytest.mark.parametrize(
    ("names", "comments", "related"),
    [
        ("comments", True, False),
        ("post-comment", True, False),
        ("usercomment list", True, False),
        ("replies", True, False),
        ("pinglun", True, False),
        ("uncommented", False, False),
        ("reply-to", True, False),
        ("replying", False, False),
        ("related", False, True),
        ("box relatedposts", False, True),
        ("most-read", False, True),
        ("morenews", False, True),
        ("tuijian", False, True),
        ("interrelated", False, False),
        ("moreover", False, False),
        ("", False, False),
    ],
)
def test_names_of_what_readers_wrote_and_of_what_leads_away(
    names: str, comments: bool, related: bool
) -> None:
    assert (says_comments(names), says_related(names)) == (comments, related)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("", 0),
        ("wrapper\tcol-8", 0),
        ("article-content wide", words.BODY),
        ("wide sidebar", words.OTHER),
        ("post-comment x\x85img_desc", words.BODY | words.OTHER | words.COMMENTS | words.CAPTION),
        ("tuijian", words.OTHER | words.RELATED),
        ("x" * 100 + "-article", words.BODY),
    ],
)
def test_what_names_say_adds_up_over_their_words(names: str, says: int) -> None:
    assert read_names(names) == says


@given(st.text("comentrladpsip-_ \xa0\n", max_size=30))
def test_words_of_a_name_say_what_the_whole_name_does(names: str) -> None:
    says = read_names(names)

    assert (says & words.BODY > 0, says & words.OTHER > 0) == name_evidence(names)
    for bit, whole in (
        (words.CAPTION, says_caption), (words.COMMENTS, says_comments),
        (words.RELATED, says_related),
    ):  # fmt: skip
        assert (says & bit > 0) == whole(names)


@given(st.text("comentrladpsip-_ ", max_size=30))
def test_a_second_name_takes_nothing_away(names: str) -> None:
    for says in (says_caption, says_comments, says_related):
        assert says(f"{names} other") >= says(names)
    both = name_evidence(f"{names} text")
    assert both == (True, name_evidence(names)[1])


@pytest.mark.cpu_seconds(5)
def test_a_name_without_end() -> None:
    assert name_evidence("content-" * 100_000) == (True, False)
    for says in (says_caption, says_comments, says_related):
        assert not says("user-post-img-most-" * 50_000)
