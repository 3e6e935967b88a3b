from __future__ import annotations

import random
import sqlite3
from typing import TYPE_CHECKING

import pytest

from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.dedup.stores import sqlite_postings
from webclean_scrapy.errors import ConfigError, StoreSchemeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webclean_scrapy.dedup.match import Match

    Article = Callable[[int], str]


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/pages.db"


@pytest.fixture
def pair(uri: str) -> Iterator[tuple[DuplicateIndex, DuplicateIndex]]:
    """Return two indexes of one file, as two processes have them."""
    with DuplicateIndex(uri) as one, DuplicateIndex(uri) as other:
        yield one, other


def key_of(match: Match | None) -> str | None:
    return match.key if match else None


def tables(path: Path) -> set[str]:
    db = sqlite3.connect(path)
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    db.close()
    return names


def test_what_another_process_adds_is_found_at_once(
    pair: tuple[DuplicateIndex, DuplicateIndex], make_article: Article
) -> None:
    one, other = pair
    for number in range(6):
        writer, reader = (one, other) if number % 2 else (other, one)
        writer.add(f"{number}", make_article(number))
        assert key_of(reader.find(make_article(number))) == f"{number}"
        assert key_of(reader.check_and_add("copy", make_article(number))) == f"{number}"


def test_what_another_process_replaces_or_removes_is_forgotten(
    pair: tuple[DuplicateIndex, DuplicateIndex], make_article: Article
) -> None:
    one, other = pair
    for number in range(4):
        one.add(f"{number}", make_article(number))
    assert key_of(other.find(make_article(1))) == "1"
    one.add("1", make_article(11))
    one.add("1", make_article(21))
    one.remove("2")
    assert other.find(make_article(1)) is None
    assert other.find(make_article(11)) is None
    assert other.find(make_article(2)) is None
    assert key_of(other.find(make_article(21))) == "1"
    assert key_of(other.find(make_article(3))) == "3"


def test_a_process_that_missed_many_changes_reads_the_file_again(
    uri: str, make_article: Article, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_postings, "CHANGES_KEPT", 2)
    with DuplicateIndex(uri) as one, DuplicateIndex(uri) as other:
        for number in range(5):
            one.add(f"{number}", make_article(number))
        assert key_of(other.find(make_article(0))) == "0"
        for number in range(5):
            one.add(f"{number}", make_article(number + 10))
        assert other.find(make_article(0)) is None
        assert [key_of(other.find(make_article(n + 10))) for n in range(5)] == list("01234")


def test_a_batch_that_fails_leaves_nothing_behind(
    pair: tuple[DuplicateIndex, DuplicateIndex],
    make_article: Article,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = pair
    one.add("kept", make_article(1))
    calls = []

    def fail(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return index_codes(*arguments)

    index_codes: Callable[..., object] = one._store._index_codes  # type: ignore[attr-defined]
    pages = [("kept", make_article(2), ""), *((f"{n}", make_article(n), "") for n in (3, 4))]
    with monkeypatch.context() as patch:
        patch.setattr(one._store, "_index_codes", fail)
        with pytest.raises(KeyboardInterrupt):
            one.check_and_add_many(pages)
    other.add("later", make_article(9))  # gets the row that the batch had
    assert [key_of(one.find(make_article(n))) for n in (1, 2, 3, 9)] == [
        "kept",
        None,
        None,
        "later",
    ]
    assert len(one) == 2


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_two_processes_and_one_answer_alike(uri: str, make_article: Article, kind: str) -> None:
    dice = random.Random(7)
    texts = [make_article(number) for number in range(12)]
    clock = {"now": 0.0}
    options = {"expire_days": 1 / 86_400 * 40, "updates": "replace", "clock": lambda: clock["now"]}
    with (
        DuplicateIndex(**options) as alone,  # type: ignore[arg-type]
        DuplicateIndex(uri, postings=kind, **options) as one,  # type: ignore[arg-type]
        DuplicateIndex(uri, **options) as other,  # type: ignore[arg-type]
    ):
        for step in range(250):
            clock["now"] += 1
            key, text = f"{dice.randrange(9)}", dice.choice(texts)
            if dice.random() < 0.3:
                text += "\n" + dice.choice(texts)
            index = dice.choice((one, other))
            run = dice.choice((None, "a", "b"))
            answers = [
                key_of(i.check_and_add(key, text, run=run)) if step % 5
                else (i.remove(key), i.confirm([key, "3"]), sorted(i.clusters()), len(i))
                for i in (alone, index)
            ]  # fmt: skip
            assert answers[0] == answers[1], step


def test_a_file_with_postings_is_used_as_it_is(
    tmp_path: Path, uri: str, make_article: Article
) -> None:
    DuplicateIndex(uri, postings="file").close()
    before = tables(tmp_path / "pages.db")
    assert before >= {"webclean_header", "entries", "postings"}
    with DuplicateIndex(uri) as one, DuplicateIndex(uri) as other:
        one.add("a", make_article(1))
        assert key_of(other.find(make_article(1))) == "a"
        other.remove("a")
        assert one.find(make_article(1)) is None
    assert tables(tmp_path / "pages.db") == before


def test_a_file_without_postings_is_told_from_one_of_an_older_version(
    tmp_path: Path, uri: str
) -> None:
    DuplicateIndex(uri).close()
    assert "postings" not in tables(tmp_path / "pages.db")
    db = sqlite3.connect(tmp_path / "pages.db")
    stored = db.execute("SELECT value FROM webclean_header WHERE name = 'postings'").fetchone()
    db.close()
    assert stored == ("memory",)  # an older version does not know this field and refuses the file


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE entries SET codes = x'010203'", "damaged codes"),
        ("UPDATE entries SET codes = 'text'", "damaged codes"),
        ("INSERT INTO changes VALUES (1, 'x', x'00000000')", "damaged number of a row"),
        ("INSERT INTO changes VALUES (1, -1, x'00000000')", "damaged number of a row"),
        ("UPDATE sqlite_sequence SET seq = -9", "damaged number of a row"),
    ],
)
def test_damaged_codes_and_rows_are_refused(
    tmp_path: Path, uri: str, make_article: Article, change: str, message: str
) -> None:
    with DuplicateIndex(uri) as index:
        index.add("a", make_article(1))
    with sqlite3.connect(tmp_path / "pages.db") as db:
        db.execute(change)
    db.close()
    with DuplicateIndex(uri) as index, pytest.raises(StoreSchemeError, match=message):
        index.check_and_add("b", make_article(2))


def test_postings_are_in_memory_or_in_the_file() -> None:
    with pytest.raises(ConfigError, match="postings must be one of"):
        DuplicateIndex(postings="elsewhere")
