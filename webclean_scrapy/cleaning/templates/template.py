"""Templates: the common parts of pages, applied to their next page.

Song et al. 2011: what a page shares with a similar page of its site is template. Here in the form
that can be kept: a template is the sketches of a few of its pages, with the texts that the
alignment of two of them has paired.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.page.keys import is_in
from webclean_scrapy.cleaning.page.row_flags import CELL, ITEM
from webclean_scrapy.cleaning.templates.roles import SiteRoles, line_roles
from webclean_scrapy.cleaning.templates.sketch import PageSketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.keys import U32, U64, PageKeys, Unsigned
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.templates.regions import Regions
    from webclean_scrapy.cleaning.templates.roles import LineRoles

PAGES_KEPT = 4  # of one template; two would do, four outlive a bad one
PARTS_KEPT = 2  # of its pages that were read where it is open alone
SERIES_PAGES = 20  # in a row with a text that some page lacked, before it can be template again
MAX_SERIES_TEXTS = 100  # of a template; the oldest go first
# Other pages that must have a text that looks like body before it is template: at an end of the
# page's own text, and between it.
EDGE_PAGES, INNER_PAGES = 2, 3
_TEXT = np.uint64(0xFFFFFFFF)  # of the key of a line
MAX_BYTES = 64_000  # of memory a template; its oldest pages go first


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """Pages of one host with the same URL shape and similar upper levels."""

    shape: str  # of the addresses, with scheme and host
    number: int  # of several templates whose addresses have this shape, from 0
    pages: tuple[PageSketch, ...]  # the newest last
    roles: SiteRoles | None = None  # of places, over all its pages
    parts: tuple[PageSketch, ...] = ()  # of pages that were not read whole; not saved
    #: Texts that look like body, and some of its articles lack: how many pages in a row have to
    #: have each before it is template.
    series: Mapping[int, int] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return self.shape.partition("//")[2].partition("/")[0]

    @property
    def has_body(self) -> bool:
        """True if a page holds an article."""
        return any(page.has_body for page in self.pages)

    @property
    def known_regions(self) -> Regions | None:
        """The regions around its articles; None if too few pages were fully read."""
        if self.roles is None or not self.roles.regions.are_known:
            return None
        return self.roles.regions

    @property
    def nbytes(self) -> int:
        """Memory of the template, in bytes."""
        roles = self.roles.nbytes if self.roles else 0
        return roles + sum(page.nbytes for page in (*self.pages, *self.parts))

    def with_page(self, page: PageSketch) -> Template:
        """Add *page* as the newest; it replaces a page of the same URL.

        Only the newest page keeps its feature tree, and none where that would not fit: then no
        page is aligned with it.
        """
        pages = [replace(old, features=None) for old in self.pages if old.url != page.url]
        roles = self.roles
        if page.roles is not None and len(pages) == len(self.pages):  # else it was counted before
            roles = page.roles if roles is None else roles.merged(page.roles)
        series = self._series_after(page)
        page = replace(page, roles=None, shared=None)
        if page.nbytes > MAX_BYTES:
            page = replace(page, features=None)
            if page.aligned_texts is None:
                page = replace(page, aligned_texts=np.zeros(0, np.uint32))
        pages.append(page)
        del pages[:-PAGES_KEPT]
        while len(pages) > 1 and sum(one.nbytes for one in pages) > MAX_BYTES:
            del pages[0]
        return replace(self, pages=tuple(pages), roles=roles, series=series)

    def with_part(self, page: PageSketch) -> Template:
        """Add a page that was read without its skipped regions."""
        roles = self.roles
        if page.roles is not None:
            roles = page.roles if roles is None else roles.merged(page.roles)
        parts = [part for part in self.parts if part.url != page.url][1 - PARTS_KEPT :]
        kept = replace(page, roles=None, shared=None)
        series = self._series_after(page)
        return replace(self, roles=roles, parts=(*parts, kept), series=series)

    def _series_after(self, page: PageSketch) -> Mapping[int, int]:
        """Return the texts that only some articles share, *page* included."""
        shared = () if page.shared is None else page.shared.tolist()
        if not shared and not self.series:
            return self.series
        texts = np.fromiter(self.series, np.uint32, len(self.series))
        again = is_in(texts, np.sort((page.text_keys & _TEXT).astype(np.uint32)))
        left = zip(self.series.items(), again.tolist(), strict=True)
        series = {text: pages - had for (text, pages), had in left if pages > had}
        series |= dict.fromkeys(shared, SERIES_PAGES)
        return dict(list(series.items())[-MAX_SERIES_TEXTS:])

    def sketches_but(self, url: str | None) -> list[PageSketch]:
        """Return the sketches of pages except that at *url*, the newest fully read ones first."""
        pages = (*reversed(self.pages), *reversed(self.parts))
        return [page for page in pages if page.url != url]

    def find_settled(self) -> frozenset[int]:
        """Return the places of lines that were no body on several pages, with different texts."""
        if self.roles is None:
            return frozenset()
        known = _join([page.text_keys for page in (*self.pages, *self.parts)], np.uint64)
        places = self.roles.walk.settled_places
        return frozenset(places[is_in(places, _places(_once(known)))].tolist())

    def to_data(self) -> dict[str, Any]:
        """Return plain values for JSON, without feature trees."""
        return {
            "shape": self.shape,
            "pages": [page.to_data() for page in self.pages],
            "roles": None if self.roles is None else self.roles.to_data(),
            "series": [list(row) for row in self.series.items()],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Template:
        """Read the template from ``to_data``; its number is set by a store."""
        pages = tuple(map(PageSketch.from_data, data["pages"]))
        roles = None if data["roles"] is None else SiteRoles.from_data(data["roles"])
        return cls(data["shape"], 0, pages, roles, series=dict(data["series"]))


@dataclass(frozen=True, slots=True, eq=False)
class TemplateEvidence:
    """The evidence of other pages' sketches about one page, per line."""

    # Template: the same text is in the same place of enough other pages, or outside their bodies.
    repeated: NDArray[np.bool_]
    quotable: NDArray[np.bool_]  # looks like body, and too few pages have it: never template
    foreign: NDArray[np.bool_]  # other pages have other text in this place, and it was never body
    familiar: NDArray[np.bool_]  # this place was body on another page
    body_rows: frozenset[int]  # rows of the page that are where other pages have their body
    shared: U32  # texts that look like body, and some other pages have, but not all
    walk_roles: LineRoles  # how likely the lines at this place are body on other pages
    inner_roles: LineRoles  # the same inside the subtree that holds the body


