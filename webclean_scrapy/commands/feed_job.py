"""De-duplicate feeds line by line; a run that was killed can be resumed.

A batch of lines is added to the index as *pending*, written to the output and synced to disk. Then
the state is saved beside the output in one step: the valid lengths of inputs and output, and the
keys to confirm. The keys are confirmed last. So whatever a killed run did after its last state is
pending, which blocks nothing, and beyond the valid length of the output, which is cut off.
"""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import asdict, dataclass, field
from typing import IO, TYPE_CHECKING, Any

from webclean_scrapy.commands.feed_lines import Place, read_lines
from webclean_scrapy.commands.feeds.feed_line import to_json
from webclean_scrapy.errors import FeedError
from webclean_scrapy.file_modes import PRIVATE, make_draft
from webclean_scrapy.items import RECORD
from webclean_scrapy.messages import hide_login

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from webclean_scrapy.commands.feed_lines import Line
    from webclean_scrapy.dedup.index import DuplicateIndex, Match

VERSION = 2
BATCH = 200  # lines
BETWEEN = "\t"  # separates the key of a line from its file and number in the index key


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedOptions:
    """The options that a run must share with the one it resumes."""

    inputs: tuple[str, ...]
    sizes: tuple[int, ...]  # bytes of each; if it has grown, its last line may have been cut
    uri: str | None = field(repr=False)  # of the index
    text: str  # names of fields
    title: str
    key: str
    update: str  # rules as in the settings
    duplicate: str
    short: str
    rows: bool = False  # the output names rows of Parquet files in place of their records

    @property
    def columns(self) -> set[str] | None:
        """The columns of Parquet files that are read; None: all."""
        return {self.text, self.title, self.key} if self.rows else None


@dataclass(slots=True)
class Counts:
    """Numbers of lines, by outcome."""

    lines: int = 0
    kept: int = 0
    duplicates: int = 0  # dropped or marked
    updates: int = 0
    short: int = 0
    bare: int = 0  # without text: kept
    bad: int = 0


@dataclass(slots=True)
class State:
    """What a run needs to be resumed."""

    place: Place = field(default_factory=Place)
    output: int = 0  # bytes
    unconfirmed: list[str] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)


class StateFile:
    """The state beside an output file."""

    def __init__(self, output: Path, options: FeedOptions) -> None:
        self.path = output.with_name(output.name + ".state")
        shown = {**asdict(options), "uri": options.uri and hide_login(options.uri)}
        self._head = {"version": VERSION, "options": json.loads(json.dumps(shown))}

    def load(self) -> State | None:
        """Return the state of the run to resume, None without one.

        Raises: FeedError when the state is of another run or cannot be read.
        """
        try:
            saved = json.loads(self.path.read_bytes())
            if saved["head"] != self._head:
                raise FeedError(
                    f"{self.path} belongs to a run with other inputs or options; "
                    "repeat that command, or delete this file and the output to start again"
                )
            counts = Counts(**saved["counts"])
            place = Place(*saved["place"])
            return State(place, saved["output"], saved["unconfirmed"], counts)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise FeedError(f"cannot read {self.path}: {error!r}") from error

    def save(self, state: State) -> None:
        """Write *state* in one step, synced to disk."""
        content = json.dumps({"head": self._head, **asdict(state)}).encode()
        write_whole(self.path, [content], private=True)

    def remove(self) -> None:
        """Delete the file: the run is complete."""
        self.path.unlink(missing_ok=True)


