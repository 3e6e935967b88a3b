"""Kinds whose tags are hostile: their attributes, their number, what is left open in them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.hostile.draw import Kind, put, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.hostile.draw import Article, Draw


def tag_kinds() -> Iterator[Kind]:
    """Yield every one of them."""
    yield from _attributes()
    yield from _numbers()
    yield from _left_open()


def _attributes() -> Iterator[Kind]:
    for name, form in {
        "attributes without quotes": "{word}{at}={at}",
        "quoted attributes": '{word}{at}="{word} > {at}"',
        "attributes in single quotes": "data-{at}='{word}<b>'",
        "bare attributes": "{word}{at}",
        "attributes with blanks": "{word}{at}  =\n '{word}'",
        "attributes beyond ASCII": "é{at}=港",
    }.items():
        yield put(f"thousands of {name}", _with_attributes(form))
    yield written("attributes on the body", lambda rng, a: _on_tag(rng, a, "<body"))
    yield written("attributes on the article", lambda rng, a: _on_tag(rng, a, "<article"))
    yield put(
        "the same attribute", lambda rng: f"<div {'id=x ' * rng.randint(2_100, 50_000)}>x</div>"
    )
    yield put(
        "a long value", lambda rng: f"<div title='{'x' * rng.size(90_000, 3_000_000)}'></div>"
    )
    yield put(
        "a class of many words", lambda rng: f"<p class='{'c ' * rng.size(9_000, 500_000)}'>x"
    )
    yield put(
        "a long style", lambda rng: f"<i style='{'color:red;' * rng.size(9_000, 200_000)}'>x</i>"
    )
    yield put("a long tag name", lambda rng: f"<{'x' * rng.size(9_000, 500_000)}>y")
    yield put(
        "a long data address", lambda rng: f"<img src='data:image/png;base64,{_base64(rng)}'>"
    )
    yield put("data addresses", lambda rng: f"<img src=data:,{'A' * 4_000}>" * rng.size(100, 1_000))
    yield put(
        "attributes without blanks", lambda rng: "<i a='1'b='2'c=3/d>x</i>" * rng.size(50, 900)
    )
    yield put(
        "a greater-than sign in values", lambda rng: "<p title='a > b'>x" * rng.size(99, 9_000)
    )
    yield put(
        "angle brackets in text", lambda rng: "<p>1 < 2 and 3 > 2 <- <3" * rng.size(99, 9_000)
    )


def _with_attributes(form: str) -> Callable[[Draw], str]:
    def make(rng: Draw) -> str:
        tag, word = rng.choice(("div", "p", "span", "img", "input")), rng.word()
        count = rng.randint(2_100, 100_000 if rng.scale == 1 else 9_000)
        return f"<{tag} {' '.join(form.format(at=at, word=word) for at in range(count))}>x</{tag}>"

    return make


def _on_tag(rng: Draw, article: Article, tag: str) -> str:
    names = (f"{tag} ", *(f"a{at}={rng.word()}" for at in range(rng.randint(2_100, 20_000))))
    return article.html.replace(tag, " ".join(names))


def _base64(rng: Draw) -> str:
    return rng.word(3, 8) * rng.size(20_000, 500_000)


def _numbers() -> Iterator[Kind]:
    for name, unit in {
        "empty elements": "<{tag}></{tag}>",
        "elements of a letter": "<{tag}>x</{tag}> ",
        "elements of a word": "<{tag}>word</{tag}> ",
        "elements with classes": "<{tag} class='a b'>x</{tag}>\n",
    }.items():
        yield put(f"200,000 tags: {name}", _many(unit))
    yield put("200,000 line breaks", lambda rng: "<br>" * rng.size(110_000, 300_000))
    yield put("200,000 rules", lambda rng: "<hr/>" * rng.size(110_000, 300_000))
    yield put("200,000 comments", lambda rng: "<!-- c -->" * rng.size(110_000, 300_000))
    yield put(
        "200,000 tags without an end", lambda rng: "<b " * rng.size(210_000, 500_000), "before"
    )
    yield put("200,000 paragraphs", lambda rng: f"<p>{rng.word()}" * rng.size(210_000, 400_000))
    yield written("each letter in an element", _letters)
    yield put("empty elements, many", lambda rng: f"<{_inline(rng)}>" * rng.size(9_000, 90_000))
    yield put("a huge table", _table)
    yield put("a huge choice", lambda rng: f"<select>{_options(rng)}</select>")
    yield put("a huge choice left open", lambda rng: f"<select>{_options(rng)}", "after")
    yield put("many links", lambda rng: f"<a href=/x>{rng.word()}</a> " * rng.size(9_000, 90_000))
    yield put(
        "many meta tags", lambda rng: "<meta name=a content=b>" * rng.size(9_000, 90_000), "head"
    )


def _many(unit: str) -> Callable[[Draw], str]:
    return lambda rng: unit.format(tag=_inline(rng)) * rng.size(105_000, 250_000)


def _inline(rng: Draw) -> str:
    return rng.choice(("b", "i", "span", "font", "div", "x-y"))


def _letters(rng: Draw, article: Article) -> str:
    """Return the article with each letter of its text in an element, and empty ones behind it."""
    tag = rng.choice(("i", "span", "b"))
    html = article.html
    for paragraph in article.paragraphs:
        start, stop = paragraph.find(">") + 1, paragraph.rfind("</")
        stop = len(paragraph) if stop < 0 else stop
        letters = "".join(f"<{tag}>{letter}</{tag}>" for letter in paragraph[start:stop])
        html = html.replace(paragraph, paragraph[:start] + letters + paragraph[stop:])
    return html.replace(
        "</article>", f"<{tag}></{tag}>" * rng.size(105_000, 200_000) + "</article>"
    )


def _table(rng: Draw) -> str:
    row = "<tr>" + f"<td>{rng.randint(1, 999)}</td>" * rng.randint(2, 12) + "</tr>"
    return f"<table>{row * rng.size(5_000, 20_000)}</table>"


def _options(rng: Draw) -> str:
    return "".join(f"<option value={at}>{rng.word()}" for at in range(rng.size(20_000, 90_000)))


def _open(tag: str, rng: Draw) -> str:
    return f"<{tag}>{rng.word()}"


def _left_open() -> Iterator[Kind]:
    yield put("an open comment at the end", lambda rng: f"<!-- {rng.word()}", "after")
    yield put("many open comments", lambda rng: "<!--" * rng.size(9_000, 900_000), "after")
    yield put("an open script at the end", lambda rng: f"<script>var {rng.word()} = '<p>", "after")
    yield put("an open tag at the end", lambda rng: f"<div class='{rng.word()}", "after")
    yield put("many open values", lambda rng: "<a b='" * rng.size(9_000, 500_000), "after")
    yield put("an open text area at the end", lambda rng: f"<textarea>{rng.word()}", "after")
    yield put("plain text at the end", lambda rng: f"<plaintext><p>{rng.word()}", "after")
    for tag in ("noscript", "svg", "button", "map", "form", "label", "table", "b", "a href=/x"):
        yield put(f"an open {tag.split()[0]}", partial(_open, tag), "before")
    yield put("an open CDATA section", lambda rng: f"<![CDATA[ {rng.word()} < y", "after")
    yield put("open cells", lambda rng: "<table><tr><td>x<td>y" * rng.randint(1, 300), "before")
    yield put("open titles", lambda rng: "<title>" * rng.randint(2, 9) + "x</title>", "head")
