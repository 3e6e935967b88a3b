"""Find the pages of ``clean`` in files, folders, archives and feeds, with siblings for each.

A page takes the address that its archive has or that it names itself, so pages of one site are
known as such wherever they lie.
"""

from __future__ import annotations

import shutil
import sys
import zlib
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from webclean_scrapy.commands.row_files import COMPRESSIONS, open_rows
from webclean_scrapy.crawl.responses import named_addresses
from webclean_scrapy.engines.feed_pages import is_feed_name, read_feed
from webclean_scrapy.engines.page_cleaner import (
    GZIP_MARK,
    PartIndex,
    ShapeIndex,
    Task,
    place_address,
    read_file,
)
from webclean_scrapy.engines.saved_pages import saved_page
from webclean_scrapy.engines.warc_pages import WARC_MARK, Place, is_warc_name, read_warc
from webclean_scrapy.errors import WebcleanError
from webclean_scrapy.safe_text import first_line
from webclean_scrapy.web_addresses import in_shard, is_askable, is_of_shard, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Report = Callable[[str, str], None]  # name, why it has no page

#: Names of pages in a folder, with or without .gz.
PAGE_SUFFIXES = frozenset({".htm", ".html", ".mht", ".mhtml", ".shtml", ".webarchive", ".xhtml"})
_READ_AHEAD = 1_000  # files whose addresses are known when the first of them is cleaned
_HEAD = 200_000  # bytes in which a page names its address


class StoredPages:
    """Pages of files and archives. `found`: the path of each file by display name."""

    def __init__(self, report: Report, *, url: str | None = None, shard: str = "") -> None:
        """*url*: address of the only page, a file; *shard*: part of the pages, such as ``2/8``."""
        self._report, self._url, self._shard = report, url, shard
        self.found: dict[str, str] = {}
        self._within: dict[str, str] = {}  # the name in the folder that was given, by path

    def find(self, names: Iterable[str], folder: str, written: Path | None) -> None:
        """Find the files; standard input is saved in *folder*.

        Of a named folder, the pages and archives in it and below are taken, sorted; without one it
        is reported. No file is taken of *written*, the folder that is written to.
        """
        for name in names:
            path = _saved_stdin(folder) if name == "-" else Path(name)
            if path.is_dir():
                self._find_in(path, written)
                continue
            if is_feed_name(path.stem) and path.suffix in COMPRESSIONS:
                packed, path = path, Path(folder, f"{len(self.found)}.jsonl")
                try:
                    with open_rows(str(packed)) as lines, path.open("wb") as file:
                        shutil.copyfileobj(lines, file)
                except Exception as error:  # noqa: BLE001, each compression has its own
                    self._report(name, getattr(error, "strerror", None) or first_line(error))
                    continue
            self.found[str(path)], self._within[str(path)] = name, Path(name).name

    def _find_in(self, folder: Path, written: Path | None) -> None:
        named = (
            one for one in folder.rglob("*") if _is_page_name(one.name) or is_warc_name(one.name)
        )
        files = {
            str(path): path.relative_to(folder).as_posix()
            for path in sorted(named)
            if path.is_file() and written not in path.resolve().parents
        }
        self.found |= zip(files, files, strict=True)
        self._within |= files
        if not files:
            kinds = ", ".join(sorted(PAGE_SUFFIXES))
            problem = f"no page is in this folder; looked for {kinds}, .warc and .gz"
            self._report(str(folder), problem)

    def tasks(self) -> tuple[Iterator[Task], int]:
        """Return a task per page, archives last, and the number of tasks.

        Archives that cannot be read are reported. Memory: the names of files, and a few places of
        each URL shape.
        """
        archives = [path for path, name in self.found.items() if _is_archive(path, name)]
        pages = [path for path in self.found if path not in set(archives)]
        index, total = ShapeIndex(), 0
        for archive in archives:
            try:
                for page in self._pages_of(archive, reports=True):
                    index.add(page)
                    total += 1
            except (OSError, WebcleanError) as error:  # noqa: PERF203, a few archives
                problem = getattr(error, "strerror", None) or str(error)
                self._report(self.found[archive], problem)
        if self._url and len(pages) == 1:
            place = Place(pages[0], url=self._url)
            return iter([Task(self.found[pages[0]], place, is_alone=True)]), 1
        firsts = ((one, (*one.article, one.place)[0].path) for one in _with_parts(pages))
        files = [one for one, path in firsts if in_shard(self._within[path], self._shard)]
        tasks = chain(self._file_tasks(files), self._archive_tasks(archives, index))
        return tasks, total + len(files)

    def _pages_of(self, archive: str, *, reports: bool = False) -> Iterator[Place]:
        def report(number: int, problem: str) -> None:
            if reports:
                self._report(f"{self.found[archive]}:{number}", problem)

        found = read_feed(archive, report) if is_feed_name(archive) else read_warc(archive)
        for place in found:
            if is_of_shard(place.url, self._shard):
                yield place

    def _file_tasks(self, files: Iterable[_File]) -> Iterator[Task]:
        """Yield a task per file; files of the same URL shape or folder are its siblings."""
        index, rest = ShapeIndex(), iter(files)
        while ahead := list(islice(rest, _READ_AHEAD)):
            places = [Place(path, url=_own_address(path)) for (path, *_), _, _ in ahead]
            for place in places:
                index.add(place)
            for place, (_, parts, article) in zip(places, ahead, strict=True):
                task = index.task(place)
                yield replace(task, name=self.found[place.path], parts=parts, article=article)

    def _archive_tasks(self, archives: Iterable[str], index: ShapeIndex) -> Iterator[Task]:
        """Yield a task per page of the archives, possible later parts of articles last."""
        later = []
        for archive in archives:
            with suppress(OSError, WebcleanError):  # reported before
                for place in self._pages_of(archive):
                    if index.parts.is_later(place.url):
                        later.append(place)
                    else:
                        yield index.task(place)
        yield from map(index.task, later)


