# ruff: noqa: E501, the scripts
"""Pages opened in a real browser: everything that they ask for, log and run is noted."""

import shutil
from typing import Any

from playwright.sync_api import Browser, Page, Route

CHROMIUM = shutil.which("chromium")
SITE = "http://site.test"
#: In every document: counts what a script of it can do.
COUNT = """(() => {
  const seen = (what) => { top.fired = top.fired || []; top.fired.push(location.pathname + ' ' + what) };
  window.fire = seen;
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => seen(name);
  Object.defineProperty(Document.prototype, 'cookie', {get() { seen('cookie'); return '' }});
})()"""
#: Does in every frame what a reader could: presses, points, writes; links to pages are not followed.
USE = """() => {
  const NAMES = ['click', 'mouseover', 'mouseenter', 'pointerdown', 'focus', 'input', 'change',
    'toggle', 'animationstart', 'submit', 'keydown', 'wheel'];
  const isAddress = /^(https?|mailto|tel|ftp):/;
  const windows = Array.from({length: frames.length}, (_, at) => frames[at]).filter((one) => { try { return one.document } catch { return false } });
  for (const view of windows) {
    view.addEventListener('click', (event) => {
      const link = event.target.closest && event.target.closest('a, area');
      if (link && isAddress.test(link.href)) event.preventDefault();
    }, true);
    for (const one of [...view.document.querySelectorAll('*')].slice(0, 2000)) {
      for (const name of NAMES)
        try { one.dispatchEvent(new view.MouseEvent(name, {bubbles: false, cancelable: true})) } catch {}
      if (one.matches('a, area, button, summary, input')) try { one.click() } catch {}
    }
  }
}"""
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
