"""Growth of the cost of pages of one shape, up to the guard's limits.

Each shape in three sizes, each twice the one before. The cost is that of `Cleaner.clean` and of
every field of its record, in CPU time, by that of lxml's parse of the same bytes: the least of some
rounds each. What costs more than MAX_PARSES, or grows faster than MAX_EXPONENT, is marked.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from benchmarks.made_pages import make_page, words
from benchmarks.markdown import table
from benchmarks.timing import best_of
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page.guard import GuardConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Part = Callable[[int], str]  # of its number

_LIMITS = GuardConfig()
_DEPTH = 1_900  # levels of a tower; libxml2 holds 2,048
_STORY = 10_000  # bytes of the article behind the parts
_HAN = "今天早上海港有大霧去島的渡輪晚點了兩個小時船員說是因為機器壞市民在碼頭等著"


def word(number: int) -> str:
    """Return a word of one to four syllables."""
    return words(random.Random(number), 1)


def sentence(number: int, count: int = 14) -> str:
    """Return a sentence of *count* words."""
    return f"{words(random.Random(number), count).capitalize()}."


def _han(number: int, count: int = 40) -> str:
    return "".join(_HAN[(number * 7 + at * at) % len(_HAN)] for at in range(count)) + "。"


def _tower(name: str, line: Part, depth: int = _DEPTH) -> Part:
    ends = f"</{name.split(maxsplit=1)[0]}>" * depth

    def make(number: int) -> str:
        return f"<{name}>{line(number)}" + ends * (number % depth == depth - 1)

    return make


#: What the parts of each shape are, by the number of the part.
PARTS: dict[str, Part] = {
    "paragraphs": lambda n: f"<p>{sentence(n)} {sentence(n + 1)}</p>\n",
    "paragraphs of a letter": lambda _: "<p>x",
    "line breaks": lambda n: f"{sentence(n, 3)}<br>",
    "links": lambda n: f'<a href="/{n}">{word(n)}</a> ',
    "cells": lambda _: "<td>x",
    "cards": lambda n: (
        f'<div class="card"><h4><a href="/{n}">{sentence(n, 5)}</a></h4><p>{sentence(n, 12)}</div>'
    ),
    "han without end": _han,
    "one text without blanks": word,
    "deep blocks of text": _tower("div", lambda n: f"<p>{sentence(n)}</p>"),
    "microdata": lambda n: f'<p itemprop="author">{word(n)} {word(n + 1)}</p>',
    "dated posts": lambda n: (
        f'<div class="post"><a href="/user/{word(n)}">{word(n)}</a> <i>{n % 28 + 1}.03.2026 10:20'
        f"</i><p>{sentence(n, 12)}</p></div>"
    ),
    "the same line": lambda _: "<p>The ferry was late this morning because of fog.</p>",
    "character references": lambda n: f"{word(n)} &amp; &eacute; &#x4e2d; &bogus; ",
    "JSON-LD": lambda n: f'{{"@type":"NewsArticle","headline":"{sentence(n, 6)}","a":[{n}]}},',
    "attributes": lambda n: f"<p data-a={n} data-b={n} data-c title=x lang=en role=note>{word(n)}",
    "mixed": lambda n: "".join(
        PARTS[name](n) for name in ("paragraphs", "links", "cards", "line breaks")
    ),
}  # fmt: skip
#: What stands about the parts, where it is not the body of a page.
_AROUND = {
    "cells": ("<table><tr>", "</table>"),
    "JSON-LD": ('<script type="application/ld+json">[', "{}]</script>"),
}
_TAGS_LEFT = 2_000  # for the article


def make_shape(name: str, share: float) -> bytes:
    """Return a page of a shape with *share* (0..1) of the guard's limits."""
    story = make_page(_STORY)
    before, after = _AROUND.get(name, ("", ""))
    body = "".join(_within_limits(PARTS[name], share))
    head, html = story.split("<body>", 1)
    return f"{head}<body>{before}{body}{after}{html}".encode()


def _within_limits(part: Part, share: float) -> Iterator[str]:
    """Yield parts until bytes or tags reach *share* of the guard's limits."""
    size = (_LIMITS.max_bytes - 2 * _STORY) * share
    tags = (_LIMITS.max_tags - _TAGS_LEFT) * share
    for number in itertools.count():
        made = part(number)
        size -= len(made.encode())
        tags -= made.count("<") - made.count("</")
        if size < 0 or tags < 0:
            return
        yield made


SHARES = (0.25, 0.5, 1.0)  # of what the guard lets pass
ROUNDS = 3
MAX_PARSES = 25.0
MAX_EXPONENT = 1.05


@dataclass(frozen=True, slots=True)
class ShapeGrowth:
    """Costs of the pages of a shape, by rising size."""

    sizes: list[int]  # bytes
    parse: list[float]  # CPU seconds of lxml's parse
    record: list[float]  # CPU seconds of cleaning and of every field

    @property
    def parses(self) -> list[float]:
        """The cost of each page in parses."""
        return [record / parse for record, parse in zip(self.record, self.parse, strict=True)]

    @property
    def exponent(self) -> float:
        """The slope of log seconds over log bytes, by least squares: 1 is linear."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.record), 1)[0])

    @property
    def faults(self) -> list[str]:
        """Names of the figures over their limit."""
        over = {"cost": max(self.parses) > MAX_PARSES, "growth": self.exponent > MAX_EXPONENT}
        return [name for name, is_over in over.items() if is_over]


def measure_shapes(
    names: Iterable[str] = (), rounds: int = ROUNDS
) -> Iterator[tuple[str, ShapeGrowth]]:
    """Yield every shape, or only *names*, with its growth."""
    Cleaner().warm_up()
    for name in names or PARTS:
        yield name, _measure(name, rounds)


def _measure(name: str, rounds: int) -> ShapeGrowth:
    pages = [make_shape(name, share) for share in SHARES]
    costs = [
        best_of({"parse": partial(_parse, page), "record": partial(_record, page)}, rounds)
        for page in pages
    ]
    return ShapeGrowth(
        sizes=[len(page) for page in pages],
        parse=[cost["parse"] for cost in costs],
        record=[cost["record"] for cost in costs],
    )


def _parse(page: bytes) -> object:
    return etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True))


def _record(page: bytes) -> object:
    return Cleaner().clean(page).to_dict()


def growth_table(found: dict[str, ShapeGrowth]) -> str:
    """Return the growth of every shape as Markdown, and how many are over a limit."""
    rows = [
        [
            name,
            f"{one.sizes[-1]:,}",
            " ".join(f"{seconds:.2f}" for seconds in one.record),
            f"{one.exponent:.2f}",
            " ".join(f"{parses:.1f}" for parses in one.parses),
            ", ".join(one.faults),
        ]
        for name, one in found.items()
    ]
    head = ["shape", "bytes", "CPU s", "exponent", "parses", "over"]
    over = sum(bool(one.faults) for one in found.values())
    limits = f"{MAX_PARSES:.0f} parses, exponent {MAX_EXPONENT}"
    return f"{table(head, rows)}\n\n{over} of {len(found)} shapes over {limits}"
