"""Sites of a chosen number of templates and URL patterns."""

from __future__ import annotations

import random
from dataclasses import dataclass

from benchmarks.made_pages import paragraph, words
from spiders.demo.model import DemoPage

LINKS = 6  # of an article to others of its template
ON_LIST = 20  # articles on a list page
FIRST = 100_000  # number in the URL of article 0


@dataclass(frozen=True, slots=True)
class MadeSite:
    """A home page, list pages with 20 articles each, and articles that link to each other.

    Articles from `pages` on are linked from no list. With `closed`, they are the only ones that
    articles link to, and a crawl that keeps to the first can use no sibling's response itself.
    """

    name: str
    pages: int  # articles
    templates: int
    patterns: int  # of URLs; article n has template n % templates and pattern n % patterns
    closed: bool = False

    @property
    def lists(self) -> int:
        """How many list pages there are."""
        return -(-self.pages // ON_LIST)

    def path(self, number: int) -> str:
        """Return the path of an article."""
        return f"/{_name(number % self.patterns)}/{FIRST + number}.html"

    def is_wanted(self, path: str) -> bool:
        """Whether the crawl follows a link to *path*."""
        number = self._number(path)
        return number is None or number < self.pages

    def find(self, path: str) -> DemoPage | None:
        """Return what a server answers at *path*; None when there is nothing."""
        html = self._html(path)
        return None if html is None else DemoPage(body=html.encode())

    def _html(self, path: str) -> str | None:
        if path == "/":
            return _list("Home", [f"/index_{place + 1}.html" for place in range(self.lists)])
        if path.startswith("/index_"):
            start = (int(path[7:-5]) - 1) * ON_LIST
            numbers = range(start, min(start + ON_LIST, self.pages))
            return _list("Latest", [self.path(number) for number in numbers])
        number = self._number(path)
        return None if number is None or self.path(number) != path else self.article(number)

    def article(self, number: int) -> str:
        """Return an article: words of its own in the markup of its template."""
        draw = random.Random(number)
        template = number % self.templates
        mark = _name(template)
        links = "".join(
            f'<li><a href="{self.path(other)}">{words(draw, 5)}</a></li>'
            for other in self._linked(number, draw)
        )
        body = "".join(paragraph(draw) for _ in range(8))
        deep = "".join(f'<div class="{mark}-{level}">' for level in range(template))
        return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>{words(draw, 6).capitalize()} - {mark}</title></head><body class="{mark}">
<ul class="{mark}-menu"><li><a href="/">{mark} home</a></li><li><a href="/law/">Law</a></li></ul>
{deep}<div class="{mark}-main"><h1>{words(draw, 6).capitalize()}</h1>
<p class="{mark}-by">By Ada Marsh, 12 March 2026</p><div class="{mark}-text">{body}</div></div>
<div class="{mark}-more"><h3>More of {mark}</h3><ul>{links}</ul></div>
<p class="{mark}-foot">All that is {mark} is printed by its readers, who reserve it.</p>
{"</div>" * template}</body></html>"""

    def _linked(self, number: int, draw: random.Random) -> list[int]:
        """Return articles of the same template and pattern, any of the site."""
        step = max(self.templates, self.patterns)
        first = number % step
        if self.closed:
            first += -(-self.pages // step) * step
        others = range(first, first + max(self.pages, 2 * step), step)
        return [draw.choice(others) for _ in range(LINKS)]

    def _number(self, path: str) -> int | None:
        digits = path.rpartition("/")[2].removesuffix(".html")
        return int(digits) - FIRST if digits.isdigit() and len(digits) == 6 else None


def _list(title: str, paths: list[str]) -> str:
    links = "".join(f'<li><a href="{path}">Item {n}</a></li>' for n, path in enumerate(paths))
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body><ul>{links}</ul></body>"


def _name(number: int) -> str:
    """Return a word for *number* without digits, which would make one URL pattern of all."""
    syllables = "ba ko li mer tan sel dor vi ra nes".split()
    return "".join(syllables[int(digit)] for digit in f"{number:03}")