class _File(NamedTuple):
    place: Place
    parts: tuple[Place, ...]
    article: tuple[Place, ...]  # that it may be a part of, its first page at the front


def _saved_stdin(folder: str) -> Path:
    """Save standard input, since an archive is read at any place, with the suffix of a feed."""
    saved = Path(folder, "standard input")
    with saved.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with suppress(EOFError, OSError, zlib.error):  # reported when it is read as a page
        if read_file(str(saved), 1)[:1] == b"{":
            with saved.open("rb") as file:
                packed = file.read(2) == GZIP_MARK
            return saved.rename(f"{saved}.jsonl.gz" if packed else f"{saved}.jsonl")
    return saved


def _with_parts(paths: Sequence[str]) -> Iterator[_File]:
    """Yield files with possible parts of their article: ``story.html``, ``story_2.html``."""
    index, places = PartIndex(), {(place := Place(path)): place_address(place) for path in paths}
    for place, address in places.items():
        index.add(address, place)
    for place, address in places.items():
        index.find(address, place)  # first pages are known from here on
    for place, address in places.items():
        yield _File(place, *index.find(address, place))


def _own_address(path: str) -> str:
    """Return the address that a file's page was saved from, or its canonical URL, or "".

    The canonical URL of a first page says nothing: templates of sites have it on every page.
    """
    if not Path(path).is_file():  # a pipe can be read once
        return ""
    with suppress(OSError, EOFError, zlib.error):  # reported when it is cleaned
        page = saved_page(read_file(path, _HEAD))
        if page.url:
            return page.url
        for written in named_addresses(cast("bytes", page.html)):
            url = written.strip().partition("#")[0]
            parts = split(url)
            if is_askable(url) and parts.path.strip("/") + parts.query:
                return url
    return ""


def _is_page_name(name: str) -> bool:
    return Path(name.lower().removesuffix(".gz")).suffix in PAGE_SUFFIXES


def _is_archive(path: str, name: str) -> bool:
    """True if a file holds many pages: a feed, or a WARC, by its name or else its first bytes."""
    if is_feed_name(path):
        return True
    if is_warc_name(name) or _is_page_name(name):
        return is_warc_name(name)
    try:
        return read_file(path, 4) == WARC_MARK
    except (OSError, EOFError, zlib.error):
        return False  # reported when it is read as a page
