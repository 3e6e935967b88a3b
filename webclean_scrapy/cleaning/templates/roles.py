"""Roles of places: the probability that lines at a place of a template are body.

Song et al. 2011 keep what two pages share. Deviation: beside equal texts a template keeps the mean
log-odds that the body's models gave the lines of each place (chain of tag, id and class). The lines
at a place of the next page are moved together towards what other pages of its template say of it;
how they differ from each other is left to the page. So a place that one page leaves in doubt is
read as the others have it, and a note between the paragraphs stays a note.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from webclean_scrapy.cleaning.page.keys import is_in
from webclean_scrapy.cleaning.templates.regions import Regions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.keys import U32

MAX_PAGES = 20  # that count; above, older pages count ever less, so that a new design wins
MAX_PLACES = 1_000  # of a template; those that fewest pages had go first
_LARGEST = 30.0  # log-odds
_CLEAR = 4.0  # log-odds from which a role counts in full; unsure roles count less
#: Pages and mean log-odds that settle a place: of 10,300 lines on pages with five others of their
#: site seen, 74 % are at such places, and none of them was body.
_SETTLED_PAGES, _SETTLED = 3, -3.0
_BODY = 2.0  # the same for places that are body


class LineRoles(NamedTuple):
    """The roles of the places of one page's lines, from other pages: one entry a line."""

    log_odds: NDArray[np.float64]  # mean over the pages; 0 where none had the place
    pages: NDArray[np.float64]  # that had the place

    @property
    def is_body(self) -> NDArray[np.bool_]:
        """Marks lines at places that were body on several pages."""
        return (self.pages >= _SETTLED_PAGES) & (self.log_odds >= _BODY)

    def pool(
        self,
        own: NDArray[np.float64],
        numbers: NDArray[np.int64],
        weight: float,
        lines: slice = slice(None),
    ) -> NDArray[np.float64]:
        """Return the log-odds *own* of *lines* pooled with other pages' at their places.

        *numbers* are those of the places of all lines. A page of the others counts *weight* times
        as much as the page itself, and less where it is unsure.
        """
        log_odds = self.log_odds[lines]
        pages = weight * self.pages[lines] * np.minimum(1.0, np.abs(log_odds) / _CLEAR)
        if not pages.any():
            return own
        place = numbers[lines]
        mean = np.bincount(place, own)[place] / np.bincount(place)[place]
        return own + pages * (log_odds - mean) / (1.0 + pages)


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """The mean log-odds to be body of the lines at each place."""

    places: U32  # sorted
    log_odds: NDArray[np.float32]
    pages: NDArray[np.float32]  # that had the place

    @classmethod
    def of_lines(cls, places: U32, log_odds: NDArray[np.float64]) -> Roles:
        """Return the roles of one page with lines at *places*."""
        known, number, size = np.unique(places, return_inverse=True, return_counts=True)
        limited = np.clip(log_odds, -_LARGEST, _LARGEST)
        mean = (np.bincount(number, limited) / np.maximum(size, 1)).astype(np.float32)
        return cls(known, mean, np.ones(len(known), np.float32))

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return self.places.nbytes + self.log_odds.nbytes + self.pages.nbytes

    @property
    def settled_places(self) -> U32:
        """The places that were no body on several pages; more pages need less evidence each."""
        certain = self.pages * self.log_odds <= _SETTLED_PAGES * _SETTLED
        return self.places[(self.pages >= _SETTLED_PAGES) & certain]

    def merged(self, other: Roles) -> Roles:
        """Merge the roles of both, with at most MAX_PAGES pages per place."""
        places = np.union1d(self.places, other.places)
        total, pages = np.zeros(len(places)), np.zeros(len(places))
        for one in (self, other):
            at = np.searchsorted(places, one.places)
            total[at] += one.log_odds * one.pages
            pages[at] += one.pages
        if len(places) > MAX_PLACES:
            kept = np.sort(np.argsort(-pages, kind="stable")[:MAX_PLACES])
            places, total, pages = places[kept], total[kept], pages[kept]
        mean = (total / pages).astype(np.float32)
        return Roles(places, mean, np.minimum(pages, MAX_PAGES).astype(np.float32))

    def to_data(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "places": self.places.tolist(),
            "log_odds": np.round(self.log_odds.astype(float), 2).tolist(),
            "pages": self.pages.astype(int).tolist(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Roles:
        """Return the roles of ``to_data``."""
        log_odds, pages = (np.array(data[name], np.float32) for name in ("log_odds", "pages"))
        return cls(np.array(data["places"], np.uint32), log_odds, pages)


class SiteRoles(NamedTuple):
    """Roles of places for the walk, for the lines of the selected subtree, and for regions."""

    walk: Roles
    inner: Roles
    regions: Regions

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return sum(part.nbytes for part in self)

    def merged(self, other: SiteRoles) -> SiteRoles:
        """Merge the roles of both."""
        return SiteRoles(
            self.walk.merged(other.walk),
            self.inner.merged(other.inner),
            self.regions.merged(other.regions),
        )

    def to_data(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {name: part.to_data() for name, part in self._asdict().items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> SiteRoles:
        """Return the roles of ``to_data``."""
        walk, inner = Roles.from_data(data["walk"]), Roles.from_data(data["inner"])
        return cls(walk, inner, Regions.from_data(data["regions"]))


def line_roles(
    places: U32, roles: Iterable[Roles], but: NDArray[np.bool_] | None = None
) -> LineRoles:
    """Merge the *roles* of several templates for the lines at *places*, except pages of *but*."""
    total, pages = np.zeros(len(places)), np.zeros(len(places))
    for each in roles:
        known = is_in(places, each.places)
        at = np.searchsorted(each.places, places[known])
        total[known] += (each.log_odds * each.pages)[at]
        pages[known] += each.pages[at]
    if but is not None:
        total[but] = 0.0
    return LineRoles(total / np.maximum(pages, 1.0), pages)
