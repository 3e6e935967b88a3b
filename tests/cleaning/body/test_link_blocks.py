from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.body.link_blocks import (
    LinkBlockConfig,
    find_link_blocks,
    remove_link_blocks,
    text_distance,
)
from webclean_scrapy.errors import ConfigError

CONFIG = LinkBlockConfig()
LINKS = "".join(f"<li><a href=/{n}>Story {n}</a></li>" for n in range(5))
PROSE = "The ferry sails again at noon and will sail until the late evening on every day of June. "
PARTS = st.lists(
    st.sampled_from(["<a href=x>link</a>", " | ", "one two three four five six ", "<p>", "<a>"]),
    max_size=30,
)


def blocks(html: str, config: LinkBlockConfig = CONFIG) -> list[str]:
    """The texts of the blocks."""
    table = table_of(html)
    return [
        "".join(table.text[block.start : block.stop])
        for block in find_link_blocks(table, 0, len(table), config)
    ]


def removed(html: str, config: LinkBlockConfig = CONFIG) -> list[str]:
    table = table_of(html)
    removals = remove_link_blocks(table, 0, config)
    assert all((r.what, r.why) == ("link_block", "close_links") for r in removals)
    return ["".join(table.text[start:stop]) for r in removals for start, stop in r.spans]


def links(count: int, between: str = " ") -> str:
    return between.join(f"<a href=/{n}>{n}</a>" for n in range(count))


@pytest.mark.parametrize(
    ("text", "distance"),
    [
        ("", 0),
        (" \n", 0),
        ("one two", 2),
        ("大桥", 2),
        ("かな한", 3),
        ("2014-03-12 08:30:00", 2),
        ("3月12日", 1),
        ("2014年3月12日", 1),
        ("...", 1),
        ("... !! ,", 3),
        ("word大桥word", 4),
        ("one_two", 2),
        ("naïve café", 2),
    ],
)
def test_text_distance_counts_what_a_reader_reads_as_one(text: str, distance: int) -> None:
    assert text_distance(text) == distance


def test_a_run_of_close_links_is_a_block_whatever_the_tags() -> None:
    assert blocks(f"<ul>{LINKS}</ul>") == ["Story 0Story 1Story 2Story 3Story 4"]
    assert blocks(f"<p>Read also: {links(5, ' | ')} and more") == [" 0 | 1 | 2 | 3 | 4"]


def test_fewer_links_are_none() -> None:
    assert blocks(f"<p>{links(4)}") == []
    assert len(blocks(f"<p>{links(4)}", LinkBlockConfig(min_links=4))) == 1


@pytest.mark.parametrize(("words", "count"), [(4, 1), (5, 0)])
def test_links_are_close_under_the_distance(words: int, count: int) -> None:
    assert len(blocks(f"<p>{links(5, ' word' * words + ' ')}")) == count


def test_the_link_that_breaks_a_run_begins_the_next() -> None:
    apart = f"{links(5)} <p>{PROSE}</p> {links(5)}"
    table = table_of(apart)
    found = find_link_blocks(table, 0, len(table), CONFIG)
    assert [block.links for block in found] == [5, 5]
    assert table.tag[found[1].start] == "a"


def test_the_last_run_is_closed() -> None:
    assert blocks(f"<p>{PROSE}</p><footer>{links(6)}</footer>") == ["0 1 2 3 4 5"]


def test_only_the_rows_asked_for_are_looked_at() -> None:
    table = table_of(f"<div>{links(5)}</div><div>{links(5)}</div>")
    first = table.tag.index("div")
    found = find_link_blocks(table, first, table.end[first], CONFIG)
    assert [(first < block.start, block.stop <= table.end[first]) for block in found] == [
        (True, True)
    ]


def test_a_without_text_and_an_a_left_open_are_no_links() -> None:
    assert blocks("<a href=x><img src=y></a>" * 9) == []
    assert blocks(f"<a name=x><p>{PROSE}</p><p>{PROSE}</p><p>{PROSE}</p>" * 5) == []


def test_blocks_are_removed_with_what_stands_between_their_links() -> None:
    assert removed(f"<p>{PROSE}</p><p>{links(5, ' | ')}</p>") == ["0 | 1 | 2 | 3 | 4"]


def test_a_block_behind_a_long_paragraph_is_removed() -> None:
    assert removed(f"<p>{PROSE * 9}</p><ul>{LINKS}</ul>") == ["Story 0Story 1Story 2Story 3Story 4"]


def test_prose_with_many_links_stays() -> None:
    assert removed(f"<p>{PROSE} {links(6, ', ')} {PROSE}") == []
    strict = LinkBlockConfig(max_plain_share=1.0)
    assert len(removed(f"<p>{PROSE} {links(6, ', ')} {PROSE}", strict)) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_distance", 0), ("min_links", 1), ("max_plain_share", 1.5), ("max_plain_share", -1)],
)
def test_values_outside_of_their_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=name):
        LinkBlockConfig(**{name: value})  # type: ignore[arg-type]


@given(PARTS)
def test_blocks_are_apart_and_hold_close_links_only(parts: list[str]) -> None:
    table = table_of("".join(parts))
    found = find_link_blocks(table, 0, len(table), LinkBlockConfig(min_links=2))
    behind = 0
    for block in found:
        assert behind <= block.start < block.stop
        behind = block.stop
        rows = [
            row
            for row in range(block.start, block.stop)
            if table.tag[row] == "a" and table.link_length(row)
        ]
        assert len(rows) == block.links >= 2
        for one, two in itertools.pairwise(rows):
            assert text_distance(" ".join(table.text[table.end[one] : two])) < CONFIG.max_distance
    stricter = find_link_blocks(table, 0, len(table), CONFIG)
    assert {block.start for block in stricter} <= {block.start for block in found}


@pytest.mark.cpu_seconds(10)
def test_many_links_and_much_text_between() -> None:
    table = table_of("<p><a href=x>link</a> " * 50_000)
    assert [block.links for block in find_link_blocks(table, 0, len(table), CONFIG)] == [50_000]
    far = table_of(("<a href=x>link</a>" + "word " * 4_000) * 200)
    assert find_link_blocks(far, 0, len(far), CONFIG) == []
    assert text_distance("-" * 500_000) == 1
