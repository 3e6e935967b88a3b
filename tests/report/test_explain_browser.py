"""The HTML page of ``explain`` in a real browser: its content, and no running scripts."""

import pytest
from playwright.sync_api import Browser

from tests.browser import CONTRAST, PHONE, SITE, Opened, open_frames
from tests.pages import article, article_text
from tests.report.explained import CONFIG, rendered
from tests.xss import VECTORS, hostile_page
from webclean_scrapy.report.explain import GivenPage, explain_page
from webclean_scrapy.report.explain_page import render_explanation


@pytest.fixture(scope="module")
def explained() -> str:
    html = article(1, ["/news/north.html"])
    html = html.replace("<p>", "<div class=part><p>", 2).replace("</p>", "</p></div>", 2)
    other = "<form><p>Write to us</p></form><p>Ferries, a paragraph that stands alone.</p>"
    html = html.replace('<div class="foot">', f"{other}<div class=foot>")
    return rendered(html)


def test_the_first_screen_has_verdict_and_article(browser: Browser, explained: str) -> None:
    opened = Opened(browser, {"/": explained}, viewport={"width": 1280, "height": 900})
    tab = opened.tab
    assert opened.is_silent
    assert tab.title() == "Story number 1 of the day - explained"
    for selector in ("#answer", "#article h1", "#article p >> nth=1", "#page"):
        assert tab.locator(selector).first.bounding_box()["y"] < 600  # type: ignore[index]
    assert tab.locator("#answer").inner_text().startswith(("✓", "!", "✗"))
    assert article_text(1)[0] in tab.locator("#article").inner_text()
    assert opened.overflow == 0


def test_keys_fold_runs_and_show_the_measures_of_a_line(browser: Browser, explained: str) -> None:
    tab = Opened(browser, {"/": explained}).tab
    run = tab.locator("details.run > summary").first
    hidden = tab.locator("details.run .l").first
    assert not hidden.is_visible()
    run.focus()
    tab.keyboard.press("Enter")
    assert hidden.is_visible()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.parentElement.id") == hidden.get_attribute("id")
    tab.keyboard.press("Enter")
    assert "units" in hidden.inner_text()
    kept = tab.locator(".l.k-kept").first
    kept.locator("summary").click()
    assert "likely body" in kept.inner_text()
    assert "For and against" in kept.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_on_a_phone(browser: Browser, explained: str, scheme: str) -> None:
    opened = Opened(browser, {"/": explained}, viewport=PHONE, color_scheme=scheme)
    opened.open_details()
    assert opened.overflow == 0
    assert opened.cut_in("nav ul") == 0
    table = opened.tab.locator("#confidence table")
    assert table.evaluate("one => one.parentElement.scrollHeight <= one.parentElement.clientHeight")
    assert opened.brightness > 600 if scheme == "light" else opened.brightness < 150
    for selector in (
        "p", ".l", ".tag", ".quiet", "dd", "dt", "a", ".chip", "td", "h1", ".sign",
    ):  # fmt: skip
        assert min(opened.tab.evaluate(CONTRAST, selector)) >= 4.5, selector


def test_no_vector_fires_and_nothing_is_fetched(browser: Browser) -> None:
    documents = {}
    for number, name in enumerate(VECTORS):
        url = f"{SITE}/news/{number}.html"
        page = GivenPage(url, hostile_page(number, name).encode(), url)
        documents[f"/{number}"] = render_explanation(explain_page(page, CONFIG))
    opened = open_frames(browser, documents)
    assert len(documents) >= 114
    assert (opened.fired, opened.requests) == ([], [])


def test_the_policy_of_the_page_stops_scripts_that_are_put_into_it(browser: Browser) -> None:
    opened = Opened(browser, {"/": rendered()})
    opened.tab.evaluate("""() => {
      const inside = document.createElement('div');
      inside.innerHTML = '<img src="http://away.test/p.png" onerror="document.title = 1">';
      const script = document.createElement('script');
      script.textContent = 'document.title = 2';
      const far = document.createElement('script');
      far.src = 'http://away.test/s.js';
      document.body.append(inside, script, far);
    }""")
    opened.tab.wait_for_timeout(100)
    assert opened.tab.title() == "Story number 1 of the day - explained"
    assert opened.requests == []
    assert any("Content Security Policy" in message for message in opened.messages)
