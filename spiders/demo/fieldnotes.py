"""Field notes from Marlow Fen: an English blog of hand-written HTML.

Tables for layout, tags in capitals, the body as bare text between ``<br>``, no metadata at all, the
side column before the text, comments in the same cell as the post.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, ClassVar

from spiders.demo.markup import BodyStyle, body_html, fill, links, readers_comments
from spiders.demo.site import Listing, Site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spiders.demo.model import Article

_STYLE = BodyStyle(
    paragraph="{}<BR><BR>\n",
    heading="<B>{}</B><BR><BR>\n",
    item="<LI>{}\n",
    items="<UL>\n{}</UL>\n",
    head_cell="<TD><B>{}</B></TD>",
    table="<TABLE BORDER=1 CELLPADDING=3>\n{}</TABLE><BR>\n",
    quote="<BLOCKQUOTE><I>{}</I></BLOCKQUOTE>\n",
    code="<PRE>{}</PRE>\n",
    figure="<CENTER><IMG SRC=/static/photo.gif><BR><SMALL>{}</SMALL></CENTER><BR>\n",
    link="<A HREF=/fieldnotes/>{}</A>",
)
_ENTRY = "<A HREF='{}'>{}</A><BR>\n"
_TOP = """<HTML><HEAD><TITLE>Field notes from Marlow Fen: {}</TITLE></HEAD>
<BODY BGCOLOR=#fffdf4 TEXT=#222222 LINK=#335522>
<CENTER><H1>Field notes from Marlow Fen</H1>
<I>mud, mostly</I><BR>
[ <A HREF=/fieldnotes/>home</A> | <A HREF=/fieldnotes/2026/03/>March</A> |
<A HREF=/fieldnotes/2026/02/>February</A> | <A HREF=/fieldnotes/guestbook.html>guestbook</A> |
<A HREF=/>the other sites</A> ]</CENTER><HR>
<TABLE WIDTH=100% CELLPADDING=8><TR><TD WIDTH=190 VALIGN=top BGCOLOR=#eef2e0>
<B>Much read</B><BR>
{}<BR><B>Elsewhere</B><BR>
<A HREF=/harbour/>The Saltmere Ledger</A><BR>
<A HREF=http://ads.example.invalid/wellies>Wellingtons, half price</A><BR>
<A HREF=mailto:wren@fen.invalid>Write to me</A><BR><BR>
<FORM ACTION=/internal/search>Search: <INPUT NAME=q SIZE=12></FORM>
</TD><TD VALIGN=top>
"""
_FOOT = """</TD></TR></TABLE><HR>
<CENTER><SMALL>Written by hand. Best viewed in boots. Copy what you like, but say where you found
it.</SMALL></CENTER></BODY></HTML>
"""
_COMMENT = "<P><B>{}</B> says: {}\n"
_COMMENTS = """<DIV ID=comments><B>Comments</B>
{}<P><A HREF=/internal/comments>Add a comment</A></DIV>
"""
_MONTHS = {"01": "January", "02": "February", "03": "March"}


class FieldnotesSite(Site):
    """The blog."""

    key = "fieldnotes"
    language = "en"
    name = "Field notes from Marlow Fen"
    sections: ClassVar[Mapping[str, str]] = {"march": "March 2026", "february": "February 2026"}

    def path_of(self, article: Article) -> str:
        year, month, _ = article.date[:10].split("-")
        return f"/fieldnotes/{year}/{month}/{article.slug}.html"

    def list_path(self, section: str, page: int = 1) -> str:
        if not section:
            return "/fieldnotes/"
        month = "03" if section == "march" else "02"
        return f"/fieldnotes/2026/{month}/" + (f"page{page}.html" if page > 1 else "")

    def article_html(self, article: Article) -> str:
        _, month, day = article.date[:10].split("-")
        seen = "".join(f"<I>{line}</I><BR><BR>\n" for line in self.optional_lines(article))
        older, newer = self._neighbours(article)
        return f"""{fill(_TOP, escape(article.title), links(self.hot(6), _ENTRY))}
<H2>{escape(article.title)}</H2>
<SMALL>Posted by {article.author} on {int(day)} {_MONTHS[month]} 2026 at {article.date[11:]}</SMALL>
<BR><BR>
{body_html(article.blocks, _STYLE)}{seen}<HR><SMALL>{older}{newer}</SMALL><BR>
<DIV CLASS=also><B>You may also like</B><BR>
{links(self.related(article, 4, skip=1), _ENTRY)}</DIV>
{readers_comments(article.key, _COMMENT, _COMMENTS)}
{_FOOT}"""

    def optional_lines(self, article: Article) -> tuple[str, ...]:
        """Return the line with the text's first publication, which may be body or not."""
        return (f"First seen in {article.source}.",) if article.source else ()

    def _neighbours(self, article: Article) -> tuple[str, str]:
        place = self.articles.index(article)
        older = newer = ""
        if place + 1 < len(self.articles):
            path, title = self.entry(self.articles[place + 1])
            older = f"<A HREF='{path}'>&lt;&lt; {escape(title)}</A> "
        if place > 0:
            path, title = self.entry(self.articles[place - 1])
            newer = f"<A HREF='{path}'>{escape(title)} &gt;&gt;</A>"
        return older, newer

    def list_html(self, listing: Listing) -> str:
        posts = "".join(
            f"<H3><A HREF='{self.path_of(a)}'>{escape(a.title)}</A></H3>\n"
            f"{escape(a.teaser)} <A HREF='{self.path_of(a)}'>more</A><BR>\n"
            for a in listing.articles
        )
        later = ""
        if listing.page < listing.pages:
            path = self.list_path(listing.section, listing.page + 1)
            later = f"<BR><A HREF='{path}'>older notes</A>\n"
        return f"{fill(_TOP, listing.heading, links(self.hot(6), _ENTRY))}{posts}{later}{_FOOT}"
