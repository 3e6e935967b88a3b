"""Where articles are written: standard output, one file, or a folder of documents."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.commands.command_line import whole_number
from webclean_scrapy.commands.row_files import COMPRESSIONS, open_rows
from webclean_scrapy.errors import FeedError
from webclean_scrapy.export.formats import (
    DOCUMENT_FORMATS,
    FORMATS,
    DocumentNames,
    as_json,
    as_markdown,
    chunks_as_json,
)
from webclean_scrapy.export.parquet import PARQUET
from webclean_scrapy.file_modes import Draft, replace_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterable, Iterator
    from typing import Any

    from webclean_scrapy.items import ArticleItem

#: Formats that have the fields that are asked for.
WITH_FIELDS = frozenset({"json", PARQUET})
_BY_SUFFIX = {suffix: name for name, (_, suffix, _) in FORMATS.items()} | {".jsonl": "json"}
#: Several documents of these cannot be in one file.
ONE_A_FILE = frozenset({"html", "xml-tei"})
_BLOCK = 2**20  # bytes


def is_folder(output: str | None) -> bool:
    """True if the output is a folder with one file per page."""
    return bool(output) and (str(output).endswith(("/", "\\")) or Path(str(output)).is_dir())


def document_format(output: str | None) -> str:
    """Return the format implied by a file's suffix; "text" by default and for a folder.

    Raises: UsageError for a suffix that says no format.

    >>> document_format("articles.jsonl.gz")
    'json'
    """
    name = (output or "").removesuffix(packing_of(output))
    suffix = "" if is_folder(output) else Path(name).suffix.lower()
    if suffix and suffix not in _BY_SUFFIX:
        known = ", ".join(_BY_SUFFIX)
        raise UsageError(f"-o {output}: no format ends with {suffix}; give {known} or --format")
    return _BY_SUFFIX.get(suffix, "text")


def packing_of(output: str | None) -> str:
    """Return the suffix of a compressed output file, or ""."""
    suffix = "" if is_folder(output) else Path(output or "").suffix.lower()
    return suffix if suffix in COMPRESSIONS else ""


def add_format_arguments(
    parser: argparse.ArgumentParser, formats: Iterable[str], what: str, *, chunks: bool = True
) -> None:
    """Add the options on how an article is written; *what* is the help of ``--format``."""
    add = parser.add_argument
    add("--format", choices=formats, help=what)
    record = "write Markdown without the record (title, authors, date, ...) as YAML above it"
    add("--no-front-matter", dest="front_matter", action="store_false", help=record)
    if chunks:
        size = "write the body in pieces of at most N tokens, each a line of JSON"
        add("--chunks", type=partial(whole_number, least=1), default=0, metavar="N", help=size)


def document_feed(opts: argparse.Namespace) -> dict[str, dict[str, Any]] | None:
    """Return the ``FEEDS`` of a folder of documents; None if it is not requested.

    Raises: UsageError.
    """
    if not opts.format:
        return None
    if not is_folder(opts.output):
        raise UsageError(f"--format {opts.format} needs -o FOLDER/, a file for each article")
    index = str(Path(opts.output) / "index.jsonl").replace("%", "%%")
    options = {"form": opts.format, "front_matter": opts.front_matter}
    feed = {"format": "documents", "overwrite": False, "store_empty": False}
    return {index: {**feed, "item_export_kwargs": options}}


def name_problem(output: str, kinds: str) -> str:
    """Return a message for an invalid *output* that suggests *kinds*, or a folder."""
    folder = f"-o FOLDER/ --format {'|'.join(DOCUMENT_FORMATS)}"
    return f"-o {output}: give {kinds}, or a document for each article: {folder}"


class ArticleWriter:
    """Writes articles to standard output, to a file that is moved into place, or to a folder."""

    def __init__(
        self,
        format_name: str,
        output: str | None,
        fields: Collection[str],
        *,
        front_matter: bool,
        chunks: bool,
    ) -> None:
        """*fields*: of JSON output; with *chunks* it has one line per chunk."""
        render, self._suffix, _ = FORMATS[format_name]
        if render is as_json:
            render = chunks_as_json if chunks else partial(as_json, fields=fields)
        elif render is as_markdown and not front_matter:
            render = partial(as_markdown, front_matter=False)
        self._render = render
        self._is_table = format_name == PARQUET
        self.prints = output in {None, "-"}
        self._path = None if self.prints else Path(str(output))
        self.shown = str(self._path or "standard output")
        self.is_folder = is_folder(output)
        self.names = DocumentNames()  # of the files in a folder
        self._packing = packing_of(output) or "disable"
        self._file: IO[bytes] | None = None  # None: standard output, or a folder
        #: Of the pages of a run that is stopped; None where it cannot be resumed.
        self.place = self._path if self.is_folder else None
        self.written = self.end = 0  # articles; bytes of the draft, unpacked

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Open the output; a file gets its name at the end, if there is an article."""
        if self._path:
            folder = self._path if self.is_folder else self._path.parent
            folder.mkdir(parents=True, exist_ok=True)
        if self._path is None or self.is_folder:
            yield
            return
        draft, is_whole = Draft(self._path), False
        try:
            self.place = None if draft.is_direct else draft.path
            with TemporaryFile() as kept:
                if self.place and self.end:
                    self._keep(self.place, kept)
                with open_rows(str(draft.path), "wb", self._packing) as self._file:
                    shutil.copyfileobj(kept, self._file)
                    yield
            if self._is_table:
                from webclean_scrapy.export.tables import lines_to_table

                lines_to_table(draft.path)
            is_whole = True
        finally:
            draft.close(replaces=is_whole and self.written > 0, keeps=self.written > 0)

    def _keep(self, place: Path, kept: IO[bytes]) -> None:
        """Keep the output of a stopped run up to its last complete page."""
        left = self.end
        with suppress(EOFError), open_rows(str(place), "rb", self._packing) as draft:
            while left and (part := draft.read(min(left, _BLOCK))):
                kept.write(part)
                left -= len(part)
        if left:
            raise FeedError(f"{place} is cut; delete {self.shown}.state to start anew")
        kept.seek(0)

    def write(self, item: ArticleItem) -> None:
        """Write an article; a symbolic link in a folder is replaced. Raises OSError."""
        content = self._render(item)
        if self._path and self.is_folder:
            name = self.names.new(item.webclean.get("file") or item.url) + self._suffix
            replace_text(self._path / name, content, follows=False)
        elif self._file:
            data = content.encode(errors="replace")
            self._file.write(data)
            self.end += len(data) if self.place else 0
        else:
            sys.stdout.write(content)
        self.written += 1