def write_whole(path: Path, parts: Iterable[bytes], *, private: bool = False) -> None:
    """Write a file in one step: it holds all *parts*, or is not changed."""
    draft = path.with_name(path.name + ".tmp")
    make_draft(draft, path, private=private)
    with draft.open("wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class FeedJob:
    """One run, or the rest of one. Without a *state_file* it cannot be resumed."""

    def __init__(
        self,
        index: DuplicateIndex,
        options: FeedOptions,
        output: IO[bytes],
        *,
        state_file: StateFile | None = None,
        state: State | None = None,
    ) -> None:
        self.state = state or State()
        self.options = options
        self._index, self._output = index, output
        self._state_file = state_file
        self._run = uuid.uuid4().hex
        self._rules = {"update": options.update, "duplicate": options.duplicate}
        self._index.confirm(self.state.unconfirmed)

    def work(self) -> Iterator[Line]:
        """Process the inputs; yield each line once it is read, perhaps before its batch is done."""
        batch: list[Line] = []
        options = self.options
        for line in read_lines(options.inputs, self.state.place, columns=options.columns):
            batch.append(line)
            if len(batch) == BATCH:
                self._process(batch)
                batch = []
            yield line
        if batch:
            self._process(batch)

    def _process(self, batch: Sequence[Line]) -> None:
        """Query the index, write, save, confirm: this order makes a kill at any time safe."""
        counts = self.state.counts
        texts = [line for line in batch if self._text_of(line)]
        pages = [(self.key_of(line), self._text_of(line), self._title_of(line)) for line in texts]
        matches = dict(
            zip(
                (line.after for line in texts),
                self._index.check_and_add_many(pages, run=self._run),
                strict=True,
            )
        )
        kept = []
        for line in batch:
            counts.lines += 1
            if line.error:
                counts.bad += 1
            elif line.after not in matches:
                counts.bare += 1
                kept.append(self._draft_of(line))
            else:
                kept += self._output_of(line, matches[line.after])
        counts.kept += len(kept)
        self._output.writelines(raw.rstrip(b"\r\n") + b"\n" for raw in kept)
        self._output.flush()
        keys = [key for key, _, _ in pages]
        if self._state_file is not None:
            os.fsync(self._output.fileno())
            self.state.output = self._output.tell()
            self.state.place = batch[-1].after
            self.state.unconfirmed = keys
            self._state_file.save(self.state)
        self._index.confirm(keys)

    def _output_of(self, line: Line, match: Match | None) -> list[bytes]:
        """Return what is written for a line: nothing, the line, or the line with its match."""
        counts = self.state.counts
        if match is None:
            is_short = self._index.is_short(self._text_of(line), title=self._title_of(line))
            counts.short += is_short
            return [] if is_short and self.options.short == "drop" else [self._draft_of(line)]
        rule = self._rules[match.verdict]
        if match.verdict == "update" and rule != "drop":
            counts.updates += 1
        else:
            counts.duplicates += 1
        if rule == "drop":
            return []
        if self.options.rows:  # rows of Parquet keep their columns, and so have no mark
            return [self._draft_of(line)]
        role = "replaces" if rule == "replace" else "duplicate_of"
        values = {role: split_key(match.key)[0], "similarity": round(match.similarity, 3)}
        marked = {**line.record, RECORD: {**_record_of(line), **values}}
        return [to_json(marked)]

    def _draft_of(self, line: Line) -> bytes:
        """Return the line as it is written: as it came, or the number of its row."""
        if self.options.rows:
            return to_json({"row": [line.number_of_file, line.number]})
        return line.as_json()

    def key_of(self, line: Line) -> str:
        """Return the index key of a line, unique even when two lines have the same URL."""
        key = line.record.get(self.options.key)
        text = f"{'' if key is None else key}{BETWEEN}{line.at}"
        return text.encode("utf-8", "replace").decode()

    def _text_of(self, line: Line) -> str:
        return _string(line, self.options.text)

    def _title_of(self, line: Line) -> str:
        return _string(line, self.options.title)


def split_key(key: str) -> tuple[str, str]:
    """Return the key of a line and its ``file:number``, "" for a page of a crawl."""
    start, _, at = key.rpartition(BETWEEN)
    return (start or at, at) if BETWEEN in key else (key, "")


def open_output(path: Path, state: State | None, *, private: bool = False) -> IO[bytes]:
    """Return the output file, cut to its valid length. Raises: FeedError, OSError."""
    length = state.output if state else 0
    size = path.stat().st_size if path.exists() else 0
    if state is None:
        refuse_existing(path)
    if size < length:
        raise FeedError(
            f"cannot resume: {path} has {size:,} bytes, at least {length:,} expected; "
            f"delete it and the .state file to start again"
        )
    path.touch(PRIVATE if private else 0o666)
    file = path.open("r+b")
    file.truncate(length)
    file.seek(length)
    return file


def refuse_existing(path: Path) -> None:
    """Raise FeedError when there is something in the file that is to be made."""
    if path.is_dir():
        raise FeedError(f"{path} is a folder; -o names a file")
    if path.exists() and path.stat().st_size:
        raise FeedError(f"{path} already exists; use another file name, or delete it")
    if not path.parent.is_dir():
        raise FeedError(f"{path} cannot be written: there is no folder {path.parent}")


def _record_of(line: Line) -> dict[str, Any]:
    """Return the record of an earlier run; in a table it is JSON in a cell."""
    record = line.record.get(RECORD)
    if isinstance(record, str):
        try:
            record = json.loads(record)
        except ValueError:
            return {}
    return record if isinstance(record, dict) else {}


def _string(line: Line, name: str) -> str:
    value = line.record.get(name)
    return value if isinstance(value, str) else ""
