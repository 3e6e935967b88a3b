"""A web of any number of hosts, each page made when it is asked for: the same URL, the same page.

A host has up to three templates of articles, lists, and pages that are not there; its articles are
those of `made_texts`, so that some are copies of others anywhere in the web. The *trouble* that its
server makes is decided by the path as well, but for storms, which come and go with the requests.
"""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.made_texts import make_text

if TYPE_CHECKING:
    from collections.abc import Iterator

DOMAIN = "load.example"
TROUBLES = ("none", "slow", "errors", "storm", "redirects")
SECTIONS = ("news", "sport", "blog")  # one for each template of a host
ON_LIST = 20  # articles on a list page
STORM_EVERY, STORM_LENGTH = 1_500, 500  # requests
SLOWEST_S = 1.5
DEEPEST = 30  # redirects in a row; Scrapy gives up after 20
_NAMES = "harbour river council market school bridge library station garden theatre".split()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends. *cut*: it hangs up after so many bytes of the body."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    wait_s: float = 0.0
    cut: int | None = None


@dataclass(slots=True)
class LoadSite:
    """The web: *hosts* with *per_host* pages each."""

    hosts: int
    per_host: int
    trouble: str = "none"
    requests: int = field(default=0, init=False)

    def pages(self, open_hosts: int) -> Iterator[tuple[int, int]]:
        """Yield each page, as host and number, with *open_hosts* hosts crawled side by side."""
        for first in range(0, self.hosts, open_hosts):
            window = range(first, min(first + open_hosts, self.hosts))
            for number in range(self.per_host):
                for host in window:
                    yield host, number

    def path(self, host: int, number: int) -> str:
        """Return the path of a page."""
        if number == 0:
            return "/"
        if number % 20 == 7:
            return f"/latest/{number}"
        section = number % (1 + host % len(SECTIONS))
        return f"/{SECTIONS[section]}/2026/{100_000 + number}.html"

    def answer(self, host: str, path: str) -> Answer:
        """Return the answer to a request."""
        self.requests += 1
        if path == "/robots.txt":
            return Answer(404)
        chance = zlib.crc32(f"{host}{path}".encode())
        if trouble := self._trouble(path, chance):
            return trouble
        found = self._find(host, path.rpartition("/to")[2] if path.startswith("/r/") else path)
        if self.trouble != "slow":
            return found
        return Answer(found.status, found.body, wait_s=(chance % 97 / 96) ** 3 * SLOWEST_S)

    def _trouble(self, path: str, chance: int) -> Answer | None:
        if self.trouble == "storm" and self.requests % STORM_EVERY < STORM_LENGTH:
            return Answer(503, b"<h1>Busy</h1>", (("Retry-After", "1"),))
        if self.trouble == "redirects":
            return _redirect(path, chance)
        if self.trouble != "errors" or chance % 2:
            return None
        kind = chance // 2 % 6
        if kind < 4:
            return Answer((500, 403, 404, 429)[kind], b"<h1>Error</h1>")
        return Answer(body=b"<html><body><p>" + b"cut off " * 500, cut=0 if kind == 4 else 900)

    def _find(self, host: str, path: str) -> Answer:
        place = int(host.partition(".")[0][1:])
        number = _number(path)
        if number is None or number >= self.per_host or self.path(place, number) != path:
            return Answer(404, b"<html><body><h1>Not found</h1></body></html>")
        if number % 17 == 13:
            return Answer(404, b"<html><body><h1>Gone</h1><p>This story is gone.</p></body></html>")
        is_list = number == 0 or number % 20 == 7
        html = self._list(place, number) if is_list else self._article(place, number)
        return Answer(body=html.encode())

    def _list(self, host: int, number: int) -> str:
        numbers = range(number + 1, min(number + 1 + ON_LIST, self.per_host))
        rows = "".join(
            f'<li class="row"><a href="{self.path(host, n)}">{_words(host * 7 + n, 8)}</a></li>'
            for n in numbers
        )
        return _frame(host, f"Latest {number}", f'<ul class="list">{rows}</ul>')

    def _article(self, host: int, number: int) -> str:
        text = make_text(host * self.per_host + number).text
        section = number % (1 + host % len(SECTIONS))
        mark = f"{SECTIONS[section]}-{_NAMES[host % 10]}"
        body = "".join(f"<p>{line}</p>\n" for line in text.splitlines())
        title = text[:60].rpartition(" ")[0] or text[:20]
        links = "".join(
            f'<li><a href="{self.path(host, n)}">{_words(host * 7 + n, 8)}</a></li>'
            for n in self._related(host, number)
        )
        deep = "<div>" * section
        inner = f"""{deep}<div class="{mark}"><h1>{title}</h1>
<p class="{mark}-by">By {_words(host + number, 2).title()}, 12 March 2026, 09:20</p>
<div class="{mark}-text">{body}</div><div class="share"><a href="/s/tw">Tweet</a>
<a href="/s/fb">Share</a> <a href="/s/mail">Mail</a></div></div>{"</div>" * section}
<aside class="{mark}-more"><h3>More from {mark}</h3><ul>{links}</ul></aside>"""
        return _frame(host, title, inner)

    def _related(self, host: int, number: int) -> list[int]:
        """Return other pages of the host, most of them of the same template."""
        step = 1 + host % len(SECTIONS)
        near = [number + step * n for n in (-3, -2, -1, 1, 2, 3)]
        return [n for n in near if 0 < n < self.per_host]


def _redirect(path: str, chance: int) -> Answer | None:
    """Return a redirect for every second page: a chain of 1 to 30, or a loop."""
    depth, wanted = 0, path
    if path.startswith("/r/"):
        depth = int(path.split("/")[2])
        wanted = path.partition("/to")[2]
    elif chance % 2:
        return None
    else:
        depth = 1 + chance // 2 % DEEPEST
        if depth == 13:  # in a circle
            return Answer(302, headers=(("Location", path),))
    if path.startswith("/r/") and depth == 0:
        return None
    return Answer(301, headers=(("Location", f"/r/{depth - 1}/to{wanted}"),))


def _number(path: str) -> int | None:
    if path == "/":
        return 0
    last = path.rpartition("/")[2]
    digits = last.removesuffix(".html")
    if not digits.isdigit():
        return None
    return int(digits) - 100_000 if last.endswith(".html") else int(digits)


def _words(seed: int, count: int) -> str:
    draw = random.Random(seed)
    return " ".join(draw.choice(_NAMES) + draw.choice("aeiou") for _ in range(count))


def _frame(host: int, title: str, inner: str) -> str:
    """Return the page with what all pages of its host have."""
    name = f"The {_words(host, 2).title()} {host}"
    menu = "".join(f'<li><a href="/{_words(host + n, 1)}/">{_words(host + n, 1)}</a></li>'
                   for n in range(12))  # fmt: skip
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>{title} | {name}</title><meta name="author" content="{name}">
<script>var site={{id:{host},layers:["{_words(host, 6)}"]}};for(var i=0;i<9;i++)site[i]=i;</script>
</head><body class="b{host % 10}"><header><a href="/">{name}</a><ul class="menu">{menu}</ul>
</header><main>{inner}</main><div class="box"><h3>Newsletter</h3><p>Get the news of {name} every
morning in your inbox, free of charge.</p></div><footer><p>All rights reserved by {name}, its
writers and its readers.</p><a href="/terms">Terms</a> <a href="/contact">Contact</a></footer>
</body></html>"""
