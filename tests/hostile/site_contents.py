"""Sites whose pages are the trap: they change, repeat, or are no pages; robots.txt among them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.hostile.site_addresses import address_kinds
from tests.hostile.site_answers import BOMB, HEAD, answer_kinds, change_articles, changed_text
from tests.hostile.sites import HostileSite, SiteKind, normal_site
from tests.pages import article, listing
from tests.server import Asked, Reply, gzip_bomb, redirect

if TYPE_CHECKING:
    from tests.server import Route

LARGE = 8_000_000  # bytes; more than is parsed


def site_kinds() -> list[SiteKind]:
    """Return all kinds of hostile sites."""
    return [
        *address_kinds(),
        *answer_kinds(),
        SiteKind("robots.txt is slow", lambda draw: robots(draw, Reply(b"", 200, wait=2.0))),
        SiteKind("robots.txt fails", lambda draw: robots(draw, Reply(b"busy", 500))),
        SiteKind("siblings are traps", sibling_traps),
        SiteKind("soft 404", soft_404),
        SiteKind("one large page among small ones", one_large_page),
        SiteKind("another charset on each page", charsets),
        SiteKind("pages that change at each visit", changing_pages),
        SiteKind("the template changes in mid-crawl", changing_template),
    ]


def soft_404(draw: random.Random) -> HostileSite:
    """What is not there is answered with status 200 and links to more that is not there."""
    site = normal_site(draw, [f"/gone/{draw.randrange(10**6)}.html" for _ in range(30)])
    text = "<h1>Sorry</h1><p>We could not find this page. Try the search or go back.</p>"
    site.other = lambda asked: listing(["/"]).replace("<ul", f"{text}<ul")
    return site


def one_large_page(draw: random.Random) -> HostileSite:
    site = normal_site(draw)
    path = draw.choice(list(site.articles))

    def enlarged(html: str, place: int) -> Route:
        if list(site.articles)[place] != path:
            return html
        return html.replace("</body>", "<p>x</p>" * (LARGE // 8) + "</body>")

    site.settings = {"DOWNLOAD_TIMEOUT": 20, "DOWNLOAD_MAXSIZE": 2 * LARGE}
    return change_articles(site, enlarged)


def charsets(draw: random.Random) -> HostileSite:
    names = ("utf-8", "gbk", "big5", "shift_jis", "windows-1252", "utf-16", "koi8-r", "iso-8859-2")

    def encoded(html: str, place: int) -> Reply:
        name = names[place]
        told = place % 2 or name == "utf-16"
        body = html.replace('charset="utf-8"', f'charset="{name}"').encode(name)
        return Reply(body, content_type=f"text/html; charset={name}" if told else "text/html")

    return change_articles(normal_site(draw), encoded)


def changing_pages(draw: random.Random) -> HostileSite:
    chance = random.Random(draw.random())

    def changing(html: str, place: int) -> Route:
        def page(asked: Asked) -> str:
            news = "".join(f"<li>{changed_text(chance)}</li>" for _ in range(5))
            side = f'<div class="ticker"><h3>Just in</h3><ul>{news}</ul></div>'
            seen = f'<div class="count">{chance.randrange(10**6)} readers</div>'
            return html.replace('<div class="foot">', f'{side}{seen}<div class="foot">')

        return page

    return change_articles(normal_site(draw), changing)


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


def robots(draw: random.Random, reply: Route) -> HostileSite:
    site = normal_site(draw)
    site.routes["/robots.txt"] = reply
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
    site.seconds = 40
    return site
