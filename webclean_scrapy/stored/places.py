"""Find stored pages, and the likely siblings of a page on its host.

A task names its page and its siblings by where they are, so that it is small: a page is read when
its turn comes, in the process that cleans it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.cleaning.templates.url_shapes import url_shape

PER_SHAPE = 12  # pages kept of a URL shape as likely siblings
MAX_SHAPES = 20_000  # URL shapes for which they are kept


class Place(NamedTuple):
    """The place of a stored page."""

    path: str
    offset: int = -1  # of its record in a WARC; -1: the file is the page
    url: str = ""  # "" when it is not known


class ShapeIndex:
    """A few places of each URL shape: where likely siblings of a page are."""

    def __init__(self) -> None:
        self._places: dict[str, list[Place]] = {}

    def add(self, place: Place) -> None:
        """Keep the place of a page, if there is room."""
        shape = url_shape(place.url)
        if shape not in self._places and len(self._places) >= MAX_SHAPES:
            return
        places = self._places.setdefault(shape, [])
        if len(places) < PER_SHAPE:
            places.append(place)

    def task(self, place: Place) -> Task:
        """Return the task of a page; its siblings are other pages of its URL shape."""
        found = self._places.get(url_shape(place.url), ())
        others = {other.url: other for other in found if other.url != place.url}
        ranked = rank_siblings(others, place.url)
        siblings = tuple(others[one.url] for one in ranked if one.url in others)
        return Task(place.url, place, siblings)


@dataclass(frozen=True, slots=True)
class Task:
    """One page to clean."""

    name: str  # for people
    place: Place
    siblings: tuple[Place, ...] = ()  # likely ones first
