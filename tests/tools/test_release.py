from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.release import METADATA, left_to_do, readme_problems, wheel_problems

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]
FILES = {"webclean_scrapy/__init__.py", "webclean_scrapy/py.typed"}
PROJECT: dict[str, Any] = {"name": "webclean-scrapy", "version": "1.2.0"}


def make_wheel(folder: Path, *names: str) -> Path:
    path = folder / "webclean_scrapy-1.2.0-py3-none-any.whl"
    info = [f"webclean_scrapy-1.2.0.dist-info/{name}" for name in METADATA]
    with zipfile.ZipFile(path, "w") as archive:
        for name in [*names, *info]:
            archive.writestr(name, "")
    return path


def test_a_wheel_has_the_files_under_version_control_and_no_others(tmp_path: Path) -> None:
    assert list(wheel_problems(make_wheel(tmp_path, *FILES), FILES)) == []
    wrong = make_wheel(tmp_path, "webclean_scrapy/__init__.py", "webclean_scrapy/notes.txt")
    assert list(wheel_problems(wrong, FILES)) == [
        "webclean_scrapy/notes.txt should not be in it",
        "webclean_scrapy/py.typed is missing",
    ]


def test_links_that_an_index_cannot_follow_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = (
        '<a href="docs/item.md">item</a> <img src="docs/a.svg"> <a href="#limits">Limits</a>'
        ' <a href="https://a.example/">out</a>'
    )
    monkeypatch.setattr("tools.release.render", lambda _: shown)
    assert list(readme_problems("...")) == [
        "href leads to docs/item.md, which no index has",
        "src leads to docs/a.svg, which no index has",
    ]
    monkeypatch.setattr("tools.release.render", lambda _: None)
    assert list(readme_problems("...")) == ["it is not rendered"]


def test_what_is_missing_is_left_to_do_before_the_upload() -> None:
    steps = list(left_to_do(PROJECT, "# Changelog\n\n## Unreleased\n", clean=False))
    assert [step.split()[0] for step in steps] == [
        "commit:", "[project.urls]", "CHANGELOG.md:", "see", "git", "python",
    ]  # fmt: skip
    done = {**PROJECT, "urls": {"Source": "https://a.example/"}}
    steps = list(left_to_do(done, "# Changelog\n\n## 1.2.0 - 2026-11-22\n", clean=True))
    assert [step.split()[0] for step in steps] == ["see", "git", "python"]


def test_the_citation_names_this_version_and_licence() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for name in ("version", "license"):
        (said,) = re.findall(rf'^{name} = "(.+)"', project, re.MULTILINE)
        assert re.search(rf"^{name}: {re.escape(said)}$", citation, re.MULTILINE)
