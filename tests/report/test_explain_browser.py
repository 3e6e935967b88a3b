# ruff: noqa: E501, the scripts
"""The page of HTML of ``explain`` in a real browser: what it shows, and that nothing of a page runs."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from tests.pages import article, article_text
from tests.report.explained import (
    CHINESE,
    CONFIG,
    NO_BODY,
    copy_of_first,
    inspected,
    rendered,
)
from tests.xss import VECTORS, hostile_page
from tests.xss_browser import COUNT, USE
from webclean_scrapy.report.explain import describe
from webclean_scrapy.report.explain_page import render_explanation, render_refusal
from webclean_scrapy.report.inspection import GivenPage, inspect_page
from webclean_scrapy.report.page_drawing import style_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Browser, Page, Route

CHROMIUM = shutil.which("chromium")
SITE = "http://site.test"
PHONE, DESK = (390, 844), (1280, 900)
#: Of all vectors; ``python -m benchmarks xss`` opens the page of every one.
HOSTILE = [
    (number, name)
    for number, name in enumerate(VECTORS)
    if number % 5 == 0 or name.startswith(("head: ", "text"))
]
#: The contrast of a text with what is behind it, by WCAG 2.
CONTRAST = """(selector) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const paint = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const one of colours) { canvas.fillStyle = one; canvas.fillRect(0, 0, 1, 1); }
    const light = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4;
    });
    return .2126 * light[0] + .7152 * light[1] + .0722 * light[2];
  };
  return [...document.querySelectorAll(selector)].map((element) => {
    const behind = [];
    for (let at = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
    const ground = paint(behind), ink = paint([...behind, getComputedStyle(element).color]);
    return (Math.max(ground, ink) + .05) / (Math.min(ground, ink) + .05);
  });
}"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")


@dataclass
class Opened:
    """A tab, and what it asked for and complained of."""

    tab: Page
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM)
        yield started
        started.close()


