"""The report of a crawl in a real browser: what it shows, answers to, and never does."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import sync_playwright

from tests.report.crawl_reports import data_of, fill_tally, news_url
from tests.xss import VECTORS
from tests.xss_browser import CHROMIUM, COUNT, SITE, USE
from webclean_scrapy.dedup.match import Match
from webclean_scrapy.report.crawl_report import render_report
from webclean_scrapy.report.crawl_tally import ARTICLE, EXPORTED, OTHER, CrawlTally, ItemNote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium")

PHONE = {"width": 360, "height": 740}
WIDTHS = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
PAPER = "getComputedStyle(document.body).backgroundColor"
CONTROL = "<script>fire(0)</script><img src=/asked.png>"  # that what fires and asks is seen


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report() -> str:
    return render_report([data_of(fill_tally(600, news_url))])


class Opened:
    """A page in a tab, what it asked for, and what it said on the console."""

    def __init__(self, browser: Browser, documents: dict[str, str], **options: Any) -> None:
        self.asked: list[str] = []
        self.said: list[str] = []
        self._documents = documents
        context = browser.new_context(**options)
        context.add_init_script(COUNT)
        context.route("**/*", self._answer)
        self.tab: Page = context.new_page()
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.goto(f"{SITE}/", wait_until="load")

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        if path in self._documents:
            route.fulfill(body=self._documents[path], content_type="text/html; charset=utf-8")
        else:
            self.asked.append(route.request.url)
            route.abort()


def test_a_report_opens_in_silence_and_asks_for_nothing(browser: Browser, report: str) -> None:
    opened = Opened(browser, {"/": report})
    assert (opened.said, opened.asked) == ([], [])
    assert opened.tab.title() == "Went well: news, report of a crawl"
    assert opened.tab.locator("h1").inner_text() == "Went well"
    assert opened.tab.locator("h1").bounding_box()["y"] < 200  # type: ignore[index]
    bars = opened.tab.locator("svg.bars rect.bar")
    assert bars.count() > 40
    assert opened.tab.locator(".funnel .part").first.evaluate("(bar) => getComputedStyle(bar).fill")


def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, report: str) -> None:
    opened = Opened(browser, {"/": report}, viewport=PHONE, is_mobile=True)
    opened.tab.evaluate(
        "document.querySelectorAll('details').forEach((one) => { one.open = true })"
    )
    width, screen = opened.tab.evaluate(WIDTHS)
    assert width == screen == PHONE["width"]


def test_a_dark_screen_gets_a_dark_page(browser: Browser, report: str) -> None:
    light, dark = (
        Opened(browser, {"/": report}, color_scheme=scheme).tab.evaluate(PAPER)
        for scheme in ("light", "dark")
    )
    brightness = [sum(map(int, one[4:-1].split(","))) for one in (light, dark)]
    assert brightness[0] > 600
    assert brightness[1] < 150


def test_keys_reach_and_work_everything(browser: Browser, report: str) -> None:
    tab = Opened(browser, {"/": report}).tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"

    head = tab.locator("#c1-hosts thead button", has_text="Exported")
    column = "#c1-hosts tbody tr td:nth-child(4)"
    head.focus()
    for direction, sign in (("descending", -1), ("ascending", 1)):
        tab.keyboard.press("Enter")
        assert head.locator("..").get_attribute("aria-sort") == direction
        counts = [int(text) for text in tab.locator(column).all_text_contents()]
        assert counts == sorted(counts, key=lambda count: sign * count)

    fold = tab.locator("#c1-least .unfold")
    assert tab.locator("#c1-least li:visible").count() == 10
    fold.focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#c1-least li:visible").count() == 50
    assert tab.evaluate("document.activeElement.closest('li').matches('.more')")

    chart = tab.locator("#c1-charts summary").first
    chart.focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#c1-charts table").first.is_visible()


def test_everything_is_there_without_the_script(browser: Browser, report: str) -> None:
    tab = Opened(browser, {"/": report}, java_script_enabled=False).tab
    assert tab.locator("#c1-least li:visible").count() == 50
    assert tab.locator("button:visible").count() == 0


def hostile_tally() -> CrawlTally:
    """Return the counts of a crawl whose pages have every vector wherever a page has a say."""
    tally = CrawlTally()
    for number, vector in enumerate(VECTORS.values()):
        evil = vector.replace("FIRE", f"fire({number})").replace("AWAY", "http://away.test/")
        for url in (f"http://a.example/{evil}", f"http://{evil}/1", f"javascript:{evil}"):
            note = ItemNote(url, ARTICLE, evil[:30], number / 200, 99, evil, evil, evil)
            tally.add_response(url, 404)
            tally.add_download(url, 9, is_sibling=True)
            tally.add_sibling_request(url)
            tally.add_item(note, EXPORTED)
            tally.add_item(note._replace(group=OTHER), f"dropped/{evil}")
            match = Match(key=url, similarity=0.9, verdict="duplicate")
            tally.add_copy(note, match, is_kept=False)
            tally.add_reason("callback", evil, url, evil)
    return tally


def test_no_vector_fires_and_none_asks_for_anything(browser: Browser) -> None:
    tally = hostile_tally()
    data = data_of(tally, **{f"stat/{vector}": vector for vector in VECTORS.values()})
    data["settings"] = {vector: vector for vector in VECTORS.values()}
    data |= {"spider": "<img src=x: onerror=fire(1)>", "feeds": {"<script>fire(2)</script>": 1}}
    for template, vector in zip(data["templates"], VECTORS.values(), strict=False):
        template |= {"pages": [vector, f"http://a.example/{vector}"], "body": vector}
    frames = '<iframe src="/report"></iframe><iframe src="/control"></iframe>'
    documents = {"/": frames, "/report": render_report([data]), "/control": CONTROL}
    opened = Opened(browser, documents)
    opened.tab.evaluate(USE)
    opened.tab.wait_for_timeout(300)
    assert opened.tab.evaluate("top.fired") == ["/control 0"]
    assert opened.asked == [f"{SITE}/asked.png"]
    inside = opened.tab.frame(url=f"{SITE}/report")
    assert inside is not None
    assert inside.evaluate(WIDTHS)[0] <= inside.evaluate(WIDTHS)[1]
    links = inside.eval_on_selector_all("a", "(all) => [...new Set(all.map((a) => a.protocol))]")
    assert set(links) <= {"http:", "https:", ":"}  # ":" of what is no address
