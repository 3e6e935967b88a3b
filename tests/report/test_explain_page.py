from dataclasses import replace

import pytest
from lxml import html as parser

from tests.pages import article, article_text
from tests.report.explained import CONFIG, URL, explained, given, rendered
from webclean_scrapy.report.explain import explain_page, render_text
from webclean_scrapy.report.explain_page import render_explanation


def test_every_line_is_shown_once_in_order_with_its_step() -> None:
    lines = explained().lines
    shown = parser.fromstring(rendered()).xpath("//*[starts-with(@class, 'l k-')]")

    assert [one.get("id") for one in shown] == [f"l{line.number}" for line in lines]
    assert [one.findtext("summary").strip() for one in shown] == [line.text for line in lines]
    kept = [line.number for line in lines if line.kept]
    assert [int(one.get("id")[1:]) for one in shown if "k-kept" in one.get("class")] == kept


@pytest.mark.parametrize(
    ("confidence", "sign", "said"),
    [(0.14, "look", "1 of 10"), (0.69, "good", "7 of 10"), (0.99, "good", "9 of 10")],
)
def test_a_confidence_is_said_as_what_it_is(confidence: float, sign: str, said: str) -> None:
    found = explained()
    found = replace(found, body=replace(found.body, confidence=confidence))
    (verdict,) = parser.fromstring(render_explanation(found)).xpath("//*[@id='answer']/..")
    assert f"{said} such bodies are right" in verdict.text_content()
    assert verdict.get("class").split()[-1] == sign
    assert f"{confidence}: {said}" in render_text(found)


def test_runs_of_removed_lines_are_folded_and_the_article_stands_beside_them() -> None:
    items = "".join(f"<li><a href='/{n}'>Entry {n}</a></li>" for n in range(9))
    root = parser.fromstring(rendered(article(1).replace("<h1>", f"<ul>{items}</ul><h1>")))

    folded = root.xpath("//details[@class='run']")
    assert any("Entry 8" in run.text_content() for run in folded)
    assert not any(run.xpath(".//*[contains(@class, 'k-kept')]") for run in folded)
    text = root.get_element_by_id("article").text_content()
    assert all(paragraph in text for paragraph in article_text(1))
    body = root.get_element_by_id("body").text_content()
    assert article_text(1)[0] in body
    assert "All rights reserved" not in body


def test_links_lead_nowhere_and_nothing_needs_what_the_policy_forbids() -> None:
    root = parser.fromstring(rendered())

    links = [a for a in root.xpath("//a") if not a.get("href").startswith("#")]
    assert [(a.get("href"), a.get("rel")) for a in links] == [
        (URL.format(1), "noopener noreferrer")
    ]
    assert root.xpath("//*[@style] | //*[@src] | //img | //link | //script") == []
    policy = root.xpath("//meta[@http-equiv]/@content")[0]
    assert "script-src 'none'" in policy
    anchors = {a.get("href")[1:] for a in root.xpath("//a[starts-with(@href, '#')]")}
    assert anchors <= set(root.xpath("//@id"))


def test_long_runs_and_long_lines_are_shortened_and_counted() -> None:
    items = "".join(f"<li><a href='/{n}'>Number {n} of the menu</a></li>" for n in range(4_600))
    long = f"<p>{article_text(1)[0]} {'And so it went on for days. ' * 200}</p>"
    html = article(1).replace("<h1>", f"<ul>{items}</ul><h1>").replace("</h1>", f"</h1>{long}")
    page = rendered(html, siblings=0)
    root = parser.fromstring(page)

    assert len(root.xpath("//*[starts-with(@class, 'l k-')]")) < 4_000
    assert "more lines" in root.text_content()
    assert "more characters" in root.text_content()
    assert article_text(1)[-1] in root.get_element_by_id("body").text_content()


def test_text_of_a_page_is_no_markup_in_it() -> None:
    name = "<script>fire()</script>\"'>"
    html = article(1).replace("Story number", "&lt;/script&gt;&lt;script&gt;fire()//&lt;!--")
    given_page = given(1, html)._replace(name=name, url="javascript:fire()")
    page = render_explanation(explain_page(given_page, CONFIG, requests={name: 1}))
    root = parser.fromstring(page)

    assert (page.count("<script"), page.count("<!--")) == (0, 0)
    assert [a.get("href") for a in root.xpath("//a") if "fire" in a.get("href")] == []
    assert "fire()" in root.xpath("//h1")[0].text


def test_pages_of_any_depth_and_those_that_were_not_parsed_are_shown() -> None:
    html = article(1).replace('<div class="main">', "<div><p>One more.</p>" * 400)
    root = parser.fromstring(rendered(html, siblings=0))
    assert max(len(box.xpath("ancestor::*")) for box in root.xpath("//*[@id='page']//*")) < 30
    assert article_text(1)[0] in root.text_content()

    found = explain_page(given(1), CONFIG.__class__(max_tags=20), [given(2)])
    root = parser.fromstring(render_explanation(found))
    assert found.extractor == "source"
    assert root.xpath("//*[@id='walk']") == []
    assert article_text(1)[0] in root.text_content()
