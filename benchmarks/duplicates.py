"""How well each method tells near-duplicates, on texts whose copies are known.

A file ``<language>.jsonl`` or ``<language>.jsonl.xz``, in DATA or in DATA/dedup, has a text a line:

    id, group, title, body
    role    "base" or "bg": is indexed; "pos": must be found, as its group; "neg": must not be
    kind    what was done to it; "ticker...", long pages with much new on top, count neither way

Pairs compared are the full comparisons as a share of those of each text asked for with each that is
indexed. CPU time is that of adding and asking, beside plain datasketch on the same texts in turns
(MinHash LSH, threshold .7, shingles of five characters or three words).
"""

from __future__ import annotations

import json
import lzma
import random
import re
import time
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import share, table, times
from webclean_scrapy import DuplicateIndex
from webclean_scrapy.dedup.config import METHODS

if TYPE_CHECKING:
    from pathlib import Path

INDEXED = {"base", "bg"}
YARDSTICK = "datasketch"
NOT_COUNTED = "ticker"


@dataclass(slots=True)
class Outcome:
    """What a method answered, and at what cost."""

    answers: dict[str, str | None] = field(default_factory=dict)  # key found, by id asked for
    comparisons: int = 0
    pairs: int = 1  # of a text asked for and one that is indexed
    seconds: float = 0.0


class Datasketch:
    """The yardstick, with the two calls of a `DuplicateIndex` that are used."""

    def __init__(self) -> None:
        import datasketch

        self._minhash = datasketch.MinHash
        self._bands = datasketch.MinHashLSH(threshold=0.7, num_perm=128)
        self.comparisons = 0

    def add(self, key: str, text: str, *, title: str) -> None:
        self._bands.insert(key, self._sketch(f"{title}\n{text}"))

    def find(self, text: str, *, title: str) -> str | None:
        found = self._bands.query(self._sketch(f"{title}\n{text}"))
        self.comparisons += len(found)
        return str(found[0]) if found else None

    def _sketch(self, text: str) -> Any:
        text = unicodedata.normalize("NFKC", text).lower()
        if len(re.findall("[\u4e00-\u9fff]", text)) * 3 > len(text):
            text = re.sub(r"[\W_]+", "", text)
            parts = {text[at : at + 5] for at in range(max(1, len(text) - 4))}
        else:
            words = re.findall(r"\w+", text)
            parts = {" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))}
        sketch = self._minhash(num_perm=128)
        sketch.update_batch([part.encode("utf8", "replace") for part in parts])
        return sketch


def load_texts(data: Path) -> dict[str, list[dict[str, str]]]:
    """Return the texts of each language."""
    folder = data / "dedup" if (data / "dedup").is_dir() else data
    found = {}
    for path in sorted(folder.glob("*.jsonl*")):
        opener = lzma.open if path.suffix == ".xz" else open
        with opener(path, "rt", encoding="utf8") as lines:
            found[path.name.split(".")[0]] = [json.loads(line) for line in lines]
    if not found:
        raise SystemExit(f"no *.jsonl in {folder}")
    return found


def measure_duplicates(
    texts: list[dict[str, str]], methods: tuple[str, ...] = METHODS
) -> dict[str, Outcome]:
    """Return what each method, and the yardstick, made of *texts*."""
    indexes: dict[str, Any] = {name: DuplicateIndex(method=name) for name in methods}
    return measure(texts, indexes | {YARDSTICK: Datasketch()})


def measure_indexed_keywords(texts: list[dict[str, str]]) -> dict[str, Outcome]:
    """Return what the method "keywords" makes of *texts*, by how many find candidates."""
    counts = (1, 2, 3, 4, 6, 10)
    return measure(
        texts, {str(n): DuplicateIndex(method="keywords", indexed_keywords=n) for n in counts}
    )


def measure(texts: list[dict[str, str]], indexes: dict[str, Any]) -> dict[str, Outcome]:
    """Return what each of *indexes*, which are empty, makes of *texts*."""
    outcomes = {name: Outcome() for name in indexes}
    known = [text for text in texts if text["role"] in INDEXED]
    asked = [text for text in texts if text["role"] not in INDEXED]
    random.Random(1).shuffle(asked)
    names = list(indexes)
    for text in known:
        for name in names:
            begin = time.process_time()
            indexes[name].add(text["id"], text["body"], title=text["title"])
            outcomes[name].seconds += time.process_time() - begin
        names.append(names.pop(0))  # each goes first in turn
    before = {name: index.comparisons for name, index in indexes.items()}
    for text in asked:
        for name in names:
            begin = time.process_time()
            found = indexes[name].find(text["body"], title=text["title"])
            outcomes[name].seconds += time.process_time() - begin
            outcomes[name].answers[text["id"]] = getattr(found, "key", found)
        names.append(names.pop(0))
    for name, index in indexes.items():
        outcomes[name].comparisons = index.comparisons - before[name]
        outcomes[name].pairs = len(known) * len(asked)
    return outcomes


def count(texts: list[dict[str, str]], answers: dict[str, str | None]) -> Counter[str]:
    """Return how many were right ("good"), "found" at all, and asked for, "pos" and "neg"."""
    group = {text["id"]: text["group"] for text in texts}
    counted: Counter[str] = Counter()
    for text in texts:
        if text["role"] in INDEXED or text["kind"].startswith(NOT_COUNTED):
            continue
        key = answers[text["id"]]
        counted[text["role"]] += 1
        counted["found"] += key is not None
        counted["wrong"] += key is not None and text["role"] == "neg"
        counted["good"] += key is not None and text["role"] == "pos" and group[key] == text["group"]
    return counted


def duplicates_section(texts: list[dict[str, str]], outcomes: dict[str, Outcome]) -> str:
    """Return the table of the *outcomes* of methods."""
    rows = []
    for name, outcome in outcomes.items():
        counted = count(texts, outcome.answers)
        rows.append(
            [
                name,
                share(counted["good"] / max(1, counted["found"])),
                share(counted["good"] / max(1, counted["pos"])),
                share(counted["wrong"] / max(1, counted["neg"])),
                times(outcome.comparisons / max(1, len(outcome.answers))),
                percent(outcome.comparisons / max(1, outcome.pairs)),
                times(outcome.seconds / outcomes[YARDSTICK].seconds),
            ]
        )
    head = "method, precision, recall, FPR, comparisons a query, pairs compared, CPU".split(", ")
    return table(head, rows)


def keywords_section(texts: list[dict[str, str]], outcomes: dict[str, Outcome]) -> str:
    """Return the table of the *outcomes* by number of keywords that find candidates."""
    rows = []
    for name, outcome in outcomes.items():
        counted = count(texts, outcome.answers)
        found, wrong = counted["good"] / max(1, counted["pos"]), counted["found"] - counted["good"]
        rows.append(
            [
                name,
                share(found),
                share(wrong / max(1, counted["found"])),
                percent(outcome.comparisons / max(1, outcome.pairs)),
            ]
        )
    return table(["keywords indexed", "found", "wrong", "pairs compared"], rows)


def percent(value: float) -> str:
    """Return a share as per cent.

    >>> percent(0.00037)
    '0.037 %'
    """
    return f"{100 * value:.2g} %"
