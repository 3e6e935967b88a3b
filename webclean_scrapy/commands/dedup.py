"""Remove near-duplicates from feeds.

Feeds are JSON lines, or Parquet by the suffix of their name, also .gz, .bz2, .xz or .zst, here or
at a URL (https, s3, gs). The result has their format. With --uri and -o, a stopped run that writes
JSON lines is resumed by the same command.

examples:
  webclean dedup monday.jsonl tuesday.jsonl.gz -o clean.jsonl
  webclean dedup articles.jsonl --text body --title title -o clean.jsonl
  webclean dedup s3://news/2026-11.parquet -o clean.parquet
  webclean dedup --clusters - --uri sqlite:///pages.db
"""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.commands.command_line import STOPPED
from webclean_scrapy.commands.row_files import (
    COMPRESSIONS,
    JSON_LINES,
    PARQUET,
    Row,
    is_remote,
    open_rows,
    read_rows,
    rows_format,
    rows_writer,
)
from webclean_scrapy.commands.run_state import RunState
from webclean_scrapy.commands.terminal import progress, say
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import FeedError
from webclean_scrapy.file_modes import Draft, is_device, whole_file
from webclean_scrapy.items import RECORD
from webclean_scrapy.pipelines.dedup import SHORT_CHARS
from webclean_scrapy.safe_text import hide_login, visible_line
from webclean_scrapy.settings import WebcleanConfig

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from scrapy.settings import Settings

    from webclean_scrapy.dedup.index import Match

USAGE = "FILE ... [-o FILE] [--uri URI] [--clusters FILE]"

BATCH = 200  # rows
SHOWN_ERRORS = 20
_BETWEEN = "\t"  # separates the key of a row from its file and number in the index key
_LABELS = {
    "rows": "rows read",
    "kept": "rows kept",
    "duplicates": "duplicates",
    "updates": "updates kept",
    "overlaps": "kept beside a page with a third of their text",
    "short": "too short to compare",
    "bare": "without text",
    "bad": "invalid rows",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="path or URL of a feed")
    add("-o", "--output", metavar="FILE", help="output file or URL; default: standard output")
    add("--force", action="store_true", help="replace the output file when all is written")
    add("--uri", help="fingerprint store, as in WEBCLEAN_DEDUP_URI; default: in memory")
    clusters = "write one line per group of near-duplicates; without feeds: those stored in --uri"
    add("--clusters", metavar="FILE", help=clusters)
    for name, default in (("text", "articleBody"), ("title", "headline"), ("key", "url")):
        text = f"field or column that holds the {name}; default: {default}"
        add(f"--{name}", default=default, metavar="FIELD", help=text)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """De-duplicate the feeds, write clusters; return the exit code.

    Raises: UsageError, FeedError, OSError.
    """
    names = list(dict.fromkeys(opts.files))  # a file named twice does not duplicate itself
    config = WebcleanConfig.from_settings(settings)
    opts.uri = opts.uri or config.dedup_uri or None
    if not names and not (opts.clusters and opts.uri):
        raise UsageError("dedup needs a feed, or both --clusters and --uri")
    if names and opts.clusters == "-" and not opts.output:
        raise UsageError("--clusters - and the feed cannot share standard output; add -o FILE")
    form, saved = _check(names, opts, config) if names else ("", None)
    begin = time.monotonic()
    try:
        options = {**config.dedup_options(), "versions": "none"}  # a key is a row, not a page
        with DuplicateIndex(opts.uri, clock=time.time, **options) as index, ExitStack() as lock:
            rows = RowFilter(index, (opts.text, opts.title, opts.key), config)
            if saved:
                lock.callback(Draft(opts.output).close, replaces=False)  # nobody else writes it
                _resume(rows, names, Path(opts.output), saved)
            elif names:
                _write_all(rows, names, opts.output, form, has_store=bool(opts.uri))
            if opts.clusters:
                _write_clusters(index, opts.clusters)
    except KeyboardInterrupt:
        can = "resumes" if saved else "with --uri and -o FILE.jsonl can resume"
        print(f"stopped; the same command {can}", file=sys.stderr)
        return STOPPED
    if saved:
        saved.path.unlink(missing_ok=True)
    if names:
        figures = [(label, f"{rows.counts[name]:,}") for name, label in _LABELS.items()]
        for label, value in (*figures, ("time (s)", f"{time.monotonic() - begin:,.1f}")):
            print(f"{label:<20}  {value:>11}", file=sys.stderr)
        print(f"result: {opts.output or 'standard output'} ({form})", file=sys.stderr)
    return 0


