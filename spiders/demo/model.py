"""Types of the demo portal: texts, pages, and gold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

BlockKind = Literal["p", "h", "li", "row", "quote", "code", "figure"]

_MARKS = re.compile(r"\[\[(.+?)\]\]|\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One line of an article's text. A figure's text is its caption, which is not body."""

    kind: BlockKind
    text: str  # with marks: [[linked]] and **strong**; cells of a row are joined by " | "

    @property
    def plain(self) -> str:
        """The text as a reader sees it: no marks, cells joined by one blank."""
        text = _MARKS.sub(lambda mark: mark[1] or mark[2], self.text)
        return " ".join(text.split(" | ")) if self.kind == "row" else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """An article before any template has been put round it."""

    key: str  # "site/name", unique in the portal
    title: str
    date: str  # ISO local time to the minute, 2026-03-12T09:20
    section: str
    blocks: tuple[Block, ...]
    author: str | None = None
    source: str | None = None
    original: str | None = None  # another headline the page cites
    slug: str | None = None
    repost_of: str | None = None  # key of the article this one was copied from
    quotes: str | None = None  # key of the article of which a follow-up repeats paragraphs
    pages: int = 1  # that it is published in
    family: str | None = None  # reports of one wording whose numbers differ: never reposts

    @property
    def site(self) -> str:
        """The site's key, the first segment of every path of the site."""
        return self.key.split("/", 1)[0]

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The body's paragraphs without captions; the lines of a listing are one paragraph."""
        texts: list[str] = []
        before = ""
        for block in self.blocks:
            if block.kind == "code" and before == "code":
                texts[-1] += "\n" + block.plain
            elif block.kind != "figure":
                texts.append(block.plain)
            before = block.kind
        return tuple(texts)

    @property
    def teaser(self) -> str:
        """The beginning of the first paragraph, cut hard, as list pages show it."""
        text = self.paragraphs[0]
        limit = 90 if text.isascii() else 40
        return text[:limit].rstrip() + "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPage:
    """One answer of the portal's server."""

    body: bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldArticle:
    """Gold of one article page."""

    title: str
    paragraphs: tuple[str, ...]  # in the page's own script, in reading order
    author: str | None
    date: str  # ISO day
    language: str  # zh or en
    repost_of: str | None  # path of the original
    quotes: str | None = None  # path of the article whose paragraphs it repeats, no repost
    optional: tuple[str, ...] = ()  # lines at the end that are as well in the body as not

    @property
    def text(self) -> str:
        """The paragraphs, one to a line."""
        return "\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """All pages of the demo portal by path (with the query, where there is one), and its gold."""

    pages: Mapping[str, DemoPage]
    articles: Mapping[str, GoldArticle]
    list_paths: frozenset[str]  # home, section and further pages
    other_paths: frozenset[
        str
    ]  # HTML that is neither article nor list, and files that are not HTML
    forbidden_paths: frozenset[str]  # linked, but closed by robots.txt
    missing_paths: frozenset[str]  # linked, answered with 404

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Path of each original -> the paths of all pages with its text, the original first."""
        return group_paths(self.articles)


def group_paths(articles: Mapping[str, GoldArticle]) -> Mapping[str, tuple[str, ...]]:
    """Return, by the original's path, the paths of all pages that carry its text."""
    groups = {path: [path] for path, gold in articles.items() if gold.repost_of is None}
    for path, gold in articles.items():
        if gold.repost_of is not None:
            groups[gold.repost_of].append(path)
    return MappingProxyType({path: tuple(members) for path, members in groups.items()})
