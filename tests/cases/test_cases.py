"""Checks what a reader gets of pages. Each file has the cases of one subject.

A case is a few lines::

    [[case]]
    name = "the credit of a picture is no text"
    BODY = "{FIRST}<p class=credit>{EACH}</p>{LAST}"
    each = ["Photo: Ann Lee", "Foto: Ann Lee"]
    text.lacks = "{EACH}"

``frame.toml`` has the page around it. A key in capitals names a text: the runner puts it in the
place of each {KEY}, in pages and in checks. ``page`` replaces the whole page of the frame, and
``siblings`` lists other pages of its site. Keys above the cases of a file hold for all of them; a
case overrides them, and so does a row of ``each``, which is the text {EACH} or a table of keys. A
key with a text ``of`` and ``rows`` of keys names that text again and again, with a row each.

A check is FIELD.OPERATION of those below, with a text or several. The runner joins authors, and
removals as "what: why", by "; "; it reads a field that a page does not have as the empty text.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.toml_files import Keys, filled, read_toml
from webclean_scrapy import clean
from webclean_scrapy.cleaning.result import CleanedPage

FIELDS: dict[str, Callable[[CleanedPage], str | None]] = {
    "address": lambda page: page.canonical_url,
    "authors": lambda page: "; ".join(page.authors),
    "comments": lambda page: "\n".join(" | ".join(map(str, one)) for one in page.comments or ()),
    "date": lambda page: page.date_published,
    "description": lambda page: page.description,
    "html": lambda page: page.html,
    "images": lambda page: "; ".join(page.images),
    "keywords": lambda page: "; ".join(page.keywords),
    "kind": lambda page: page.kind,
    "language": lambda page: page.language,
    "links": lambda page: str((page.html or "").count("<a ")),
    "markdown": lambda page: page.markdown,
    "modified": lambda page: page.date_modified,
    "outputs": lambda page: f"{page.text}\n{page.html}\n{page.markdown}",
    "reason": lambda page: page.kind_reason,
    "removed": lambda page: "; ".join(f"{one.what}: {one.why}" for one in page.removed),
    "site": lambda page: page.site_name,
    "source": lambda page: page.source,
    "text": lambda page: page.text,
    "title": lambda page: page.title,
}
OPERATIONS: dict[str, Callable[[str, str], bool]] = {
    "is": lambda found, said: found == said,
    "has": lambda found, said: said in found,
    "lacks": lambda found, said: said not in found,
    "once": lambda found, said: found.count(said) == 1,
    "begins": lambda found, said: found.startswith(said),
    "ends": lambda found, said: found.endswith(said),
    "matches": lambda found, said: re.search(said, found) is not None,
    "amid": lambda found, said: amid(found) == said,  # all that is between {FIRST} and {LAST}
}
KEYS = {"each", "name", "page", "siblings", "url"}
FOLDER = Path(__file__).parent
FRAME = read_toml(FOLDER / "frame.toml")


def amid(output: str) -> str:
    _, first, rest = output.partition(FRAME["P3"])
    part, last, _ = rest.partition(FRAME["P4"])
    assert first
    assert last
    return part.removeprefix("</p>").removesuffix("<p>").strip("\n")


def merged(keys: Keys, more: Keys) -> Keys:
    both = {key: {**keys.get(key, {}), **more[key]} for key in more.keys() & FIELDS.keys()}
    return {**keys, **more, **both}


def cases() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.toml")):
        shared = read_toml(path)
        for case in shared.pop("case", ()):
            for number, row in enumerate(case.pop("each", [{}]), 1):
                more = {"EACH": row} if isinstance(row, str) else row
                keys = merged(merged(merged(FRAME, shared), case), more)
                yield pytest.param(keys, id=f"{path.stem}: {keys['name']}, {number}")


@pytest.mark.parametrize("case", [*cases()])
def test_a_page_gives_what_its_case_says(case: Keys) -> None:
    siblings = [merged(case, one) for one in case.get("siblings", ())]
    page, *others = (
        (filled(one["page"], one), filled(one["url"], one)) for one in (case, *siblings)
    )
    cleaned = clean(*page, siblings=others)
    checks = [(field, *check) for field in FIELDS for check in case.get(field, {}).items()]

    assert checks
    assert {key for key in case if not key.isupper()} <= FIELDS.keys() | KEYS
    for field, operation, texts in checks:
        found = FIELDS[field](cleaned) or ""
        for text in [texts] if isinstance(texts, str) else texts:
            said = filled(text, case)
            assert OPERATIONS[operation](found, said), f"{field} {operation} {said!r}:\n{found}"
