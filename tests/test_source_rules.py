from __future__ import annotations

from pathlib import Path

import pytest

from tests.source_rules import (
    MAX_FILE,
    MAX_FUNCTION,
    PRIVATE_OF_SCRAPY,
    long_files,
    long_functions,
    many_positional,
    private_uses,
    read_sources,
    shared_names,
)

ROOT = Path(__file__).parents[1]
PACKAGE = read_sources(ROOT, ["webclean_scrapy"])
CODE = {**PACKAGE, **read_sources(ROOT, ["spiders"])}


def test_all_code_is_read() -> None:
    assert {PRIVATE_OF_SCRAPY, "webclean_scrapy/addon.py", "spiders/site.py"} <= set(CODE)


def test_no_file_is_long() -> None:
    assert long_files(CODE) == []
    assert long_files({"a.py": "\n" * MAX_FILE}) == []
    assert long_files({"a.py": "\n" * (MAX_FILE + 1)}) == [f"a.py: {MAX_FILE + 1} lines"]


def test_no_function_is_long() -> None:
    assert long_functions(CODE) == []
    body = "\n    x" * (MAX_FUNCTION - 1)
    assert long_functions({"a.py": f"@decorated\ndef f():{body}"}) == []
    for head in ("def f():", "async def f():"):
        assert long_functions({"a.py": f"{head}{body}\n    x"}) == ["a.py: f has 41 lines"]


def test_no_function_takes_many_parameters_by_position() -> None:
    assert many_positional(CODE) == []


@pytest.mark.parametrize(
    ("source", "right"),
    [
        ("def f(a, b, c, d, *, e): ...", True),
        ("def f(a, b, c, d, e): ...", False),
        ("def f(a, b, /, c, d, e): ...", False),
        ("class C:\n    def f(self, a, b, c, d): ...", True),
        ("class C:\n    async def f(self, a, b, c, d, e): ...", False),
        ("class C:\n    @staticmethod\n    def f(a, b, c, d, e): ...", False),
        ("def f():\n    def g(a, b, c, d, e): ...", False),
    ],
)
def test_parameters_are_counted(source: str, right: bool) -> None:
    assert (many_positional({"a.py": source}) == []) is right


def test_no_two_modules_share_a_base_name() -> None:
    assert shared_names(PACKAGE) == []


@pytest.mark.parametrize(
    ("paths", "right"),
    [
        ("a/__init__.py b/__init__.py a/config.py b/config.py", True),
        ("p/commands/clean.py p/pipelines/clean.py", True),
        ("p/commands/explain.py p/report/explain.py", True),
        ("p/commands/table.py p/page/table.py", False),
        ("p/page/table.py p/dedup/table.py", False),
        ("p/commands/clean.py p/pipelines/clean.py p/page/clean.py", False),
    ],
)
def test_shared_names_are_found(paths: str, right: bool) -> None:
    assert (shared_names(paths.split()) == []) is right


def test_private_parts_of_scrapy_are_used_in_one_module() -> None:
    assert private_uses(CODE) == []
    assert private_uses({"elsewhere.py": CODE[PRIVATE_OF_SCRAPY]})


@pytest.mark.parametrize(
    ("source", "right"),
    [
        ("class C:\n    def f(self): return self._x, super()._y", True),
        ("class C:\n    def __init__(self): self._x = 1\ndef f(c): return c._x", True),
        ("def f(row): return row._replace(a=1)", True),
        ("import os\ndef f(): os._exit(0)", True),
        ("def f(crawler): return crawler.engine.__class__", True),
        ("def f(crawler): return crawler.engine._slot", False),
        ("def f(crawler): crawler.engine._slot = None", False),
        ("def f(crawler): return getattr(crawler.engine, '_slot', None)", False),
        ("def f(crawler): return hasattr(crawler, '_slot')", False),
        ("import scrapy\nx = scrapy._lib", False),
        ("from scrapy.utils._download_handlers import x", False),
        ("from twisted.web.client import _HTTP11ClientFactory", False),
        ("import scrapy.core._x", False),
    ],
)
def test_private_uses_are_found(source: str, right: bool) -> None:
    assert (private_uses({"a.py": source}) == []) is right
