"""Kinds whose structure is wrong or foreign: heads, bodies, frames, SVG, hidden text, addresses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.hostile.draw import Kind, put, raw, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hostile.draw import Article, Draw

_FOREIGN = {
    "SVG": "<svg viewBox='0 0 1 1'><title>{w}</title><text>{w}</text><path d='M0 0'/></svg>",
    "HTML in SVG": "<svg><foreignObject><div><p>{w}</p></div></foreignObject></svg>",
    "MathML": "<math><mi>{w}</mi><mo>=</mo><annotation encoding=x>{w}</annotation></math>",
    "HTML in MathML": "<math><mtext><p>{w}</p><mglyph><style><!--</style>--></mtext></math>",
    "template": "<template><p>{w}</p><script>1</script></template>",
    "shadow DOM": "<x-a><template shadowrootmode=open><p>{w}</p><slot></slot></template></x-a>",
    "noscript": "<noscript><img src=/pixel.gif>{w}</noscript>",
    "custom elements": "<x-app><x-menu><a href=/{w}>{w}</a></x-menu></x-app>",
    "form": "<form><input><select><option>{w}<option>b</select><textarea>{w}</textarea></form>",
    "inner frame": "<iframe src=/{w}><p>{w}</p></iframe>",
    "object": "<object data={w}><embed src=y><p>{w}</p></object>",
    "media": "<video src=x><track src=y>{w}</video><audio src=z></audio>",
    "dialog": "<dialog open><p>{w}?</p></dialog>",
    "details": "<details><summary>{w}</summary><p>x</p></details>",
    "ruby": "<ruby>港<rp>(</rp><rt>{w}</rt><rp>)</rp></ruby>",
    "nested table": "<table><tr><td><table><tr><td>{w}</td></tr></table></td></tr></table>",
    "xmp": "<xmp><p>{w}</p></xmp>",
    "processing instructions": "<?php echo '<p>{w}</p>'; ?><?xml version='1.0'?>",
    "conditional comments": "<!--[if lt IE 9]><div>{w}<![endif]--><![if !IE]><![endif]>",
    "CDATA section": "<![CDATA[ {w} < y ]]>",
}
_HIDING = (
    "hidden", "style='display:none'", "style='visibility:hidden'", "aria-hidden=true",
    "style='font-size:0'", "style='position:absolute;left:-9999px'", "class=sr-only",
    "style='height:0;overflow:hidden'", "style='opacity:0'", "style='color:#fff'",
)  # fmt: skip


def structure_kinds() -> Iterator[Kind]:
    """Yield every one of them."""
    for name, markup in _FOREIGN.items():
        yield put(name, partial(_repeated, markup), "before", "after")
    yield from _documents()
    yield from _empty()
    yield put("hidden text", _hidden)


def _repeated(markup: str, rng: Draw) -> str:
    return "".join(markup.format(w=rng.word()) for _ in range(rng.randint(1, 60)))


def _hidden(rng: Draw) -> str:
    return "".join(
        f"<div {rng.choice(_HIDING)}>{' '.join(rng.word() for _ in range(9))}.</div>"
        for _ in range(rng.randint(3, 90))
    )


def _documents() -> Iterator[Kind]:
    yield put(
        "an early end of the page", lambda rng: "</body></html>" * rng.randint(1, 9), "before"
    )
    yield put("an early end between the text", lambda _: "</html>", "between")
    yield put(
        "a second page inside", lambda _: "<html><head><title>2</title><body class=x>", "before"
    )
    yield put("doubled bodies", lambda rng: "</body><body class=y>" * rng.randint(1, 99), "between")
    yield put(
        "a page behind the page", lambda rng: f"<!doctype html><html><p>{rng.word()}", "after"
    )
    yield put(
        "a head in the body", lambda _: "<head><title>2</title><meta name=a></head>", "before"
    )
    yield put(
        "end tags before everything", lambda rng: "</div></table></body>" * rng.randint(1, 99)
    )
    yield written(
        "no html, head or body", lambda _, a: f"<h1>{a.title}</h1><p>{'<p>'.join(a.marks)}"
    )
    yield written("upper case", lambda _, a: _upper(a))
    yield written("truncated", lambda rng, a: a.html.encode()[: -rng.randint(20, 90)])
    yield written("layout by tables", lambda _, a: _in_tables(a))
    yield written("text in line breaks", lambda _, a: _in_breaks(a))
    yield written(
        "text without elements", lambda rng, a: rng.choice(("\n\n", "\r\n")).join(a.marks)
    )
    yield written("text in a frameset's noframes", _frameset)
    yield written("one line", lambda _, a: a.html.replace("\n", ""))


def _upper(article: Article) -> str:
    html = article.html
    for tag in ("html", "head", "body", "article", "nav", "footer", "p", "h1", "title"):
        html = html.replace(f"<{tag}>", f"<{tag.upper()}>").replace(
            f"</{tag}>", f"</{tag.upper()}>"
        )
    return html


def _in_tables(article: Article) -> str:
    html = article.html.replace("<article>", "<table><tr><td>")
    return html.replace("</article>", "</table>")


def _in_breaks(article: Article) -> str:
    return article.html.replace("".join(article.paragraphs), "<br><br>".join(article.marks))


def _frameset(rng: Draw, article: Article) -> str:
    frames = f"<frameset cols='50%,*'><frame src=/{rng.word()}></frameset>"
    return article.html.replace("<body>", f"{frames}<body>")


def _empty() -> Iterator[Kind]:
    yield raw("nothing", lambda rng: rng.choice((b"", b" \r\n\t " * rng.randint(1, 999), b"<")))
    yield raw("no body", lambda rng: f"<html><head><title>{rng.word()}</title></head>".encode())
    yield raw("a comment alone", lambda rng: f"<!-- {rng.word()} -->".encode())
    yield raw(
        "a script alone", lambda rng: f"<script>document.write({rng.word()})</script>".encode()
    )
    yield raw(
        "a frameset alone", lambda rng: b"<frameset><frame src=a></frameset>" * rng.randint(1, 9)
    )
    yield raw("links alone", lambda rng: b"<a href=/x>x</a> " * rng.size(50, 5_000))
