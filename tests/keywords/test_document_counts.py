from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords import document_counts
from webclean_scrapy.keywords.document_counts import DocumentCounts
from webclean_scrapy.keywords.word_files import read_idf

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ("The harbour opened, the Harbour!", "HARBOUR closed 2026", "轮渡 closed", "輪渡 opened")


def count(*texts: str) -> DocumentCounts:
    counts = DocumentCounts()
    for text in texts:
        counts.add(text)
    return counts


def test_a_word_counts_once_a_document_however_it_is_spelt() -> None:
    assert count(*TEXTS).table() == {
        word: math.log(4 / 2) for word in ("harbour", "opened", "closed", "轮渡")
    }
    assert count("harbour", "harbour").table() == {"harbour": 0.0}
    assert count().table() == {}


def test_the_next_crawl_continues_the_count(tmp_path: Path) -> None:
    path = tmp_path / "idf.txt"
    assert DocumentCounts.load(path).documents == 0
    count(*TEXTS).save(path)
    counts = DocumentCounts.load(path)
    counts.add("harbour opened")
    assert counts.documents == 5
    assert counts.table()["harbour"] == pytest.approx(math.log(5 / 3))
    assert read_idf(path) == pytest.approx(count(*TEXTS).table())
    assert [file.name for file in tmp_path.iterdir()] == ["idf.txt"]


@pytest.mark.parametrize("head", ["", f"# documents {'9' * 5_000}\n", "# documents -1\n"])
def test_a_table_without_a_count_is_refused(tmp_path: Path, head: str) -> None:
    (tmp_path / "idf.txt").write_text(f"{head}harbour 2.5\n")
    with pytest.raises(ConfigError, match="its first line must be"):
        DocumentCounts.load(tmp_path / "idf.txt")


def test_the_rarest_words_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_counts, "MAX_WORDS", 3)
    counts = count("harbour council", "harbour council", "harbour bridge ferry goats")
    assert set(counts.table()) == {"harbour", "council"}