def template_evidence(
    table: PageTable,
    sketches: Sequence[PageSketch],
    kin: Sequence[PageSketch] | None = None,
    roles: Sequence[SiteRoles] = (),
    *,
    opened: NDArray[np.bool_] | None = None,
    paired: NDArray[np.bool_] | None = None,
    series: Iterable[int] = (),
) -> TemplateEvidence:
    """Collect the evidence of *sketches*, other pages of the site, about the lines of *table*.

    *kin* are those that are alike or have addresses alike, all by default: only these can make
    template of what looks like body. A list shows the first paragraphs of articles. *roles* are
    those of places in templates of the page; they do not count for the lines marked in *opened*,
    which say what no other page says there. *paired* marks the lines that an alignment pairs.
    *series* are texts that some articles of the page's template lack.
    """
    keys = table.keys
    known = _join([sketch.text_keys for sketch in sketches], np.uint64)
    body = _join([sketch.body_places for sketch in sketches], np.uint32)
    other = _join([sketch.other_places for sketch in sketches], np.uint32)
    aligned = [s.aligned_texts for s in sketches if s.aligned_texts is not None]
    familiar = is_in(keys.at, body)
    paths = {sketch.body_path for sketch in sketches if sketch.body_path}
    repeated = (
        is_in(keys.line_keys(keys.texts), known)
        | is_in(keys.line_keys(keys.exact), known)
        | is_in(keys.texts, _outside_texts(known, body))
        | is_in(keys.texts, _join(aligned, np.uint32))
    )
    alone = unlike = _unlike_standing_text(keys, known)
    if opened is not None:
        alone = unlike | (opened & ~repeated)
    kin = sketches if kin is None else kin
    common = repeated if paired is None else repeated | paired
    quotable, shared = _find_quotable(table, repeated, common, kin, series)
    return TemplateEvidence(
        repeated=repeated & ~quotable,
        quotable=quotable,
        shared=shared,
        foreign=is_in(keys.at, other) & ~familiar & ~unlike,
        familiar=familiar,
        body_rows=frozenset(row for row, place in keys.places.items() if place in paths),
        walk_roles=line_roles(keys.at, [each.walk for each in roles], but=alone),
        inner_roles=line_roles(keys.at, [each.inner for each in roles], but=alone),
    )


def _unlike_standing_text(keys: PageKeys, known: U64) -> NDArray[np.bool_]:
    """Mark lines of new text at places where other pages repeat their texts.

    *known* are the keys of those pages, sorted. A box that says the same on page after page tells
    nothing of what else may stand there.
    """
    unlike = is_in(keys.at, _places(known)) & ~is_in(keys.at, _places(_once(known)))
    if unlike.any():
        texts = np.sort((known & _TEXT).astype(np.uint32))
        unlike &= ~is_in(keys.texts, texts) & ~is_in(keys.exact, texts)
    return unlike


