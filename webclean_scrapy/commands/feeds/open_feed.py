"""One feed while it is read: its streams, its format, and how its lines are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.commands.feeds.feed_format import BOM
from webclean_scrapy.commands.feeds.feed_line import Line, Place

if TYPE_CHECKING:
    from collections.abc import Collection

    from webclean_scrapy.commands.feeds.feed_format import FeedFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFeed:
    """A feed that is open."""

    name: str
    number: int  # from 0, among the feeds of a run
    content: IO[bytes]
    raw: IO[bytes]  # what *content* is read from: itself, or the compressed file
    form: FeedFormat
    columns: Collection[str] | None = None  # of Parquet: those that are read; None: all

    def skip_mark(self) -> None:
        """Pass over the byte order mark of the content, from which nothing was read."""
        if self.form.starts_with_bom:
            self.content.read(len(BOM))

    def line(
        self,
        after: Place,
        number: int,
        record: dict[str, Any],
        *,
        raw: bytes = b"",
        error: str = "",
    ) -> Line:
        """Return one line; *number* is that of its row or physical line."""
        return Line(self.name, self.number, number, raw, after, self.raw.tell(), record, error)

    def broken_line(self, number: int, error: str) -> Line:
        """Return the line that stands for the rest of a file which cannot be read."""
        return self.line(Place(self.number + 1), number, {}, error=error)
