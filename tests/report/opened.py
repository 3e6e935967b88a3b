"""Pages opened in a real browser, with every request and message noted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.xss_browser import COUNT, SITE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

PHONE = {"width": 390, "height": 844}
#: The contrast of a text with its background, by WCAG 2.
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
  const parents = (at) => at ? [...parents(at.parentElement), at] : [];
  return [...document.querySelectorAll(selector)].map((element) => {
    const behind = parents(element).map((at) => getComputedStyle(at).backgroundColor);
    const ground = paint(behind), ink = paint([...behind, getComputedStyle(element).color]);
    return (Math.max(ground, ink) + .05) / (Math.min(ground, ink) + .05);
  });
}"""


class Opened:
    """A page in a tab: *documents* by path, the one at "/" is opened; other requests fail."""

    def __init__(self, browser: Browser, documents: dict[str, str], **options: Any) -> None:
        self.requests: list[str] = []
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
            self.requests.append(route.request.url)
            route.abort()

    @property
    def is_silent(self) -> bool:
        """Whether the page asked for nothing and logged nothing."""
        return not self.requests and not self.messages

    def open_details(self) -> None:
        """Unfold everything that is folded."""
        script = "document.querySelectorAll('details').forEach((each) => { each.open = true })"
        self.tab.evaluate(script)

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        return int(self.tab.evaluate("document.documentElement.scrollWidth - innerWidth"))

    @property
    def brightness(self) -> int:
        """The sum of the colours of the background, 0 to 765."""
        colour = self.tab.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour[4:-1].split(",")))
