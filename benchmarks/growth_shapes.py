"""Pages of one shape each, of any size up to the guard's limits: what the growth is measured on.

A page is an article behind many like parts. The parts are made by rule from their number, so that
the same size gives the same bytes; no two texts are alike where the name does not say so.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from benchmarks.made_pages import make_page
from webclean_scrapy.cleaning.page.guard import GuardConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Part = Callable[[int], str]  # of its number

_LIMITS = GuardConfig()
_DEPTH = 1_900  # levels of a tower; libxml2 holds 2,048
_STORY = 10_000  # bytes of the article behind the parts
_SYLLABLES = "ba ko li mer tan sel dor vi ra nes quo fi lan gor pe ti mas ule stra hen".split()
_HAN = "今天早上海港有大霧去島的渡輪晚點了兩個小時船員說是因為機器壞市民在碼頭等著"


def word(number: int) -> str:
    """Return a word that no other number below 160,000 has."""
    parts = []
    for _ in range(4):
        number, at = divmod(number * 7 + 3, 20)
        parts.append(_SYLLABLES[at])
    return "".join(parts) + (str(number) if number > 50_000 else "")


def sentence(number: int, count: int = 14) -> str:
    """Return a sentence of *count* words."""
    words = (word(number * 31 + at * 977) for at in range(count))
    return " ".join(words).capitalize() + "."


def _han(number: int, count: int = 40) -> str:
    return "".join(_HAN[(number * 7 + at * at) % len(_HAN)] for at in range(count)) + "。"


def _tower(name: str, line: Part, depth: int = _DEPTH) -> Part:
    """Return parts that are elements nested in each other, each with a line of its own."""
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
    """Return the page of a shape, of *share* of what the guard lets pass (0..1)."""
    story = make_page(_STORY)
    before, after = _AROUND.get(name, ("", ""))
    body = "".join(_within_limits(PARTS[name], share))
    head, html = story.split("<body>", 1)
    return f"{head}<body>{before}{body}{after}{html}".encode()


def _within_limits(part: Part, share: float) -> Iterator[str]:
    """Yield parts until bytes or tags reach *share* of what the guard lets pass."""
    size = (_LIMITS.max_bytes - 2 * _STORY) * share
    tags = (_LIMITS.max_tags - _TAGS_LEFT) * share
    for number in itertools.count():
        made = part(number)
        size -= len(made.encode())
        tags -= made.count("<") - made.count("</")
        if size < 0 or tags < 0:
            return
        yield made