def open_page(
    browser: Browser, html: str, size: tuple[int, int] = DESK, *, dark: bool = False
) -> Opened:
    """Open *html* at an address of its own; every other request is noted and fails."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    opened = Opened(context.new_page())

    def answer(route: Route) -> None:
        if route.request.url == f"{SITE}/":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
            return
        opened.requests.append(route.request.url)
        route.abort()

    context.route("**/*", answer)
    opened.tab.on("console", lambda message: opened.messages.append(message.text))
    opened.tab.on("pageerror", lambda error: opened.messages.append(str(error)))
    opened.tab.goto(f"{SITE}/", wait_until="load")
    return opened


def wide(tab: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return int(tab.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.fixture(scope="module")
def opened(browser: Browser) -> Iterator[Opened]:
    html = article(1, ["/news/north.html"])
    html = html.replace("<p>", "<div class=part><p>", 2).replace("</p>", "</p></div>", 2)
    html = html.replace('<div class="foot">', "<form><p>Write to us</p><p>Your name</p></form>"
                        "<p>Ferries, a paragraph that stands alone.</p><div class=foot>")  # fmt: skip
    found = inspected(html)
    page = open_page(browser, render_explanation(found, {"learned": 1}, copy_of_first()))
    yield page
    page.tab.context.close()


def test_the_page_loads_alone_and_says_at_once_whether_the_body_is_right(opened: Opened) -> None:
    assert (opened.requests, opened.messages) == ([], [])
    tab = opened.tab
    assert tab.title() == "Story number 1 of the day - explained"
    answer = tab.locator("#answer")
    assert "Article: the body is" in answer.inner_text()
    box = answer.bounding_box()
    assert box is not None
    assert box["y"] < 300
    assert tab.locator(".bar:not(.strip)").bounding_box()["height"] > 20  # type: ignore[index]
    assert article_text(1)[0] in tab.locator("#page .b.body").inner_text()
    assert wide(tab) == 0


def test_each_switch_hides_its_colour_and_shows_it_again(opened: Opened) -> None:
    tab = opened.tab
    ground = "element => getComputedStyle(element).backgroundColor"
    boxes = tab.locator("input[name=colour]").all()
    assert len(boxes) >= 4
    for box in boxes:
        style = box.input_value()
        lines = tab.locator(f"#page .l.k-{style}")
        others = tab.locator(f"#page .l:not(.k-{style})").first
        before, beside = lines.first.evaluate(ground), others.evaluate(ground)
        box.uncheck()
        hidden = lines.first.evaluate(ground)
        assert (hidden != before, others.evaluate(ground)) == (True, beside), style
        assert tab.locator(f"#page .k-{style} .tag:visible").count() == 0
        assert lines.first.is_visible()
        box.check()
        assert lines.first.evaluate(ground) == before
        assert tab.locator(f"#page .k-{style} .tag:visible").count() > 0


def test_the_article_can_be_shown_alone_and_so_can_what_was_removed(opened: Opened) -> None:
    tab = opened.tab
    kept, removed = tab.locator("#page .l.k-kept"), tab.locator("#page .l:not(.k-kept)")
    visible = tab.locator("#page .l:visible")
    whole = visible.count()
    assert whole == kept.count() + removed.count()
    tab.check("input[value=article]")
    assert visible.count() == kept.count()
    assert kept.first.is_visible()
    tab.check("input[value=removed]")
    assert visible.count() == removed.count()
    tab.check("input[value=all]")
    assert visible.count() == whole


def test_hovering_a_line_shows_its_reason_and_measures(opened: Opened) -> None:
    tab = opened.tab
    inspector = tab.locator("#inspector")
    explanation = describe(inspected())
    foot = next(line for line in explanation.lines if "All rights" in line.text)
    tab.locator("#page .l", has_text="All rights reserved").hover()
    shown = inspector.inner_text()
    assert "template: repeated in sibling" in shown
    assert "units" in shown
    assert "repeated" in shown.rpartition("Siblings")[2]
    assert style_of(foot) == "template"
    tab.locator("#page .l.k-kept").first.hover()
    shown = inspector.inner_text()
    assert "Likely body" in shown
    assert "for and against" in shown
    assert inspector.locator("rect.for").count() > 0
    tab.mouse.move(5, 5)
    assert "No line is chosen" in inspector.inner_text()


def test_the_page_is_read_by_keyboard(opened: Opened) -> None:
    tab = opened.tab
    inspector, focused = tab.locator("#inspector"), "document.activeElement.id"
    tab.locator("input[name=colour]").last.focus()
    tab.keyboard.press("Tab")
    assert tab.evaluate(focused) == "l1"
    assert "Line 1\n" in inspector.inner_text()
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert tab.evaluate(outline) == "solid"
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate(focused) == "l2"
    why = inspector.locator(".why").inner_text()
    tab.keyboard.press("ArrowRight")
    assert inspector.locator(".why").inner_text() != why
    tab.keyboard.press("End")
    last = tab.evaluate(focused)
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate(focused) == last
    tab.keyboard.press("Shift+Tab")
    assert tab.evaluate("document.activeElement.name") == "colour"
    tab.keyboard.press("Tab")
    assert tab.evaluate(focused) == last
    tab.keyboard.press("Escape")
    assert "No line is chosen" in inspector.inner_text()


def test_the_walk_is_a_chart_whose_steps_are_found_in_the_page(opened: Opened) -> None:
    tab = opened.tab
    points = tab.locator(".walk .point").count()
    assert points == tab.locator(".steps tbody tr").count() > 1
    assert tab.locator(".walk .ring").count() == tab.locator("tr.chosen").count() == 1
    row = tab.locator("tr.chosen")
    row.focus()
    assert tab.locator("#page .b.body.found").count() == 1
    row.evaluate("element => element.blur()")
    assert tab.locator("#page .found").count() == 0
    row.locator("a").click()
    assert tab.locator("#page .b.body").is_visible()


def test_a_line_beside_its_sibling_marks_its_partner(opened: Opened) -> None:
    tab = opened.tab
    foot = tab.locator(".c.s-repeated", has_text="All rights reserved")
    foot.click()
    partner = tab.locator(".c.partner")
    assert partner.all_inner_texts() == ["All rights reserved by the Ostwick Post and its readers."]
    assert tab.locator(".beside-note").inner_text().startswith("Line ")
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate("document.activeElement.innerText").startswith("All rights")
    assert "of the sibling" in tab.locator(".beside-note").inner_text()
    tab.locator(".c.s-familiar").first.click()
    assert tab.locator(".c.partner.s-body").count() > 1
    tab.keyboard.press("Escape")
    assert tab.locator(".c.partner, .c.on").count() == 0


def test_a_shared_phrase_is_marked_in_both_texts(opened: Opened) -> None:
    tab = opened.tab
    mark = tab.locator("#texts > :first-child mark").nth(1)
    mark.click()
    assert tab.locator("mark.on").all_inner_texts() == [mark.inner_text()] * 2
    tab.keyboard.press("ArrowDown")
    assert tab.locator("mark.on").first.inner_text() != mark.inner_text()
    tab.keyboard.press("Escape")
    assert tab.locator("mark.on").count() == 0
    assert (opened.requests, opened.messages) == ([], [])


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_can_be_read_in_light_and_dark_and_on_a_phone(
    browser: Browser, dark: bool
) -> None:
    page = render_explanation(inspected(), {"learned": 1}, copy_of_first())
    opened = open_page(browser, page, PHONE, dark=dark)
    tab = opened.tab
    assert wide(tab) == 0
    for selector in (
        "p", ".l", ".tag", ".c", ".quiet", "dd", "dt", "a", "label", "mark", ".chip", "td", "b",
    ):  # fmt: skip
        assert min(tab.evaluate(CONTRAST, selector)) >= 4.5, selector
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(22, 22, 20)" if dark else "rgb(252, 252, 251)")
    sheet = tab.locator("#inspector")
    assert not sheet.is_visible()
    tab.locator("#page .l").first.click()
    assert sheet.is_visible()
    sheet.locator("button").click()
    assert not sheet.is_visible()
    assert (opened.requests, opened.messages) == ([], [])
    tab.context.close()


def test_pages_in_chinese_without_a_body_and_refused_ones_are_shown(browser: Browser) -> None:
    opened = open_page(browser, rendered(CHINESE, siblings=0))
    tab = opened.tab
    assert "渡轮在大雾中停航三小时" in tab.locator("h1").inner_text()
    assert "雾里看不见航标" in tab.locator("#page .b.body").inner_text()
    assert tab.locator("#page").get_attribute("lang") == "zh"
    shown = {"no body was found": rendered(NO_BODY, siblings=0)}
    shown["The page was refused"] = render_refusal("paper.pdf", "a PDF")
    others = [open_page(browser, html) for html in shown.values()]
    for text, other in zip(shown, others, strict=True):
        assert text in other.tab.locator("main").inner_text()
    for page in (opened, *others):
        assert (page.requests, page.messages) == ([], [])
        page.tab.context.close()


@pytest.fixture(scope="module")
def hostile() -> Mapping[str, str]:
    """The page of HTML of each vector, by path."""
    pages = {}
    for number, name in HOSTILE:
        url = f"{SITE}/news/{number}.html"
        page = GivenPage(url, hostile_page(number, name).encode(), url)
        pages[f"{SITE}/{number}"] = render_explanation(inspect_page(page, CONFIG))
    return pages


def test_no_vector_fires_and_nothing_is_fetched(
    browser: Browser, hostile: Mapping[str, str]
) -> None:
    asked: list[str] = []
    context = browser.new_context(service_workers="block")
    context.add_init_script(COUNT)
    frames = "".join(f'<iframe src="{url}"></iframe>' for url in hostile)

    def answer(route: Route) -> None:
        url = route.request.url
        body = frames if url == f"{SITE}/" else hostile.get(url)
        if body is None:
            asked.append(url)
            route.abort()
            return
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    context.route("**/*", answer)
    tab = context.new_page()
    tab.goto(f"{SITE}/", wait_until="load")
    tab.evaluate(USE)
    assert tab.evaluate("frames.length") == len(HOSTILE) > 30
    assert tab.evaluate("top.fired || []") == []
    context.close()
    assert asked == []


def test_the_policy_of_the_page_stops_what_would_be_put_into_it(browser: Browser) -> None:
    opened = open_page(browser, rendered())
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
    opened.tab.context.close()
