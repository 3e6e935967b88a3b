"""Clean stored pages one by one, with siblings from their surroundings.

A page is cleaned as in a crawl: its template is learned from likely siblings first, and every page
teaches the next ones. For a file without an address its path stands in, so that files of one folder
are pages of one site. What becomes of a page depends on the pages of its host alone, and their
order.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from webclean_scrapy.cleaning.method_names import SOURCE
from webclean_scrapy.cleaning.part_links import MAX_PARTS, first_keys, later_keys
from webclean_scrapy.cleaning.templates.sibling_links import rank_siblings
from webclean_scrapy.cleaning.templates.url_shapes import url_family, url_shape
from webclean_scrapy.engines.feed_pages import is_feed_name, read_feed_page
from webclean_scrapy.engines.saved_pages import saved_page
from webclean_scrapy.engines.warc_pages import WarcError, read_warc_page
from webclean_scrapy.errors import FeedError, PageError
from webclean_scrapy.items import RECORD, ArticleItem, article_class, fill_item, page_fields
from webclean_scrapy.web_addresses import host_name, host_of, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from itemadapter import ItemAdapter

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.page.raw_page import RawPage
    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.engines.warc_pages import Place

    Key = tuple[str | int, ...]  # of a place: path and offset

PER_SHAPE = 12  # pages kept of a URL shape as likely siblings
MAX_SHAPES = 20_000  # URL shapes for which they are kept, and tries are counted
MAX_ARTICLES = 1_000  # in parts, that are remembered
LEARNED = 2  # siblings of the first page of a template; one may lack what the others share
TRIED = 6  # likely siblings of one URL shape that are looked at
GZIP_MARK = b"\x1f\x8b"
_ERRORS = (OSError, EOFError, zlib.error, WarcError, FeedError, PageError)
EMPTY, UNREADABLE = "empty", "unreadable"  # reasons beside those of a PageError


@dataclass(frozen=True, slots=True)
class Task:
    """A page to clean and its siblings, as places that are read on demand."""

    name: str  # of its file as people know it; "": its address says what it is
    place: Place
    siblings: tuple[Place, ...] = ()  # other pages of its URL shape
    is_alone: bool = False  # on its host, as far as is known: nothing is to be learned
    parts: tuple[Place, ...] = ()  # of its article, behind it, if their texts say so too
    article: tuple[Place, ...] = ()  # that it may be a part of: its first page, and those behind it


def place_address(place: Place) -> str:
    """Return the address of a page, or the path of its file instead.

    A host for all files: those of a folder and the ones below it are pages of one site.
    """
    path = place.path.lstrip("/").removesuffix(".gz")
    return place.url or (f"http://folder.example/{quote(path)}" if path else "")


class PartIndex:
    """Places of possible later parts of articles, by address or name."""

    def __init__(self) -> None:
        self._later: dict[str, list[tuple[int, Place]]] = {}  # behind the first page, by key
        self._first: dict[str, Place] = {}

    def add(self, address: str, place: Place) -> None:
        """Store the place of a possible later part, if there is room."""
        for key, number in later_keys(address).items() if len(self._later) < MAX_SHAPES else ():
            self._later.setdefault(key, []).append((number, place))

    def is_later(self, address: str) -> bool:
        """True for a stored page that comes after its first page."""
        return any(key in self._later for key in later_keys(address))

    def find(self, address: str, place: Place) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Return the places of the possible next parts of this page.

        And of those of the article that this one may go on with, whose first page came before.
        """
        parts: tuple[Place, ...] = ()
        for key in sorted(first_keys(address) & self._later.keys()):
            self._first.setdefault(key, place)
            parts = parts or self._behind(key, place)
        for key in sorted(later_keys(address)):
            if (first := self._first.get(key, place)) != place:
                return parts, (first, *self._behind(key, first))
        return parts, ()

    def _behind(self, key: str, first: Place) -> tuple[Place, ...]:
        numbered = sorted(self._later.get(key, ()), key=itemgetter(0))
        return tuple(place for _, place in numbered if place != first)[: MAX_PARTS - 1]


class ShapeIndex:
    """A few places per URL shape, as likely siblings."""

    def __init__(self) -> None:
        self._places: dict[str, list[Place]] = {}
        self._pages = Counter[str]()  # by host
        self.parts = PartIndex()

    def add(self, place: Place) -> None:
        """Store the place of a page, if there is room."""
        self.parts.add(place.url, place)
        address = place_address(place)
        host = host_of(address)
        if host in self._pages or len(self._pages) < MAX_SHAPES:
            self._pages[host] += 1
        for key in _keys(place):
            if key in self._places or len(self._places) < MAX_SHAPES:
                places = self._places.setdefault(key, [])
                if len(places) < PER_SHAPE:
                    places.append(place)

    def task(self, place: Place) -> Task:
        """Return the task of a page; its siblings are other pages of its URL shape."""
        address = place_address(place)
        found = chain.from_iterable(self._places.get(key, ()) for key in _keys(place))
        siblings = tuple(other for other in dict.fromkeys(found) if other != place)
        is_alone = self._pages[host_of(address)] == 1
        return Task("", place, siblings, is_alone, *self.parts.find(place.url, place))


