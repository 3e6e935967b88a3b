"""The papers' methods as a whole, on the table of one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from tests.reading import LONG_PARAGRAPH, PARAGRAPH, SENTENCE, row_of, table_of, trees
from webclean_scrapy.cleaning.body.body_finder import BodyConfig, extract_body
from webclean_scrapy.cleaning.method_names import EXTRACTORS
from webclean_scrapy.cleaning.papers.method import (
    Mode,
    ModesConfig,
    by_blocks,
    by_decay,
    by_entropy,
    by_relevance,
)
from webclean_scrapy.cleaning.papers.title_relevance import PRINTED
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable

CONFIG = ModesConfig()
MENU = "<ul id=menu>" + "<li><a href=/>A headline of another story</a>" * 3 + "</ul>"
PIER = "Northern pier closed after crack is found"


def kept(mode: Mode, table: PageTable) -> list[str]:
    """Return the lines of the body that *mode* finds, without a way back to another method."""
    body = extract_body(table, (), None, BodyConfig(), mode=mode)
    assert body.fallback is None
    assert body.extractor == mode.name
    return [table.lines.text[line] for line in body.lines]


def words(units: int) -> str:
    return "<p>" + ("word " * units)[: units - 1] + ".</p>"


def test_decay_weighs_all_text_outside_links_and_cuts_link_blocks() -> None:
    table = table_of(f"<div id=story>{LONG_PARAGRAPH}<p>Short</p>{MENU}</div><div>Imprint</div>")

    (line, short) = kept(by_decay(CONFIG), table)

    assert line.startswith(SENTENCE)
    assert short == "Short"


@pytest.mark.parametrize(("left", "right", "both"), [(66, 34, False), (65, 35, True)])
def test_decay_goes_on_while_a_step_loses_no_more_than_the_paper_allows(
    left: int, right: int, both: bool
) -> None:
    one = f"<div>{words(left - 6)}{words(6)}</div>"
    table = table_of(one + f"<div>{words(right - 6)}{words(6)}</div>")

    assert len(kept(by_decay(CONFIG), table)) == (4 if both else 2)


#: The printed example of the entropy path (ifeng): text outside links of the body's children.
IFENG = {"focus": 86, "searchdiv02": 21, "main": 1409, "links": 54, "chafooter": 9}


def test_entropy_finds_the_main_block_of_the_printed_example() -> None:
    page = "".join(f"<div id={name}>{words(units)}</div>" for name, units in IFENG.items())
    table = table_of(page)
    body = extract_body(table, (), None, BodyConfig(), mode=by_entropy(CONFIG))

    assert (body.extractor, body.fallback) == ("entropy", None)
    assert [table.lines.units[line] for line in body.lines] == [1409]


def test_entropy_takes_whole_lines_of_links_away_and_no_link_within_a_sentence() -> None:
    linked = SENTENCE.replace("divers", "<a href=/d>divers</a>")
    table = table_of(f"<div>{PARAGRAPH}<p>{linked}</p>{MENU}</div>")

    assert kept(by_entropy(CONFIG), table) == [SENTENCE, SENTENCE]


def test_entropy_goes_where_the_path_of_the_template_leads() -> None:
    table = table_of(f"<div id=one>{PARAGRAPH}</div><div id=two>{words(900)}</div>")
    mode = by_entropy(CONFIG, row_of(table, "one"))

    assert kept(mode, table) == [SENTENCE]
    assert kept(by_entropy(CONFIG), table) != [SENTENCE]


RELEVANCE_PAGE = (
    f"<div class=a>{PARAGRAPH}</div>"
    "<div>Something else: of other boats, and of their sails.</div>"
    "<div class=b>The crack in the pier is, of course, an old one.<img src=i></div>"
)


def test_relevance_keeps_the_blocks_about_the_title_and_nothing_between_them() -> None:
    mode = by_relevance(CONFIG, f"{PIER} - Harbour News")

    assert kept(mode, table_of(RELEVANCE_PAGE)) == [
        SENTENCE, "The crack in the pier is, of course, an old one.",
    ]  # fmt: skip


def test_relevance_with_the_printed_constants_asks_for_a_mark_in_ten_characters() -> None:
    mode = by_relevance(ModesConfig(relevance=PRINTED), PIER)
    dense = table_of(f"<div>{PARAGRAPH}</div><div>Pier, pier, pier: a crack, a crack!</div>")

    assert kept(by_relevance(CONFIG, PIER), dense)[0] == SENTENCE
    finding = mode.find(dense)
    assert finding is not None
    assert dense.lines.text[dense.lines_in(finding.row)[0]].startswith("Pier, pier")
    assert mode.find(table_of(f"<div>{PARAGRAPH}</div>")) is None


@pytest.mark.parametrize("name", EXTRACTORS[1:])
def test_a_page_without_text_is_left_to_the_default(name: str) -> None:
    modes = (
        by_decay(CONFIG),
        by_entropy(CONFIG),
        by_relevance(CONFIG, PIER),
        by_blocks("lcs", lambda _: [], CONFIG),
    )
    (mode,) = (mode for mode in modes if mode.name == name)
    for html in ("", "<img src=x>", "<a href=x>A link</a>"):
        body = extract_body(table_of(html), (), None, BodyConfig(), mode=mode)

        assert (body.extractor, body.fallback) == ("webclean", "nothing")


def test_a_method_that_keeps_next_to_nothing_is_passed_over() -> None:
    table = table_of(f"<div>Kite, tower.</div><section>{LONG_PARAGRAPH}</section>")
    title = "Kite in tower"
    body = extract_body(table, (), None, BodyConfig(), mode=by_relevance(CONFIG, title))

    assert (body.extractor, body.fallback) == ("webclean", "little")
    assert body.paragraphs == 1
    anything = by_relevance(ModesConfig(min_kept_share=0.0), title)
    assert kept(anything, table) == ["Kite, tower."]


@given(trees())
def test_what_is_removed_lies_inside_the_subtree_apart_and_rising(html: str) -> None:
    table = table_of(html)
    for mode in (by_decay(CONFIG), by_entropy(CONFIG), by_relevance(CONFIG, "Pier closed")):
        finding = mode.find(table)
        if finding is None:
            continue
        spans = [span for removal in finding.removals for span in removal.spans]
        edges = [finding.row, *(edge for span in spans for edge in span), table.end[finding.row]]
        assert edges == sorted(edges)


@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_a_share_outside_of_its_range_is_refused(value: float) -> None:
    with pytest.raises(ConfigError, match="min_kept_share"):
        ModesConfig(min_kept_share=value)


def test_blocks_chosen_elsewhere_are_the_body_and_what_lies_between_them_is_not() -> None:
    table = table_of(
        "<div><p id=a>One.</p><p id=b>Two.</p><i id=c>Three.</i><p id=d>Four.</p></div>"
    )
    chosen = [table.ident.index(name) for name in ("a", "c")]
    mode = by_blocks("lcs", lambda _: chosen, CONFIG)
    finding = mode.find(table)
    assert finding is not None
    assert table.tag[finding.row] == "div"
    gone = {row for removal in finding.removals for span in removal.spans for row in range(*span)}
    kept = [table.text[row] for row in range(len(table)) if row not in gone]
    assert [text for text in kept if text] == ["One.", "Three."]
    assert by_blocks("lcs", lambda _: [], CONFIG).find(table) is None
    whole = by_blocks("lcs", lambda _: chosen[:1], CONFIG).find(table)
    assert whole is not None
    assert (whole.row, whole.removals) == (chosen[0], ())
