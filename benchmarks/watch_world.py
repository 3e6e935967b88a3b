"""A generated world of news sites of sixteen kinds that publish for a month.

One real server answers for all hosts, as a proxy: a crawl with its address in ``http_proxy`` asks
for ``http://rss-0.example/...``. The same seed gives the same world. Each kind has sites in turn
in two layouts: a plain one, and that of the demo portal's English news site. The last three have
the plain one: section pages without an element round each entry, lists that link AMP pages, and
articles in three pages.
"""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from spiders.demo.harbour import HarbourSite
from spiders.demo.model import Article, Block
from tests.pages import article, article_text, listing, sentences
from tests.server import NOT_FOUND, Reply, SiteServer, redirect
from tests.watched import BEGIN, atom, conditional, rss, sitemap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.server import Asked, Route

KINDS = (
    "rss", "atom", "broken feed", "tracking", "sitemap only", "old pages", "sections",
    "small window", "moved", "edited", "reposts", "paywall", "soft 404",
    "flat sections", "twins", "parts",
)  # fmt: skip
PLAIN = ("flat sections", "twins", "parts")
WITHOUT_FEED = ("sitemap only", "old pages", "sections", "flat sections", "twins")
PARTS = 3
FLAT = (  # entries of section pages: address, headline, text
    "<h3><a href='{0}'>{1}</a></h3><p>{2:.90} ...</p>\n",
    "<h2><a href='{0}'>{1}</a></h2><p>{2}</p>\n",
    "<p><strong><a href='{0}'>{1}</a></strong></p><p>{2}</p>\n",
    "<div><a href='{0}'>{1}</a></div><div>{2}</div><div>3 hours ago</div>\n",
    "<dt><a href='{0}'>{1}</a></dt><dd>{2:.140} ...</dd>\n",
    "<b><a href='{0}'>{1}</a></b><br>{2:.120} ...<br><br>\n",
)
BACKLOG, OLD = 12, 150  # articles before the first day; OLD of a site with an archive
FEED_SIZE = 30  # entries
WINDOW, WINDOW_NEWS = 4, 9  # entries of the small feed, and new articles a day
MOVING_DAY = 15  # from which on every article of a site that moves has another address
HOURS, NEVER = 24, 10**6
FORBIDDEN = "/private/"
_ABOUT = ["About us", "Newsroom: desk@post.example, 01632 960 001.", "Imprint."]
_GONE = ["Page not found", "The page was moved or deleted, or the address is wrong."]
_STUB = ["This story is for subscribers. Sign in to read on.", "From 4 a month."]


class Story(NamedTuple):
    """An article of a site."""

    number: int
    hour: int  # when it is published, since the world began
    seed: int  # of its text
    group: int  # the seed of the text that it repeats, else its own
    is_stub: bool
    edit: int  # the hour in which it gets more text

    @property
    def title(self) -> str:
        return " ".join(sentences(self.seed, 1)[0].split()[:5])

    @property
    def slug(self) -> str:
        return f"{self.title.lower().replace(' ', '-')}-{self.number}"

    def texts(self, hour: int) -> list[str]:
        """Return the paragraphs that the article has in an hour."""
        texts = article_text(self.group)
        if self.is_stub:
            return [texts[0], *_STUB]
        more = sentences(10**8 + self.seed, 6) if hour >= self.edit else []
        return [" ".join(more[:3]), " ".join(more[3:]), *texts] if more else texts