def _keys(place: Place) -> tuple[str, ...]:
    """Return shape and family of a page's address, with the folder of a file without one."""
    address = place_address(place)
    keys = [url_shape(address), url_family(address)]
    return tuple(filter(None, [*keys, "" if place.url else address.rpartition("/")[0]]))


class _Fields:
    """The fields of an article, a light substitute of ItemAdapter, which imports Scrapy."""

    def __init__(self, item: ArticleItem) -> None:
        self.item = item

    def field_names(self) -> list[str]:
        return [one.name for one in fields(self.item)]

    def get(self, name: str, default: Any = None) -> Any:
        return getattr(self.item, name, default)

    def __contains__(self, name: str) -> bool:
        return hasattr(self.item, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self.item, name, value)


class PageCleaner:
    """Cleans tasks one by one and keeps the learned templates."""

    def __init__(
        self,
        config: CleanConfig,
        names: Collection[str],
        *,
        articles_only: bool,
        read: Callable[..., RawPage] | None = None,
    ) -> None:
        """*names*: fields of the articles; *read*: see `read_place`."""
        from webclean_scrapy.cleaning.cleaner import Cleaner  # .5 s, mostly in another process

        self._config = config
        self._names = {*names, RECORD}
        self._fields = page_fields(self._names)
        self._cleaner = Cleaner(config)
        max_bytes = max(config.max_body_bytes, config.max_scan_bytes)
        self._read = partial(read or read_place, max_bytes=max_bytes)
        self._articles_only = articles_only
        self._tries: Counter[str] = Counter()  # by URL shape
        self._hosts: set[str] = set()  # of which a template was learned
        self._articles: dict[Place, frozenset[Key]] = {}  # their parts, by the first page

    def clean(self, task: Task) -> ArticleItem | None:
        """Return the article of a page; None for other pages, if only articles are wanted.

        None too for a part of the article of another page, which is joined there.

        The record of a page that cannot be cleaned has an error, in one word, and a message.
        """
        url = task.name or task.place.url
        try:
            raw = self._read_at(task.place)
            url = url or raw.url
            if not raw.html.strip():
                return without_page(url, EMPTY, "the page is empty")
            is_alone = task.is_alone or not (raw.url or raw.stand_in)
            if not is_alone:
                self._learn(raw, task)
            page = self._cleaner.inspect(raw, remember=not is_alone)
            if task.article and task.place[:2] in self._joined(task.article):
                return None
            if page.is_article and (parts := tuple(self._pages(task.parts))):
                page = self._cleaner.inspect(raw._replace(parts=parts))
        except _ERRORS as error:
            message = getattr(error, "strerror", None) or str(error)
            reason = error.reason if isinstance(error, PageError) else UNREADABLE
            return without_page(url, reason, message or type(error).__name__)
        if self._articles_only and not page.is_article:
            return None
        item = article_class(self._names)(url=raw.url or url)
        cleaned = page.to_dict(self._fields)
        fill_item(cast("ItemAdapter", _Fields(item)), cleaned, None, self._names)
        if task.name:
            item.webclean["file"] = task.name
        if raw.is_cut:
            item.webclean["cut_off"] = True
        return item

    def clean_source(self, task: Task, reason: str) -> ArticleItem | None:
        """Clean a page without parsing; *reason* is recorded as ``fallback``."""
        config = replace(self._config, max_body_bytes=1)
        reader = PageCleaner(
            config, self._names, articles_only=self._articles_only, read=self._read.func
        )
        item = reader.clean(replace(task, is_alone=True, parts=(), article=()))
        if item is not None and item.webclean.get("extractor") == SOURCE:
            item.webclean["fallback"] = reason
        return item

    def _joined(self, places: tuple[Place, ...]) -> frozenset[Key]:
        """Return the places of the pages to join into the article of the first of *places*."""
        if places[0] not in self._articles:
            numbered: dict[str, Place] = {}
            pages = []
            for number, place in enumerate(places):
                for page in self._pages([place]):
                    pages.append(page._replace(url=page.url or f"http://folder.example/{number}"))
                    numbered[pages[-1].url or ""] = place
            found: Iterable[CleanedPage] = ()
            if pages and numbered[pages[0].url or ""] == places[0]:
                found = self._cleaner.inspect(pages[0]._replace(parts=tuple(pages[1:]))).rest
            if len(self._articles) >= MAX_ARTICLES:
                self._articles.clear()
            self._articles[places[0]] = frozenset(numbered[one.url or ""][:2] for one in found)
        return self._articles[places[0]]

    def _pages(self, places: Iterable[Place]) -> Iterator[RawPage]:
        for place in places:
            with suppress(*_ERRORS):
                yield self._read(place)

    def _read_at(self, place: Place) -> RawPage:
        return self._read(place)._replace(stand_in=place_address(place))

    def _ranked(self, task: Task, address: str) -> Iterator[Place]:
        """Yield siblings, likely ones first, possible parts of the same article last."""
        others = {place_address(place): place for place in task.siblings}
        ranked = [one for one in rank_siblings(others, address) if one in others]
        if not task.place.url:  # files are not named as the pages of sites are
            ranked += [one for one in others if one not in ranked]
        same = {place[:2] for place in (*task.parts, *task.article)}
        ranked.sort(key=lambda one: others[one][:2] in same)
        yield from map(others.__getitem__, ranked)

    def _learn(self, page: RawPage, task: Task) -> None:
        """Learn the template of *page* from likely siblings, unless it is known."""
        address = page.url or page.stand_in
        if self._cleaner.templates.knows_template(address):
            return
        host, shape = host_of(address), url_shape(address)
        if host in self._hosts and self._cleaner.recognises_template(page):
            return
        learned = 0
        for place in self._ranked(task, address):
            if learned == LEARNED or self._tries[shape] >= TRIED:
                break
            if len(self._tries) >= MAX_SHAPES:
                self._tries.clear()
            self._tries[shape] += 1
            with suppress(*_ERRORS):
                learned += self._cleaner.learn_sibling(page, self._read_at(place)) is None
        if learned:
            self._hosts.add(host)


