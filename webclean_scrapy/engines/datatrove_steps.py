"""Steps of a datatrove pipeline, from WARC files to de-duplicated articles.

Extra ``datatrove``. Two pipelines, as pages of a host have to be in one task: the first notes where
each page is, by the hash of its host; the second cleans a part of the hosts in each task.
"""

from __future__ import annotations

import heapq
import json
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.kind.page_kind import ARTICLE, LISTING
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.engines.page_cleaner import PageCleaner, clean_hosts, host_partition
from webclean_scrapy.engines.warc_pages import Place, WarcError, read_warc, read_warc_page
from webclean_scrapy.errors import ConfigError, missing_library
from webclean_scrapy.items import ARTICLE_FIELDS, RECORD, ArticleItem

try:
    from datatrove.data import Document
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.filters.base_filter import BaseFilter
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.readers.base import BaseDiskReader
    from datatrove.pipeline.writers import JsonlWriter
    from datatrove.utils.logging import logger
except ImportError as import_error:
    raise missing_library("a datatrove pipeline", "datatrove") from import_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from webclean_scrapy.dedup.fingerprint import Fingerprint, Match

OFFSET = "warc_offset"  # in the metadata of a document whose page is in the archive ``file_path``
_IN_MEMORY = 64_000_000  # bytes; more are in a temporary file
_TEXT = "articleBody"  # the field that is the text of a document
_RULES = ("drop", "keep")
_BETWEEN = "\t"  # separates the address of a page from its id in the key
_BATCH = 50  # records for which an index is asked at once


class WarcPlaces(BaseDiskReader):  # type: ignore[misc]
    """Yields a small document with the place of each HTML page in WARC files.

    Its metadata say where the page is; `ArticleExtractor` reads it there. *data_folder* and
    *options*: those of ``WarcReader``. A damaged file is logged and counted
    (``damaged_archives``); the pages before the damage are there.
    """

    name = "webclean: places in WARC files"

    def read_file(self, filepath: str) -> Iterator[Document]:
        path = self.data_folder.resolve_paths(filepath)
        try:
            for page in read_warc(path):
                metadata = {"url": page.url, "file_path": path, OFFSET: page.offset}
                found = {"text": page.url, "id": f"{path}#{page.offset}", "metadata": metadata}
                yield self.get_document_from_dict(found, filepath, page.offset)
        except WarcError as error:
            self.stat_update("damaged_archives", unit="file")
            logger.warning(f"{path} {error}")


class HostPartitionWriter(JsonlWriter):  # type: ignore[misc]
    """Writes documents into *partitions* folders by the hash of their ``url``'s host.

    Documents may hold their pages, as those of ``WarcReader`` do. A task has a file of each folder
    open at once. Raises ConfigError.
    """

    name = "webclean: pages by host"

    def __init__(self, output_folder: Any, partitions: int = 64, **options: Any) -> None:
        if not 1 <= partitions <= 100_000:
            raise ConfigError(f"partitions must be a number from 1 to 100,000, got {partitions!r}")
        self.partitions = partitions
        super().__init__(output_folder, "${partition}/${rank}.jsonl.gz", **options)

    def write(self, document: Document, rank: int = 0, **kwargs: Any) -> None:
        number = host_partition(str(document.metadata.get("url") or ""), self.partitions)
        super().write(document, rank, partition=f"{number:05d}", **kwargs)


