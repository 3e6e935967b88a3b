"""Sites whose answers are the trap: late, wrong, without end, or never the same."""

from __future__ import annotations

import gzip
import zlib
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tests.hostile.site_addresses import visits
from tests.hostile.sites import HostileSite, SiteKind, normal_site
from tests.pages import article, listing, sentences
from tests.server import Asked, Reply, gzip_bomb, redirect

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from tests.server import Route

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
BOMB = 40_000_000  # bytes; more than a crawl takes


def answer_kinds() -> list[SiteKind]:
    return [
        SiteKind("503 storm with Retry-After", lambda d: storm(d, 503, {"Retry-After": "120"})),
        SiteKind("half of the requests fail", half_errors),
        SiteKind("answers without end", endless_answers),
        SiteKind("wrong Content-Type", wrong_types),
        SiteKind("wrong Content-Encoding", wrong_encodings),
        SiteKind("compression bombs", bombs),
        SiteKind("cookie wall", cookie_wall),
    ]


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


def storm(draw: random.Random, status: int, headers: dict[str, str]) -> HostileSite:
    """Each article is refused up to twice, as often as Scrapy tries again; others for ever."""
    site = normal_site(draw, [f"/busy/{n}" for n in range(9)])
    refusal = Reply(b"<h1>Busy</h1>", status, headers)
    site.routes |= {f"/busy/{n}": refusal for n in range(9)}
    return change_articles(site, lambda html, _: at_first([refusal] * draw.randint(0, 2), html))


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


def endless_answers(draw: random.Random) -> HostileSite:
    names = [f"/stream/{n}" for n in range(3)]
    site = normal_site(draw, names)
    site.routes |= dict.fromkeys(names, Reply(drip=0.05))
    site.settings = {"DOWNLOAD_TIMEOUT": 1, "RETRY_TIMES": 1}
    return site


def wrong_types(draw: random.Random) -> HostileSite:
    kinds = (
        "TEXT/HTML", "text/html; charset=nonsense", "text/html;;charset=", "application/xhtml+xml",
        'text/html; charset="utf-8"', " text/html ", "text/html; charset=utf-8; charset=gbk",
        "text/html; charset=",
    )  # fmt: skip
    others = ("image/png", "application/pdf", "application/json", "text/css", "x", "/", "", "\xff")
    site = normal_site(draw, [f"/type/{n}" for n in range(len(others))])
    page = article(draw.randrange(10**6)).encode()
    site.routes |= {f"/type/{n}": Reply(page, content_type=kind) for n, kind in enumerate(others)}
    site.most_exported = len(site.articles) + 1  # a page of no known type may be one
    return change_articles(site, lambda html, n: Reply(html.encode(), content_type=kinds[n]))


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


def changed_text(draw: random.Random) -> str:
    """Return a line that no other draw returns."""
    return sentences(draw.getrandbits(40), 1)[0]
