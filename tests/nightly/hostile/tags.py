"""Pages with hostile tags: attributes, numbers, missing end tags."""

from collections.abc import Callable, Iterator
from functools import partial

from tests.nightly.hostile.draw import Article, Draw, Kind, put, written


def tag_kinds() -> Iterator[Kind]:
    """Yield all kinds."""
    yield from _attributes()
    yield from _numbers()
    yield from _left_open()


def _attributes() -> Iterator[Kind]:
    for name, form in {
        "attributes without quotes": "{word}{at}={at}",
        "quoted attributes": '{word}{at}="{word} > {at}"',
        "attributes in single quotes": "data-{at}='{word}<b>'",
        "bare attributes": "{word}{at}",
        "attributes with blanks": "é{at}  =\n '{word}'",
    }.items():
        yield put(f"thousands of {name}", _with_attributes(form))
    yield written("attributes on the body", _on_body)
    for name, unit in {
        "the same attribute": "<div {0}>x</div>",
        "a long value": "<div title='{0}'></div>",
        "a long data address": "<img src='data:image/png;base64,{0}'>",
        "a long tag name": "<x{0}>y",
    }.items():
        yield put(name, _with_long(unit))
    for name, unit in {
        "data addresses": f"<img src=data:,{'A' * 4_000}>",
        "attributes without blanks": "<i a='1'b='2'c=3/d>x</i>",
        "a greater-than sign in values": "<p title='a > b'>x",
        "angle brackets in text": "<p>1 < 2 and 3 > 2 <- <3",
    }.items():
        yield put(name, _many(unit, 900))


def _with_attributes(form: str) -> Callable[[Draw], str]:
    def make(rng: Draw) -> str:
        tag, word = rng.choice(("div", "p", "span", "img", "input")), rng.word()
        count = rng.randint(2_100, 100_000 if rng.scale == 1 else 9_000)
        return f"<{tag} {' '.join(form.format(at=at, word=word) for at in range(count))}>x</{tag}>"

    return make


def _with_long(form: str) -> Callable[[Draw], str]:
    unit = "id=x " if form.startswith("<div {") else "x"
    return lambda rng: form.format(unit * rng.size(110_000, 600_000))


def _on_body(rng: Draw, article: Article) -> str:
    names = ("<body", *(f"a{at}={rng.word()}" for at in range(rng.randint(2_100, 20_000))))
    return article.html.replace("<body", " ".join(names))


def _many(unit: str, most: int) -> Callable[[Draw], str]:
    return lambda rng: unit * rng.size(most // 2, most)


def _numbers() -> Iterator[Kind]:
    for name, unit in {
        "empty elements": "<span></span>",
        "elements of a word": "<div class='a b'>word</div>\n",
        "line breaks": "<br>",
        "comments": "<!-- c -->",
        "paragraphs": "<p>word",
    }.items():
        yield put(f"200,000 tags: {name}", _many(unit, 250_000))
    yield put("200,000 tags without an end", _many("<b ", 500_000), "before")
    yield put("open empty elements", _many("<x-y>", 90_000))
    yield put("many links", _many("<a href=/x>word</a> ", 90_000))
    yield put("many meta tags", _many("<meta name=a content=b>", 90_000), "head")
    yield put("a huge table", _table)
    yield put("a huge choice left open", _choice, "after")
    yield written("each letter in an element", _letters)


def _letters(rng: Draw, article: Article) -> str:
    """Return the article with each letter of its text in an element, and empty ones behind it."""
    tag = rng.choice(("i", "span", "b"))
    html = article.html
    for mark in article.marks:
        letters = "".join(f"<{tag}>{letter}</{tag}>" for letter in mark)
        html = html.replace(mark, letters)
    empty = f"<{tag}></{tag}>" * rng.size(105_000, 200_000)
    return html.replace("</article>", f"{empty}</article>")


def _table(rng: Draw) -> str:
    row = "<tr>" + f"<td>{rng.randint(1, 999)}</td>" * rng.randint(2, 12) + "</tr>"
    return f"<table>{row * rng.size(5_000, 20_000)}</table>"


def _choice(rng: Draw) -> str:
    options = (f"<option value={at}>{rng.word()}" for at in range(rng.size(20_000, 90_000)))
    return "<select>" + "".join(options)


def _open(start: str, rng: Draw) -> str:
    return start + rng.word()


def _left_open() -> Iterator[Kind]:
    for start in ("<!-- ", "<script>x = '<p>", "<div class='", "<textarea>", "<plaintext><p>",
                  "<![CDATA[ "):  # fmt: skip
        yield put(f"an open {start.split()[0]} at the end", partial(_open, start), "after")
    for tag in ("noscript", "svg", "button", "map", "form", "label", "table", "b", "a href=/x"):
        yield put(f"an open {tag.split()[0]}", partial(_open, f"<{tag}>"), "before")
    yield put("many open comments", _many("<!--", 900_000), "after")
    yield put("many open values", _many("<a b='", 500_000), "after")
    yield put("open cells", _many("<table><tr><td>x<td>y", 300), "before")
    yield put("open titles", lambda rng: "<title>" * rng.randint(2, 9) + "x</title>", "head")
