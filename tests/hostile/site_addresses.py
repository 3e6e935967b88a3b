"""Sites whose addresses are the trap: without end, many for one page, or no addresses at all."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from tests.hostile.sites import HostileSite, SiteKind, normal_site
from tests.pages import article, listing
from tests.server import Asked, Reply, redirect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ENDLESS = 60  # pages that a crawl of a site without end takes


def address_kinds(many: int = 300) -> list[SiteKind]:
    """Return the kinds; *many*: addresses of one page."""
    return [
        SiteKind("endless calendar", endless_calendar),
        SiteKind("endless query strings", endless_queries),
        SiteKind("new links at each visit", link_farm),
        SiteKind("session in paths", path_sessions),
        SiteKind("session in queries", query_sessions),
        SiteKind(f"one article under {many} addresses", lambda draw: same_article(draw, many)),
        SiteKind("links of hostile form", hostile_links),
    ]


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


def endless_queries(draw: random.Random) -> HostileSite:
    def other(asked: Asked) -> Reply | str:
        path, _, query = asked.path.partition("?")
        if path != "/find":
            return Reply(b"", 404)
        return listing([f"/find?{query}&f{n}=1" for n in range(3)])

    site = with_other(draw, [f"/find?q={draw.randrange(99)}"], other)
    site.max_pages = ENDLESS
    return site


def link_farm(draw: random.Random) -> HostileSite:
    chance = random.Random(draw.random())
    site = with_other(
        draw, ["/farm/0"], lambda _: listing(f"/farm/{chance.getrandbits(40)}" for _ in range(9))
    )
    site.max_pages = ENDLESS
    return site


def path_sessions(draw: random.Random) -> HostileSite:
    """Each page is served below any session, and each answer begins another."""
    chance = random.Random(draw.random())
    site = normal_site(draw)
    pages = dict(site.routes)

    def other(asked: Asked) -> Reply | str:
        place = "/" + asked.path.partition(")/")[2]
        page = pages.get(place)
        if not asked.path.startswith("/(S(") or not isinstance(page, str):
            return Reply(b"", 404)
        return page.replace('href="/', f'href="/(S({chance.getrandbits(90):x}))/')

    site.other = other
    site.routes = {"/": redirect(f"/(S({chance.getrandbits(90):x}))/")}
    site.max_pages = ENDLESS
    return site


def query_sessions(draw: random.Random) -> HostileSite:
    """Each link carries a new session; without end if that is not taken off."""
    chance = random.Random(draw.random())
    site = normal_site(draw)
    pages = dict(site.routes)

    def other(asked: Asked) -> Reply | str:
        page = pages.get(asked.path.partition("?")[0])
        if not isinstance(page, str):
            return Reply(b"", 404)
        name = chance.choice(("PHPSESSID", "sid", "jsessionid"))
        return page.replace(".html", f".html?{name}={chance.getrandbits(128):032x}")

    site.other, site.routes = other, {}
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
