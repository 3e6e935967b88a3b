"""Targets that read our own files: templates, models, profiles, indexes, and texts for an index."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.nightly.fuzzing.mutations import mutate_bytes, mutate_json
from tests.nightly.fuzzing.page_maker import make_page
from tests.nightly.fuzzing.target import Case, Target, draw_of, expect
from tests.nightly.fuzzing.texts import LANGUAGES, prose
from webclean_scrapy.classify.class_model import ClassModel, TrainingParameters
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.dedup.config import METHODS, UPDATES
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
            uncertainty=np.array([0.5, 0.25, 1.0]), intercepts=np.array([0.1, -0.1]), slope=1.0,
            weights=np.array([[1.0, -1], [0.5, 0], [-1, 1]]), parameters=TrainingParameters(),
        )  # fmt: skip
        model.save(path)
        files["model"] = json.loads(path.read_text("utf-8"))
    return files


def _own_file(draw: Random) -> Case:
    kind = draw.choice(list(_valid_files()))
    data = mutate_json(draw, _valid_files()[kind])
    content = json.dumps(data).encode()
    while draw.random() < 0.3:
        content = mutate_bytes(draw, content)
    return Case(files={"file.json": content}, values={"kind": kind})


def _run_own_file(case: Case) -> None:
    """Load a file and use its content."""
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
def _valid_index(method: str) -> bytes:
    """Return an index file with some pages, copies, updates, pending and replaced ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.db")
        options: dict[str, Any] = {"method": method, "updates": "keep"}
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
    values = {"method": method, "updates": draw.choice(UPDATES), "days": draw.choice((0, 0, 30))}
    data = _valid_index(method)
    for _ in range(draw.choice((1, 2, 8, 60))):
        data = mutate_bytes(draw, data)
    return Case(files={"pages.db": data}, values=values)


def _run_index_file(case: Case) -> None:
    """Open an index and do everything with it: it works, or gives the index's own error."""
    values = case.values
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.db")
        path.write_bytes(case.files["pages.db"])
        options = {name: values[name] for name in ("method", "updates")}
        try:
            with DuplicateIndex(
                f"sqlite:///{path}", clock=lambda: 1e9, expire_days=values["days"], **options
            ) as index:
                _use(index)
        except StoreError as error:
            expect(str(error).isprintable(), f"an error that cannot be printed: {error!r:.300}")


def _use(index: DuplicateIndex) -> None:
    for number in (0, 5, 7, 21, 99):
        text = prose(draw_of(1, number % 18, "index"), LANGUAGES[number % 6], 12)
        index.find(text, title="Fog")
        index.check_and_add(f"http://a.example/{number}", text, title="Fog", run="other")
    index.confirm([f"http://a.example/{number}" for number in range(24)])
    index.remove("http://a.example/3")
    expect(len(index) >= 0, "no length")
    list(index.clusters())


FILE_TARGETS = (
    Target(name="own-files", share=4.0, make=_own_file, run=_run_own_file),
    Target(name="index-files", share=0.8, make=_index_file, run=_run_index_file),
)