def without_page(url: str, error: str, message: str) -> ArticleItem:
    """Return the item of a page that cannot be cleaned."""
    return ArticleItem(url=url, webclean={"error": error, "message": message})


_CLEANERS: list[PageCleaner] = []  # of a worker process: one


def start_worker(config: CleanConfig, names: Collection[str], articles_only: bool) -> None:
    from webclean_scrapy.cleaning.cleaner import Cleaner

    # Else the time limit of the first page pays for it.
    Cleaner(config).warm_up(page_fields({*names, RECORD}), whole=False)
    _CLEANERS[:] = [PageCleaner(config, names, articles_only=articles_only)]


def clean_in_worker(task: Task, failed: Collection[Place] = ()) -> ArticleItem | None:
    """Clean a page without the *failed* ones, on which a process died or took too long."""
    if failed:
        places = (task.siblings, task.parts, task.article)
        left = [tuple(place for place in of if place not in failed) for of in places]
        task = replace(task, siblings=left[0], parts=left[1], article=left[2])
    return _CLEANERS[0].clean(task)


def clean_source_in_worker(task: Task, reason: str) -> ArticleItem | None:
    return _CLEANERS[0].clean_source(task, reason)


def read_file(path: str, max_bytes: int) -> bytes:
    """Return a file's content, gunzipped, up to one byte over *max_bytes*.

    Raises OSError; EOFError or zlib.error of a damaged .gz file.
    """
    with Path(path).open("rb") as file:
        is_packed = file.read(len(GZIP_MARK)) == GZIP_MARK
        file.seek(0)
        content = gzip.GzipFile(fileobj=file) if is_packed else file
        return content.read(max_bytes + 1)


def read_place(place: Place, max_bytes: int) -> RawPage:
    """Read a page of a file, plain, gzip or MHTML, of a WARC or a feed, to *max_bytes* + 1 bytes.

    Raises OSError, EOFError or zlib.error of a damaged .gz file, WarcError, FeedError.
    """
    if place.offset >= 0:
        read = read_feed_page if is_feed_name(place.path) else read_warc_page
        return read(place, max_bytes)
    return saved_page(read_file(place.path, max_bytes), place.url)


def host_partition(url: str, partitions: int) -> int:
    """Return the partition of the page's host, 0 to *partitions* - 1.

    The same in every run and on every machine.
    """
    return number_of(host_name(url), 6) % partitions


def clean_hosts(
    places: Iterable[Place], make_cleaner: Callable[[], PageCleaner]
) -> Iterator[tuple[Place, ArticleItem | None]]:
    """Yield each place with its article, grouped by host, each host in order.

    The pages of a host are each other's siblings and have a cleaner of their own, so what becomes
    of them depends on no other host. All pages of a host have to be among *places*.
    """
    hosts: dict[str, list[Place]] = {}
    for place in places:
        hosts.setdefault(host_name(place.url), []).append(place)
    for group in hosts.values():
        index, cleaner = ShapeIndex(), make_cleaner()
        for place in group:
            index.add(place)
        group.sort(key=lambda place: index.parts.is_later(place.url))
        for place in group:
            yield place, cleaner.clean(index.task(place))
