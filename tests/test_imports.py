from __future__ import annotations

from pathlib import Path

import pytest

from tests.import_rule import PACKAGE, check_package, list_imports

ROOT = Path(__file__).parents[1]

#: A small package that keeps the rule; the faults are put into it.
TIDY = {
    PACKAGE: "",
    f"{PACKAGE}.errors": "",
    f"{PACKAGE}.stats": "",
    f"{PACKAGE}.summary": "from webclean_scrapy import stats",
    f"{PACKAGE}.cleaner": "from webclean_scrapy.extract.decay import find_body",
    f"{PACKAGE}.page.table": "import re, json, urllib.parse\nfrom lxml import etree",
    f"{PACKAGE}.page.x": "from webclean_scrapy.page import table\nclass X:\n    y: table.Y",
    f"{PACKAGE}.denoise.x": "from webclean_scrapy.errors import ConfigError",
    f"{PACKAGE}.extract.decay": (
        "if TYPE_CHECKING:\n    from webclean_scrapy.denoise.x import TemplateEvidence"
    ),
    f"{PACKAGE}.extract.x": "import numpy as np",
    f"{PACKAGE}.keywords.segment": "def f():\n    import rjieba",
    f"{PACKAGE}.dedup.x": "import webclean_scrapy.keywords.segment",
    f"{PACKAGE}.pipelines.x": "from webclean_scrapy.stats import X\nimport logging, time, scrapy",
}


def read_package() -> dict[str, str]:
    """Return the source of each module of the package under its dotted name."""
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


def test_the_package_keeps_the_import_rule() -> None:
    assert check_package(read_package()) == []


def test_the_whole_package_is_read() -> None:
    modules = read_package()
    assert {PACKAGE, f"{PACKAGE}.page", f"{PACKAGE}.page.table"} <= set(modules)
    parsed = list_imports("x", modules[f"{PACKAGE}.parsed"], frozenset(modules))
    assert f"{PACKAGE}.page.table" in {found.target for found in parsed}


def test_what_is_right_is_not_complained_about() -> None:
    assert check_package(TIDY) == []


@pytest.mark.parametrize(
    ("module", "source", "sentence"),
    [
        ("page.x", "from webclean_scrapy.extract.decay import find_body", "above"),
        ("page.x", "from webclean_scrapy.extract import decay", "above"),
        ("denoise.x", "def f():\n    import webclean_scrapy.cleaner", "above"),
        ("dedup.x", "if TYPE_CHECKING:\n    import webclean_scrapy.cleaner", "above"),
        ("extract.x", "from webclean_scrapy import Cleaner", "above"),
        ("cleaner", "from webclean_scrapy import stats", "above"),
        ("pipelines.x", "import webclean_scrapy.summary", "above"),
        ("extract.x", "import webclean_scrapy.keywords.segment", "neighbour"),
        (
            "extract.x",
            "if TYPE_CHECKING:\n    pass\nelse:\n    import webclean_scrapy.keywords.segment",
            "neighbour",
        ),
        ("page.x", "from scrapy.http import Response", "no library"),
        ("cleaner", "import scrapy", "no library"),
        ("denoise.x", "import jieba", "no library"),
        ("denoise.x", "importlib.import_module('jieba')", "no library"),
        ("keywords.segment", "import logging.handlers", "no use"),
        ("dedup.x", "from time import monotonic", "no use"),
        ("page.x", "def f():\n    import urllib.request", "no use"),
        ("page.x", "from . import table", "relative"),
        ("attic.x", "", "no level"),
    ],
)
def test_a_fault_that_is_put_in_is_found(module: str, source: str, sentence: str) -> None:
    (fault,) = check_package({**TIDY, f"{PACKAGE}.{module}": source})
    assert fault.startswith(f"{PACKAGE}.{module}")
    assert sentence in fault


def test_a_cycle_of_modules_is_found() -> None:
    back = {f"{PACKAGE}.page.table": "import webclean_scrapy.page.x"}
    (fault,) = check_package({**TIDY, **back})
    assert "modules in a cycle" in fault
    late = {f"{PACKAGE}.page.table": "def f():\n    import webclean_scrapy.page.x"}
    assert check_package({**TIDY, **late}) == []


def test_rooms_that_know_each_others_types_are_found() -> None:
    back = {f"{PACKAGE}.denoise.x": "if TYPE_CHECKING:\n    import webclean_scrapy.extract.decay"}
    (fault,) = check_package({**TIDY, **back})
    assert "rooms in a cycle" in fault