class MadeSite:
    """A site; *at*: its place among sites of its kind, *number*: among all."""

    def __init__(self, kind: str, at: int, number: int, dice: random.Random) -> None:
        self.kind, self.at, self._first_seed, self._dice = kind, at, number * 10_000, dice
        self.host = f"{kind.replace(' ', '-')}-{at}.example"
        self.base = f"http://{self.host}"
        self.stories: list[Story] = []
        self._documents: tuple[int, dict[str, Route]] = (-1, {})

    @property
    def _is_demo(self) -> bool:
        return self.at % 2 == 1 and self.kind not in PLAIN

    def write(self, days: int, others: Sequence[MadeSite]) -> None:
        """Generate all publications; reposts copy articles of *others* from a day before."""
        count = OLD if self.kind == "old pages" else BACKLOG
        hours = [-HOURS * 30 * back // count for back in range(count, 0, -1)]
        for day in range(days + 1):
            news = WINDOW_NEWS if self.kind == "small window" else self._dice.randint(4, 12)
            hours += sorted(day * HOURS + self._dice.randrange(HOURS - 1) for _ in range(news))
        for number, hour in enumerate(hours):
            chance, day = self._dice.random(), hour // HOURS
            seed = group = self._first_seed + number
            if self.kind == "reposts" and day > 1 and chance < 0.5:
                before = [s for o in others for s in o.stories if s.hour // HOURS == day - 1]
                group = self._dice.choice([s.seed for s in before if not s.is_stub])
            is_edited = self.kind == "edited" and hour > 0 and chance < 0.4
            edit = (day + 1) * HOURS + int(chance * HOURS) if is_edited else NEVER
            is_stub = self.kind == "paywall" and chance < 0.5
            self.stories.append(Story(number, hour, seed, group, is_stub, edit))

    def story(self, path: str) -> Story | None:
        """Return the story at a path, at any of the addresses that it has or had."""
        match = re.search(r"-(\d+)(?:\.html)?$", path)
        number = int(match[1]) if match else NEVER
        return self.stories[number] if number < len(self.stories) else None

    def _path(self, story: Story, day: int) -> str:
        if self.kind == "moved" and day >= MOVING_DAY:
            return f"/archive/{story.slug}"
        return f"/harbour/news/{story.slug}" if self._is_demo else f"/story/{story.slug}.html"

    def answer(self, path: str, day: int) -> Route:
        """Return the response at a path at the end of a day."""
        hour = day * HOURS + HOURS - 1
        public = [story for story in self.stories if story.hour <= hour][::-1]  # the latest first
        if self._documents[0] != day:
            self._documents = day, {**self._lists(public, day), **dict(self._sources(public, day))}
        for found in (path, path.partition("?")[0]):
            if found in self._documents[1]:
                return self._documents[1][found]
        story = self.story(path.partition("?")[0])
        if story and self.kind == "twins" and path.startswith("/amp/") and story.hour <= hour:
            link = f'<link rel="canonical" href="{self.base}{self._path(story, day)}">'
            page = article(story.seed, (), story.texts(hour))
            return page.replace("<html", "<html amp").replace("<title>", f"{link}<title>", 1)
        if story is None or story.hour > hour:
            return _page(_GONE) if self.kind == "soft 404" else NOT_FOUND
        if (own := self._path(story, day)) != path.partition("?")[0]:
            return redirect(self.base + own, 301)
        if self.kind == "parts":
            return _part(story, story.texts(hour), int(path.partition("?page=")[2] or 1))
        if self._is_demo:
            demo = _demo_site([*{story, *public[:20]}], hour)
            return demo.article_html(next(a for a in demo.articles if a.slug == story.slug))
        page = article(story.seed, [self._path(s, day) for s in public[:5]], story.texts(hour))
        return page.replace("<title>", '<meta property="og:type" content="article"><title>', 1)

    def _lists(self, public: Sequence[Story], day: int) -> dict[str, Route]:
        paths = [self._path(story, day) for story in public[:60]]
        if self.kind == "soft 404":
            paths[:0] = [f"/story/gone-{2 * NEVER + day * 2 + one}.html" for one in (0, 1)]
        if self._is_demo:
            demo = _demo_site(public[:60], day * HOURS)
            pages = {demo.list_path(o.section, o.page): demo.list_html(o) for o in demo.listings()}
            first = pages.pop("/harbour/")
        else:
            pages = {}
            for name, part in (("/list/world/", paths[::2]), ("/list/sport/", paths[1::2])):
                pages[name] = listing([*part[:8], f"{name}page/2/"])
                pages[f"{name}page/2/"] = listing(part[8:16])
            first = listing(["/list/world/", "/list/sport/", *paths[:12]])
        if self.kind == "small window":
            first, pages["/page/2/"] = listing([*paths[:6], "/page/2/"]), listing(paths[6:14])
        elif self.kind == "sitemap only":
            pages, first = {}, listing(["/about.html", "/contact.html"])
        elif self.kind == "flat sections":
            entries = [(self._path(s, day), s.title, s.texts(day * HOURS)[0]) for s in public[:60]]
            for number, name in enumerate(pages):
                shape, section = FLAT[(2 * self.at + number) % len(FLAT)], entries[number // 2 :: 2]
                shown = section[10:20] if "page" in name else section[:10]
                rows = "".join(shape.format(*entry) for entry in shown)
                pages[name] = _page(["Section"]).replace("<p></p>", rows)
            first = listing([*pages, "/about.html"])
        elif self.kind == "twins":
            first = re.sub("/story/", "/amp/", first)
            pages = {name: re.sub("/story/", "/amp/", page) for name, page in pages.items()}
        elif self.kind == "sections":
            first = listing([*(path for path in pages if "page" not in path), "/about.html"])
        elif self.kind == "tracking":
            first = re.sub(
                r"""(href=["']/(?:story|harbour/news/)[^"']+)""", rf"\1?fbclid={day}", first
            )
        if self.kind not in WITHOUT_FEED:
            kind = "atom" if self.kind == "atom" else "rss"
            link = f'<link rel="alternate" type="application/{kind}+xml" href="/news.xml">'
            first = first.replace("<title>", f"{link}<title>", 1)
        first = first.replace("</body>", f'<a href="{FORBIDDEN}{day}.html">Print</a></body>')
        found = {"/": first, **pages, "/about.html": _page(_ABOUT)}
        return {path: conditional(page, "text/html; charset=utf-8") for path, page in found.items()}

    def _sources(self, public: Sequence[Story], day: int) -> Iterator[tuple[str, Route]]:
        robots, hour = f"User-agent: *\nDisallow: {FORBIDDEN}\n", day * HOURS + HOURS - 1
        dated = [(self._path(s, day), s.edit if hour >= s.edit else s.hour) for s in public]
        if self.kind == "old pages":
            maps = {"news": dated[:-OLD], "1": dated[-OLD:-75], "2": dated[-75:]}
            for name, part in maps.items():
                yield f"/map-{name}.xml", conditional(sitemap(self.base, part), "text/xml")
            # The archive gets a new date each week, and nothing else.
            dates = [(f"/map-{name}.xml", hour if name == "news" else day // 7) for name in maps]
            index = sitemap(self.base, dates, "sitemap")
            yield "/sitemap.xml", conditional(index, "text/xml")
        elif self.kind == "sitemap only":
            robots += f"Sitemap: {self.base}/maps/all.xml\n"
            yield "/maps/all.xml", conditional(sitemap(self.base, dated), "text/xml")
        elif self.kind not in WITHOUT_FEED:
            dated = sorted(dated, key=lambda one: -one[1])[:FEED_SIZE]
            dated = dated[:WINDOW] if self.kind == "small window" else dated
            if self.kind == "moved":
                dated = [(f"/r/{path.rpartition('/')[2]}", date) for path, date in dated]
            if self.kind == "tracking":
                dated = [(f"{path}?utm_source=rss&amp;utm_id={day}", date) for path, date in dated]
            dated.append((f"{FORBIDDEN}{day}.html", day * HOURS))
            feed = (atom if self.kind == "atom" else rss)(self.base, dated)
            if self.kind == "broken feed":
                feed = feed.replace("<title>", "<title>Q & A &nbsp; <b>")
            yield "/news.xml", conditional(feed, "text/xml")
        yield "/robots.txt", Reply(robots.encode(), content_type="text/plain")


def _page(lines: Sequence[str]) -> str:
    title, *rest = lines
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>"
        f"<p>{'</p><p>'.join(rest)}</p><p><a href='/'>Home</a></p></body></html>"
    )


def _part(story: Story, texts: Sequence[str], number: int) -> str:
    size = -(-len(texts) // PARTS)
    page = article(story.seed, (), list(texts[(number - 1) * size : number * size]))
    links = [f'<a href="?page={other}">{other}</a>' for other in range(1, PARTS + 1)]
    return page.replace('<div class="related">', f'<p>{" ".join(links)}</p><div class="related">')


def _demo_site(stories: Sequence[Story], hour: int) -> HarbourSite:
    return HarbourSite(tuple(
        Article(
            key=f"harbour/{story.slug}", title=story.title, slug=story.slug, section="news",
            date=(BEGIN + timedelta(hours=story.hour)).isoformat()[:16],
            blocks=tuple(Block(kind="p", text=text) for text in story.texts(hour)),
        )
        for story in stories
    ))  # fmt: skip


class World:
    """All sites, and the server that answers for them as on *day*."""

    def __init__(self, per_kind: int, days: int, seed: int) -> None:
        dice = random.Random(seed)
        kinds = [(kind, at) for kind in KINDS for at in range(per_kind)]
        sites = [MadeSite(*kind, number, dice) for number, kind in enumerate(kinds)]
        originals = [site for site in sites if site.kind != "reposts"]
        for site in sorted(sites, key=lambda one: one.kind == "reposts"):
            site.write(days, originals)
        self.sites = {site.host: site for site in sites}
        self.homes = [f"{site.base}/" for site in sites]
        self.days, self.day = days, 0
        self.server = SiteServer({}, other=self._answer)

    def _answer(self, asked: Asked) -> Reply | str:
        parts = urlsplit(asked.path)
        if parts.hostname not in self.sites:
            return NOT_FOUND
        path = asked.path.removeprefix(f"http://{parts.netloc}")
        route = self.sites[parts.hostname].answer(path, self.day)
        return route(asked) if callable(route) else route

    def place_of(self, url: str) -> tuple[MadeSite | None, Story | None]:
        """Return the site and the story of an address."""
        parts = urlsplit(url)
        site = self.sites.get(parts.hostname or "")
        return site, site.story(parts.path) if site else None

    def news(self) -> Iterator[tuple[MadeSite, Story]]:
        """Yield all stories except copies and stubs."""
        for site in self.sites.values():
            for story in site.stories:
                if story.seed == story.group and not story.is_stub:
                    yield site, story
