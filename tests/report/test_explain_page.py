from __future__ import annotations

import re

import pytest
from lxml import html as parser

from tests.pages import article, article_text
from tests.report.explained import CONFIG, URL, copy_of_first, given, inspected, rendered
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.confidence.body_confidence import confidence_terms
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.report.explain import describe
from webclean_scrapy.report.explain_page import MAX_SIBLINGS, render_explanation, render_refusal
from webclean_scrapy.report.inspection import inspect_page
from webclean_scrapy.report.line_measures import line_likelihoods, line_terms
from webclean_scrapy.report.page_drawing import MAX_CHARACTERS, choose_lines, draw_page, style_of
from webclean_scrapy.report.shared_wording import PHRASE, compare_wording
from webclean_scrapy.report.sibling_drawing import draw_sibling
from webclean_scrapy.report.walk_drawing import HEIGHT, MAX_STEPS, TOP, draw_walk


def test_every_line_is_drawn_once_in_order_with_what_became_of_it() -> None:
    found = inspected()
    lines = describe(found).lines
    parts = list(draw_page(found.cleaned.trace.page.table, lines, found.cleaned.trace.body.row))

    drawn = [part for part in parts if part.kind == "line"]
    assert [part.number for part in drawn] == [line.number for line in lines]
    assert [part.style for part in drawn] == [style_of(line) for line in lines]
    assert ["".join(p.text for p in part.pieces) for part in drawn] == [o.text for o in lines]
    opened = [part.kind for part in parts if part.kind in {"open", "close"}]
    assert opened.count("open") == opened.count("close") > 1
    assert [part.number for part in parts if part.label == "the body"] == [
        found.cleaned.trace.body.row
    ]


def test_links_are_told_from_text_and_lead_nowhere() -> None:
    page = rendered()
    root = parser.fromstring(page)

    assert [a.text for a in root.xpath("//*[@id='page']//*[@class='a']")][:2] == ["Home", "News"]
    assert {a.get("href") for a in root.xpath("//a") if not a.get("href").startswith("#")} == {
        URL.format(1)
    }
    assert [a.get("rel") for a in root.xpath(f"//a[@href='{URL.format(1)}']")] == [
        "noopener noreferrer"
    ]
    assert root.xpath("//*[@style]") == root.xpath("//*[@src]") == root.xpath("//img|//link") == []


def test_long_runs_of_lines_and_long_lines_are_shortened_and_say_so() -> None:
    items = "".join(f"<li><a href='/{n}'>Number {n} of the menu</a></li>" for n in range(4_600))
    long = f"<p>{article_text(1)[0]} {'And so it went on for days. ' * 200}</p>"
    html = article(1).replace("<h1>", f"<ul>{items}</ul><h1>").replace("</h1>", f"</h1>{long}")
    root = parser.fromstring(rendered(html, siblings=0))

    drawn = len(root.xpath("//*[@id='page']//*[contains(@class, 'l k-')]"))
    gaps = root.xpath("//*[@class='gap']/text()")
    assert 1_000 < drawn <= 4_000
    assert len(gaps) == 1
    left_out = int(re.findall(r"\d+", gaps[0])[0])
    assert f"{left_out} of {left_out + drawn} lines are not drawn" in root.text_content()
    assert root.xpath("//*[@class='more']")[0].text.startswith("… ")
    assert max(len(one.text_content()) for one in root.xpath("//*[@id]")) < 2_000_000
    assert article_text(1)[-1] in root.text_content()


@pytest.mark.parametrize(
    ("fates", "most", "drawn"),
    [
        ("", 4, ""),
        ("aabb", 4, "1111"),
        ("aaaaaaaab", 5, "110000111"),
        ("abababab", 3, "11100000"),
    ],
)
def test_which_lines_are_drawn(fates: str, most: int, drawn: str) -> None:
    assert "".join(str(int(one)) for one in choose_lines(fates, most)) == drawn


def test_the_terms_of_a_line_are_those_of_the_model_that_decided() -> None:
    found = inspected()
    trace = found.cleaned.trace
    assert trace.selection is not None
    terms = line_terms(trace, CONFIG, list(trace.selection.lines))
    likely = line_likelihoods(trace)

    for line, odds in zip(trace.selection.lines, trace.selection.log_odds, strict=True):
        added = [abs(term.added) for term in terms[line]]
        assert added == sorted(added, reverse=True)
        chance = likely[line]
        assert chance is not None
        assert (chance > 0.5) is bool(odds > trace.selection.threshold)
    best = max(trace.body.lines, key=lambda line: trace.page.table.lines.units[line])
    assert sum(term.added for term in terms[best]) > 0


