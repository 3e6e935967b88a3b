"""Targets that read our own files: templates, models, profiles, indexes, and texts for an index."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.fuzzing.mutations import mutate_bytes, mutate_json
from benchmarks.fuzzing.page_maker import make_page
from benchmarks.fuzzing.shared_words import shared_reader
from benchmarks.fuzzing.target import Case, Target, draw_of, expect
from benchmarks.fuzzing.texts import LANGUAGES, odd_text, prose
from webclean_scrapy.classify.class_model import ClassModel, TrainingParameters
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.dedup.config import METHODS, POSTINGS, UPDATES
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import (
    ModelFileError,
    ProfileFileError,
    StoreError,
    TemplateFileError,
)
from webclean_scrapy.keywords.interest_profile import InterestProfile

if TYPE_CHECKING:
    from random import Random

_PAGE = "<title>Fog</title><h1>Fog</h1>" + "<p>The ferry was two hours late, he said.</p>" * 9
_URL = "http://a.example/news/2026/1-of-the-day.html"


@cache
def _valid_files() -> dict[str, Any]:
    """Return the plain values of a valid file of each kind."""
    files: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        for extractor in ("webclean", "entropy"):
            cleaner = Cleaner(CleanConfig(extractor=extractor))
            for number in range(4):
                page = make_page(draw_of(1, number, "templates"), "en")
                cleaner.clean(page, _URL.replace("1-of", f"{number}-of"))
            cleaner.save(path)
            files[f"templates {extractor}"] = json.loads(path.read_text("utf-8"))
        InterestProfile((("ferry", 2.0), ("fog", 1.0)), 2).save(path)
        files["profile"] = json.loads(path.read_text("utf-8"))
    model = ClassModel(
        classes=("sea", "land"), pages=(3, 4), terms=("ferry", "late", "mill"),
        uncertainty=np.array([0.5, 0.25, 1.0]), weights=np.array([[1.0, -1], [0.5, 0], [-1, 1]]),
        intercepts=np.array([0.1, -0.1]), slope=1.0, parameters=TrainingParameters(),
    )  # fmt: skip
    return files | {"model": model.to_data()}


def _own_file(draw: Random) -> Case:
    kind = draw.choice(list(_valid_files()))
    data = mutate_json(draw, _valid_files()[kind])
    content = json.dumps(data).encode()
    while draw.random() < 0.3:
        content = mutate_bytes(draw, content)
    return Case(files={"file.json": content}, values={"kind": kind})


def _run_own_file(case: Case) -> None:
    """Load a file; what was loaded is used."""
    kind = case.values["kind"].partition(" ")[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file.json")
        path.write_bytes(case.files["file.json"])
        _LOADERS[kind](path, case.values["kind"])


def _load_templates(path: Path, kind: str) -> None:
    cleaner = Cleaner(CleanConfig(extractor=kind.partition(" ")[2]))
    try:
        cleaner.load(path)
    except TemplateFileError as error:
        expect(len(str(error)) < 5_000, "a long error")
        return
    expect(sum(each.nbytes for each in cleaner.templates) < 1_000_000, "it takes much memory")
    cleaner.clean(_PAGE, _URL).to_dict()
    cleaner.save(path.with_suffix(".again"))


def _load_model(path: Path, _: str) -> None:
    try:
        model = ClassModel.load(path)
    except ModelFileError:
        return
    found = model.predict("The ferry was late. The mill was not.", title="Ferry")
    if found is not None:
        shares = found.scores.values()
        expect(all(0.0 <= share <= 1.0 for share in shares), f"scores {shares}")
        expect(found.name in model.classes, "an unknown class")
    json.dumps(model.to_data(), allow_nan=False)


def _load_profile(path: Path, _: str) -> None:
    try:
        profile = InterestProfile.load(path)
    except ProfileFileError:
        return
    interest = profile.interest({"ferry": 1.0, "fog": 2.0})
    expect(0.0 <= interest <= 1.0, f"interest {interest}")
    profile.save(path.with_suffix(".again"))


_LOADERS = {"templates": _load_templates, "model": _load_model, "profile": _load_profile}


@cache
def _valid_index(method: str, postings: str) -> bytes:
    """Return an index file with some pages, copies, updates, pending and replaced ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.db")
        options: dict[str, Any] = {"method": method, "postings": postings, "updates": "keep"}
        with DuplicateIndex(f"sqlite:///{path}", **options) as index:
            for number in range(24):
                text = prose(draw_of(1, number % 18, "index"), LANGUAGES[number % 6], 12)
                run = "run" if number % 7 == 0 else None
                key = f"http://a.example/{number % 21}"
                index.check_and_add(key, text, title="Fog", run=run)
        with sqlite3.connect(path) as file:
            file.execute("PRAGMA journal_mode=DELETE")  # all is in one file
        file.close()
        return path.read_bytes()


def _index_file(draw: Random) -> Case:
    method = draw.choices(METHODS, (6, 3, 3, 1))[0]  # to open one of the last costs most
    data = _valid_index(method, draw.choice(POSTINGS))
    values = {"method": method, "updates": draw.choice(UPDATES), "days": draw.choice((0, 0, 30))}
    if draw.random() < 0.5:
        return Case(files={"pages.db": data}, values={**values, "sql": _changes(draw)})
    return Case(files={"pages.db": _damage(draw, data)}, values={**values, "sql": []})


