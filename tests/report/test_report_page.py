"""The report of a crawl in a real browser: content, interaction and safety."""

import pytest
from playwright.sync_api import Browser

from tests.browser import CONTRAST, PHONE, SITE, Opened, open_frames
from tests.report.crawl_reports import data_of, fill_tally, news_url
from tests.xss import VECTORS
from webclean_scrapy.dedup.fingerprint import Match
from webclean_scrapy.report.crawl_report import render_report
from webclean_scrapy.report.crawl_tally import ARTICLE, EXPORTED, OTHER, CrawlTally, ItemNote

CONTROL = "<script>fire(0)</script><img src=/asked.png>"  # that what fires and asks is seen


@pytest.fixture(scope="module")
def report() -> str:
    tally = fill_tally(600, news_url)
    note = ItemNote(news_url(4), ARTICLE, 0.9, 99, "en", "A copy of the story")
    match = Match(key=news_url(5), similarity=0.8, verdict="duplicate", own=0.2)
    tally.add_copy(note, match, "The story")
    return render_report([data_of(tally)])


def test_a_report_opens_in_silence_and_asks_for_nothing(browser: Browser, report: str) -> None:
    opened = Opened(browser, {"/": report})
    assert opened.is_silent
    assert opened.tab.title() == "Went well: news, report of a crawl"
    assert opened.tab.locator("h1").bounding_box()["y"] < 200  # type: ignore[index]
    assert opened.tab.locator("svg.columns rect").count() > 30
    assert opened.tab.locator(".funnel svg.bar rect").count() == 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_can_be_read_on_a_phone_in_light_and_dark(
    browser: Browser, report: str, scheme: str
) -> None:
    opened = Opened(browser, {"/": report}, viewport=PHONE, is_mobile=True, color_scheme=scheme)
    opened.open_details()
    assert opened.overflow == 0
    assert opened.cut_in("nav ul") == 0
    heights = "all => all.map(one => one.getClientRects()[0].height)"
    assert max(opened.tab.locator(".step strong").evaluate_all(heights)) < 30  # each in one line
    columns = opened.tab.locator("[aria-label='Dropped copies'] td:has(a)")
    widths = columns.evaluate_all("all => all.map(one => one.clientWidth)")
    assert min(widths) > 150  # a URL is not one of letters in a column
    assert opened.brightness > 600 if scheme == "light" else opened.brightness < 150
    for selector in ("p", "a", "dt", "dd", "h1", "li", "summary", "th", "td", ".marked", ".sign"):
        assert min(opened.tab.evaluate(CONTRAST, selector)) >= 4.5, selector


def test_keys_reach_and_work_everything(browser: Browser, report: str) -> None:
    tab = Opened(browser, {"/": report}).tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"

    fold = tab.locator("#c1-least summary")
    assert tab.locator("#c1-least li:visible").count() == 10
    fold.focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#c1-least li:visible").count() == 50


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


def test_no_vector_fires_and_none_asks_for_anything(browser: Browser) -> None:
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
