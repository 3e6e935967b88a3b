"""The sketch of a page: sorted arrays of stable keys, compared with other pages.

Deviation from Song et al. 2011: besides equal text, the *place* of a line (its chain without the
text) is kept with whether it was body: teasers and related lists change their words on every page
and keep their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.cleaning.page.keys import chain_of, is_in, tree_likeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.keys import U32, U64
    from webclean_scrapy.cleaning.page.table import PageTable
    from webclean_scrapy.cleaning.templates.alignment import FeatureTree
    from webclean_scrapy.cleaning.templates.roles import SiteRoles

MIN_BODY_UNITS = 60  # of a line by which an article is known; shorter ones occur in many
MAX_SHARED_BODY = 0.3  # a sibling that holds more of the page's body is the same article
MIN_SHARED_PLACES = 0.2  # share of the smaller page's line places, 0..1
SAME_TEMPLATE = 0.8  # likeness of the upper levels from which two pages are of one template

_MAX_CHAIN = 500  # characters of a readable path
_OVERHEAD = 1_400  # bytes of the objects around the arrays
_ARRAYS: dict[str, type[np.unsignedinteger[Any]]] = {
    "text_keys": np.uint64, "body_texts": np.uint32, "body_places": np.uint32,
    "other_places": np.uint32, "tree": np.uint64,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class PageSketch:
    """The sketch of one page. Arrays are sorted and have no duplicates."""

    url: str | None
    text_keys: U64  # place and text of each line; digits normalised outside the body
    body_texts: U32  # normalised text of the lines of the body that are long enough
    body_places: U32  # places of body lines
    other_places: U32  # places of the lines that are not body
    places: U32  # both
    tree: U64  # places of the containers of the upper levels, the n-th of each as n
    body_path: int  # place of the body's subtree, 0 for none
    body_chain: str  # the same for people to read
    # Texts that an alignment with another page of the template has paired, here or on an earlier
    # page; None while none was run.
    aligned_texts: U32 | None = None
    features: FeatureTree | None = None  # of a page that others are aligned with
    roles: SiteRoles | None = None  # of its places; a template keeps those of all its pages
    shared: U32 | None = None  # texts that look like body, and some articles before it lacked

    @property
    def has_body(self) -> bool:
        """True if the page holds an article and can represent its template."""
        return bool(len(self.body_texts))

    @property
    def nbytes(self) -> int:
        """Memory of the sketch, in bytes."""
        arrays = sum(int(getattr(self, name).nbytes) for name in (*_ARRAYS, "places"))
        if self.aligned_texts is not None:
            arrays += int(self.aligned_texts.nbytes)
        texts = len(self.url or "") + len(self.body_chain)
        return _OVERHEAD + arrays + texts + (self.features.nbytes if self.features else 0)

    def to_data(self) -> dict[str, Any]:
        """Return plain values for JSON, without the feature tree."""
        return {
            "url": self.url,
            "body_path": self.body_path,
            "body_chain": self.body_chain,
            "aligned_texts": None if self.aligned_texts is None else self.aligned_texts.tolist(),
            **{name: getattr(self, name).tolist() for name in _ARRAYS},
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> PageSketch:
        """Return the sketch of ``to_data``."""
        arrays: dict[str, Any] = {n: np.array(data[n], kind) for n, kind in _ARRAYS.items()}
        aligned = data["aligned_texts"]
        return cls(
            data["url"],
            **arrays,
            places=np.union1d(arrays["body_places"], arrays["other_places"]),
            body_path=data["body_path"],
            body_chain=data["body_chain"],
            aligned_texts=None if aligned is None else np.array(aligned, np.uint32),
        )


def sketch_page(
    table: PageTable,
    url: str | None,
    body: Iterable[int],
    body_row: int | None,
) -> PageSketch:
    """Return the sketch of a page with the body lines *body* under *body_row*."""
    keys = table.keys
    inside = np.zeros(len(table.lines), bool)
    inside[list(body)] = True
    # In a body other numbers make another report (weather, prices), not boilerplate.
    texts = np.where(inside, keys.exact, keys.texts)
    return PageSketch(
        url=url,
        text_keys=np.unique(keys.line_keys(texts)),
        body_texts=long_texts(table, inside),
        body_places=np.unique(keys.at[inside]),
        other_places=np.unique(keys.at[~inside]),
        places=np.unique(keys.at),
        tree=table.tree_keys,
        body_path=keys.places.get(body_row, 0) if body_row is not None else 0,
        body_chain=chain_of(table, body_row)[:_MAX_CHAIN] if body_row is not None else "",
    )


def is_same_template(one: PageSketch, other: PageSketch) -> bool:
    """True if two pages of a site share a template, by their upper levels."""
    return tree_likeness(one.tree, other.tree) >= SAME_TEMPLATE


def long_texts(table: PageTable, inside: NDArray[np.bool_]) -> U32:
    """Return the texts that identify an article: the long lines *inside* it."""
    return np.unique(table.keys.texts[inside & (table.columns.units >= MIN_BODY_UNITS)])


def is_same_article(texts: U32, sibling: PageSketch) -> bool:
    """True if *sibling* holds too many of the `long_texts` of a page's body."""
    shared = int(is_in(texts, sibling.body_texts).sum())
    return shared > MAX_SHARED_BODY * len(texts)


def refuse(page: PageSketch, sibling: PageSketch) -> str | None:
    """Return why *sibling* is not useful for *page*, or None if it is.

    Reasons: ``identical``, ``same_article``, ``unlike`` (another template), ``not_article``.
    """
    if np.array_equal(page.text_keys, sibling.text_keys):
        return "identical"
    if not sibling.has_body:
        return "not_article"
    if is_same_article(page.body_texts, sibling):
        return "same_article"
    shared, least = int(is_in(page.places, sibling.places).sum()), len(page.places)
    if shared < MIN_SHARED_PLACES * min(least, len(sibling.places)):
        return "unlike"
    return None
