from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.cleaning.papers.source_links import (
    SourceLinkConfig,
    find_source_blocks,
    shorten_runs,
    source_links,
)
from webclean_scrapy.errors import ConfigError


def blocks(source: bytes, **options: Any) -> list[list[int]]:
    """Return the numbers of the links in each block."""
    links = list(source_links(source))
    found = find_source_blocks(source, links, SourceLinkConfig(**options))
    return [[links[at].number for at in block] for block in found]


def row(count: int, between: bytes = b" | ") -> bytes:
    return between.join(b"<a href=/%d>link %d</a>" % (at, at) for at in range(count))


def test_a_run_of_close_links_is_a_block_whatever_the_tags_around_them() -> None:
    assert blocks(row(5)) == [[0, 1, 2, 3, 4]]
    assert blocks(row(5, b"</li></ul><div class=x><b>")) == [[0, 1, 2, 3, 4]]
    assert blocks(row(4)) == []


def test_text_between_ends_a_run_and_the_next_link_begins_another() -> None:
    far = b"<p>five words of plain text</p>"

    assert blocks(row(5) + far + row(6)) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9, 10]]
    assert blocks(row(9, far)) == []


def test_the_distance_counts_tokens_of_decoded_text() -> None:
    assert blocks(row(5, b"&nbsp;&#20013;&#25991;&#23383; ")) == [[0, 1, 2, 3, 4]]
    assert blocks(row(5, "中文字符很多".encode())) == []


def test_the_distance_of_code_counts_tags_without_their_attributes() -> None:
    between = b"<li class='a long list of many classes' id=x>"

    assert len(b"<li>") < 5 < len(between)
    assert blocks(row(3, between), distance="code", max_distance=5, min_links=3) == [[0, 1, 2]]
    assert blocks(row(3, between), distance="code", max_distance=4, min_links=3) == []
    assert blocks(row(3, b"\xe4\xb8\xad" * 4), distance="code", max_distance=5, min_links=3)


def test_a_gap_of_tags_alone_is_close_however_long_and_one_of_text_is_not() -> None:
    tags = b"<br>" * 10_000
    text = tags + b" one two three four five " + tags

    assert blocks(row(5, tags)) == [[0, 1, 2, 3, 4]]
    assert blocks(row(5, text)) == []
    assert blocks(row(5, tags), distance="code", max_distance=30_000) == []
    assert blocks(row(5, tags), distance="code", max_distance=50_000) == [[0, 1, 2, 3, 4]]


def test_a_run_of_many_links_is_shortened_and_others_stay() -> None:
    many, few, far = row(30, b"</li>\n<li class=x> | "), row(8), b"<p>five words of plain text</p>"
    short = shorten_runs(many + far + few, 5)

    assert blocks(short) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9, 10, 11, 12]]
    assert short.endswith(far + few)
    assert b" ".join(b"link %d" % at for at in range(4, 30)) in short
    for between in ("<p>中文</p>".encode(), b" word ", b"<a name=x></a>text"):
        assert shorten_runs(row(30, between), 5) == row(30, between)


def test_links_without_text_do_not_count_but_have_a_number() -> None:
    source = b"<a href=/0><img src=x></a><a href=/1>one</a><a name=x></a><A\nhref=/3>two</A>"

    assert [link.number for link in source_links(source)] == [1, 3]


def test_a_link_that_was_left_open_ends_at_the_next() -> None:
    source = b"<a href=/0>one <a href=/1>two"

    assert [source[link.start : link.stop] for link in source_links(source)] == [
        b"<a href=/0>one ",
        b"<a href=/1>two",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"distance": "tags"}, "distance must be one of"),
        ({"max_distance": 0}, "max_distance must be at least 1, got 0"),
        ({"min_links": 1}, "min_links must be at least 2, got 1"),
    ],
)
def test_an_invalid_option_is_a_config_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SourceLinkConfig(**options)


@given(st.lists(st.sampled_from([b"<a>x</a>", b"<p>", b"a word or two of text ", b"<a>", b"y"])))
def test_blocks_are_disjoint_runs_of_enough_links(parts: list[bytes]) -> None:
    found = blocks(b"".join(parts), min_links=3)

    numbers = [number for block in found for number in block]
    assert numbers == sorted(set(numbers))
    assert all(len(block) >= 3 for block in found)
