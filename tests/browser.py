"""Pages opened in a real browser: everything that they ask for, log and run is noted."""

import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

CHROMIUM = shutil.which("chromium")
SITE = "http://site.test"
SCRIPTS = Path(__file__).with_name("browser_scripts")
#: In every document: counts what a script of it can do.
COUNT = (SCRIPTS / "count.js").read_text("utf-8")
#: Does in every frame what a reader could: presses, points, writes; follows no links to pages.
USE = (SCRIPTS / "use.js").read_text("utf-8")
PHONE = {"width": 390, "height": 844}
#: The contrast of a text with its background, by WCAG 2.
CONTRAST = (SCRIPTS / "contrast.js").read_text("utf-8")


class Opened:
    """A page in a tab: *documents* by path, the one at "/" is opened; other requests fail."""

    def __init__(self, browser: Browser, documents: dict[str, str], **options: Any) -> None:
        self.requests: list[str] = []  # "type address"
        self.messages: list[str] = []
        self._documents = documents
        self._context = browser.new_context(service_workers="block", **options)
        self._context.add_init_script(COUNT)
        self._context.route("**/*", self._answer)
        self.tab: Page = self._context.new_page()
        self.tab.on("console", lambda message: self.messages.append(message.text))
        self.tab.on("pageerror", lambda error: self.messages.append(str(error)))
        self.tab.goto(f"{SITE}/", wait_until="load")

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        if path in self._documents:
            route.fulfill(body=self._documents[path], content_type="text/html; charset=utf-8")
        else:
            self.requests.append(f"{route.request.resource_type} {route.request.url}")
            route.abort()

    @property
    def is_silent(self) -> bool:
        """True if the page sent no request and logged nothing."""
        return not self.requests and not self.messages

    def open_details(self) -> None:
        """Unfold all folded elements."""
        script = "document.querySelectorAll('details').forEach((each) => { each.open = true })"
        self.tab.evaluate(script)

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        return int(self.tab.evaluate("document.documentElement.scrollWidth - innerWidth"))

    def cut_in(self, selector: str) -> int:
        """Return by how many pixels an element at most is wider than it is shown."""
        widths = "all => Math.max(...all.map(one => one.scrollWidth - one.clientWidth))"
        return int(self.tab.locator(selector).evaluate_all(widths))

    @property
    def brightness(self) -> int:
        """The sum of the colours of the background, 0 to 765."""
        colour = self.tab.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour[4:-1].split(",")))

    @property
    def fired(self) -> list[str]:
        """The actions of the documents' scripts: "path action"."""
        return list(self.tab.evaluate("top.fired || []"))


def open_frames(browser: Browser, documents: dict[str, str]) -> Opened:
    """Open all *documents* in frames of one page, and act in each like a reader."""
    frames = "".join(f'<iframe src="{path}"></iframe>' for path in documents)
    opened = Opened(browser, {**documents, "/": frames})
    assert opened.tab.evaluate("frames.length") == len(documents)
    opened.tab.evaluate(USE)
    opened.tab.wait_for_timeout(300)
    return opened
