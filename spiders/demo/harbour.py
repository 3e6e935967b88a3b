"""The Saltmere Ledger: an English news site with the markup of a component framework.

Hashed class names, a body split over several containers with promotions between them, JSON-LD on
every page, a cookie notice that comes first, and readers' comments. An article in three pages, and
a section whose entries have no element round each.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, ClassVar

from spiders.demo.markup import BodyStyle, body_html, fill, links, pick, readers_comments
from spiders.demo.site import Listing, Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spiders.demo.model import Article, DemoPage

_BREAK = "</div>\n{}<div class='sc-1f9k-0 bodyText' data-component='text-block'>\n"
_STYLE = BodyStyle(
    paragraph="<p class='sc-77ab-2 kQyXdW'>{}</p>\n",
    heading="<h2 class='sc-77ab-5 subhead'>{}</h2>\n",
    items="<ul class='sc-77ab-9 bulleted'>\n{}</ul>\n",
    quote="<blockquote class='sc-90cc-1'><p>{}</p></blockquote>\n",
    figure="<figure class='sc-2d01-0'><div class='sc-2d01-1 aspect'><img src='/static/photo.gif' "
    "loading='lazy' alt=''></div><figcaption class='sc-2d01-3'>{}</figcaption></figure>\n",
    link="<a href='/harbour/news' class='sc-in-link'>{}</a>",
)
_ENTRY = "<li class='sc-4be0-2'><a class='sc-4be0-3' href='{}'><span>{}</span></a></li>\n"

_TOP = """<body class="theme-light">
<div id="consent" role="dialog" class="sc-cc-0"><p>We and our 143 partners store cookies on your
device so that we can measure how our pages are read. You can change your choice at any time.</p>
<button>Accept</button> <button>Manage</button></div>
<header class="sc-01aa-0"><div class="sc-01aa-1"><a class="skip" href="#main">Skip to content</a>
<a class="logo" href="/harbour/">The Saltmere Ledger</a>
<nav aria-label="Primary"><ul class="sc-01aa-4">
<li><a href="/harbour/">Home</a></li>
{}<li><a href="/fieldnotes/">Field notes</a></li><li><a href="/">All sites</a></li>
<li><a href="/harbour/puzzles">Puzzles</a></li>
<li><a href="http://ads.example.invalid/subscribe">Subscribe</a></li></ul></nav></div></header>
"""
_FOOT = """<footer class="sc-f00t-0"><div class="sc-f00t-1"><h2>The Saltmere Ledger</h2>
<ul><li><a href="#">About us</a></li><li><a href="#">Contact the newsroom</a></li>
<li><a href="#">Corrections</a></li><li><a href="#">Privacy policy</a></li>
<li><a href="#">Terms of use</a></li><li><a href="#">Advertise</a></li><li><a href="#">Jobs</a></li>
<li><a href="/static/tide-table.pdf">Tide table (PDF)</a></li>
<li><a href="/harbour/feed.json">Feed</a></li></ul>
<p>&copy; 2026 Saltmere Ledger Ltd. All rights reserved. Registered at 4 Quay Street, Saltmere.</p>
</div></footer>
<script>window.__STATE__ = {"user": null, "flags": {"paywall": false}};</script>
</body></html>
"""
_NEWSLETTER = """<aside class="sc-5a5a-0" data-component="newsletter">
<h3>Sign up to Slack Water</h3>
<p>Our weekly letter brings you the best of the coast, every Friday morning.</p>
<form action="/internal/newsletter"><input type="email" placeholder="Email address">
<button>Sign up</button></form></aside>
"""
_ADVERT = """<div class="sc-ad-0" data-component="ad-slot"><span>Advertisement</span>
<a href="http://ads.example.invalid/boots"><img src="/static/photo.gif" alt="Boots that float"></a>
</div>
"""


class HarbourSite(Site):
    """The English news site."""

    key = "harbour"
    language = "en"
    name = "The Saltmere Ledger"
    sections: ClassVar[Mapping[str, str]] = {
        "news": "News",
        "business": "Business",
        "science": "Science and history",
    }

    def path_of(self, article: Article) -> str:
        return f"/harbour/{article.section}/{article.slug}"

    def list_path(self, section: str, page: int = 1) -> str:
        if not section:
            return "/harbour/"
        return f"/harbour/{section}" + (f"?page={page}" if page > 1 else "")

    def article_html(self, article: Article, page: int = 1) -> str:
        return "".join([
            self._head(article),
            fill(_TOP, links(self.section_links())),
            "<main id='main' class='sc-m41n-0'><div class='sc-grid-0'><div class='sc-grid-1'>\n",
            self._article(article, page),
            self._more(article),
            readers_comments(article.key, _COMMENT, _COMMENTS),
            "</div>\n",
            self._side(article),
            "</div></main>\n",
            _FOOT,
        ])  # fmt: skip

    def other_pages(self) -> Iterator[tuple[str, DemoPage]]:
        """Yield the later pages of articles in several parts."""
        for article in self.articles:
            for page in range(2, article.pages + 1):
                path = f"{self.path_of(article)}?page={page}"
                yield path, self._page(path, self.article_html(article, page))

    def _head(self, article: Article) -> str:
        data: dict[str, object] = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.title,
            "datePublished": f"{article.date}:00+00:00",
            "publisher": {"@type": "Organization", "name": self.name},
        }
        if article.author:
            data["author"] = [{"@type": "Person", "name": article.author}]
        return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(article.title)} | The Saltmere Ledger</title>
<link rel="canonical" href="{self.path_of(article)}">
<meta property="og:type" content="article">
<meta property="og:title" content="{escape(article.title)}">
<meta property="article:published_time" content="{article.date}:00+00:00">
<link rel="stylesheet" href="/static/site.css">
<script type="application/ld+json">{json.dumps(data)}</script></head>
"""

    def _article(self, article: Article, page: int) -> str:
        byline = f"<a rel='author' href='#'>{article.author}</a>" if article.author else "Staff"
        section = self.sections[article.section]
        story = self.related(article, 1)
        promo = fill(_BREAK, fill(_MORE_ON_THIS, *story[0]))
        inserts = {1: promo, 3: fill(_BREAK, _ADVERT), 5: fill(_BREAK, _NEWSLETTER)}
        shown = pick(article.key, ("135", "13", "35", "1"))
        chosen = {place: html for place, html in inserts.items() if str(place) in shown}
        size = -(-len(article.blocks) // article.pages)
        return f"""<article class="sc-art-0"><header class="sc-art-1">
<p class="kicker"><a href="{self.list_path(article.section)}">{section}</a></p>
<h1 class="sc-art-3">{escape(article.title)}</h1>
<div class="sc-by-0"><span>By</span> {byline}
<time datetime="{article.date}:00Z">{_long_date(article.date)}</time></div>
<ul class="sc-share-0"><li><a href="#">Share</a></li><li><a href="#">Email</a></li>
<li><a href="#">Copy link</a></li></ul></header>
<div class="sc-1f9k-0 bodyText" data-component="text-block">
{body_html(article.blocks[(page - 1) * size : page * size], _STYLE, chosen)}</div>
{self._pager(article, page)}<div class="sc-tag-0"><span>Topics</span>
<a href="/harbour/news">Saltmere</a>
<a href="{self.list_path(article.section)}">{section}</a></div>
</article>
"""

    def _pager(self, article: Article, page: int) -> str:
        """Return the links to the other pages of an article; "" where it has one."""
        first = self.path_of(article)
        paths = [first, *(f"{first}?page={number}" for number in range(2, article.pages + 1))]
        entries = [(path, str(number)) for number, path in enumerate(paths, 1) if number != page]
        return f"<nav class='sc-pag-0'>{links(entries, _PAGE)}</nav>\n" if entries else ""

    def _more(self, article: Article) -> str:
        cards = "".join(
            fill(_CARD, self.path_of(other), escape(other.title), escape(other.teaser))
            for other in self.articles
            if other.section == article.section and other is not article
        )
        return f"<section class='sc-more-0'><h2>More from this section</h2>\n{cards}</section>\n"

    def _side(self, article: Article) -> str:
        latest = self.related(article, 6, skip=1)
        return f"""<aside class="sc-side-0"><section><h2>Most viewed</h2><ol class="sc-4be0-1">
{links(self.hot(8), _ENTRY)}</ol></section>
<section><h2>Latest</h2><ul class="sc-4be0-1">
{links(latest, _ENTRY)}</ul></section></aside>
"""

    def list_html(self, listing: Listing) -> str:
        entry = _FLAT if listing.section == "science" else _CARD
        cards = "".join(
            fill(entry, self.path_of(other), escape(other.title), escape(other.teaser))
            for other in listing.articles
        )
        later = ""
        if listing.page < listing.pages:
            path = self.list_path(listing.section, listing.page + 1)
            later = f"<a class='sc-next-0' rel='next' href='{path}'>Older stories</a>"
        return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{listing.heading} | The Saltmere Ledger</title>
<link rel="stylesheet" href="/static/site.css"></head>
{fill(_TOP, links(self.section_links()))}<main id="main" class="sc-m41n-0">
<h1 class="sc-list-0">{listing.heading}</h1>
<div class="sc-grid-0">{cards}</div>{later}
<aside class="sc-side-0"><h2>Most viewed</h2><ol>{links(self.hot(8), _ENTRY)}</ol></aside></main>
{_FOOT}"""


_MORE_ON_THIS = """<aside class="sc-rel-0" data-component="related"><h3>Read more</h3>
<a href="{}">{}</a></aside>
"""
_CARD = """<div class="sc-card-0"><div class="sc-card-1"><img src="/static/photo.gif" alt=""></div>
<h3 class="sc-card-2"><a href="{}">{}</a></h3><p class="sc-card-3">{}</p></div>
"""
_FLAT = "<h3><a href='{}'>{}</a></h3><p>{}</p>\n"
_PAGE = "<a href='{}'>{}</a> "
_COMMENTS = """<section class="sc-com-0" id="comments"><h2>Comments</h2>
{}<a href="/internal/comments">View all comments</a></section>
"""
_COMMENT = """<div class="sc-com-2"><span class="sc-com-3">{}</span><p class="sc-com-4">{}</p>
<button>Reply</button></div>
"""
_MONTHS = ("January", "February", "March")


def _long_date(date: str) -> str:
    year, month, day = date[:10].split("-")
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}, {date[11:]}"
