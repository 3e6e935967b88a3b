"""Hostile sites: strange addresses, wrong answers, walls and traps."""

import gzip
import random
import zlib
from collections.abc import Callable, Iterator

from tests.nightly.hostile.sites import HostileSite, normal_site
from tests.pages import article
from tests.server import Asked, Reply, Route, gzip_bomb, redirect


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


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
BOMB = 40_000_000  # bytes; more than a crawl takes


def at_first(first: Iterator[Route], then: Route) -> Callable[[Asked], Reply | str]:
    """Return a route that answers as *first* has it, visit by visit, and *then* from there on."""

    def answer(asked: Asked) -> Reply | str:
        route = next(first, then)
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
    for path in site.articles:
        answers = iter([draw.choice(errors)])
        site.routes[path] = at_first(answers, site.routes[path])
    return site


def wrong_encodings(draw: random.Random) -> HostileSite:
    site = normal_site(draw, [f"/pack/{n}" for n in range(5)])
    noise = draw.randbytes(500)
    for n, name in enumerate(("gzip", "br", "deflate", "zstd", ",".join(["gzip"] * 50))):
        site.routes[f"/pack/{n}"] = Reply(noise, headers={"Content-Encoding": name})
    forms: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
        ("utf-8", bytes), ("none", bytes), ("identity", bytes), ("GZIP", gzip.compress),
        ("x-gzip", gzip.compress), ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body)[2:-4]),
        ("gzip,gzip", lambda body: gzip.compress(gzip.compress(body))),
    )  # fmt: skip
    for path, (name, pack) in zip(site.articles, forms, strict=True):
        html = site.routes[path]
        assert isinstance(html, str)
        site.routes[path] = Reply(pack(html.encode()), headers={"Content-Encoding": name})
    return site


def cookie_wall(draw: random.Random) -> HostileSite:
    """Requires a cookie set by another page."""
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
    return site


KINDS: dict[str, Callable[[random.Random], HostileSite]] = {
    "links of hostile form": hostile_links,
    "half of the requests fail": half_errors,
    "wrong Content-Encoding": wrong_encodings,
    "cookie wall": cookie_wall,
    "siblings are traps": sibling_traps,
}
