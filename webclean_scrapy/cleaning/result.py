"""The result of cleaning a page. Expensive values are computed on first use."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cached_property
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.confidence.body_confidence import body_confidence
from webclean_scrapy.cleaning.metadata.comments import find_comments
from webclean_scrapy.cleaning.method_names import FIELDS, ON_REQUEST, SOURCE
from webclean_scrapy.cleaning.output.block_links import BlockReader
from webclean_scrapy.cleaning.output.chunks import cut_text
from webclean_scrapy.cleaning.output.html_output import render_html
from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.output.pictures import find_lead
from webclean_scrapy.cleaning.output.text_output import clean_line, text_lines
from webclean_scrapy.cleaning.output.urls import IMAGE_SCHEMES, absolute_url, base_url
from webclean_scrapy.cleaning.output.weighted_words import (
    emphasised_phrases,
    first_blocks,
    line_weight,
    named_keywords,
)
from webclean_scrapy.cleaning.page.removals import KeptRows
from webclean_scrapy.cleaning.page.tags import HEADING_TAGS
from webclean_scrapy.cleaning.page_metadata import PageMetadata
from webclean_scrapy.cleaning.templates.learner import KNOWN
from webclean_scrapy.keywords import tag_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from webclean_scrapy.cleaning.kind.page_kind import Kind
    from webclean_scrapy.cleaning.metadata.comments import Comment
    from webclean_scrapy.cleaning.output.block_links import LinkGroup
    from webclean_scrapy.cleaning.output.chunks import Chunk
    from webclean_scrapy.cleaning.trace import Trace
    from webclean_scrapy.keywords.tfidf import Keyword

    RankKeywords = Callable[..., Sequence[Keyword]]  # blocks, language
    MeasureInterest = Callable[[Sequence[tuple[str, float]]], float]

MAX_IMAGES = 200
_PICTURE = re.compile(r'<img src="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Removed:
    """A removal: step, rule, and length of the text in units."""

    what: str
    why: str
    how_much: int


class CleanedPage(PageMetadata):
    """One clean page.

    ``text``, ``kind`` and the like are at hand; ``title``, ``html``, ``confidence``, ``keywords``,
    ``authors``, ``interest``, ``removed`` and others are computed when first asked for.
    """

    def __init__(
        self,
        trace: Trace,
        kind: Kind,
        rank_keywords: RankKeywords | None,
        measure_interest: MeasureInterest | None,
        *,
        chunk_tokens: int = 0,
        rest: Sequence[CleanedPage] = (),
    ) -> None:
        super().__init__(trace)
        self.rest = tuple(rest)  # the pages behind the first, of an article in parts
        self.parts = 1 + len(self.rest)
        self._kind = kind
        self._rank_keywords = rank_keywords
        self._measure_interest = measure_interest
        self._chunk_tokens = chunk_tokens
        self._kept_rows = KeptRows(trace.page.table, trace.body.removals, trace.body.deck)
        siblings = (page.url for page in trace.comparison.siblings)
        self.url = trace.page.url
        canonical = trace.page.head.canonical or ""
        self._address = self.url or (canonical if canonical.startswith("http") else None)
        self.description = trace.page.head.description
        self.site_name = trace.page.head.site_name
        self.sibling_url = next(filter(None, siblings), None)  # of the page that helped, if any
        self.denoised = trace.comparison.method  # how its template was known: "template", "lcs" ...
        self.kind = kind.name  # "article", "listing", "forum", "product" ... or "other"
        self.kind_reason = kind.reason
        self.kind_confidence = kind.confidence  # its probability, 0..1
        self.kind_probabilities = {
            name: round(share, 3) for name, share in kind.probabilities.items()
        }
        self.is_article = kind.name == "article"
        self.extractor = trace.body.extractor  # the method that found the body
        self.fallback = trace.fallback
        self.repaired = trace.page.repaired  # pieces of its text that were encoded twice
        self.text_lines = text_lines(self._kept_rows, trace.body.lines)  # and their numbers
        self.text = "\n".join(text for page in self._pages for _, text in page.text_lines)

    def __repr__(self) -> str:
        return f"<CleanedPage {self.kind} {self.url or self.title!r}, {len(self.text)} characters>"

    def with_trace(self, trace: Trace, rest: Sequence[CleanedPage] = ()) -> CleanedPage:
        """Return a copy with *trace* and the pages that follow it."""
        return CleanedPage(
            trace, self._kind, self._rank_keywords, self._measure_interest,
            chunk_tokens=self._chunk_tokens, rest=rest,
        )  # fmt: skip

    @property
    def _pages(self) -> tuple[CleanedPage, ...]:
        return (self, *self.rest)

    @cached_property
    def confidence(self) -> float:
        """The probability that the body is right, 0..1: at .8, four in five are.

        Of an article in parts that of the least sure one.
        """
        trace, article = self.trace, self.kind_probabilities["article"]
        found = body_confidence(trace.evidence, trace.body, trace.models, article)
        return min([round(found, 3), *(part.confidence for part in self.rest)])

    @cached_property
    def html(self) -> str:
        """The body as clean HTML with absolute URLs."""
        return "\n".join(filter(None, (page._own_html(page is self) for page in self._pages)))

    def _own_html(self, has_lead: bool) -> str:
        row = self.trace.body.row
        if row is None:
            return ""
        kept, stop = self._kept_rows, self._table.end[row]
        images = self.trace.page.head.images if has_lead else ()
        line = self.trace.evidence.signs.title_line
        title = row if line is None else self._table.lines.first[line]
        lead = find_lead(kept, range(row, stop), images, self._base, title)
        return render_html(kept, row, stop, self._address, lead)

    @cached_property
    def markdown(self) -> str:
        """Title and body as Markdown (CommonMark, with the tables of GitHub)."""
        return render_markdown(self.html, self.title)

    @cached_property
    def chunks(self) -> list[Chunk]:
        """The body in chunks of at most the configured number of tokens."""
        paragraphs = (
            (page._heading_level(line), text)
            for page in self._pages
            for line, text in page.text_lines
        )
        return cut_text(paragraphs, self._chunk_tokens)

    @cached_property
    def comments(self) -> list[Comment] | None:
        """The comments on an article, or the posts of a forum.

        None for a page that was not read whole; with ``comments`` in the configuration all are.
        """
        if self.extractor == SOURCE or self.denoised == KNOWN:
            return None
        if self.rest:  # they stand below its last page
            return self.rest[-1].comments
        trace, lines = self.trace, self._table.lines
        if self.thread:
            return self.thread
        after = -1
        if self.kind != "forum":
            after = lines.last[trace.body.lines[-1]] if trace.body.lines else len(self._table)
        dated = trace.evidence.signs.dated.nonzero()[0].tolist()
        return find_comments(self._table, dated, after)

    @cached_property
    def link_groups(self) -> list[LinkGroup] | None:
        """The link blocks of the page, each of one kind, with address and text of each link.

        None for a page that was not read whole; with ``link_groups`` in the configuration all are.
        """
        trace = self.trace
        if trace.reading:
            return None
        signs, body = trace.evidence.signs, trace.body.lines
        reader = BlockReader(self._table, self._address, self._base, body, signs.title_line)
        return [*reader.read(signs.link_blocks)]

    @property
    def links(self) -> Iterator[str]:
        """The addresses of links as written, including small skipped elements."""
        head, reading = self.trace.page.head, self.trace.reading
        yield from (head.next_page,) if head.next_page else ()
        yield from self._table.hrefs.values()
        yield from reading.small_links() if reading else ()

    def _heading_level(self, line: int) -> int:
        tag = self._table.tag[self._table.lines.container[line]]
        return int(tag[1]) if tag in HEADING_TAGS else 0

    @cached_property
    def canonical_url(self) -> str | None:
        """The absolute canonical URL declared by the page; None without one."""
        canonical = self.trace.page.head.canonical
        return canonical and (absolute_url(canonical, self._base, IMAGE_SCHEMES) or None)

    @cached_property
    def images(self) -> list[str]:
        """Absolute URLs of the pictures, each once: the head's, then those of ``html``."""
        declared = (image for page in self._pages for image in page.trace.page.head.images)
        addresses = [absolute_url(written, self._base, IMAGE_SCHEMES) for written in declared]
        addresses += map(unescape, _PICTURE.findall(self.html))
        return list(dict.fromkeys(filter(None, addresses)))[:MAX_IMAGES]

    @property
    def main_image(self) -> str | None:
        """The URL of the first picture."""
        return next(iter(self.images), None)

    @cached_property
    def _base(self) -> str | None:
        return base_url(self._table, self._address)

    @cached_property
    def keywords(self) -> list[str]:
        """The Top-N keywords by the configured method, the heaviest first."""
        rank = self._rank_keywords
        ranked = rank(self.weighted_blocks, language=self.language) if rank else ()
        return [keyword.word for keyword in ranked]

    @cached_property
    def interest(self) -> float | None:
        """The similarity of the page to the configured interest profile, 0..1; None without one."""
        if self._measure_interest is None:
            return None
        return self._measure_interest(self.weighted_blocks)

    @cached_property
    def body_xpath(self) -> str | None:
        """The path of the body's subtree in the page as parsed; None without one."""
        row = self.trace.body.row
        if row is None or self.extractor == SOURCE:  # its tree is not the page's
            return None
        return self._table.xpath(row)

    @cached_property
    def link_shares(self) -> tuple[float, float, float]:
        """Number of link blocks on the page, and their shares of its links and its code, 0..1.

        The shares are LCR and CCR of Wang et al. 2014. Of a page that was not read whole they are
        means of its template's pages; of one that was not parsed, those of its links and text.
        """
        if reading := self.trace.reading:
            count, links, code = reading.link_blocks
        else:
            blocks = self.trace.evidence.signs.link_blocks
            count, links, code = len(blocks.blocks), blocks.links_share, blocks.code_share
        return round(count), round(links, 3), round(code, 3)

    @property
    def link_blocks(self) -> dict[str, float | str]:
        """`link_shares` by name; ``of`` says whose they are, the page's or its template's."""
        of = "template" if self.trace.reading else "page"
        return dict(zip(("count", "links", "code", "of"), (*self.link_shares, of), strict=True))

    @cached_property
    def removed(self) -> tuple[Removed, ...]:
        """The removals from the body's subtree, and skipped regions; sizes in units."""
        trace = self.trace
        removed = [Removed(r.what, r.why, r.units(self._table)) for r in trace.body.removals]
        if trace.reading is not None and (units := trace.reading.units):
            removed.append(Removed("template", "closed", units))
        return (*removed, *chain.from_iterable(part.removed for part in self.rest))

    def to_dict(self, fields: Collection[str] | None = None) -> dict[str, Any]:
        """Return *fields* as plain values; lazy ones are computed.

        By default all but `ON_REQUEST`; ``interest`` only with an interest profile. Raises
        ValueError for a name that is no field.
        """
        wanted = FIELDS if fields is None else fields
        known = (*FIELDS, *ON_REQUEST)
        if unknown := [name for name in wanted if name not in known]:
            raise ValueError(f"no field of a page: {unknown[0]!r}; known: {', '.join(known)}")
        record = {name: getattr(self, name) for name in known if name in wanted}
        if record.get("interest", 0) is None:
            del record["interest"]
        if "removed" in record:
            record["removed"] = [asdict(removed) for removed in record["removed"]]
        for name in {"chunks", "comments"} & record.keys():
            record[name] = [one._asdict() for one in record[name] or ()]
        if "link_groups" in record:
            record["link_groups"] = [group.to_dict() for group in self.link_groups or ()]
        return record

    @property
    def weighted_blocks(self) -> list[tuple[str, float]]:
        """The texts in which keywords are searched, each with the weight of its words."""
        return list(chain.from_iterable(self.blocks_by_source.values()))

    @property
    def blocks_by_source(self) -> dict[str, list[tuple[str, float]]]:
        """The weighted blocks of title and lines, of emphasis, and of meta elements.

        Features 5 (papers.md): the weight of each place of a word is added to its frequency.
        """
        head = self.trace.page.head
        keywords = named_keywords(head.keywords, f"{self.title}\n{self.text}")
        return {
            "text": [(self.title, tag_weights.TITLE), *first_blocks(self._blocks)],
            "emphasis": first_blocks(
                (text, tag_weights.EMPHASISED_PHRASE) for text in self._phrases
            ),
            "meta": [
                (keywords, tag_weights.META_KEYWORDS),
                (head.description or "", tag_weights.META_DESCRIPTION),
            ],
        }

    @cached_property
    def marked_texts(self) -> dict[str, float]:
        """The weight of the words of each heading, emphasised line and emphasised phrase."""
        marked = dict.fromkeys(self._phrases, tag_weights.EMPHASISED)
        return marked | {
            clean_line(text): weight for text, weight in self._blocks if weight != tag_weights.BODY
        }

    @cached_property
    def _blocks(self) -> list[tuple[str, float]]:
        """The body's lines, each with the weight of its words."""
        text = self._table.lines.text
        lines = self.trace.body.lines
        own = [(text[line], line_weight(self._table, line)) for line in lines]
        return own + [block for part in self.rest for block in part._blocks]

    @cached_property
    def _phrases(self) -> list[str]:
        own = emphasised_phrases(self._kept_rows, self.trace.body.lines)
        return own + [phrase for part in self.rest for phrase in part._phrases]
