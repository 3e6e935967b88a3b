"""Hostile sites: endless or ambiguous addresses, wrong answers, changing pages."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tests.hostile.sites import HostileSite, SiteKind, normal_site
from tests.pages import article, listing
from tests.server import Asked, Reply, gzip_bomb, redirect

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Sequence

    from tests.server import Route


def with_other(
    draw: random.Random, links: Iterable[str], other: Callable[[Asked], Reply | str]
) -> HostileSite:
    """Return a normal site with *links* on its home page, whose other paths *other* answers."""
    site = normal_site(draw, links)
    site.other = other
    return site


def endless_calendar(draw: random.Random) -> HostileSite:
    year = draw.randrange(1990, 2030)

    def other(asked: Asked) -> Reply | str:
        parts = asked.path.strip("/").split("/")
        if parts[0] != "calendar":
            return Reply(b"", 404)
        month = int(parts[1]) * 12 + int(parts[2]) - 1
        near = [f"/calendar/{m // 12:04}/{m % 12 + 1:02}/" for m in (month - 1, month + 1)]
        return listing([*near, "/"])

    site = with_other(draw, [f"/calendar/{year}/06/"], other)
    site.seconds = 60
    return site


def same_article(draw: random.Random, many: int) -> HostileSite:
    site = normal_site(draw)
    paths = [f"/{draw.choice('abc')}/{draw.getrandbits(32)}/one.html" for _ in range(many)]
    number = draw.randrange(20_000, 30_000)
    page = article(number, paths[:5])
    site.routes |= dict.fromkeys(paths, page)
    site.routes["/"] = listing([*site.articles, *paths])
    site.most_exported = len(site.articles) + 1
    site.seconds = 60
    return site


def hostile_links(draw: random.Random) -> HostileSite:
    number = draw.randrange(10**6)
    return normal_site(
        draw,
        [
            "javascript:void(0)", "java\tscript:go()", "data:text/html,<h1>x</h1>", "mailto:a@b.c",
            "tel:+1", "file:///etc/passwd", "ftp://127.0.0.1/x", "about:blank", "blob:x",
            "http://[::1", "http://[", "http://", "//", "///", "http:///x", "http://:80/", "://",
            "http://127.0.0.1:99999/", "http://127.0.0.1:-1/", "http://127.0.0.1:port/x.html",
            "http://münchen.example/ä", "http://\u202eexample.com/", "http://xn--a.example/",
            f"http://{'a' * 300}.example/", "/" + "long" * 30_000, f"/{number}?" + "&" * 5_000,
            "/%", "/%zz", "/%00", "/\x00/x", "/a b\nc", "/\ud7ff\U0010ffff", "?" * 200, "#" * 200,
            "/" + "../" * 500 + "x", "http://user:pass@127.0.0.1/", "\\\\127.0.0.1\\x", " ", "",
            "/news/" + "9" * 5_000 + ".html", "http://0x7f.1/", "http://1.1.1.1.1/", "HTTP://A",
        ],
    )  # fmt: skip


def visits() -> Callable[[Asked], int]:
    """Return what gives the number of a visit to a path, from 0."""
    counts: Counter[str] = Counter()

    def count(asked: Asked) -> int:
        counts[asked.path] += 1
        return counts[asked.path] - 1

    return count


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
BOMB = 40_000_000  # bytes; more than a crawl takes


def change_articles(
    site: HostileSite, change: Callable[[str, int], Route], only: int | None = None
) -> HostileSite:
    """Replace the first *only* article pages by *change* of their HTML and their place."""
    for place, path in enumerate(list(site.articles)[:only]):
        html = site.routes[path]
        assert isinstance(html, str)
        site.routes[path] = change(html, place)
    return site


def at_first(first: Sequence[Route], then: str) -> Callable[[Asked], Reply | str]:
    """Return a route that answers as *first* has it, visit by visit, and *then* from there on."""
    visit = visits()

    def answer(asked: Asked) -> Reply | str:
        number = visit(asked)
        route = first[number] if number < len(first) else then
        return route(asked) if callable(route) else route

    return answer


def half_errors(draw: random.Random) -> HostileSite:
    def hang_up(asked: Asked) -> Reply:
        raise ConnectionAbortedError

    errors: list[Route] = [hang_up]
    errors += [Reply(b"", status) for status in (500, 502, 503, 504, 408)]
    bad: list[Route] = [*errors, Reply(b"", 404), Reply(b"", 403), Reply(b"", 410)]
    paths = [f"/news/{draw.randrange(10_000, 20_000)}.html" for _ in range(12)]
    site = normal_site(draw, paths)
    site.routes |= {path: draw.choice(bad) for path in paths}
    return change_articles(site, lambda html, _: at_first([draw.choice(errors)], html))


def wrong_encodings(draw: random.Random) -> HostileSite:
    def encoded(html: str, place: int) -> Reply:
        body = html.encode()
        forms = (
            (body, "utf-8"), (body, "none"), (body, "identity"), (gzip.compress(body), "GZIP"),
            (gzip.compress(body), "x-gzip"), (zlib.compress(body), "deflate"),
            (zlib.compress(body)[2:-4], "deflate"),
            (gzip.compress(gzip.compress(body)), "gzip,gzip"),
        )  # fmt: skip
        packed, name = forms[place]
        return Reply(packed, headers={"Content-Encoding": name})

    site = normal_site(draw, [f"/pack/{n}" for n in range(5)])
    noise = draw.randbytes(500)
    for n, name in enumerate(("gzip", "br", "deflate", "zstd", ",".join(["gzip"] * 50))):
        site.routes[f"/pack/{n}"] = Reply(noise, headers={"Content-Encoding": name})
    return change_articles(site, encoded)


def bombs(draw: random.Random) -> HostileSite:
    """Bombs whose addresses are like those of the articles."""
    site = normal_site(draw, [f"/news/{draw.randrange(100_000, 999_999)}.html" for _ in range(1)])
    paths = [f"/news/{draw.randrange(10_000, 99_999)}.html" for _ in range(4)]
    site.routes["/"] = listing([*paths, *site.articles])
    site.routes |= dict.fromkeys(paths[:2], gzip_bomb(BOMB))
    brotli_bomb = _brotli(b"<p>" + b"x" * BOMB)
    site.routes |= dict.fromkeys(paths[2:], brotli_bomb or gzip_bomb(BOMB))
    return site


def _brotli(body: bytes) -> Reply | None:
    try:
        brotli: Any = import_module("brotli")
    except ImportError:
        return None
    packed: bytes = brotli.compress(body, quality=1)
    return Reply(packed, headers={"Content-Encoding": "br"})


def cookie_wall(draw: random.Random) -> HostileSite:
    """Nobody reads a page without the cookie that another page sets."""
    site = normal_site(draw)
    behind = dict(site.routes)

    def other(asked: Asked) -> Reply | str:
        if asked.path.startswith("/consent"):
            back = asked.path.partition("?to=")[2]
            headers = {"Location": back, "Set-Cookie": "consent=yes; Path=/"}
            return Reply(status=302, headers=headers)
        page = behind.get(asked.path)
        if page is None or "consent=yes" in asked.headers.get("cookie", ""):
            return page if isinstance(page, str) else Reply(b"", 404)
        return redirect(f"/consent?to={asked.path}")

    site.routes, site.other = {}, other
    return site


def changing_template(draw: random.Random) -> HostileSite:
    """After half of the articles all is marked up anew."""
    served: list[str] = []
    others = {'class="main"': 'id="content"', 'class="body"': 'class="story-text"',
              'class="top"': 'class="bar"', 'class="related"': 'class="teasers"'}  # fmt: skip

    def changing(html: str, place: int) -> Route:
        def page(asked: Asked) -> str:
            served.append(asked.path)
            if len(served) <= len(site.articles) // 2:
                return html
            changed = html
            for old, new in others.items():
                changed = changed.replace(old, new)
            return changed.replace("<h1>", '<header class="top"><h1>').replace(
                "</h1>", "</h1></header>"
            )

        return page

    site = normal_site(draw)
    return change_articles(site, changing)


def sibling_traps(draw: random.Random) -> HostileSite:
    """The links beside each article lead to traps with addresses like its own."""
    site = normal_site(draw)
    traps: list[Route] = [
        Reply(b"", 500), Reply(wait=2.5), redirect("/"), Reply(b"%PDF-1.7"), gzip_bomb(BOMB),
        Reply(raw=(HEAD,)), Reply(b""),
    ]  # fmt: skip
    paths = [f"/news/{n}.html" for n in range(50_000, 50_000 + 3 * len(traps))]
    site.routes |= {path: traps[n % len(traps)] for n, path in enumerate(paths)}
    numbers = [int(path[6:-5]) for path in site.articles]
    for place, number in enumerate(numbers):
        links = [paths[(place * 3 + n) % len(paths)] for n in range(3)]
        site.routes[f"/news/{number}.html"] = article(number, links)
    site.settings = {"DOWNLOAD_TIMEOUT": 2, "RETRY_TIMES": 0}
    site.seconds = 40
    return site


def site_kinds() -> list[SiteKind]:
    """Return all kinds of hostile sites."""
    return [
        SiteKind("endless calendar", endless_calendar),
        SiteKind("one article under 300 addresses", lambda draw: same_article(draw, 300)),
        SiteKind("links of hostile form", hostile_links),
        SiteKind("half of the requests fail", half_errors),
        SiteKind("wrong Content-Encoding", wrong_encodings),
        SiteKind("compression bombs", bombs),
        SiteKind("cookie wall", cookie_wall),
        SiteKind("siblings are traps", sibling_traps),
        SiteKind("the template changes in mid-crawl", changing_template),
    ]