class HostPartitionReader(JsonlReader):  # type: ignore[misc]
    """Reads the output of `HostPartitionWriter`; a task gets all pages of its hosts.

    Task *r* of *n* has the folders r, r + n, ...; with as many tasks as partitions, one. Documents
    come in the order of their archives, however many tasks wrote them.
    """

    name = "webclean: pages of some hosts"

    def __init__(self, data_folder: Any, **options: Any) -> None:
        refused = {"limit", "skip", "shuffle_files", "paths_file"}.intersection(options)
        if refused:
            raise ConfigError(f"{', '.join(sorted(refused))}: no option of HostPartitionReader")
        super().__init__(data_folder, **options)

    def run(
        self, data: Iterable[Document] | None = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        yield from data or ()
        files: dict[str, list[str]] = {}
        for name in self.data_folder.list_files(recursive=True, glob_pattern="*/*.jsonl.gz"):
            files.setdefault(name.rpartition("/")[0], []).append(name)
        if not files:
            raise FileNotFoundError(f"no partition of a HostPartitionWriter in {self.data_folder}")
        for folder in sorted(files):
            if int(folder) % world_size == rank:
                names = files[folder]  # each has its archives in order, no two have the same
                self.stat_update("input_files", value=len(names), unit="partition")
                for document in heapq.merge(*map(self.read_file, names), key=_archive_of):
                    self.update_doc_stats(document)
                    yield document


def _archive_of(document: Document) -> str:
    return str(document.metadata.get("file_path") or "")


class PageSpool:
    """Stores documents in a file as JSON, for random access with little memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.places: list[Place] = []

    def add(self, document: Document) -> None:
        """Store a document. All are added before the first is read."""
        self.places.append(Place("", self._file.tell(), str(document.metadata.get("url") or "")))
        fields = {"text": document.text, "id": document.id, "metadata": document.metadata}
        self._file.write(json.dumps(fields, default=str).encode() + b"\n")

    def document(self, place: Place) -> Document:
        self._file.seek(place.offset)
        return Document(**json.loads(self._file.readline()))

    def page(self, place: Place, max_bytes: int) -> RawPage:
        """Return the page of a document, in its text or at a place. Raises OSError."""
        document = self.document(place)
        offset = document.metadata.get(OFFSET)
        if offset is None:
            return RawPage(document.text, place.url)
        return read_warc_page(Place(document.metadata["file_path"], offset), max_bytes)


class ArticleExtractor(PipelineStep):  # type: ignore[misc]
    """Replaces pages by articles: the text is the body, metadata are the other fields.

    Takes documents that hold HTML and their address in the metadata ``url``, and those of
    `WarcPlaces`; all of one host have to be in one task. A page that cannot be cleaned has no text,
    and an ``error`` and a ``message`` in its metadata ``webclean``. With *articles_only*, pages
    that are none are left out. A task's documents are kept in a temporary file until the last is
    read; of each page, memory holds some 250 bytes. Raises ConfigError.
    """

    type = "🛢 - EXTRAC"
    name = "webclean: articles"

    def __init__(
        self,
        config: CleanConfig | None = None,
        *,
        fields: Collection[str] | None = None,
        articles_only: bool = False,
    ) -> None:
        super().__init__()
        wanted = ARTICLE_FIELDS if fields is None else ("url", _TEXT, RECORD, *fields)
        if unknown := [name for name in wanted if name not in ARTICLE_FIELDS]:
            known = ", ".join(ARTICLE_FIELDS)
            raise ConfigError(f"fields must be some of {known}; got {unknown[0]!r}")
        self.config = config or CleanConfig()
        self.names = tuple(name for name in ARTICLE_FIELDS if name in wanted)  # as in an item
        self.articles_only = articles_only

    def run(
        self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Yield the documents grouped by host, each host in order."""
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
            spool = PageSpool(file)
            for document in data or ():
                spool.add(document)
            options: dict[str, Any] = {"articles_only": self.articles_only, "read": spool.page}
            make_cleaner = partial(PageCleaner, self.config, self.names, **options)
            cleaned = clean_hosts(spool.places, make_cleaner)
            for _ in spool.places:
                with self.track_time():
                    place, item = next(cleaned)
                    document = self._filled(spool.document(place), item)
                if document is not None:
                    self.update_doc_stats(document)
                    yield document

    def _filled(self, document: Document, item: ArticleItem | None) -> Document | None:
        self.stat_update("total")
        if item is None:
            self.stat_update("dropped", "dropped_no_article")
            return None
        error = item.webclean.get("error")
        self.stat_update("forwarded", f"failed_{error}" if error else "cleaned")
        record = {name: getattr(item, name) for name in self.names}
        document.text = record.pop(_TEXT) or ""
        if not record["url"]:
            del record["url"]
        document.metadata = {**document.metadata, **record}
        return document


class DuplicateFilter(BaseFilter):  # type: ignore[misc]
    """Drops documents that repeat another's text, and counts the reasons.

    *uri* and *options*: those of `webclean_scrapy.DuplicateIndex`. Without a URI each task knows
    its own documents alone. *duplicate* and *update*: "drop", or "keep" with the address of the
    other in the metadata ``webclean``, as the settings of a crawl. Documents without text pass.
    Raises ConfigError, StoreError.
    """

    name = "webclean: near-duplicates"

    def __init__(
        self,
        uri: str | None = None,
        *,
        duplicate: str = "drop",
        update: str = "keep",
        exclusion_writer: Any = None,
        batch_size: int = _BATCH,
        **options: Any,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.rules = {"duplicate": duplicate, "update": update, "overlap": "keep"}
        for name, rule in self.rules.items():
            if rule not in _RULES:
                raise ConfigError(f"{name} must be one of {_RULES}, got {rule!r}")

        def open_index() -> DuplicateIndex:  # datatrove logs what a step holds: here, no login
            return DuplicateIndex(uri, **options)

        self._open_index = open_index
        open_index().close()  # so that an error shows now
        self._index: DuplicateIndex | None = None

    def run(
        self, data: Iterable[Document], rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Yield the documents that are no copies, with an open index."""
        with self._open_index() as self._index:
            yield from super().run(data, rank, world_size)
        self._index = None

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        """Return True for a document to keep, or False and the reason."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """Return the result of `filter` for each document.

        A task that was killed reads its documents again: a document is not compared with itself.
        """
        if self._index is None:
            raise ConfigError("a DuplicateFilter has an index only while its pipeline runs")
        pages = [
            (
                f"{doc.metadata.get('url') or doc.id}{_BETWEEN}{doc.id}",
                _compared(self._index, doc),
                str(doc.metadata.get("headline") or ""),
            )
            for doc in batch
            if doc.text
        ]
        matches = iter(self._index.check_and_add_many(pages))
        return [self._is_kept(doc, next(matches) if doc.text else None) for doc in batch]

    def _is_kept(self, doc: Document, match: Match | None) -> bool | tuple[bool, str]:
        if match is None:
            return True
        doc.metadata[RECORD] = {
            **(doc.metadata.get(RECORD) or {}),
            **match.to_record(match.key.partition(_BETWEEN)[0]),
        }
        return self.rules[match.verdict] == "keep" or (False, match.verdict)


def _compared(index: DuplicateIndex, doc: Document) -> str | Fingerprint:
    """Return what is compared: lists with lists, other pages with those of their title."""
    kind = (doc.metadata.get(RECORD) or {}).get("kind") or ARTICLE
    if kind == ARTICLE:
        return str(doc.text)
    title = str(doc.metadata.get("headline") or "")
    made = index.fingerprinter.make(doc.text, title=title)
    return made.of_list() if kind == LISTING else made.of_record(title)
