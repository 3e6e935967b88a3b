"""Pages of wrong or foreign structure: heads, bodies, frames, SVG, hidden text, addresses."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.nightly.hostile.draw import Article, Draw, Kind, put, raw, written
from tests.toml_files import read_toml

_PARTS = read_toml(Path(__file__).with_suffix(".toml"))


def structure_kinds() -> Iterator[Kind]:
    """Yield all kinds."""
    for name, markup in _PARTS["FOREIGN"].items():
        yield put(name, partial(_repeated, markup), "before", "after")
    yield from _documents()
    yield from _empty()
    yield put("hidden text", _hidden)


def _repeated(markup: str, rng: Draw) -> str:
    return "".join(markup.format(w=rng.word()) for _ in range(rng.randint(1, 60)))


def _hidden(rng: Draw) -> str:
    return "".join(
        f"<div {rng.choice(_PARTS['HIDING'])}>{' '.join(rng.word() for _ in range(9))}.</div>"
        for _ in range(rng.randint(3, 90))
    )


def _documents() -> Iterator[Kind]:
    for name, markup in {
        "an early end of the page": "</body></html>",
        "a second page inside": "<html><head><title>2</title><body class=x>",
        "end tags before everything": "</div></table></body>",
    }.items():
        yield put(name, partial(_repeated, markup), "before")
    yield put("doubled bodies", partial(_repeated, "</body><body class=y>"), "between")
    yield put("a page behind the page", partial(_repeated, "<!doctype html><html><p>{w}"), "after")
    yield written(
        "no html, head or body", lambda _, a: f"<h1>{a.title}</h1><p>{'<p>'.join(a.marks)}"
    )
    yield written("truncated", lambda rng, a: a.html.encode()[: -rng.randint(20, 90)])
    yield written("layout by tables", lambda _, a: _in_tables(a))
    yield written("text in line breaks", lambda _, a: _in_breaks(a))
    yield written(
        "text without elements", lambda rng, a: rng.choice(("\n\n", "\r\n")).join(a.marks)
    )
    yield written("text in a frameset's noframes", _frameset)


def _in_tables(article: Article) -> str:
    html = article.html.replace("<article>", "<TABLE><TR><TD>")
    return html.replace("</article>", "</TABLE>")


def _in_breaks(article: Article) -> str:
    return article.html.replace("".join(article.paragraphs), "<br><br>".join(article.marks))


def _frameset(rng: Draw, article: Article) -> str:
    frames = f"<frameset cols='50%,*'><frame src=/{rng.word()}></frameset>"
    return article.html.replace("<body>", f"{frames}<body>")


def _empty() -> Iterator[Kind]:
    yield raw("nothing", lambda rng: rng.choice((b"", b" \r\n\t " * rng.randint(1, 999), b"<")))
    for name, markup in {
        "no body": "<html><head><title>{w}</title></head>",
        "a script alone": "<script>document.write({w})</script>",
        "a frameset alone": "<frameset><frame src={w}></frameset>",
        "links alone": "<a href=/{w}>{w}</a> ",
    }.items():
        yield raw(name, _bytes(markup))


def _bytes(markup: str) -> Callable[[Draw], bytes]:
    return lambda rng: _repeated(markup, rng).encode()
