"""Counts the words of exported pages, for the IDF table of another index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.keywords.document_counts import DocumentCounts

logger = safe_logger(__name__)


class WordCounts:
    """The counts in the file of ``WEBCLEAN_DEDUP_IDF_COUNT``; without a file it does nothing.

    Raises: ConfigError when the file holds something else.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._counts: DocumentCounts | None = None
        if path:
            from webclean_scrapy.keywords.document_counts import DocumentCounts  # jieba

            try:
                self._counts = DocumentCounts.load(path)
            except ConfigError as error:
                raise ConfigError(f"WEBCLEAN_DEDUP_IDF_COUNT: {error}") from error

    def add(self, text: str) -> None:
        """Count the words of a page."""
        if self._counts is not None:
            self._counts.add(text)

    def save(self) -> None:
        """Write the file; a failure costs a warning."""
        if self._counts is not None:
            try:
                self._counts.save(self._path)
            except OSError as error:
                logger.warning(
                    "Word counts of this crawl are not saved: %(error)s", {"error": error}
                )
