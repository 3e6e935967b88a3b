"""Change each constant of a room and run its tests; report the changes that no test notices.

A number is multiplied and divided by 1.5, a small whole number raised and lowered by one. Of a list
of words or a pattern one word, chosen by the seed, is replaced by a character that no page holds,
and so is one phrase of each role of a language.
The tests of the module run first, then those of its folder. The changes that pass both are made
all at once for the tests of the whole room, the cases and the golden pages, and halved as long as
these fail.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from itertools import count, groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOMS = ("cleaning", "dedup")
ROOT = Path(__file__).parents[2]
PACKAGE = Path("webclean_scrapy")
WAYS = ("up", "down", "word")
_LEFT_OUT = shutil.ignore_patterns(".*", "out", "__pycache__", "build", "dist")
_TIMEOUT_S = 900
_CONSTANT = re.compile(r"\(?_?[A-Z][A-Z\d_]+\b(?!\[)")  # not types
_ALTERNATIVE = re.compile(r"(?<=[|(:])[^\W\d_][\w ]*(?=[|)])")  # of a pattern
_WORD = re.compile(r"(?<=[\" ])(?!r\")[^\W\d_]\w*(?=[\" ])")  # of a list, between spaces or quotes
_NO_WORD = "\ue000"  # of a private use area


class Mutation(NamedTuple):
    """A change of one literal in the source of a module; *start* and *end* are in bytes."""

    path: Path
    name: str
    way: str
    start: int
    end: int
    text: bytes

    def __str__(self) -> str:
        source = (ROOT / self.path).read_bytes()
        line = source.count(b"\n", 0, self.start) + 1
        old, new = source[self.start : self.end].decode(), self.text.decode()
        return f"{self.path}:{line} {self.name} {old} -> {new.replace(_NO_WORD, 'nothing')}"


def find_mutations(room: str, rng: random.Random) -> Iterator[Mutation]:
    """Yield a change of each constant of *room* in each of the WAYS that it has."""
    for path in sorted((ROOT / PACKAGE / room).rglob("*.py")):
        source = path.read_bytes()
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for node in ast.parse(source).body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            if not _CONSTANT.match(name):
                continue
            changes = []
            joined = [one for one in ast.walk(node.value) if isinstance(one, ast.JoinedStr)]
            in_joined = {id(part) for one in joined for part in ast.walk(one)}
            for part in ast.walk(node.value):  # before Python 3.12 parts of f-strings have no place
                if isinstance(part, ast.Constant) and id(part) not in in_joined:
                    start = starts[part.lineno - 1] + part.col_offset
                    end = starts[(part.end_lineno or 1) - 1] + (part.end_col_offset or 0)
                    changes += [
                        Mutation(path.relative_to(ROOT), name, way, start + at, start + stop, text)
                        for way, at, stop, text in _changes(part.value, source[start:end], rng)
                    ]
            for way in WAYS:
                if of_way := [change for change in changes if change.way == way]:
                    yield rng.choice(of_way)
    words = (ROOT / PACKAGE / room).glob("words/languages/*.json")
    for path in (*sorted(words), *(ROOT / PACKAGE / room).glob("metadata/meta_names.json")):
        yield from _phrases(path, rng)


def _phrases(path: Path, rng: random.Random) -> Iterator[Mutation]:
    """Yield a change of one phrase of each role in the file of a language."""
    source = path.read_text("utf-8")
    for role, phrases in json.loads(source).items():
        if isinstance(phrases, list):
            phrase = json.dumps(rng.choice(phrases), ensure_ascii=False)
            at = source.index(phrase, source.index(f'"{role}": ['))
            start, end = (len(source[:place].encode()) for place in (at + 1, at + len(phrase) - 1))
            name = f"{path.stem} {role}"
            yield Mutation(path.relative_to(ROOT), name, "word", start, end, _NO_WORD.encode())


def _changes(
    value: object, written: bytes, rng: random.Random
) -> Iterator[tuple[str, int, int, bytes]]:
    """Yield the changes of a literal: way, start and end in *written*, new text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        numbers: tuple[float, float] = (round(value * 1.5, 6), round(value / 1.5, 6))
        if isinstance(value, int):
            numbers = (value * 3 // 2, value * 2 // 3) if value > 10 else (value + 1, value - 1)
        for way, number in zip(WAYS, numbers, strict=False):
            if number != value:
                yield way, 0, len(written), repr(number).encode()
    elif isinstance(value, str) and b"#" not in written:  # no comment inside
        text = written.decode()
        if words := [*(_ALTERNATIVE if "|" in text else _WORD).finditer(text)]:
            start, end = (len(text[:at].encode()) for at in rng.choice(words).span())
            yield "word", start, end, _NO_WORD.encode()


class Copy:
    """A copy of the project whose constants are changed and whose tests are run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        shutil.copytree(ROOT, self.root, ignore=_LEFT_OUT)
        self._times = count(10**9)  # a new time for each source: Python compiles it anew

    def fails(self, mutations: Sequence[Mutation], tests: Sequence[Path]) -> bool:
        """Return True if *tests* fail, or hang, with *mutations*."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        command += ["-n", "0", "--hypothesis-seed=1", *map(str, tests)]
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        self._write(mutations)
        try:
            subprocess.run(
                command, cwd=self.root, env=environment, timeout=_TIMEOUT_S, check=True,
                capture_output=True,
            )  # fmt: skip
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return True
        finally:
            self._write([mutation._replace(end=mutation.start, text=b"") for mutation in mutations])
        return False

    def _write(self, mutations: Sequence[Mutation]) -> None:
        """Write the sources with *mutations*; ones that change nothing restore theirs."""
        for path, changes in groupby(sorted(mutations), key=lambda mutation: mutation.path):
            source = (ROOT / path).read_bytes()
            for change in reversed([*changes]):
                source = source[: change.start] + change.text + source[change.end :]
            (self.root / path).write_bytes(source)
            os.utime(self.root / path, (now := next(self._times), now))

    def is_held(self, mutation: Mutation) -> bool:
        """Return True if the tests of the module or of its folder fail with *mutation*."""
        folder = Path("tests") / mutation.path.relative_to(PACKAGE).parent
        own = (folder / f"test_{mutation.path.name}", folder)
        return any(self.fails([mutation], [t]) for t in own if (self.root / t).exists())

    def survivors(self, mutations: Sequence[Mutation], tests: Sequence[Path]) -> list[Mutation]:
        """Return the *mutations* with which all *tests* pass."""
        if not mutations or not self.fails(mutations, tests):
            return [*mutations]
        half = len(mutations) // 2
        halves = (mutations[:half], mutations[half:]) if half else ()
        return [one for part in halves for one in self.survivors(part, tests)]


def measure_mutations(
    rooms: Sequence[str], sample: int, seed: int, only: str = ""
) -> tuple[int, list[Mutation]]:
    """Return the number of changes, and the ones that no test holds."""
    rng, total, free = random.Random(seed), 0, []
    with TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        for room in rooms:
            found = [one for one in find_mutations(room, rng) if only in f"{one.path} {one.name}"]
            chosen = rng.sample(found, min(sample or len(found), len(found)))
            total += len(chosen)
            left = []
            for mutation in chosen:
                if not copy.is_held(mutation):
                    left.append(mutation)
                    print(f"not held beside it: {mutation}", file=sys.stderr, flush=True)
            tests = [Path("tests") / one for one in (room, "cases", "test_golden.py")]
            for way in WAYS:  # two of one constant overlap
                free += copy.survivors([one for one in left if one.way == way], tests)
    return total, free


def mutations_section(total: int, free: Sequence[Mutation]) -> str:
    """Return the changes that no test holds, and their share."""
    return "\n".join((*map(str, free), f"{len(free)} of {total} changes are held by no test"))