def _check(
    names: list[str], opts: argparse.Namespace, config: WebcleanConfig
) -> tuple[str, RunState | None]:
    """Return the format of the feeds, and the state of a run that can resume. Raises FeedError."""
    form, *others = sorted({rows_format(one) or JSON_LINES for one in names})
    if others:
        shown = ", ".join([form, *others])
        raise FeedError(f"the feeds differ in format ({shown}); name one kind")
    name, saved = opts.output or "", None
    if rows_format(name) not in {"", form}:
        raise FeedError(f"{name}: the result has the format of the feeds, {form}")
    if form == PARQUET and not name:
        raise FeedError("Parquet is not for standard output; add -o FILE")
    is_plain = form == JSON_LINES and PurePath(name).suffix not in COMPRESSIONS and not opts.force
    if name and opts.uri and is_plain and not is_remote(name) and not is_device(name):
        sizes = [0 if is_remote(one) else Path(one).stat().st_size for one in names]
        rules = [config.dedup.updates, config.dedup_duplicate, config.dedup_short]
        head = [names, sizes, opts.text, opts.title, opts.key, *rules, hide_login(opts.uri)]
        saved = RunState(name, head)
    if saved is None or not saved.load():
        for one in names:
            if not is_remote(one):
                Path(one).stat()  # a feed that is not there is named before the output
        if not opts.force:
            _check_new(name)
        _check_text_field(names, opts.text)
    return form, saved


def _check_new(name: str) -> None:
    """Raise FeedError if a file of this *name* has content."""
    path = Path(name)
    if name and not is_remote(name) and (path.is_dir() or (path.exists() and path.stat().st_size)):
        raise FeedError(f"{name} already exists; use another file name, or --force")


def _check_text_field(names: Sequence[str], wanted: str) -> None:
    """Raise FeedError, with the fields that there are, unless a row has text in *wanted*."""
    fields: dict[str, None] = {}
    problem = ""
    for row in chain.from_iterable(map(read_rows, names)):
        problem = problem or (row.error and f"{row.position}: {row.error}")
        fields.update(dict.fromkeys(row.record))
        if str(row.record.get(wanted) or "").strip():
            return
    shown = ", ".join(visible_line(name) for name in fields)
    detail = f"--text FIELD names one of {shown}" if fields else problem or "there are no rows"
    raise FeedError(f"{', '.join(names)}: no row has text in the field {wanted!r}; {detail}")