def _places(known: U64) -> U32:
    return (known >> np.uint64(32)).astype(np.uint32)


def _once(known: U64) -> U64:
    """Return the values of the sorted *known* that occur once."""
    again = known[1:] == known[:-1]
    once = np.ones(len(known), bool)
    once[1:] &= ~again
    once[:-1] &= ~again
    return known[once]


def _find_quotable(
    table: PageTable,
    repeated: NDArray[np.bool_],
    common: NDArray[np.bool_],
    kin: Sequence[PageSketch],
    series: Iterable[int],
) -> tuple[NDArray[np.bool_], U32]:
    """Mark body-like lines that are common, and that too few of the pages *kin* have.

    With them the texts that some of these pages have, and others lack. Common are the lines marked
    in *common* and those with a text of *kin* or *series*: on most pages no body-like line is.
    """
    keys, quotable = table.keys, np.zeros(len(table.lines), bool)
    of_series = np.array(sorted(series), np.uint32)
    of_kin = [(sketch.text_keys & _TEXT).astype(np.uint32) for sketch in kin]
    known = np.sort(np.concatenate([of_series, *of_kin]))
    text = _is_body_like(table)
    is_common = common | is_in(keys.texts, known) | is_in(keys.exact, known)
    lines = (text & is_common).nonzero()[0]
    if not len(lines):
        return quotable, keys.exact[lines]
    needed = _pages_needed(table, text, repeated, len(kin))[lines]
    lines, needed = lines[needed > 0], needed[needed > 0]
    texts, exact = keys.texts[lines], keys.exact[lines]
    pages = np.zeros(len(lines), np.int64)
    for one in map(np.sort, of_kin):
        pages += is_in(texts, one) | is_in(exact, one)
    quotable[lines] = (pages < needed) | is_in(texts, of_series) | is_in(exact, of_series)
    return quotable, exact[(pages > 0) & (pages < len(kin))]


def _is_body_like(table: PageTable) -> NDArray[np.bool_]:
    """Mark paragraphs, items and cells with more text outside links than inside."""
    columns = table.columns
    text = table.is_paragraph | (table.block_flags & (ITEM | CELL) > 0)
    text &= columns.plain & (2 * columns.linked < columns.units)
    return text


def _pages_needed(
    table: PageTable, text: NDArray[np.bool_], repeated: NDArray[np.bool_], known: int
) -> NDArray[np.int64]:
    """Return how many of the *known* pages must share each line's text; 0: any one.

    Deviation: for Song et al. 2011 what two pages share is template. But articles quote each other,
    stand as teasers in the sidebars of others, and print the same press release. So one page is
    enough only for a line that does not look like body. Those in *text* do, where most text at
    their place is the page's own: they need all of the known pages, and `EDGE_PAGES` at least, or
    `INNER_PAGES` between own text. So a disclaimer below the text goes on the third page that has
    it, and what the parts of a series have in common stays.
    """
    columns = table.columns
    place = table.keys.numbers
    own_units = np.bincount(place, np.where(repeated, 0, columns.units))
    among_own = (2 * own_units > np.bincount(place, columns.units))[place]
    own = (text & ~repeated).nonzero()[0]
    first, last = np.full(len(own_units), len(place)), np.full(len(own_units), -1)
    np.minimum.at(first, place[own], own)
    np.maximum.at(last, place[own], own)
    line = np.arange(len(place))
    is_inner = (first[place] < line) & (line < last[place])
    least = np.where(is_inner, INNER_PAGES, EDGE_PAGES)
    return np.where(text & among_own, np.maximum(least, known), 0)


def _outside_texts(known: U64, body: U32) -> U32:
    """Return the sorted texts of *known* keys outside of the places of bodies.

    Deviation: the paper's nodes match with all above them, so a share bar in another
    wrapper is lost; what is boilerplate in one place is so in others (decay with a sibling on the
    Chinese development pages: F1 .940 without these, .949 with them; nowhere less).
    """
    outside = ~is_in((known >> np.uint64(32)).astype(np.uint32), body)
    return np.sort((known[outside] & _TEXT).astype(np.uint32))


def _join(arrays: list[NDArray[Unsigned]], kind: type[Unsigned]) -> NDArray[Unsigned]:
    """Return the sorted values of all arrays, with repetitions."""
    if len(arrays) == 1:
        return arrays[0]
    joined: NDArray[Unsigned] = np.concatenate([np.zeros(0, kind), *arrays])
    joined.sort()
    return joined
