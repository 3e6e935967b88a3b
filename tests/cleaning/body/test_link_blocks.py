import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import LONG_PARAGRAPH, SENTENCE, evidence_of, table_of
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.body.link_blocks import (
    LinkBlockConfig,
    LinkBlocks,
    find_link_blocks,
    text_distance,
)
from webclean_scrapy.cleaning.body.reasons.names import (
    LINK_BLOCK,
)
from webclean_scrapy.cleaning.page.table import PageTable

TABLES = read_toml(Path(__file__).with_name("tables.toml"))
CONFIG = LinkBlockConfig()
LINKS = "".join(f"<li><a href=/{n}>Story {n}</a></li>" for n in range(5))
STORIES = [f"Story {n}" for n in range(5)]
PROSE = "The ferry sails again at noon and will sail until the late evening on every day of June. "
PARTS = st.lists(
    st.sampled_from(["<a href=x>link</a>", " | ", "one two three four five six ", "<p>", "<a>"]),
    max_size=30,
)


def found_in(html: str, config: LinkBlockConfig = CONFIG) -> LinkBlocks:
    return find_link_blocks(table_of(html), config)


def blocks(html: str, config: LinkBlockConfig = CONFIG) -> list[str]:
    """The texts of the blocks."""
    table = table_of(html)
    return [
        "".join(table.text[block.start : block.stop])
        for block in find_link_blocks(table, config).blocks
    ]


def marked(table: PageTable, marks: object) -> list[str]:
    """The texts of the lines that are marked."""
    texts = table.lines.text
    return [text for text, mark in zip(texts, marks, strict=True) if mark]  # type: ignore[call-overload]


def block_lines(html: str, config: LinkBlockConfig = CONFIG) -> list[str]:
    """The non-prose lines inside a block."""
    return marked(table_of(html), found_in(html, config).lines)


def stream_lines(html: str, config: LinkBlockConfig = CONFIG) -> list[str]:
    return marked(table_of(html), found_in(html, config).stream)


def excluded_lines(html: str, config: LinkBlockConfig | None = CONFIG) -> list[str]:
    """The lines excluded as link blocks."""
    evidence = evidence_of(html, link_blocks=config)
    return marked(evidence.table, evidence.excluded == LINK_BLOCK)


def links(count: int, between: str = " ") -> str:
    return between.join(f"<a href=/{n}>{n}</a>" for n in range(count))


@pytest.mark.parametrize(("text", "distance"), TABLES["text_distances"])
def test_text_distance_counts_what_a_reader_reads_as_one(text: str, distance: int) -> None:
    assert text_distance(text) == distance


def test_a_run_of_close_links_is_a_block_whatever_the_tags() -> None:
    assert blocks(f"<ul>{LINKS}</ul>") == ["Story 0Story 1Story 2Story 3Story 4"]
    assert blocks(f"<p>Read also: {links(5, ' | ')} and more") == [" 0 | 1 | 2 | 3 | 4"]
    mixed = "<td><a href=/0>0</a></td><td><b><a href=/1>1</a></b></td>"
    assert len(blocks(f"<table><tr>{mixed}</table>{links(3)}")) == 1


@pytest.mark.parametrize(("words", "count"), [(4, 1), (5, 0)])
def test_links_are_close_under_the_text_distance(words: int, count: int) -> None:
    assert len(blocks(f"<p>{links(5, ' word' * words + ' ')}")) == count


def test_the_two_distances_differ_where_much_code_holds_little_text() -> None:
    boxes = links(5, "<div><div><div><span></span></div></div></div>")
    words = links(5, " a b c d e f ")

    def counts(html: str) -> tuple[int, int]:
        code = LinkBlockConfig(distance="code", max_distance=20)
        return len(blocks(html)), len(blocks(html, code))

    assert counts(boxes) == (1, 0)
    assert counts(words) == (0, 1)


def test_a_without_text_and_an_a_left_open_are_no_links() -> None:
    assert blocks("<a href=x><img src=y></a>" * 9) == []
    assert blocks(f"<a name=x><p>{PROSE}</p><p>{PROSE}</p><p>{PROSE}</p>" * 5) == []


def test_links_to_a_place_of_the_same_page_are_none_of_a_blocks() -> None:
    def contents(href: str) -> str:
        return "<ul>" + "".join(f"<li><a href={href}>Part {n}</a>" for n in range(9)) + "</ul>"

    assert blocks(contents("#part")) == []
    assert found_in(contents("#part")).links_share == 0.0
    assert len(blocks(contents("#"))) == 1  # the button of a script
    assert len(blocks(contents("/page#part"))) == 1


def test_a_long_sentence_of_links_is_prose_and_a_long_list_is_not() -> None:
    names = "The towns of the coast, Ostwick, Marsh End, Pell, Slate Basin, Old Dock, were all dry"
    linked = ", ".join(f"<a href=/x>{part}</a>" for part in names.split(", "))

    assert block_lines(f"<p>{linked}.</p>") == []
    assert block_lines(f"<p>{linked}</p>") == [names]
    assert len(block_lines(f"<p>{links(5)} It ends.</p>", LinkBlockConfig(max_plain_share=1.0)))


HEADLINES = [f"Headline number {n} of the day's news" for n in range(4)]


def stream(between: str, count: int = 4) -> str:
    return between.join(f"<h3><a href=/{n}>{HEADLINES[n]}</a></h3>" for n in range(count))


