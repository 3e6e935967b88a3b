"""The articles of the demo portal, read from the text files beside this module.

A file holds the articles of one site. ``=== name`` begins one; header lines ``key: value`` follow
up to the first empty line; then every line is one block: ``## `` sub-heading, ``- `` list item,
``| `` table row, ``> `` quote, ``$ `` line of code, ``!`` caption of a figure, else a paragraph.

``reposts.txt`` holds copies and teasers: ``from: site/name`` names the original. A follow-up, which
is no copy, says ``quotes: site/name``. The lines are edits: ``@3`` or ``@3-5`` copies these blocks
(counted from 1), lines ``~ old => new`` below change the wording of what was just copied; other
lines are blocks of their own.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from spiders.demo.model import Article, Block

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spiders.demo.model import BlockKind

SITES = ("hexi", "nanwan", "gangdao", "harbour", "fieldnotes")

_KINDS: Mapping[str, BlockKind] = {
    "## ": "h", "- ": "li", "| ": "row", "> ": "quote", "$ ": "code", "!": "figure",
}  # fmt: skip
_COPY = re.compile(r"@(\d+)(?:-(\d+))?")


@cache
def load_articles() -> tuple[Article, ...]:
    """Return every article of the portal, originals first, in the order of the files.

    Raises: ValueError for a text that contradicts itself (a fault of the files, not of a caller).
    """
    originals = tuple(article for site in SITES for article in _read_site(site))
    known = {article.key: article for article in originals}
    return originals + tuple(_read_reposts(known))


def _read_site(site: str) -> Iterator[Article]:
    for name, header, lines in _records(f"{site}.txt"):
        blocks = tuple(_block(line) for line in lines)
        yield _article(f"{site}/{name}", header, blocks)


def _read_reposts(known: Mapping[str, Article]) -> Iterator[Article]:
    for name, header, lines in _records("reposts.txt"):
        original = known[header.get("from") or header["quotes"]]
        yield _article(name, header, tuple(_edited(original, lines)))


def _records(name: str) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    text = (Path(__file__).parent / "texts" / name).read_text(encoding="utf-8")
    for record in text.split("=== ")[1:]:
        head, _, body = record.partition("\n\n")
        first, *fields = head.split("\n")
        header = dict(field.split(": ", 1) for field in fields)
        yield first.strip(), header, [line for line in body.split("\n") if line.strip()]


def _article(key: str, header: Mapping[str, str], blocks: tuple[Block, ...]) -> Article:
    return Article(
        key=key,
        title=header["title"],
        date=header["date"].replace(" ", "T"),
        section=header["section"],
        blocks=blocks,
        author=header.get("author"),
        source=header.get("source"),
        original=header.get("original"),
        slug=header.get("slug"),
        repost_of=header.get("from"),
        quotes=header.get("quotes"),
        pages=int(header.get("pages", "1")),
        family=header.get("family"),
    )


def _block(line: str) -> Block:
    for mark, kind in _KINDS.items():
        if line.startswith(mark):
            return Block(kind=kind, text=line[len(mark) :])
    return Block(kind="p", text=line)


def _edited(original: Article, lines: list[str]) -> Iterator[Block]:
    copied: list[Block] = []
    for line in lines:
        if line.startswith("~ "):
            old, _, new = line[2:].partition(" => ")
            if sum(block.text.count(old) for block in copied) != 1:
                raise ValueError(
                    f"{original.key}: {old!r} must occur exactly once in the copied blocks"
                )
            copied = [replace(block, text=block.text.replace(old, new)) for block in copied]
            continue
        yield from copied
        copied = []
        if match := _COPY.fullmatch(line):
            first, last = int(match[1]), int(match[2] or match[1])
            copied = list(original.blocks[first - 1 : last])
        else:
            yield _block(line)
    yield from copied
