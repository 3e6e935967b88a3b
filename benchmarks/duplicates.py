"""Precision and recall of each method on texts with known near-duplicates.

A file ``<language>.jsonl`` or ``<language>.jsonl.xz``, in DATA or in DATA/dedup, has a text a line:

    id, group, title, body
    role    "base" or "bg": is indexed; "pos": must be found, as its group; "neg": must not be
    kind    what was done to it; "ticker...", long pages with much new on top, count neither way

Pairs compared are the full comparisons as a share of those of each text asked for with each that is
indexed. CPU time is that of adding and asking, in turns, as a multiple of the method "minhash",
which is datasketch's.
"""

from __future__ import annotations

import json
import lzma
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.markdown import share, table, times
from webclean_scrapy import DuplicateIndex
from webclean_scrapy.dedup import fingerprint_methods
from webclean_scrapy.dedup.config import METHODS
from webclean_scrapy.dedup.feature_codes import sample_codes

if TYPE_CHECKING:
    from pathlib import Path

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Numbers, Words

INDEXED = {"base", "bg"}
NOT_COUNTED = "ticker"


@dataclass(slots=True)
class Outcome:
    """Answers of a method, and their cost."""

    answers: dict[str, str | None] = field(default_factory=dict)  # key found, by id asked for
    comparisons: int = 0
    pairs: int = 1  # of a text asked for and one that is indexed
    seconds: float = 0.0


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
    """Run each method on *texts*."""
    indexes = {name: DuplicateIndex(method=name) for name in methods}
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
            outcomes[name].answers[text["id"]] = found.key if found else None
        names.append(names.pop(0))
    for name, index in indexes.items():
        outcomes[name].comparisons = index.comparisons - before[name]
        outcomes[name].pairs = len(known) * len(asked)
        index.close()
    return outcomes


def weigh_words_alike() -> None:
    """Let the method "codes" draw its sample without the weights of words and blocks."""

    def codes(words: Words, factors: Numbers, config: DedupConfig) -> dict[str, Any]:
        alike = words._replace(weights=np.ones_like(words.weights))
        return sample_codes(alike, np.ones_like(factors), config)

    fingerprint_methods.METHODS["codes"] = fingerprint_methods.METHODS["codes"]._replace(
        codes=codes
    )


def count(texts: list[dict[str, str]], answers: dict[str, str | None]) -> Counter[str]:
    """Count right answers ("good"), all answers ("found"), and expected ones ("pos", "neg")."""
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
                times(outcome.seconds / outcomes["minhash"].seconds),
            ]
        )
    head = "method, precision, recall, FPR, comparisons a query, pairs compared, CPU".split(", ")
    return table(head, rows)


def percent(value: float) -> str:
    """Return a share as per cent.

    >>> percent(0.00037)
    '0.037 %'
    """
    return f"{100 * value:.2g} %"