def test_the_walk_is_drawn_with_its_numbers_and_stops_below_the_band() -> None:
    html = article(1).replace("<p>", "<div class=part><p>").replace("</p>", "</p></div>")
    found = inspected(html)
    trace = found.cleaned.trace
    assert trace.walk is not None
    chart = draw_walk(trace.page.table, trace.walk, describe(found).body.steps)

    chosen = [point for point in chart.points if point.fate == "chosen"]
    refused = [point for point in chart.points if point.is_refused]
    assert [point.row for point in chosen] == [trace.body.row]
    assert refused[0].floor is not None
    assert refused[0].y > refused[0].floor  # further down is less
    taken = chart.points[1 : chosen[0].number]
    assert all(point.y <= (point.floor or 0) <= TOP + HEIGHT for point in taken)
    assert [point.weight for point in chart.points] == [
        s.weight for s in describe(found).body.steps
    ]
    assert len(chart.way.split()) == chosen[0].number


def test_of_a_long_walk_the_steps_about_the_body_are_drawn() -> None:
    deep = "".join(f"<div><p>{line}</p>" for line in article_text(5) * 8)
    html = article(1).replace('<div class="body">', f'<div class="body">{deep}')
    found = inspected(html, siblings=0)
    trace = found.cleaned.trace
    assert trace.walk is not None
    assert len(trace.walk.rows) > MAX_STEPS
    chart = draw_walk(trace.page.table, trace.walk, describe(found).body.steps)

    assert len(chart.points) == MAX_STEPS
    assert chart.left_out == len(trace.walk.rows) - MAX_STEPS
    assert [p.row for p in chart.points if p.fate == "chosen"] == [trace.walk.row]
    assert chart.points[0].roof is None


def test_beside_a_sibling_what_both_have_is_in_one_row_and_the_bodies_are_partners() -> None:
    found = inspected()
    trace = found.siblings[0].trace
    assert trace is not None
    drawing = draw_sibling(trace, CONFIG)

    paired = {row.page.text: row for row in drawing.rows if row.page and row.is_paired}
    foot = paired["All rights reserved by the Ostwick Post and its readers."]
    assert foot.page is not None
    assert foot.sibling is not None
    assert (foot.page.style, foot.page.text) == ("repeated", foot.sibling.text)
    first = next(
        r for r in drawing.rows if r.page and article_text(1)[0].startswith(r.page.text[:-1])
    )
    assert first.page is not None
    assert first.sibling is not None
    assert (first.page.style, first.sibling.style) == ("familiar", "body")
    assert article_text(2)[0].startswith(first.sibling.text[:-1])
    start, stop = first.page.span
    assert start < first.sibling.number <= stop
    assert (drawing.pairs or 0) > 10


def test_every_line_of_both_pages_has_one_place_beside_the_other() -> None:
    trace = inspected().siblings[0].trace
    assert trace is not None
    drawing = draw_sibling(trace, CONFIG)

    (sibling,) = trace.comparison.siblings
    for side, table in (("page", trace.page.table), ("sibling", sibling.table)):
        numbers = [line.number for row in drawing.rows if (line := getattr(row, side))]
        assert numbers == list(range(1, len(table.lines) + 1))


def test_pages_too_large_to_align_are_paired_by_equal_lines() -> None:
    items = "".join(f"<li>Entry {n} in the list of ships</li>" for n in range(7_000))
    trace = (
        inspect_page(
            *(given(1, article(1).replace("</h3>", f"</h3><ul>{items}</ul>")), CONFIG, [given(2)])
        )
        .siblings[0]
        .trace
    )
    assert trace is not None
    drawing = draw_sibling(trace, CONFIG)

    assert drawing.pairs is None
    assert sum(row.left_out for row in drawing.rows) > 5_000
    assert len(drawing.rows) < 1_100
    assert any(row.is_paired for row in drawing.rows)


def test_siblings_that_were_refused_and_those_too_many_are_named() -> None:
    others = [given(seed) for seed in range(2, 3 + MAX_SIBLINGS)]
    found = inspect_page(given(1), CONFIG, [given(1), *others])
    root = parser.fromstring(render_explanation(found, {"requested": 2}))

    text = root.text_content()
    assert "it is the same page" in text
    assert len(root.xpath("//table[@class='beside']")) == MAX_SIBLINGS
    assert text.count("only the first siblings are") == 1
    assert "requested 2" in text