def _damage(draw: Random, data: bytes) -> bytes:
    """Return the file with bytes of its header, of a cell or of a whole page changed."""
    changed = bytearray(data)
    for _ in range(draw.choice((1, 2, 8, 60))):
        pages = len(changed) // 4096
        kind = draw.randrange(5)
        if kind == 0:
            changed[draw.randrange(100)] = draw.randrange(256)
        elif kind == 1 and pages > 1:
            one, other = (draw.randrange(pages) * 4096 for _ in range(2))
            changed[one : one + 4096] = changed[other : other + 4096]
        elif kind == 2:
            changed[draw.randrange(pages or 1) * 4096 + draw.randrange(16)] = draw.randrange(256)
        elif kind == 3:
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
        elif draw.random() < 0.2:
            del changed[draw.randrange(200, max(201, len(changed))) :]
    return bytes(changed)


def _changes(draw: Random) -> list[tuple[str, Any]]:
    """Return changes of a file that stays valid SQL: other types, sizes and values."""
    odd = (None, 0, -1, 2**63 - 1, 1.5, "x", "\0", b"", b"\xff" * 9, draw.randbytes(40), "9" * 99)
    tables = (
        ("entries", "key run data added cluster codes"),
        ("webclean_header", "name value"),
        ("changes", "row old"),
        ("sqlite_sequence", "seq"),
    )
    changes: list[tuple[str, Any]] = []
    for _ in range(draw.randint(1, 4)):
        table, columns = draw.choice((*tables, tables[0]))
        column = draw.choice(columns.split())
        where = "name > 'p'" if "header" in table else f"rowid % {draw.randint(1, 5)} = 0"
        sql = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {where}"  # noqa: S608
        changes.append((sql, draw.choice(odd)))
    if draw.random() < 0.2:
        sql = draw.choice(("DROP TABLE postings", "DROP TABLE entries", "DELETE FROM entries",
                           "DELETE FROM webclean_header", "ALTER TABLE entries DROP COLUMN added",
                           "ALTER TABLE entries ADD COLUMN more", "CREATE TABLE more (x)",
                           "UPDATE OR IGNORE postings SET row = row + 7",
                           "ALTER TABLE entries DROP COLUMN codes", "DROP TABLE changes",
                           "INSERT INTO changes SELECT NULL, row, codes FROM entries"))  # fmt: skip
        changes.append((sql, ()))
    return changes


def _run_index_file(case: Case) -> None:
    """Open an index and do everything with it: it works, or gives the index's own error."""
    values = case.values
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.db")
        path.write_bytes(case.files["pages.db"])
        _apply(path, values["sql"])
        options = {name: values[name] for name in ("method", "updates")}
        try:
            with (
                shared_reader(),
                DuplicateIndex(
                    f"sqlite:///{path}", clock=lambda: 1e9, expire_days=values["days"], **options
                ) as index,
            ):
                _use(index)
        except StoreError as error:
            expect(str(error).isprintable(), f"an error that cannot be printed: {error!r:.300}")


def _apply(path: Path, changes: list[tuple[str, Any]]) -> None:
    if not changes:
        return
    file = sqlite3.connect(path)
    for sql, value in changes:
        with suppress(sqlite3.Error):  # the table forbids it
            file.execute(sql, (value,) if "?" in sql else ())
    file.commit()
    file.close()


def _use(index: DuplicateIndex) -> None:
    for number in (0, 5, 7, 21, 99):
        text = prose(draw_of(1, number % 18, "index"), LANGUAGES[number % 6], 12)
        index.find(text, title="Fog")
        index.check_and_add(f"http://a.example/{number}", text, title="Fog", run="other")
    index.confirm([f"http://a.example/{number}" for number in range(24)])
    index.remove("http://a.example/3")
    expect(len(index) >= 0, "no length")
    list(index.clusters())


def _texts(draw: Random) -> Case:
    texts = [prose(draw, draw.choice(LANGUAGES), 4) + odd_text(draw) for _ in range(3)]
    texts.append(odd_text(draw))
    values = {"texts": texts, "title": odd_text(draw), "method": draw.choice(METHODS)}
    return Case(values=values)


def _run_texts(case: Case) -> None:
    """Add texts to an index: one and the same text is a duplicate of itself."""
    title = case.values["title"]
    with shared_reader(), DuplicateIndex(method=case.values["method"]) as index:
        for number, text in enumerate(case.values["texts"]):
            index.check_and_add(str(number), text, title=title)
            index.check_and_add(
                f"{number}b", text, title=title, run="r", marked={text[:20]: 3.0, title: 1.5}
            )
        for text in case.values["texts"][:3]:
            expect(index.find(text, title=title), "a text is not found again")
        list(index.clusters())


FILE_TARGETS = (
    Target(name="own-files", share=4.0, make=_own_file, run=_run_own_file),
    Target(name="index-files", share=0.8, make=_index_file, run=_run_index_file),
    Target(name="index-texts", share=1.5, make=_texts, run=_run_texts),
)
