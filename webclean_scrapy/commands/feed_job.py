"""De-duplicating feeds line by line, so that a run that was killed can go on.

A batch of lines is asked of the index as *pending*, written, and brought to the disk. Then the
state is written, beside the output and in one step: how far inputs and output are good, and the
keys that are to be confirmed. Confirming comes last. So whatever a killed run did after its last
state was pending, which blocks nothing, and behind the length of the output, which is cut off.
"""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import asdict, dataclass, field
from typing import IO, TYPE_CHECKING

from webclean_scrapy.commands.feed_lines import Place, read_lines
from webclean_scrapy.errors import WebcleanError
from webclean_scrapy.items import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from webclean_scrapy.commands.feed_lines import Line
    from webclean_scrapy.dedup.index import DuplicateIndex, Match

VERSION = 1
BATCH = 200  # lines
BETWEEN = "\t"  # key of a line and its place, in the key under which the index has it


class FeedError(WebcleanError):
    """A feed cannot be written, or not be gone on with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedOptions:
    """What a run must have in common with the one it goes on with."""

    inputs: tuple[str, ...]
    sizes: tuple[int, ...]  # bytes of each; one that has grown may have ended in a cut line
    uri: str | None  # of the index
    text: str  # names of fields
    title: str
    key: str
    update: str  # rules as in the settings
    duplicate: str
    short: str


@dataclass(slots=True)
class Counts:
    """Lines, by what became of them."""

    lines: int = 0
    kept: int = 0
    duplicates: int = 0  # dropped or marked
    updates: int = 0
    short: int = 0
    bare: int = 0  # without a text: kept
    bad: int = 0


@dataclass(slots=True)
class State:
    """All that a run needs to go on."""

    place: Place = field(default_factory=Place)
    output: int = 0  # bytes
    unconfirmed: list[str] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)


class StateFile:
    """The state beside an output file."""

    def __init__(self, output: Path, options: FeedOptions) -> None:
        self._path = output.with_name(output.name + ".state")
        self._head = {"version": VERSION, "options": json.loads(json.dumps(asdict(options)))}

    def load(self) -> State | None:
        """Return the state of the run to go on with, if there is one.

        Raises: FeedError when it was another run.
        """
        try:
            found = json.loads(self._path.read_bytes())
            if found["head"] != self._head:
                raise FeedError(
                    f"{self._path} is of a run with other inputs or options; "
                    "repeat that command, or remove the file and the output to begin anew"
                )
            counts = Counts(**found["counts"])
            place = Place(*found["place"])
            return State(place, found["output"], found["unconfirmed"], counts)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise FeedError(f"{self._path} cannot be read: {error!r}") from error

    def save(self, state: State) -> None:
        """Write *state* in one step, after it has reached the disk."""
        write_whole(self._path, [json.dumps({"head": self._head, **asdict(state)}).encode()])

    def remove(self) -> None:
        """The run has come to its end."""
        self._path.unlink(missing_ok=True)


def write_whole(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file that is there as a whole or not at all."""
    draft = path.with_name(path.name + ".tmp")
    with draft.open("wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class FeedJob:
    """One run, or the rest of one. Without a *state_file* it cannot be gone on with."""

    def __init__(
        self,
        index: DuplicateIndex,
        options: FeedOptions,
        output: IO[bytes],
        state_file: StateFile | None = None,
        state: State | None = None,
    ) -> None:
        self.state = state or State()
        self._index, self._options, self._output = index, options, output
        self._state_file = state_file
        self._run = uuid.uuid4().hex
        self._rules = {"update": options.update, "duplicate": options.duplicate}
        self._index.confirm(self.state.unconfirmed)

    def work(self) -> Iterator[Line]:
        """Work on the inputs and yield each line when it was taken, its batch perhaps not yet."""
        batch: list[Line] = []
        for line in read_lines(self._options.inputs, self.state.place):
            batch.append(line)
            if len(batch) == BATCH:
                self._take(batch)
                batch = []
            yield line
        if batch:
            self._take(batch)

    def _take(self, batch: Sequence[Line]) -> None:
        """Ask the index, write, save, confirm: the order is what makes it safe."""
        counts = self.state.counts
        asked = [line for line in batch if self._text_of(line)]
        pages = [(self.key_of(line), self._text_of(line), self._title_of(line)) for line in asked]
        matches = dict(
            zip(
                (line.after for line in asked),
                self._index.check_and_add_many(pages, run=self._run),
                strict=True,
            )
        )
        kept = []
        for line in batch:
            counts.lines += 1
            if line.fault:
                counts.bad += 1
            elif line.after not in matches:
                counts.bare += 1
                kept.append(line.raw)
            else:
                kept += self._judge(line, matches[line.after])
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

    def _judge(self, line: Line, match: Match | None) -> list[bytes]:
        """Return what is written of a line: nothing, the line, or the line with a mark."""
        counts = self.state.counts
        if match is None:
            is_short = self._index.is_short(self._text_of(line), title=self._title_of(line))
            counts.short += is_short
            return [] if is_short and self._options.short == "drop" else [line.raw]
        if match.verdict == "update":
            counts.updates += 1
        else:
            counts.duplicates += 1
        rule = self._rules[match.verdict]
        if rule == "drop":
            return []
        role = "replaces" if rule == "replace" else "duplicate_of"
        told = {role: split_key(match.key)[0], "similarity": round(match.similarity, 3)}
        record = line.record.get(RECORD)
        marked = {**line.record, RECORD: {**(record if isinstance(record, dict) else {}), **told}}
        return [json.dumps(marked, ensure_ascii=False).encode("utf-8", "backslashreplace")]

    def key_of(self, line: Line) -> str:
        """Return the key under which the index has a line; two lines may be of one address."""
        key = line.record.get(self._options.key)
        text = f"{'' if key is None else key}{BETWEEN}{line.at}"
        return text.encode("utf-8", "replace").decode()

    def _text_of(self, line: Line) -> str:
        return _string(line, self._options.text)

    def _title_of(self, line: Line) -> str:
        return _string(line, self._options.title)


def split_key(key: str) -> tuple[str, str]:
    """Return the key of a line, and file and number of it ("" for a page of a crawl)."""
    start, _, at = key.rpartition(BETWEEN)
    return (start or at, at) if BETWEEN in key else (key, "")


def open_output(path: Path, state: State | None) -> IO[bytes]:
    """Return the output file, cut to what is good of it. Raises: FeedError, OSError."""
    length = state.output if state else 0
    there = path.stat().st_size if path.exists() else 0
    if state is None and there:
        raise FeedError(f"{path} is there already; name another file, or remove it")
    if there < length:
        raise FeedError(f"{path} is shorter than the run that is to go on has left it")
    path.touch()
    file = path.open("r+b")
    file.truncate(length)
    file.seek(length)
    return file


def _string(line: Line, name: str) -> str:
    value = line.record.get(name)
    return value if isinstance(value, str) else ""
