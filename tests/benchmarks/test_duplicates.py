from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.duplicates import (
    count,
    duplicates_section,
    keywords_section,
    load_texts,
    measure_duplicates,
    measure_indexed_keywords,
)

if TYPE_CHECKING:
    from pathlib import Path

STORY = " ".join(f"harbour{n} council{n} voted{n}" for n in range(40))
OTHER = " ".join(f"goats{n} boarded{n} buses{n}" for n in range(40))


def text(name: str, role: str, body: str, kind: str = "copy", group: str = "g") -> dict[str, str]:
    return {"id": name, "role": role, "body": body, "kind": kind, "group": group, "title": "T"}


TEXTS = [
    text("a", "base", STORY),
    text("b", "pos", STORY + " more"),
    text("c", "neg", OTHER, group="h"),
    text("d", "neg", STORY, "ticker_60pct_new", "h"),
]


def test_what_is_found_is_counted_by_what_it_should_have_been(tmp_path: Path) -> None:
    (tmp_path / "xx.jsonl").write_text("\n".join(map(json.dumps, TEXTS)))
    (texts,) = load_texts(tmp_path).values()
    outcomes = measure_duplicates(texts, ("codes", "keywords"))
    for outcome in outcomes.values():
        assert outcome.answers == {"b": "a", "c": None, "d": "a"}
        assert outcome.comparisons >= 2
    printed = duplicates_section(texts, outcomes).split("\n")
    assert [row.split("|")[1].strip() for row in printed[2:]] == ["codes", "keywords", "datasketch"]
    assert printed[-1].split("|")[-2].strip() == "1.00"


def test_the_share_of_pairs_that_were_compared_is_of_all() -> None:
    outcomes = measure_indexed_keywords(TEXTS)
    assert {outcome.pairs for outcome in outcomes.values()} == {3}
    assert outcomes["1"].comparisons == outcomes["10"].comparisons == 2
    rows = keywords_section(TEXTS, outcomes).split("\n")[2:]
    assert rows[0].replace(" ", "") == "|1|1|.000|67%|"


def test_a_wrong_group_is_found_but_not_good() -> None:
    counted = count([*TEXTS, text("e", "base", "", group="h")], {"b": "e", "c": "a", "d": None})
    assert counted == {"pos": 1, "neg": 1, "found": 2, "wrong": 1, "good": 0}


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no .*jsonl"):
        load_texts(tmp_path)
