from pathlib import Path

import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.papers.title_relevance import (
    RelevanceConfig,
    cut_site_name,
    find_relevant,
)

TABLES = read_toml(Path(__file__).with_name("tables.toml"))
TITLE = "Ferry to the islands stops for the winter"
BODY = "The ferry will stop in November, the harbour said. Nobody on the islands is surprised."


def kept(html: str, title: str = TITLE, config: RelevanceConfig | None = None) -> list[str]:
    table = table_of(html)
    blocks = find_relevant(table, title, config or RelevanceConfig())
    return [table.lines.text[line] for block in blocks.values() for line in block]


@pytest.mark.parametrize("tag", ["div", "td", "table"])
def test_the_text_about_the_title_is_kept(tag: str) -> None:
    wrap = "<table><tr><td>{}</table>" if tag == "td" else f"<{tag}>{{}}</{tag}>"
    other = "Markets were calm, the bank said. Oil fell a little."
    html = wrap.format(f"<p>{BODY}</p>") + wrap.format(other)
    assert kept(html) == [BODY]


@pytest.mark.parametrize(("html", "title", "lines"), TABLES["relevant_blocks"])
def test_links_marks_and_title_decide_on_a_block(html: str, title: str, lines: list[str]) -> None:
    assert kept(html, title) == lines


def test_a_block_at_the_printed_limits_worked_by_hand() -> None:
    """Features 3: p = z / y up to .03, m = x / y from .1, s from 1; y is 100 letters."""
    printed = RelevanceConfig(
        max_links_han=0.03, max_links_latin=0.03, min_marks_han=0.1, min_marks_latin=0.1
    )
    rest = "ferry sea." * 9
    for first, is_kept in (
        ("<a>fer</a>ry sea.", True),  # p = 3 / 100, m = 10 / 100
        ("<a>ferr</a>y sea.", False),  # p = 4 / 100
        ("<a>fer</a>ry sea ", False),  # m = 9 / 100
    ):
        assert bool(kept(f"<div>{first}{rest}</div>", "Ferry", printed)) == is_kept
        assert not kept(f"<div>{first}{rest}</div>", "Bridge", printed)  # s = 0


@pytest.mark.parametrize(("title", "expected"), TABLES["cut_names"])
def test_the_name_of_the_site_is_cut(title: str, expected: str) -> None:
    assert cut_site_name(title) == expected


def test_long_titles_and_texts_are_cut_in_linear_time() -> None:
    def work(words: str) -> None:
        assert kept(f"<div>{words}. ferry</div>", words) == []

    assert_linear(work, lambda size: "ferry " * size, 10_000)
    assert cut_site_name("-" * 10_000) == "-" * 10_000
    assert_linear(cut_site_name, lambda size: "-" * size, 50_000)
