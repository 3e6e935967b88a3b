"""The pages of ``explain`` and of a crawl in a real browser: content, keys, no running scripts."""

import pytest
from playwright.sync_api import Browser

from tests.browser import CONTRAST, PHONE, SITE, Opened, open_frames
from tests.pages import article, article_text
from tests.report.crawl_reports import data_of, fill_tally, news_url
from tests.report.explained import CONFIG, rendered
from tests.xss import VECTORS, hostile_page
from webclean_scrapy.dedup.fingerprint import Match
from webclean_scrapy.report.crawl_report import render_report
from webclean_scrapy.report.crawl_tally import ARTICLE, EXPORTED, OTHER, CrawlTally, ItemNote
from webclean_scrapy.report.explain import GivenPage, explain_page
from webclean_scrapy.report.explain_page import render_explanation

CONTROL = "<script>fire(0)</script><img src=/asked.png>"  # that what fires and asks is seen


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """Return a page of each kind."""
    html = article(1, ["/news/north.html"])
    html = html.replace("<p>", "<div class=part><p>", 2).replace("</p>", "</p></div>", 2)
    other = "<form><p>Write to us</p></form><p>Ferries, a paragraph that stands alone.</p>"
    html = html.replace('<div class="foot">', f"{other}<div class=foot>")
    tally = fill_tally(600, news_url)
    note = ItemNote(news_url(4), ARTICLE, 0.9, 99, "en", "A copy of the story")
    match = Match(key=news_url(5), similarity=0.8, verdict="duplicate", own=0.2)
    tally.add_copy(note, match, "The story")
    return {"explained": rendered(html), "report": render_report([data_of(tally)])}


def test_the_first_screen_has_verdict_and_article(browser: Browser, pages: dict[str, str]) -> None:
    screen = {"width": 1280, "height": 900}
    opened = Opened(browser, {"/": pages["explained"]}, viewport=screen)
    tab = opened.tab
    assert opened.is_silent
    assert tab.title() == "Story number 1 of the day - explained"
    for selector in ("#answer", "#article h1", "#article p >> nth=1", "#page"):
        assert tab.locator(selector).first.bounding_box()["y"] < 600  # type: ignore[index]
    assert tab.locator("#answer").inner_text().startswith(("✓", "!", "✗"))
    assert article_text(1)[0] in tab.locator("#article").inner_text()
    assert opened.overflow == 0
    opened = Opened(browser, {"/": pages["report"]})
    assert opened.is_silent
    assert opened.tab.title() == "Went well: news, report of a crawl"
    assert opened.tab.locator("h1").bounding_box()["y"] < 200  # type: ignore[index]
    assert opened.tab.locator("svg.columns rect").count() > 30
    assert opened.tab.locator(".funnel svg.bar rect").count() == 5


@pytest.mark.parametrize("name", ["explained", "report"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_on_a_phone(
    browser: Browser, pages: dict[str, str], scheme: str, name: str
) -> None:
    options = {"viewport": PHONE, "is_mobile": name == "report", "color_scheme": scheme}
    opened = Opened(browser, {"/": pages[name]}, **options)
    opened.open_details()
    assert opened.overflow == 0
    assert opened.cut_in("nav ul") == 0
    heights = "all => all.map(one => one.getClientRects()[0].height)"
    assert max([0, *opened.tab.locator(".step strong").evaluate_all(heights)]) < 30  # in one line
    columns = opened.tab.locator("[aria-label='Dropped copies'] td:has(a)")
    widths = columns.evaluate_all("all => all.map(one => one.clientWidth)")
    assert min([999, *widths]) > 150  # a URL is not one of letters in a column
    for table in opened.tab.locator("#confidence table").all():
        fits = "one => one.parentElement.scrollHeight <= one.parentElement.clientHeight"
        assert table.evaluate(fits)
    assert opened.brightness > 600 if scheme == "light" else opened.brightness < 150
    shown = "p a dt dd h1 td .sign "
    shown += ".l .tag .quiet .chip" if name == "explained" else "li summary th .marked"
    for selector in shown.split():
        assert min(opened.tab.evaluate(CONTRAST, selector)) >= 4.5, selector


def test_keys_fold_runs_and_show_the_measures_of_a_line(
    browser: Browser, pages: dict[str, str]
) -> None:
    tab = Opened(browser, {"/": pages["explained"]}).tab
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


def test_keys_reach_and_work_everything(browser: Browser, pages: dict[str, str]) -> None:
    tab = Opened(browser, {"/": pages["report"]}).tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"

    fold = tab.locator("#c1-least summary")
    assert tab.locator("#c1-least li:visible").count() == 10
    fold.focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#c1-least li:visible").count() == 50


def test_no_vector_fires_in_an_explanation(browser: Browser) -> None:
    documents = {}
    for number, name in enumerate(VECTORS):
        url = f"{SITE}/news/{number}.html"
        page = GivenPage(url, hostile_page(number, name).encode(), url)
        documents[f"/{number}"] = render_explanation(explain_page(page, CONFIG))
    opened = open_frames(browser, documents)
    assert len(documents) >= 114
    assert (opened.fired, opened.requests) == ([], [])


def hostile_tally() -> CrawlTally:
    """Return the counts of a crawl with every vector in every field set by a page."""
    tally = CrawlTally()
    for number, vector in enumerate(VECTORS.values()):
        evil = vector.replace("FIRE", f"fire({number})").replace("AWAY", "http://away.test/")
        for url in (f"http://a.example/{evil}", f"http://{evil}/1", f"javascript:{evil}"):
            note = ItemNote(url, ARTICLE, number / 200, 99, evil, evil)
            tally.add_response(url, 404)
            tally.add_item(note, EXPORTED)
            tally.add_item(note._replace(group=OTHER), f"dropped/{evil}", detail=evil)
            match = Match(key=url, similarity=0.9, verdict="duplicate")
            tally.add_item(note, "duplicate", match)
            tally.add_reason(f"callback/{evil}", url, evil)
    return tally


def test_no_vector_fires_in_a_report(browser: Browser) -> None:
    data = data_of(hostile_tally(), **{f"stat/{vector}": vector for vector in VECTORS.values()})
    data["settings"] = {vector: vector for vector in VECTORS.values()}
    data |= {"spider": "<img src=x: onerror=fire(1)>", "feeds": {"<script>fire(2)</script>": 1}}
    opened = open_frames(browser, {"/report": render_report([data]), "/control": CONTROL})
    assert opened.fired == ["/control 0"]
    assert opened.requests == [f"image {SITE}/asked.png"]
    inside = opened.tab.frame(url=f"{SITE}/report")
    assert inside is not None
    links = inside.eval_on_selector_all("a", "(all) => [...new Set(all.map((a) => a.protocol))]")
    assert set(links) <= {"http:", "https:", ":"}  # ":" of what is no address


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
