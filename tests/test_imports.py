"""Who may import whom: `.importlinter` for the rooms, and no circle of modules anywhere.

Imports inside functions and under TYPE_CHECKING count too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from configparser import ConfigParser
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = "webclean_scrapy"
RULES = ".importlinter"
TYPES_ONLY = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "


def broken_contracts(folder: Path) -> str:
    """Return how the package in *folder* breaks the contracts of RULES there; "" if it does not."""
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--config", RULES, "--no-cache", "--no-logo"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    _, _, broken = done.stdout.partition("Broken contracts")
    assert bool(broken) == bool(done.returncode)
    return broken


def circle_of(package: str) -> list[str]:
    """Return the modules of a circle of imports, the first one again at its end; else none."""
    graph = grimp.build_graph(package, cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []


def test_the_package_keeps_its_contracts() -> None:
    broken = broken_contracts(ROOT)
    assert not broken, broken


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle_of(PACKAGE) == []


@pytest.fixture(scope="session")
def tidy_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rules and a package of empty modules, one for each name in them."""
    folder = tmp_path_factory.mktemp("tidy")
    shutil.copy(ROOT / RULES, folder)
    rules = ConfigParser()
    rules.read(ROOT / RULES)
    for part in rules.sections():
        container = rules.get(part, "containers", fallback="")
        for name in rules.get(part, "layers", fallback="").replace("|", " ").split():
            room = folder / f"{container}.{name.strip('()')}".replace(".", "/")
            room.mkdir(parents=True)
            (room / "__init__.py").touch()
            (room / "inside.py").touch()
    for part in rules.sections():
        if container := rules.get(part, "containers", fallback=""):
            (folder / container.replace(".", "/") / "inside.py").unlink(missing_ok=True)
    (folder / PACKAGE / "__init__.py").touch()
    return folder


def test_a_package_that_keeps_the_rules_passes(tidy_package: Path) -> None:
    assert broken_contracts(tidy_package) == ""


@pytest.mark.parametrize(
    ("module", "source", "said"),
    [
        ("cleaning/page/inside.py", "import webclean_scrapy.cleaning.body", "cleaning.body"),
        (
            "keywords/inside.py",
            "def f():\n    import webclean_scrapy.dedup",
            "webclean_scrapy.dedup",
        ),
        ("dedup/inside.py", f"{TYPES_ONLY}from webclean_scrapy import settings", "settings"),
        ("cleaning/kind/inside.py", "from webclean_scrapy.cleaning import output", "output"),
        ("cleaning/page/inside.py", "from scrapy.http import Response", "scrapy"),
        ("cleaning/body/inside.py", "import logging.handlers", "logging"),
        ("dedup/inside.py", "from time import monotonic", "time"),
        ("keywords/inside.py", "def f():\n    import threading", "threading"),
        ("errors/inside.py", "import random", "random"),  # by way of a room that reads it
        ("attic.py", "", "webclean_scrapy.attic"),
        ("cleaning/attic.py", "", "webclean_scrapy.cleaning.attic"),
    ],
)
def test_a_fault_that_is_put_in_breaks_a_contract(
    tidy_package: Path, tmp_path: Path, module: str, source: str, said: str
) -> None:
    shutil.copytree(tidy_package, tmp_path, dirs_exist_ok=True)
    (tmp_path / PACKAGE / "cleaning/cleaner/inside.py").write_text(
        "from webclean_scrapy.errors import inside"
    )
    (tmp_path / PACKAGE / module).write_text(source)

    assert said in broken_contracts(tmp_path)


@pytest.mark.parametrize(
    "back",
    [
        "import circled.one",
        "def f():\n    from circled import one",
        f"{TYPES_ONLY}from circled.one import x",
    ],
)
def test_a_circle_that_is_put_in_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, back: str
) -> None:
    package = tmp_path / "circled"
    package.mkdir()
    for name, source in {"__init__": "", "one": "import circled.two", "two": ""}.items():
        (package / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert circle_of("circled") == []

    (package / "two.py").write_text(back)

    assert sorted(set(circle_of("circled"))) == ["circled.one", "circled.two"]
