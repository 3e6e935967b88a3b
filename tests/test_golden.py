"""Pages of our own making, one for each class of page, with the text a reader wants of them.

A case is a folder of ``golden/``: ``page.html``, ``expected.txt`` (a paragraph to a line; empty
when the page is not an article), ``meta.json`` and, for some, ``sibling*.html``. ``meta.json``
holds ``url``, ``about``, the addresses of ``siblings``, what else is asked for (``kind``,
``title``, ``is_article``, ``language``), and ``xfail`` with the reason where today's code gets the
page wrong; such a case must leave the mark once it is right.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from webclean_scrapy.cleaning.cleaner import Cleaner

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Case:
    folder: Path
    meta: dict[str, Any]

    @property
    def siblings(self) -> list[tuple[bytes, str | None]]:
        urls = self.meta.get("siblings", {})
        return [((self.folder / name).read_bytes(), url) for name, url in urls.items()]

    @property
    def expected(self) -> str:
        return (self.folder / "expected.txt").read_text("utf-8").removesuffix("\n")


CASES = [
    Case(path.parent, json.loads(path.read_text("utf-8")))
    for path in sorted(GOLDEN.glob("*/meta.json"))
]
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
