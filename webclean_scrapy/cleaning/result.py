"""What cleaning a page gives: values at hand, and values that cost computed on first use."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.metadata.authors import find_authors
from webclean_scrapy.cleaning.metadata.dates import find_date
from webclean_scrapy.cleaning.metadata.language import detect_language
from webclean_scrapy.cleaning.metadata.microdata import read_marked
from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby, find_nearby
from webclean_scrapy.cleaning.metadata.outlet import find_source
from webclean_scrapy.cleaning.metadata.title import page_title
from webclean_scrapy.cleaning.output.html_output import render_html
from webclean_scrapy.cleaning.output.text_output import clean_line, render_text
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.keywords import tag_weights as tags

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.body_finder import Body
    from webclean_scrapy.cleaning.kind.page_kind import Kind
    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.page.removals import Living
    from webclean_scrapy.cleaning.templates.template import TemplateEvidence
    from webclean_scrapy.keywords.ranker import Ranker


@dataclass(frozen=True, slots=True)
class Removed:
    """One thing that was removed: the stage, its rule, and how much text (units)."""

    what: str
    why: str
    how_much: int


@dataclass(frozen=True, slots=True)
class Source:
    """What a clean page was made of; kept for the values that are computed on first use."""

    head: Head
    titles: tuple[str, ...]
    living: Living
    body: Body
    ranker: Ranker
    keyword_count: int
    template: TemplateEvidence | None = None  # what siblings said about the lines


class CleanedPage:
    """One clean page.

    ``text``, ``title``, ``kind`` and the like are at hand; ``html``, ``keywords``, ``language``,
    ``date_published``, ``authors``, ``source`` and ``removed`` are computed when first asked for.
    """

    def __init__(
        self,
        *,
        url: str | None,
        sibling_url: str | None,
        denoised: str | None,
        kind: Kind,
        source: Source,
    ) -> None:
        self._source = source
        self.url = url
        self.sibling_url = sibling_url  # of the page that helped, if one did
        self.denoised = denoised  # how its template was known: "template" or "lcs"
        self.kind = kind.name  # "article", "list" or "other"
        self.kind_reason = kind.reason
        self.confidence = kind.confidence  # in the kind, 0..1
        self.is_article = kind.name == "article"
        self.extractor = source.body.extractor  # the method that found the body
        self.fallback = source.body.fallback  # why the one asked for did not: "nothing", "little"
        self.text = render_text(source.living, source.body.lines)

    def __repr__(self) -> str:
        return f"<CleanedPage {self.kind} {self.url or self.title!r}, {len(self.text)} characters>"

    @property
    def made_of(self) -> Source:
        """The page's table, its body and what was removed: all that the explain view reads."""
        return self._source

    @cached_property
    def title(self) -> str:
        """The article's title, without the names of site and section; empty when there is none."""
        source = self._source
        table = source.living.table
        lines = table.lines
        headings = [
            clean_line(text)
            for text, box in zip(lines.text, lines.container, strict=True)
            if table.tag[box] in HEADING_TAGS
        ]
        if source.body.anchor is not None:
            headings.insert(0, clean_line(lines.text[source.body.anchor]))
        return page_title(source.head, headings)

    @cached_property
    def html(self) -> str:
        """The body as clean HTML with absolute URLs."""
        row = self._source.body.row
        if row is None:
            return ""
        living = self._source.living
        return render_html(living, ((row, living.table.end[row]),), self.url)

    @cached_property
    def date_published(self) -> str | None:
        """When the page was published, ISO 8601 (a day, or a day and time)."""
        table = self._source.living.table
        lines, near = table.lines.text, self._nearby.head
        return find_date(self._head, lines=lines, near=near, root=table.node[0], url=self.url)

    @cached_property
    def authors(self) -> list[str]:
        """The authors' names."""
        near = (*self._nearby.head, *self._nearby.tail)
        return find_authors(self._head, self._source.living.table.lines.text, near)

    @cached_property
    def source(self) -> str | None:
        """The outlet that the page names as the article's source or publisher."""
        return find_source(self._head, self._nearby)

    @cached_property
    def _head(self) -> Head:
        """What the page says about itself in its head and, after that, on its elements."""
        head = self._source.head
        marked = read_marked(self._source.living.table.node[0])
        return replace(
            head,
            authors=head.authors or marked.authors,
            published=(*head.published, *marked.published),
            publishers=(*head.publishers, *marked.publishers),
        )

    @cached_property
    def _nearby(self) -> Nearby:
        """The lines about title and body."""
        body = self._source.body
        return find_nearby(self._source.living.table.lines.text, body.anchor, body.lines)

    @cached_property
    def language(self) -> str | None:
        """The language as ISO 639-1."""
        return detect_language(self.text or self.title, self._source.head.lang)

    @cached_property
    def keywords(self) -> list[str]:
        """The Top-N words by the method of the settings, the most telling first."""
        source = self._source
        ranked = source.ranker.rank(self.graded_blocks, limit=source.keyword_count)
        return [keyword.word for keyword in ranked]

    @cached_property
    def body_xpath(self) -> str | None:
        """The path of the body's subtree in the page as parsed; None without one."""
        row = self._source.body.row
        if row is None:
            return None
        node = self._source.living.table.node[row]
        return node.getroottree().getpath(node)

    @cached_property
    def removed(self) -> tuple[Removed, ...]:
        """What was removed from the body's subtree, why, and how much of it (units)."""
        table = self._source.living.table
        return tuple(Removed(r.what, r.why, r.units(table)) for r in self._source.body.removals)

    def to_dict(self) -> dict[str, Any]:
        """Return every field as plain values, computing those that wait."""
        return {name: getattr(self, name) for name in _PLAIN_FIELDS} | {
            "removed": [asdict(removed) for removed in self.removed]
        }

    @property
    def graded_blocks(self) -> list[tuple[str, float]]:
        """The title and the body's lines, each with what its words count for."""
        return [(self.title, tags.TITLE), *self._blocks()]

    @cached_property
    def marked_lines(self) -> dict[str, float]:
        """The lines of `text` that are headings or emphasised, and what their words count for."""
        return {clean_line(text): weight for text, weight in self._blocks() if weight != tags.BODY}

    def _blocks(self) -> list[tuple[str, float]]:
        """Return the body's lines and what their words count for."""
        text = self._source.living.table.lines.text
        return [(text[line], self._weight(line)) for line in self._source.body.lines]

    def _weight(self, line: int) -> float:
        table = self._source.living.table
        box, row = table.lines.container[line], table.lines.first[line]
        if table.tag[box] in HEADING_TAGS:
            return tags.HEADINGS[table.tag[box]]
        while (row := table.parent[row]) > box:
            # The element goes on to the end of the line: all of it is emphasised.
            if table.tag[row] in tags.EMPHASIS_TAGS and table.end[row] > table.lines.last[line]:
                return tags.EMPHASISED
        return tags.BODY


_PLAIN_FIELDS = (
    "url", "title", "text", "html", "is_article", "kind", "kind_reason", "confidence",
    "date_published", "authors", "source", "language", "keywords", "body_xpath", "sibling_url",
    "denoised", "extractor", "fallback",
)  # fmt: skip
