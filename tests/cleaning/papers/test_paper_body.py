"""The papers' methods as a whole, on one page."""

from hypothesis import given

from tests.reading import LONG_PARAGRAPH, SENTENCE, evidence_of, trees
from webclean_scrapy.cleaning.body.models import Body
from webclean_scrapy.cleaning.config import CleanConfig, PapersConfig, make_method
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.papers.paper_method import PaperMethod, body_by_paper
from webclean_scrapy.cleaning.parsed_page import ParsedPage, parse_page
from webclean_scrapy.cleaning.templates.learner import Comparison

CONFIG = PapersConfig()


def method(name: str, config: PapersConfig = CONFIG) -> PaperMethod:
    made = make_method(CleanConfig(extractor=name, papers=config))
    assert made is not None
    return made


def page_of(html: str, title: str = "", url: str | None = None) -> ParsedPage:
    return parse_page(RawPage(f"<title>{title}</title>{html}", url or ""), GuardConfig())


def body_of(by: PaperMethod, page: ParsedPage, least: float = 0.1) -> Body | str:
    found = body_by_paper(by, page, evidence_of(page.table), Comparison(), least)
    body, reason = (found, None) if isinstance(found, Body) else (None, found)
    assert (body is None) == (reason is not None)
    return body or reason or ""


def test_decay_weighs_all_text_outside_links_and_cuts_link_blocks() -> None:
    menu = "<ul>" + "<li><a href=/>A headline of another story</a>" * 3 + "</ul>"
    page = page_of(f"<div id=story>{LONG_PARAGRAPH}<p>Short</p>{menu}</div><div>Imprint</div>")
    body = body_of(method("decay"), page)

    assert isinstance(body, Body)
    first, short = (page.table.lines.text[line] for line in body.lines)
    assert first.startswith(SENTENCE)
    assert short == "Short"


def test_a_method_that_keeps_next_to_nothing_is_passed_over() -> None:
    page = page_of(f"<div>Kite, tower.</div><section>{LONG_PARAGRAPH}</section>", "Kite in tower")

    assert body_of(method("relevance"), page) == "little"
    anything = body_of(method("relevance"), page, least=0.0)
    assert isinstance(anything, Body)
    assert [page.table.lines.text[line] for line in anything.lines] == ["Kite, tower."]


@given(trees())
def test_what_is_removed_lies_inside_the_subtree_apart_and_rising(html: str) -> None:
    page = page_of(html, "Pier closed")
    for name in ("decay", "entropy", "relevance"):
        extraction = method(name).extract(page, page.table, Comparison())
        if extraction is None:
            continue
        edges = [extraction.row]
        for removal in extraction.removals:
            edges += [edge for span in removal.spans for edge in span]
        edges.append(page.table.end[extraction.row])
        assert edges == sorted(edges)
