"""Where the result of a run goes, and in which format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webclean_scrapy.commands.feeds.feed_files import base_name, is_remote
from webclean_scrapy.commands.feeds.feed_format import (
    CSV,
    JSON_LINES,
    PARQUET,
    delimiter_of_name,
    format_of_name,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.commands.feeds.feed_format import FeedFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedTarget:
    """Where the result goes, and how it is written."""

    name: str  # a path or URL; "": standard output
    kind: str  # a format
    compression: str = ""
    delimiter: str = ","  # of CSV
    line_end: str = "\r\n"
    columns: tuple[str, ...] = ()  # of CSV: those that come first, with or without a value
    formulas: bool = False  # of CSV: cells that are computed where they are shown stay so
    inputs: tuple[str, ...] = ()  # of Parquet: the files whose rows are copied as they are

    @property
    def is_plain(self) -> bool:
        """Whether the draft is the result."""
        return self.kind == JSON_LINES and not self.compression

    def draft(self, *, resumes: bool) -> Path:
        """Return where the draft is. A run that *resumes* writes plain JSON lines in place."""
        if self.is_plain and resumes and not is_remote(self.name):
            return Path(self.name)
        if is_remote(self.name):
            return Path(f"{base_name(self.name)}.part")
        return Path(f"{self.name}.part")


def target_of(
    name: str, forms: Sequence[FeedFormat], inputs: Sequence[str], *, marks: bool
) -> FeedTarget:
    """Return how *name* is written: by its suffix, else as the inputs are.

    *name*: "" for standard output. *inputs*, of *forms*: paths or URLs. *marks*: whether items may
    carry a record of their match.
    """
    wanted, compression = format_of_name(name)
    kinds = {form.name for form in forms}
    same = kinds.pop() if len(kinds) == 1 else JSON_LINES
    form = wanted or same
    tables = [one for one in forms if one.name == CSV]
    columns = tuple(dict.fromkeys(column for one in tables for column in one.columns))
    delimiter = tables[0].delimiter if tables and not wanted else delimiter_of_name(name)
    return FeedTarget(
        name=name,
        kind=form,
        compression=compression,
        delimiter=delimiter,
        line_end=tables[0].line_end if tables else "\r\n",
        columns=columns if form == CSV else (),
        inputs=tuple(inputs) if form == same == PARQUET and not marks else (),
    )