def test_shared_phrases_are_the_same_words_and_the_verdict_is_that_of_dedup() -> None:
    other = copy_of_first()
    wording = compare_wording(inspected().cleaned, other.page, "copy", DedupConfig())

    assert wording.verdict == "duplicate"
    assert (wording.similarity or 0) > 0.5
    mine = {run.phrase: run.text for runs in wording.page for run in runs if run.phrase}
    theirs = {run.phrase: run.text for runs in wording.other for run in runs if run.phrase}
    assert mine == theirs
    assert set(mine) == set(range(1, wording.phrases + 1))
    assert all(len(text.split()) >= PHRASE for text in mine.values())
    assert article_text(1)[1].rstrip(".") in mine.values()
    assert wording.shares[0] > 0.7
    assert "".join(r.text for r in wording.page[0]) == inspected().cleaned.text.split("\n")[0]


def test_other_texts_are_two_pages_and_chinese_phrases_are_of_characters() -> None:
    text = "今天早上海港有大雾，去岛上的渡轮晚点了三个小时。"
    pages = [
        Cleaner(CONFIG).inspect(given(n, article(n, paragraphs=[*article_text(n), extra])).raw)
        for n, extra in ((1, text + "船长很生气。"), (2, "據說" + text))
    ]
    wording = compare_wording(pages[0], pages[1], "other", DedupConfig())

    assert (wording.verdict, wording.similarity) == ("different", None)
    shared = [run.text for runs in wording.page for run in runs if run.phrase]
    assert "今天早上海港有大雾，去岛上的渡轮晚点了三个小时" in shared
    assert max(wording.shares) < 0.2


def test_the_confidence_is_the_sum_of_its_signs() -> None:
    trace = inspected().cleaned.trace
    terms = confidence_terms(trace.page, trace.evidence, trace.body, trace.models)
    total = sum(added for _, added in terms.values())

    assert 1 / (1 + 2.718281828**-total) == pytest.approx(inspected().cleaned.confidence, abs=1e-3)
    root = parser.fromstring(rendered())
    assert len(root.xpath("//table[@class='signs']//tbody/tr")) == len(terms)


def test_the_record_and_the_verdict_come_first() -> None:
    root = parser.fromstring(rendered())

    names = root.xpath("//dl[contains(@class, 'fields')]/dt/text()")
    assert names == [
        "Title", "Date", "Authors", "Source", "Language", "Keywords", "Kind", "Body at", "Method",
        "Confidence",
    ]  # fmt: skip
    assert root.xpath("//*[@id='answer']")[0].text_content().split()[1] == "Article:"
    widths = [float(rect.get("width")[:-1]) for rect in root.xpath("//svg[@class='bar']/rect")]
    assert sum(widths) == pytest.approx(100, abs=0.1)
    strip = root.xpath("//svg[@class='bar strip']/rect/@fill")
    assert (strip[0], strip[-1]) == ("url(#p-outside)", "url(#p-template)")  # menu and footer
    assert "url(#p-kept)" in strip[1:-1]


def test_nothing_of_a_page_is_markup_in_it() -> None:
    name = "<script>fire()</script>\"'>"
    html = article(1).replace("Story number", "&lt;/script&gt;&lt;script&gt;fire()//&lt;!--")
    found = inspect_page(given(1, html)._replace(name=name, url="javascript:fire()"), CONFIG)
    page = render_explanation(found, {name: 1})
    root = parser.fromstring(page)

    assert len(root.xpath("//script")) == 2  # the data and ours
    assert page.count("<script") == page.count("</script>") == 2
    assert page.count("<!--") == 0
    assert [a.get("href") for a in root.xpath("//a") if "fire" in a.get("href")] == []
    assert "fire()" in root.xpath("//h1")[0].text
    assert name in parser.fromstring(render_refusal(name, "why")).text_content()


def test_deep_pages_are_drawn_without_deep_boxes() -> None:
    html = article(1).replace('<div class="main">', "<div><p>One more.</p>" * 400)
    root = parser.fromstring(rendered(html, siblings=0))

    assert max(len(box.xpath("ancestor::*")) for box in root.xpath("//*[@id='page']//*")) < 30
    assert article_text(1)[0] in root.text_content()


def test_of_a_page_that_was_not_parsed_its_lines_are_shown() -> None:
    config = CONFIG.__class__(max_tags=20)
    found = inspect_page(given(1), config, [given(2)])
    root = parser.fromstring(render_explanation(found))

    assert found.cleaned.extractor == "source"
    assert "the page was not parsed" in root.text_content()
    assert root.xpath("//*[@id='walk-section']") == []
    assert article_text(1)[0][:MAX_CHARACTERS] in root.text_content()
