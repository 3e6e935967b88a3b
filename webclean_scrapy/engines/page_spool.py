"""Documents of a task in a file of its own, as siblings of a page may come after it."""

from __future__ import annotations

import pickle
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.engines.archives import read_archived
from webclean_scrapy.stored.places import Place

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

OFFSET = "warc_offset"  # in the metadata of a document whose page is in the archive ``file_path``
_IN_MEMORY = 64_000_000  # bytes; more are in a temporary file


class PageSpool:
    """Keeps documents, and reads them in any order. Of each, memory holds the place alone."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115, see __exit__
        self.places: list[Place] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, document: Any) -> None:
        """Keep a document of datatrove. To be called before the first is read."""
        url = str(document.metadata.get("url") or "")
        self.places.append(Place("", self._file.tell(), url))
        pickle.dump(document, self._file, pickle.HIGHEST_PROTOCOL)

    def document(self, place: Place) -> Any:
        """Return a document that was kept."""
        self._file.seek(place.offset)
        return pickle.load(self._file)  # noqa: S301, our own file

    def page(self, place: Place, max_bytes: int) -> RawPage:
        """Return the page of a document: its text, or what its metadata name. Raises OSError."""
        document = self.document(place)
        offset = document.metadata.get(OFFSET)
        if offset is None:
            return RawPage(document.text, place.url)
        archived = Place(document.metadata["file_path"], offset, place.url)
        return read_archived(archived, max_bytes)