class RowFilter:
    """Decides which rows to keep, in batches, and counts."""

    def __init__(
        self, index: DuplicateIndex, fields: Sequence[str], config: WebcleanConfig
    ) -> None:
        self.index, self.fields = index, fields
        self.counts = dict.fromkeys(_LABELS, 0)
        self._run = uuid.uuid4().hex
        rules = {"update": config.dedup.updates, "duplicate": config.dedup_duplicate}
        self._rules = {**rules, "overlap": "keep"}
        self._drops_short = config.dedup_short == "drop"

    def decide(self, rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
        """Return the rows to write, and the keys to confirm once they are written."""
        pages = [self._page(row) for row in rows]
        texts = [page for page in pages if page[1]]
        matches = iter(self.index.check_and_add_many(texts, run=self._run))
        kept = []
        for row, page in zip(rows, pages, strict=True):
            self.counts["rows"] += 1
            outcome: Row | None = row
            if row.error:
                self.counts["bad"] += 1
                outcome = None
            elif not page[1]:
                self.counts["bare"] += 1
            elif match := next(matches):
                outcome = self._with_match(row, match)
            elif len(page[1]) < SHORT_CHARS and self.index.is_short(page[1], title=page[2]):
                self.counts["short"] += 1
                outcome = None if self._drops_short else row
            if outcome is not None:
                kept.append(outcome)
        self.counts["kept"] += len(kept)
        return kept, [key for key, _, _ in texts]

    def _page(self, row: Row) -> tuple[str, str, str]:
        """Return key, text and title; keys are unique even for rows with the same URL."""
        text, title, key = (row.record.get(name) for name in self.fields)
        unique = f"{'' if key is None else key}{_BETWEEN}{row.position}"
        return (
            unique.encode("utf-8", "replace").decode(),
            text if isinstance(text, str) else "",
            title if isinstance(title, str) else "",
        )

    def _with_match(self, row: Row, match: Match) -> Row | None:
        rule = self._rules[match.verdict]
        is_kept = match.verdict != "duplicate" and rule != "drop"
        self.counts[f"{match.verdict}s" if is_kept else "duplicates"] += 1
        if rule == "drop":
            return None
        if not isinstance(row.source, bytes):
            return row  # tables keep their columns
        known = row.record.get(RECORD)
        values = match.to_record(_split_key(match.key)[0], replaces=rule == "replace")
        record = {**(known if isinstance(known, dict) else {}), **values}
        line = json.dumps({**row.record, RECORD: record}, ensure_ascii=False) + "\n"
        return replace(row, source=line.encode("utf-8", "backslashreplace"))


def _write_all(
    rows: RowFilter, names: Sequence[str], output: str | None, form: str, *, has_store: bool
) -> None:
    """Write the whole result; in a store its rows are confirmed when it has its name."""
    unconfirmed: list[str] = []
    with ExitStack() as stack:
        file = stack.enter_context(_whole_file(output)) if output else sys.stdout.buffer
        write = stack.enter_context(rows_writer(form, file, names))
        for batch in _batches(names, rows.fields):
            kept, keys = rows.decide(batch)
            write(kept)
            if has_store:
                unconfirmed += keys
            else:
                rows.index.confirm(keys)
        file.flush()
    rows.index.confirm(unconfirmed)


def _resume(rows: RowFilter, names: Sequence[str], path: Path, saved: RunState) -> None:
    """Write the lines that a stopped run has not; no row is lost if the process is killed.

    Rows are added to the index as *pending*, which blocks nothing, and confirmed once they are in
    the result. After each batch the output is synced to disk, and then the state is saved.
    """
    if not (state := saved.load()):
        _check_new(str(path))  # another command may have written it since it was looked at
        state = {"output": 0, "unconfirmed": [], "counts": rows.counts}
        saved.save(**state)  # from now on, the output belongs to this state
    rows.counts = state["counts"]
    path.touch()
    if path.stat().st_size < state["output"]:
        raise FeedError(f"cannot resume: {path} is cut; delete it and {saved.path} to start again")
    if rows.counts["kept"] > rows.counts["bare"] and len(rows.index) == 0:
        raise FeedError(f"cannot resume: the index is empty, but {path} was made with it")
    rows.index.confirm(state["unconfirmed"])
    with path.open("r+b") as file:
        file.truncate(state["output"])
        file.seek(state["output"])
        for batch in _batches(names, rows.fields, done=rows.counts["rows"]):
            kept, state["unconfirmed"] = rows.decide(batch)
            file.writelines(row.source for row in kept)
            file.flush()
            os.fsync(file.fileno())
            state["output"] = file.tell()
            saved.save(**state)
            rows.index.confirm(state["unconfirmed"])


def _batches(names: Sequence[str], fields: Sequence[str], *, done: int = 0) -> Iterator[list[Row]]:
    """Yield batches of rows after the first *done*, with a progress bar and warnings."""
    rows = islice(chain.from_iterable(read_rows(name, fields) for name in names), done, None)
    bad = 0
    with progress(None, " rows") as more:
        while batch := list(islice(rows, BATCH)):
            yield batch
            more(len(batch))
            for row in batch:
                bad += bool(row.error)
                if row.error and bad <= SHOWN_ERRORS:
                    say(f"{row.position}: {row.error}")
    if bad > SHOWN_ERRORS:
        print(f"invalid rows that are not shown: {bad - SHOWN_ERRORS:,}", file=sys.stderr)


@contextmanager
def _whole_file(name: str) -> Iterator[IO[bytes]]:
    """Open a file that is renamed or uploaded when the block ends without an error."""
    if is_remote(name):
        with open_rows(name, "wb") as file:
            yield file
        return
    suffix = Path(name).suffix
    packing = suffix if suffix in COMPRESSIONS else "disable"
    with whole_file(name) as draft:
        with open_rows(str(draft.path), "wb", packing) as file:
            yield file
        if not draft.is_direct:
            with draft.path.open("rb+") as file:
                os.fsync(file.fileno())


def _write_clusters(index: DuplicateIndex, name: str) -> None:
    with nullcontext(sys.stdout.buffer) if name == "-" else _whole_file(name) as file:
        for keys in index.clusters():
            pages = [dict(zip(("key", "at"), _split_key(key), strict=True)) for key in keys]
            line = json.dumps(pages, ensure_ascii=False) + "\n"
            file.write(line.encode("utf-8", "backslashreplace"))


def _split_key(key: str) -> tuple[str, str]:
    """Split the key of a row into key and ``file:number`` ("" for a page of a crawl)."""
    start, _, at = key.rpartition(_BETWEEN)
    return (start or at, at) if _BETWEEN in key else (key, "")
