"""Pages with markup-like content in scripts, styles, JSON and templates."""

import json
from collections.abc import Iterator
from functools import partial

from tests.nightly.hostile.draw import Article, Draw, Kind, put, written

_COMPARE = ("for(i=0;i<n;s++)x=a<b&&c>d;", "if(i<n;s++)", "while(a<b)c='<p class=x>';")
_AROUND = {
    "a script": "<script>{}</script>",
    "a style": "<style>{}</style>",
    "a text area": "<textarea>{}</textarea>",
    "a comment": "<!-- {} -->",
    "a handler": '<b onclick="{}">x</b>',
    "a picture": "<svg><script>{}</script></svg>",
    "an old comment": "<script><!--\n{}//--></script>",
}


def script_kinds() -> Iterator[Kind]:
    """Yield all kinds."""
    for name, markup in _AROUND.items():
        yield put(f"comparisons in {name}", partial(_compare_in, markup))
    yield put("one comparison before many words", _words_behind_comparison)
    yield put("comparisons in a template", _in_template)
    yield put("comparisons in a handler without quotes", _bare_handlers)
    yield put("broken JSON-LD", lambda rng: _ld('{"@type":"Article","headline":"' + rng.word()))
    yield put("deep JSON-LD", lambda rng: _ld("[" * rng.size(9_000, 900_000)), "head")
    yield put("large JSON-LD", _large_ld, "head", "after")
    yield put("JSON-LD of wrong types", _wrong_types, "head")
    yield put("an end tag in a string", lambda rng: f"<script>x='<\\/script>{rng.word()}'</script>")
    yield written("the page again as JSON in a script", _state)
    yield put(
        "scripts in links", lambda rng: "<a href='javascript:x(1<2)'>j</a>" * rng.size(9, 900)
    )


def _compare_in(markup: str, rng: Draw) -> str:
    return markup.format(rng.choice(_COMPARE) * rng.size(2_000, 60_000))


def _in_template(rng: Draw) -> str:
    """Return comparisons that a browser, too, takes for tags."""
    return f"<template>{'while(a<b&&c>d)s++;' * rng.size(500, 9_000)}</template>"


def _words_behind_comparison(rng: Draw) -> str:
    words = " ".join(f"{rng.word()}=1;" for _ in range(rng.randint(2_100, 20_000)))
    return f"<script>for(i=0;i<n;s++){{ {words} }}</script>"


def _bare_handlers(rng: Draw) -> str:
    return "<b onclick=for(i=0;i<n;s++)x()>x</b>" * rng.size(500, 9_000)


def _ld(text: str) -> str:
    return f"<script type='application/ld+json'>{text}</script>"


def _large_ld(rng: Draw) -> str:
    text = rng.choice(_COMPARE) * rng.size(2_000, 60_000)
    return _ld(json.dumps({"@type": "WebPage", "name": rng.word(), "text": text}))


def _wrong_types(rng: Draw) -> str:
    wrong: object = rng.choice((7, None, [[{"name": {}}]], {"@id": []}, "\u202e", 1e300))
    return _ld(json.dumps({"@type": rng.choice((7, ["Article"])), "author": wrong, "name": [1]}))


def _state(rng: Draw, article: Article) -> str:
    state = json.dumps({"html": "<p>".join(article.marks) * rng.size(5, 2_000)})
    return article.html.replace("</body>", f"<script>window.x={state}</script></body>")