def test_headlines_one_after_the_other_are_a_stream_with_the_teasers_between() -> None:
    html = f"<p>{PROSE}</p>{stream(f'<p>{SENTENCE}</p>')}<p>{PROSE}</p>"

    first, *others = HEADLINES
    assert stream_lines(html) == [first, *(text for head in others for text in (SENTENCE, head))]
    assert blocks(html) == []


def test_three_headlines_far_apart_or_short_ones_are_no_stream() -> None:
    assert stream_lines(stream("", 3)) == []
    assert stream_lines(stream(f"<p>{PROSE * 9}</p>")) == []
    assert stream_lines(stream("").replace("Headline number", "H").replace("news", "")) == []
    assert len(stream_lines(stream("", 3), LinkBlockConfig(min_headlines=3))) == 3
    near = LinkBlockConfig(stream_distance=3)
    assert stream_lines(stream(f"<p>{SENTENCE}</p>"), near) == []


def test_five_of_six_links_in_a_block_worked_by_hand() -> None:
    """Wang et al. 2014: LCR is the links in blocks by those of the page."""
    html = f"<ul>{LINKS}</ul><p>{SENTENCE}{SENTENCE}</p><p><a href=/x>Alone</a></p>"
    assert found_in(html).links_share == pytest.approx(5 / 6)


def test_the_shares_of_a_small_page_worked_by_hand() -> None:
    html = (
        "<html><body><p><a href=/a>A</a> is far from <b>all the other links</b> of this page.</p>"
        "<div><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a></div></body></html>"
    )
    found = found_in(html, LinkBlockConfig(min_links=3))

    page = (
        "<html><body><p><a>A</a> is far from <b>all the other links</b> of this page.</p>"
        "<div><a>1</a><a>2</a><a>3</a></div></body></html>"
    )
    assert found.links_share == 3 / 4
    assert found.code_share == pytest.approx(len("<a>1</a><a>2</a><a>3</a>") / len(page))


BODY = LONG_PARAGRAPH * 3


def test_a_menu_beside_a_text_is_excluded_wherever_it_is() -> None:
    assert excluded_lines(f"<ul>{LINKS}</ul>{BODY}") == STORIES
    assert excluded_lines(f"<div>{LONG_PARAGRAPH}<ul>{LINKS}</ul>{BODY}</div>") == STORIES
    assert excluded_lines(f"<ul>{LINKS}</ul>{BODY}", None) == []  # switched off


def test_a_page_with_next_to_no_paragraphs_outside_keeps_its_links() -> None:
    assert excluded_lines(f"<ul>{LINKS}</ul>") == []
    assert excluded_lines(f"<ul>{LINKS}</ul><p>{SENTENCE}</p>") == []


@given(PARTS, st.integers(2, 6))
def test_blocks_are_apart_and_hold_close_links_only(parts: list[str], least: int) -> None:
    table = table_of("".join(parts))
    found = find_link_blocks(table, LinkBlockConfig(min_links=least)).blocks
    behind = 0
    for block in found:
        assert behind <= block.start < block.stop
        behind = block.stop
        rows = [
            row
            for row in range(block.start, block.stop)
            if table.tag[row] == "a" and table.link_length(row)
        ]
        assert len(rows) == block.links >= least
        for one, two in itertools.pairwise(rows):
            assert text_distance(" ".join(table.text[table.end[one] : two])) < CONFIG.max_distance
    stricter = find_link_blocks(table, LinkBlockConfig(min_links=least + 1)).blocks
    assert set(stricter) <= set(found)


def test_many_links_and_much_text_between() -> None:
    table = table_of("<p><a href=x>link</a> " * 5_000)
    assert [block.links for block in find_link_blocks(table, CONFIG).blocks] == [5_000]
    far = table_of(("<a href=x>link</a>" + "word " * 4_000) * 20)
    assert find_link_blocks(far, CONFIG).blocks == []


@pytest.mark.parametrize(
    "page",
    [
        lambda size: "<p><a href=x>link</a> " * size,
        lambda size: "".join(f"<li><a href=/{n}>Story {n}</a>" for n in range(size)),
        lambda size: ("<a href=x>link</a>" + "word " * 400) * (size // 10),
        lambda size: "<div>" * (size // 20) + "<p><a href=x>link</a> " * size,
    ],
)
def test_link_blocks_are_found_in_proportion_to_the_page(page: Callable[[int], str]) -> None:
    def find(table: PageTable) -> None:
        find_link_blocks(table, CONFIG)

    assert_linear(find, lambda size: table_of(page(size)), 1_000)


@pytest.mark.parametrize(("unit", "distance"), [("-", 1), ("1,", 2), ("a'", 2)])
def test_a_text_without_end_is_measured_in_proportion(unit: str, distance: int) -> None:
    assert text_distance(unit * 20_000) == distance
    assert_linear(text_distance, lambda size: unit * size, 20_000)


def test_a_list_of_sources_leads_to_many_sites_and_is_none() -> None:
    sources = "".join(f"<li><a href=https://{n}.example/a>Report {n}</a>" for n in range(6))
    menu = "".join(f"<li><a href=https://one.example/{n}>Report {n}</a>" for n in range(6))

    assert blocks(f"<ul>{sources}</ul>") == []
    assert len(blocks(f"<ul>{menu}</ul>")) == 1
    assert len(blocks(f"<ul>{menu}</ul>".replace("https://one.example", ""))) == 1
