"""Generate pages in several languages by a grammar, as seeds for mutations."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.nightly.fuzzing.mutations import mutate_bytes, mutate_json, mutate_page
from tests.nightly.fuzzing.texts import CHARSETS, DATES, LANGUAGES, odd_text, prose, sentence

if TYPE_CHECKING:
    from random import Random

GOLDEN = Path(__file__).parents[2] / "golden"
_MOST_GOLDEN = 20_000  # bytes
_META_NAMES = (
    'name="author"', 'name="description"', 'name="keywords"', 'property="og:title"',
    'property="og:site_name"', 'property="og:image"', 'property="og:type"', 'property="og:url"',
    'property="article:published_time"', 'property="article:modified_time"', 'name="date"',
    'name="pubdate"', 'name="DC.date.issued"', 'itemprop="datePublished"', 'http-equiv="refresh"',
    'name="twitter:creator"', 'name="source"', 'http-equiv="content-language"', 'name="robots"',
)  # fmt: skip


@cache
def golden_pages() -> tuple[str, ...]:
    """Return the golden pages of the tests, as text."""
    found = [path.read_bytes() for path in sorted(GOLDEN.glob("*/page.html"))]
    return tuple(one.decode("utf-8", "replace") for one in found if len(one) < _MOST_GOLDEN)


def make_text(draw: Random) -> str:
    """Return a page: a golden one, or one by the grammar."""
    golden = golden_pages()
    if golden and draw.random() < 0.4:
        return draw.choice(golden)
    return make_page(draw, draw.choice(LANGUAGES))


def make_bytes(draw: Random) -> tuple[bytes, str | None]:
    """Return a mutated page in some encoding, and the charset that its HTTP header names."""
    text = mutate_page(draw, make_text(draw), lambda: make_text(draw))
    return encode(draw, text)


def encode(draw: Random, text: str) -> tuple[bytes, str | None]:
    """Return *text* in an encoding, mostly UTF-8 and mostly declared as it is."""
    charset = "utf-8" if draw.random() < 0.75 else draw.choice(CHARSETS)
    data = text.encode(charset, draw.choice(("replace", "ignore", "xmlcharrefreplace")))
    while draw.random() < 0.3:
        data = mutate_bytes(draw, data)
    declared = draw.choice((None, None, charset, draw.choice(CHARSETS)))
    return data, declared


def make_page(draw: Random, language: str) -> str:
    """Return an article, a list, a thread of a forum, or a product, in the layout of a page."""
    main = draw.choice((_article, _article, _article, _list, _forum, _product))(draw, language)
    title = sentence(draw, language).strip()
    menu = "".join(f'<li><a href="/{n}/">{sentence(draw, language)[:9]}</a></li>' for n in range(5))
    head = "".join(_head_part(draw, language) for _ in range(draw.randint(0, 5)))
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title} - '
        f"Ostwick</title>{head}</head><body><div class=top><ul>{menu}</ul></div>"
        f"<div class=main><h1>{title}</h1>{main}</div>{_related(draw, language)}"
        f"<footer><p>© 2026 Ostwick. {sentence(draw, language)}</p></footer></body></html>"
    )


def _article(draw: Random, language: str) -> str:
    parts = [f"<p class=byline>By Ada Marsh, <time>{draw.choice(DATES)}</time></p>"]
    for _ in range(draw.randint(1, 8)):
        text = prose(draw, language)
        form = draw.choice(
            ("<p>{}</p>", "<p>{}</p>", "<div>{}</div>", "{}<br><br>", "<blockquote>{}</blockquote>",
             "<h2>{}</h2>", "<ul><li>{}</li><li>b</li></ul>", "<pre>{}</pre>", "<td>{}</td>",
             "<figure><img src=/a.png><figcaption>{}</figcaption></figure>", "<p><b>{}</b></p>")
        )  # fmt: skip
        parts.append(form.format(text))
    return f"<div class=body>{''.join(parts)}</div>"


def _list(draw: Random, language: str) -> str:
    rows = [
        f'<li><a href="/2026/03/{n}-a-b.html">{sentence(draw, language)}</a>'
        f"<span>{draw.choice(DATES)}</span></li>"
        for n in range(draw.randint(2, 25))
    ]
    return f"<ul class=list>{''.join(rows)}</ul>"


def _forum(draw: Random, language: str) -> str:
    posts = [
        f'<div class="post" id=p{n}><a href="/u/{n}">user{n}</a> <i>{draw.choice(DATES)}</i>'
        f"<div>{prose(draw, language, 3)}</div></div>"
        for n in range(draw.randint(2, 8))
    ]
    return "".join(posts)


def _product(draw: Random, language: str) -> str:
    rows = "".join(f"<tr><td>{n}</td><td>{sentence(draw, language)}</td></tr>" for n in range(4))
    return (
        f'<div itemscope itemtype="https://schema.org/Product"><span itemprop=price>19.90</span>'
        f"<button>Buy</button><p itemprop=description>{prose(draw, language)}</p>"
        f"<table>{rows}</table></div>"
    )


def _related(draw: Random, language: str) -> str:
    return "<div class=related><h3>Related</h3>" + _list(draw, language)[:2_000] + "</ul></div>"


def _head_part(draw: Random, language: str) -> str:
    """Return metadata for a head: meta, JSON-LD, a canonical address."""
    roll = draw.random()
    if roll < 0.4:
        value = draw.choice((odd_text(draw), draw.choice(DATES), sentence(draw, language)))
        value = value.replace('"', "&quot;")
        return f'<meta {draw.choice(_META_NAMES)} content="{value}">'
    if roll < 0.8:
        data = json.dumps(mutate_json(draw, json_ld(draw, language)), ensure_ascii=False)
        if draw.random() < 0.2:
            data = mutate_bytes(draw, data.encode("utf-8", "replace")).decode("utf-8", "replace")
        return f'<script type="application/ld+json">{data}</script>'
    return draw.choice(
        ('<link rel=canonical href="http://a.example/x">', '<base href="//b.example/">',
         "<base href='http://[x'>", "<style>p{display:none}</style>", "<script>if(a<b){}</script>",
         '<link rel=canonical href="http://[">', "<noscript><p>Turn it on</p></noscript>")
    )  # fmt: skip


def json_ld(draw: Random, language: str) -> Any:
    """Return the JSON-LD of an article in a form used by sites."""
    person = {"@type": "Person", "name": "Ada Marsh", "url": "/a"}
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": draw.choice(("NewsArticle", ["Article", "Thing"], "Product", "ItemList", 7)),
        "headline": sentence(draw, language),
        "datePublished": draw.choice(DATES),
        "dateModified": draw.choice(DATES),
        "author": draw.choice((person, [person, person], "Ada Marsh", {"name": ["A", "B"]})),
        "publisher": {"@type": "Organization", "name": "Ostwick", "logo": {"url": "/l.png"}},
        "image": ["/a.png", {"url": "/b.png"}],
        "articleBody": prose(draw, language),
        "mainEntityOfPage": {"@id": "http://a.example/x"},
        "keywords": "boats, clocks",
    }
    return draw.choice((data, [data], {"@graph": [data, person]}))
