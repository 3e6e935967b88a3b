"""The public face: complete, loadable, and light until it is used."""

import json
import sys
from pathlib import Path

import pytest

import webclean_scrapy
from tests.commands.running import printed_by

ROOT = Path(__file__).parents[1]


def test_every_public_name_is_there() -> None:
    for name in webclean_scrapy.__all__:
        assert getattr(webclean_scrapy, name).__name__ == name


def test_the_version_is_that_of_the_project() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{webclean_scrapy.__version__}"\n' in project


@pytest.mark.parametrize(
    ("first", "then", "allowed"),
    [
        ("import json", "import webclean_scrapy", {"webclean_scrapy"}),
        (
            "import scrapy.commands",
            "import webclean_scrapy.commands.webclean",
            {"webclean_scrapy", "webclean_scrapy.commands", "webclean_scrapy.commands.webclean"},
        ),
    ],
)
def test_importing_loads_only_itself(first: str, then: str, allowed: set[str]) -> None:
    """Every call of ``scrapy`` imports the command: no dictionary, no numpy, no parser of ours."""
    code = (
        f"import json, sys; {first}; before = set(sys.modules); {then}; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    loaded = set(json.loads(printed_by(code)))
    others = {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names}
    assert others == allowed


def test_a_public_name_is_loaded_when_it_is_first_used() -> None:
    code = (
        "import sys, webclean_scrapy; assert 'lxml' not in sys.modules; "
        "webclean_scrapy.clean; assert 'lxml' in sys.modules; "
        "assert not {'jieba', 'rjieba', 'opencc', 'scrapy'} & set(sys.modules), sys.modules"
    )
    assert printed_by(code) == ""
