import itertools

import pytest

from tests.pages import article, article_text, listing
from tests.report.explained import CONFIG, URL, given
from tests.test_golden import CASES, Case
from webclean_scrapy.cleaning.body.decay_walk import STEP_FEATURES
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.report.explain import Explanation, GivenPage, explain_page, render_text
from webclean_scrapy.report.explain_lines import LineView


def line_of(found: Explanation, text: str) -> LineView:
    return next(line for line in found.lines if text in line.text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_what_is_explained_is_what_the_cleaner_did(case: Case) -> None:
    html = (case.folder / "page.html").read_bytes()
    page = Cleaner().clean(html, case.meta["url"], case.siblings)
    siblings = [GivenPage("sibling", body, url) for body, url in case.siblings]

    found = explain_page(GivenPage("page", html, case.meta["url"]), CONFIG, siblings)

    body = page.trace.body
    kept = tuple(line.number - 1 for line in found.lines if line.kept)
    assert (kept, found.body.xpath) == (body.lines, page.body_xpath)
    assert (found.kind, found.kind_reason, found.title) == (page.kind, page.kind_reason, page.title)
    assert [line.text for line in found.lines] == page.trace.page.table.lines.text
    assert all(bool(line.step and line.reason) != line.kept for line in found.lines)
    assert (found.body.confidence, found.kind_confidence) == (page.confidence, page.kind_confidence)
    if found.body.stop is not None:
        assert found.body.steps[found.body.stop].xpath == found.body.xpath


def test_each_line_says_what_became_of_it_and_what_the_sibling_said() -> None:
    page = article(1, ["/north.html"]).replace("Story number 1 of the day", "Ost bridge measured")
    found = explain_page(given(1, page), CONFIG, [given(2)])

    body = line_of(found, article_text(1)[0][:40])
    foot = line_of(found, "All rights reserved")
    menu = line_of(found, "Home")
    title = line_of(found, "Ost bridge measured")
    related = line_of(found, "More: ")
    assert (body.kept, body.step, body.reason, body.sibling) == (True, "", "", ("familiar",))
    assert (foot.kept, foot.step, foot.reason) == (False, "template", "repeated in sibling")
    assert foot.sibling == ("repeated",)
    assert (menu.step, menu.reason) == ("outside", "outside the body")
    assert (title.step, title.reason) == ("record", "title")
    assert (related.kept, related.sibling) == (False, ("foreign",))
    assert found.body.anchor == title.number
    assert (body.log_odds or 0) > 0
    assert (menu.log_odds, foot.log_odds) == (None, None)


def test_the_steps_of_the_walk_come_from_the_root_down_with_what_decided_each() -> None:
    html = article(1).replace("<p>", "<div class=part><p>").replace("</p>", "</p></div>")
    found = explain_page(given(1, html), CONFIG).body

    assert found.stop is not None
    assert 0 < found.stop < len(found.steps) - 1
    assert found.steps[found.stop].xpath == found.xpath
    assert found.steps[0].xpath == "/html"
    for outer, inner in itertools.pairwise(found.steps):
        assert inner.xpath.startswith(outer.xpath)
        assert outer.weight >= inner.weight > 0
        assert outer.decay == pytest.approx(1 - inner.weight / outer.weight, abs=0.01)
        assert set(outer.features) <= set(STEP_FEATURES)
        assert 0 not in outer.features.values()
    taken = [step.decay < step.limit for step in found.steps[:-1]]  # type: ignore[operator]
    assert taken[: found.stop + 1] == [True] * found.stop + [False]
    last = found.steps[-1]
    assert (last.decay, last.limit, last.features) == (None, None, {})


@pytest.mark.parametrize(
    ("sibling", "reason"),
    [
        (given(1), "identical"),
        (given(2, article(2, ["/x"], article_text(1))), "same_article"),
        (given(2, listing([URL.format(3)])), "not_article"),
        (GivenPage("a paper", b"%PDF-1.7\n" * 50, URL.format(2)), "not_html"),
        (GivenPage("a paper", b"%PDF-1.7\n" * 50, URL.format(2), "utf-8"), "not_html"),
        (given(2, f"<title>x</title><pre>{' '.join(article_text(2))}</pre>"), "unlike"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_sibling_that_is_no_use_says_why(sibling: GivenPage, reason: str) -> None:
    found = explain_page(given(1), CONFIG, [sibling])

    (view,) = found.siblings
    assert (view.refused, view.repeated, view.foreign, view.familiar) == (reason, 0, 0, 0)
    assert {line.sibling for line in found.lines} == {()}


def test_a_method_of_the_papers_is_explained_by_what_it_removed() -> None:
    html = article(1).replace(
        "</h1>", '</h1><div><a href="/a">One thing</a> <a href="/b">Another thing</a></div>'
    )
    found = explain_page(given(1, html), CleanConfig(extractor="decay"), [given(2)])

    assert (found.extractor, found.fallback) == ("decay", None)
    assert (found.body.steps, found.body.stop) == ((), None)
    assert {line.log_odds for line in found.lines} == {None}
    foot = line_of(found, "All rights")
    assert (foot.step, foot.reason) == ("outside", "outside the body")


def test_a_page_that_was_not_parsed_is_explained_too() -> None:
    found = explain_page(given(1), CleanConfig(max_tags=5), [given(2)])

    assert (found.extractor, found.fallback, found.body.xpath) == ("source", "tags", None)
    assert [sibling.refused for sibling in found.siblings] == ["too_large"]
    assert {line.step for line in found.lines if not line.kept} == {"stretch", "record"}
    assert "source (the page was not parsed, by its tags)" in render_text(found)
    assert "none: the page was not parsed" in render_text(found)


def test_title_and_byline_are_of_the_record_not_removed() -> None:
    head = '<meta name="author" content="Mara Lund"><meta property="article:published_time" '
    html = article(1).replace("</head>", f'{head}content="2026-03-05"></head>')
    html = html.replace("</h1>", '</h1><p class="by">By Mara Lund, 5 March 2026</p>', 1)
    found = explain_page(given(1, html), CONFIG)

    byline = line_of(found, "By Mara Lund")
    assert (byline.kept, byline.step, byline.reason) == (False, "record", "author and date")
    assert next(line.reason for line in found.lines if line.step == "record") == "title"
