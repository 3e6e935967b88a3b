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
    "short paragraphs": lambda n: f"<p>{word(n)}</p>",
    "paragraphs of a letter": lambda _: "<p>x",
    "unique words": lambda n: f"<p>{word(n)} {word(n + 77_777)} {word(n * 3)}</p>\n",
    "line breaks": lambda n: f"{sentence(n, 3)}<br>",
    "line breaks alone": lambda _: "<br>",
    "list items": lambda n: f"<li>{sentence(n, 5)}</li>",
    "nested lists": lambda n: f"<ul><li>{word(n)}<ul><li>{word(n + 1)}</ul></ul>",
    "definition lists": lambda n: f"<dl><dt>{word(n)}<dd>{word(n + 1)}</dl>",
    "one definition list": lambda n: f"<dt>{word(n)}<dd>{word(n + 1)}",
    "headings": lambda n: f"<h3>{word(n)}</h3>",
    "headings of articles": lambda n: f"<h2>{sentence(n, 6)}</h2><p>{sentence(n)}</p>",
    "links": lambda n: f'<a href="/{n}">{word(n)}</a> ',
    "menu": lambda n: f'<li><a href="/{word(n)}">{word(n)}</a></li>',
    "links in prose": lambda n: f'<p>{sentence(n, 6)} <a href="/{n}">{word(n)}</a> said so.</p>',
    "long addresses": lambda n: f'<p><a href="/{word(n) * 40}?q={n}">{sentence(n, 4)}</a></p>',
    "table rows": lambda n: f"<tr><td>{word(n)}</td><td>{n}</td></tr>",
    "cells": lambda _: "<td>x",
    "tables": lambda n: f"<table><tr><td>{word(n)}</table>",
    "nested tables": lambda n: f"<table><tr><td>{word(n)}<table><tr><td>{n}</table></table>",
    "tables of text": lambda n: f"<tr><td>{sentence(n)}</td><td>{sentence(n + 5)}</td></tr>",
    "cards": lambda n: (
        f'<div class="card"><h4><a href="/{n}">{sentence(n, 5)}</a></h4><p>{sentence(n, 12)}</div>'
    ),
    "many classes": lambda n: f'<div class="{word(n)} {word(n * 3)}-x"><p>{sentence(n, 4)}</div>',
    "same class": lambda n: f'<div class="item row"><span>{word(n)}</span></div>',
    "names that say much": lambda n: f'<div class="comment-{n} author-bio">{word(n)}</div>',
    "ids": lambda n: f'<p id="p{n}">{sentence(n, 3)}</p>',
    "han": lambda n: f"<p>{_han(n)}</p>",
    "han without end": _han,
    "one text": lambda n: sentence(n) + " ",
    "one text without blanks": word,
    "deep inline lines": _tower("span", lambda n: f"{word(n)}<br>"),
    "deep emphasis": _tower("b", lambda n: f"{sentence(n, 4)}<br>"),
    "deep inline links": _tower("i", lambda n: f'<a href="/{n}">{word(n)}</a><br>'),
    "deep blocks": _tower("div", word),
    "deep blocks of text": _tower("div", lambda n: f"<p>{sentence(n)}</p>"),
    "deep lists": _tower("ul", lambda n: f"<li>{word(n)}", _DEPTH // 2),
    "deep quotes": _tower("blockquote", lambda n: sentence(n, 8)),
    "options": lambda n: f"<option value={n}>{word(n)}</option>",
    "forms": lambda n: f"<form><label>{word(n)} <input name=a{n}></label></form>",
    "buttons": lambda n: f"<button class=buy>add to cart {word(n)}</button>",
    "pictures": lambda n: f'<p><img src="/{n}.jpg" alt="{word(n)}"></p>',
    "pictures with captions": lambda n: (
        f'<figure><img src="/{n}.jpg"><figcaption>{sentence(n, 4)}</figcaption></figure>'
    ),
    "inline elements": lambda n: f"<b>{word(n)}</b> <i>{word(n + 9)}</i> ",
    "emphasis in lines": lambda n: f"<p>{word(n)} <em>{word(n + 9)}</em> {word(n * 3)}</p>",
    "microdata": lambda n: f'<p itemprop="author">{word(n)} {word(n + 1)}</p>',
    "nested microdata": _tower("div itemprop=author", word),
    "items": lambda n: (
        f'<div itemscope itemtype="https://schema.org/Article"><b itemprop="name">{word(n)}</b>'
        f"</div>"
    ),
    "times": lambda n: f'<time datetime="2026-03-{n % 28 + 1:02}">{n % 28 + 1} March 2026</time>',
    "meta elements": lambda n: f'<meta property="article:author" content="{word(n)}">',
    "styles": lambda n: f'<p style="color: red; text-align: center; width:{n}px">{word(n)}</p>',
    "hidden": lambda n: f'<p style="display: none" hidden>{sentence(n, 5)}</p>',
    "boxes": lambda n: f'<p data-webclean-box="8 {n} 640 24">{word(n)}</p>',
    "dated posts": lambda n: (
        f'<div class="post"><a href="/user/{word(n)}">{word(n)}</a> <i>{n % 28 + 1}.03.2026 10:20'
        f"</i><p>{sentence(n, 12)}</p></div>"
    ),
    "dates": lambda n: f"<p>{n % 28 + 1}.03.2026 {word(n)}</p>",
    "bylines": lambda n: f'<p class="byline">By <a rel="author" href="/author/{n}">{word(n)}</a>',
    "parts of a long line": lambda n: (
        f"<div>{sentence(n, 2_000)}</div>" if n < 10 else f"<p>{sentence(n % 9, 9)} {sentence(n)}"
    ),
    "second copies": lambda n: f"<p>{sentence(n % 500)}</p>",
    "the same line": lambda _: "<p>The ferry was late this morning because of fog.</p>",
    "the title again": lambda _: "<p>How the marsh was measured again</p>",
    "end headings": lambda n: f"<h3>Related</h3><p>{sentence(n, 5)}</p>",
    "prompts": lambda n: f"<div><p>Subscribe to our newsletter {word(n)}</p></div>",
    "cookies": lambda n: f"<p>Cookies of {word(n)} are cookies.</p>",
    "prices": lambda n: f"<li>{word(n)} $ {n}.99</li>",
    "comments": lambda n: f"<!-- {word(n)} --> {word(n)} ",
    "character references": lambda n: f"{word(n)} &amp; &eacute; &#x4e2d; &bogus; ",
    "script": lambda n: f"log('{sentence(n, 5)}', {n} < {n + 1});",
    "scripts": lambda n: f"<script>log({n})</script>{word(n)} ",
    "JSON-LD": lambda n: f'{{"@type":"NewsArticle","headline":"{sentence(n, 6)}","a":[{n}]}},',
    "JSON-LD scripts": lambda n: (
        f'<script type="application/ld+json">{{"@type":"Person","name":"{word(n)}"}}</script>'
    ),
    "preformatted": lambda n: f"<pre>  if {word(n)}:\n    return {n}</pre>",
    "attributes": lambda n: f"<p data-a={n} data-b={n} data-c title=x lang=en role=note>{word(n)}",
    "unclosed": lambda n: f"<div><p><b>{word(n)}</div>",
    "twice encoded": lambda n: f"<p>{word(n)} cafÃ© â€œ{word(n + 1)}â€\u009d</p>",
    "emoji": lambda n: f"<p>😀 {word(n)} 👩‍🚀\u200b {n}</p>",
    "mixed": lambda n: "".join(
        PARTS[name](n) for name in ("paragraphs", "menu", "cards", "table rows", "line breaks")
    ),
}  # fmt: skip
#: What stands about the parts, where it is not the body of a page.
_AROUND = {
    "table rows": ("<table>", "</table>"),
    "cells": ("<table><tr>", "</table>"),
    "tables of text": ("<table>", "</table>"),
    "one definition list": ("<dl>", "</dl>"),
    "list items": ("<ul>", "</ul>"),
    "menu": ("<ul>", "</ul>"),
    "options": ("<select>", "</select>"),
    "script": ("<script>", "</script>"),
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
