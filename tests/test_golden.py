"""Pages of our own making, one for each class of page, with the text a reader wants of them.

A case is a folder of ``golden/``: ``page.html``, ``expected.txt`` (a paragraph to a line; empty
when the page is not an article), ``meta.json`` and, for some, ``sibling.html``. ``meta.json`` holds
``url``, ``about``, what else is asked for (``kind``, ``title``, ``is_article``, ``language``), and
``xfail`` with the reason where today's code gets the page wrong; such a case must leave the mark
once it is right.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page.parse import parse

GOLDEN = Path(__file__).parent / "golden"
KEYS = {"url", "about", "kind", "title", "is_article", "language", "xfail", "sibling_url"}


@dataclass(frozen=True)
class Case:
    folder: Path
    meta: dict[str, Any]

    @property
    def siblings(self) -> list[tuple[bytes, str | None]]:
        path = self.folder / "sibling.html"
        return [(path.read_bytes(), self.meta["sibling_url"])] if path.exists() else []

    @property
    def expected(self) -> str:
        return (self.folder / "expected.txt").read_text("utf-8").removesuffix("\n")


def load_cases() -> list[Case]:
    return [
        Case(path.parent, json.loads(path.read_text("utf-8")))
        for path in sorted(GOLDEN.glob("*/meta.json"))
    ]


CASES = load_cases()
PARAMETERS = [
    pytest.param(
        case,
        id=case.folder.name,
        marks=[pytest.mark.xfail(reason=case.meta["xfail"])] if "xfail" in case.meta else [],
    )
    for case in CASES
]


@pytest.mark.parametrize("case", PARAMETERS)
def test_a_page_of_its_class_gives_the_text_a_reader_wants(case: Case) -> None:
    meta = case.meta
    body = (case.folder / "page.html").read_bytes()

    page = Cleaner().clean(body, meta["url"], case.siblings)

    if case.expected:
        assert page.text.split("\n") == case.expected.split("\n")
    for name in ("kind", "title", "is_article", "language"):
        if name in meta:
            assert getattr(page, name) == meta[name], page.kind_reason


@pytest.mark.parametrize("case", [c for c in CASES if c.siblings], ids=lambda c: c.folder.name)
def test_a_sibling_is_given_only_where_the_page_alone_is_not_enough(case: Case) -> None:
    page = Cleaner().clean((case.folder / "page.html").read_bytes(), case.meta["url"])

    assert page.text != case.expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_a_case_is_complete_and_what_it_expects_stands_on_its_page(case: Case) -> None:
    names = {path.name for path in case.folder.iterdir()}
    root = parse((case.folder / "page.html").read_text("utf-8"))
    page = "".join("".join(root.itertext()).split())

    assert {"page.html", "expected.txt", "meta.json"} <= names <= {
        "page.html", "expected.txt", "meta.json", "sibling.html",
    }  # fmt: skip
    assert set(case.meta) <= KEYS
    assert case.meta["about"]
    assert {"kind", "is_article"} & set(case.meta)
    assert bool(case.expected) == (case.meta.get("kind") == "article")
    assert case.folder.name == case.folder.name.lower()
    for line in case.expected.split("\n"):
        assert "".join(line.split()) in page


def test_there_is_a_case_for_every_class_of_page() -> None:
    assert len(CASES) >= 25
    assert sum(not case.expected for case in CASES) >= 5
