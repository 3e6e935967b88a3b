"""Kinds with scripts, styles, JSON and templates whose content looks like markup."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.hostile.draw import Kind, put, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hostile.draw import Article, Draw

_COMPARE = ("for(i=0;i<n;s++)x=a<b&&c>d;", "if(i<n;s++)", "while(a<b)c='<p class=x>';")


def script_kinds() -> Iterator[Kind]:
    """Yield every one of them."""
    yield put("comparisons in a script", lambda rng: f"<script>{_compare(rng)}</script>")
    yield put("one comparison before many words", _words_behind_comparison)
    yield put("comparisons in a style", lambda rng: f"<style>{_compare(rng)}</style>")
    yield put("comparisons in a template", lambda rng: f"<template>{_closed(rng)}</template>")
    yield put("comparisons in a text area", lambda rng: f"<textarea>{_compare(rng)}</textarea>")
    yield put("comparisons in a comment", lambda rng: f"<!-- {_compare(rng)} -->")
    yield put("comparisons in handlers", lambda rng: f'<b onclick="{_compare(rng)}">x</b>')
    yield put("comparisons in a handler without quotes", _bare_handlers)
    yield put("comparisons in JSON-LD", lambda rng: _ld(_json(rng, _compare(rng))), "head", "after")
    yield put("broken JSON-LD", lambda rng: _ld('{"@type":"Article","headline":"' + rng.word()))
    yield put("deep JSON-LD", lambda rng: _ld("[" * rng.size(9_000, 900_000)), "head")
    yield put("large JSON-LD", lambda rng: _ld(_json(rng, "x " * rng.size(9_000, 900_000))), "head")
    yield put("JSON-LD of wrong types", _wrong_types, "head")
    yield put(
        "many scripts", lambda rng: f"<script>{rng.word()}()</script>" * rng.size(500, 20_000)
    )
    yield put("tags in a script", lambda rng: f"<script>{_tags_in_script(rng)}</script>")
    yield put("an end tag in a string", lambda rng: f"<script>x='<\\/script>{rng.word()}'</script>")
    yield written("the page again as JSON in a script", _state)
    yield put("a hidden JSON text", lambda rng: f"<div hidden>{_json(rng, rng.word())}</div>")
    yield put("JSON in a code element", lambda rng: f"<pre>{_json(rng, rng.word())}</pre>", "after")
    yield put(
        "scripts in links", lambda rng: "<a href='javascript:x(1<2)'>j</a>" * rng.size(9, 900)
    )
    yield put("a script in a picture", lambda rng: f"<svg><script>{_compare(rng)}</script></svg>")
    yield put(
        "a script in an old comment", lambda rng: f"<script><!--\n{_compare(rng)}//--></script>"
    )


def _compare(rng: Draw) -> str:
    return rng.choice(_COMPARE) * rng.size(2_000, 60_000)


def _closed(rng: Draw) -> str:
    """Return comparisons that a browser, too, takes for tags."""
    return "while(a<b&&c>d)s++;" * rng.size(500, 9_000)


def _words_behind_comparison(rng: Draw) -> str:
    words = " ".join(f"{rng.word()}=1;" for _ in range(rng.randint(2_100, 20_000)))
    return f"<script>for(i=0;i<n;s++){{ {words} }}</script>"


def _bare_handlers(rng: Draw) -> str:
    return "<b onclick=for(i=0;i<n;s++)x()>x</b>" * rng.size(500, 9_000)


def _ld(text: str) -> str:
    return f"<script type='application/ld+json'>{text}</script>"


def _json(rng: Draw, text: str) -> str:
    return json.dumps({"@type": "WebPage", "name": rng.word(), "text": text})


def _wrong_types(rng: Draw) -> str:
    wrong: object = rng.choice((7, None, [[{"name": {}}]], {"@id": []}, "\u202e", 1e300))
    return _ld(json.dumps({"@type": rng.choice((7, ["Article"])), "author": wrong, "name": [1]}))


def _tags_in_script(rng: Draw) -> str:
    return f"document.write('<div><p>{rng.word()}</p>');" * rng.size(2_000, 60_000)


def _state(rng: Draw, article: Article) -> str:
    state = json.dumps({"html": "<p>".join(article.marks) * rng.size(5, 2_000)})
    return article.html.replace("</body>", f"<script>window.x={state}</script></body>")
