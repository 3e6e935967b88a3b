"""Hostile by their markup: nesting, broken tags, elements of other kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.hostile.pages import FOOT, MARKS, TITLE, Hostile, article, put

if TYPE_CHECKING:
    from collections.abc import Iterator


def markup_kinds() -> Iterator[Hostile]:
    """Yield every one of them."""
    yield from _nested()
    yield from _broken()
    yield from _foreign()


def _nested() -> Iterator[Hostile]:
    for tag in ("div", "span", "b", "font", "ul><li", "blockquote", "table><tr><td", "section"):
        name = tag.partition(">")[0]
        yield put(f"{name} 300 deep round the text", before=f"<{tag}>" * 300, after="</div>" * 300)
    yield put("1 500 deep beside the text", before="<div>" * 1_500 + "x" + "</div>" * 1_500)
    yield put("100 000 deep", before="<div>" * 100_000)
    yield put("100 000 deep and closed", after="<i>" * 99_999 + "</i>" * 99_999)
    yield put("deep lists", before="<ul><li>" * 700 + "x")
    yield put("deep tables", before="<table><tr><td>" * 600 + "x" + "</td></tr></table>" * 600)
    yield put("150 000 end tags", after="</p></i>" * 75_000)
    yield put("deep, then many false end tags", before="<b>" * 1_500, after="</i>" * 50_000)


def _broken() -> Iterator[Hostile]:
    yield put("tags closed crosswise", between="<b><i>x</b></i>" * 50)
    yield put("unclosed div", before="<div><div><div class=a>")
    yield put("unclosed link", before="<a href=/x>")
    yield put("unclosed bold", between="<b>")
    yield put("unclosed table cells", before="<table><tr><td>x<tr><td>y<table><tr><td>")
    yield put("unclosed comment at the end", after="<!-- never closed")
    yield put("unclosed script at the end", after="<script>var x = '<p>")
    yield put("unclosed tag at the end", after="<div class='x")
    yield put("early end of the page", before="</body></html>")
    yield put("early end of the body", before="</body>")
    yield put("two pages in a row", before="<p>x</p></body></html><html><body>")
    yield put("end tags before everything", before="</div></div></table></p></body>")
    yield put("a second html", before="<html><head><title>2</title></head><body>")
    yield put("a head in the body", before="<head><title>2</title><meta name=a></head>")
    yield put("paragraphs in links", before="<a><p>x</p><div>y</div></a>")
    yield put("block in inline", before="<span><div><p>x</span></p></div>")
    yield put("doubled attributes", before="<div class=a class=b id=c id=d>x</div>")
    yield put("attributes without blanks", before="<div a='1'b='2'c=3/d>x</div>")
    yield put("cdata", before="<![CDATA[ x < y ]]>")
    yield put("processing instructions", before="<?php echo '<p>x</p>'; ?><?xml version='1.0'?>")
    yield put(
        "conditional comments", before="<!--[if lt IE 9]><div><![endif]--><![if !IE]><![endif]>"
    )
    yield put("a less-than sign in text", before="<p>1 < 2 and 3 > 2 <- see <3</p>")
    yield Hostile("truncated", lambda: article().encode()[: -len(FOOT) - 25])
    yield Hostile("no html, head or body", f"<h1>{TITLE}</h1><p>{'<p>'.join(MARKS)}".encode)
    yield Hostile("upper case", _upper(article()).encode)


def _upper(html: str) -> str:
    for tag in ("html", "head", "body", "article", "nav", "footer", "div", "p", "h1", "title"):
        html = html.replace(f"<{tag}>", f"<{tag.upper()}>").replace(
            f"</{tag}>", f"</{tag.upper()}>"
        )
    return html


def _foreign() -> Iterator[Hostile]:
    for name, markup in {
        "svg": "<svg viewBox='0 0 1 1'><title>t</title><text>x</text><path d='M0 0'/></svg>",
        "svg with html inside": "<svg><foreignObject><div><p>x</p></div></foreignObject></svg>",
        "unclosed svg": "<svg><g><path d='M0 0'>",
        "unclosed button": "<button class=x>",
        "unclosed noscript": "<noscript>",
        "unclosed map": "<map name=m><area href=/x>",
        "unclosed form": "<form><label>",
        "math": "<math><mi>x</mi><mo>=</mo><annotation encoding=x>y</annotation></math>",
        "template": "<template><p>never shown</p><script>1</script></template>",
        "declarative shadow dom": "<my-a><template shadowrootmode=open><p>x</p></template></my-a>",
        "noscript": "<noscript><img src=/pixel.gif></noscript>",
        "custom elements": "<my-app><my-menu><a href=/x>x</a></my-menu></my-app>",
        "forms": "<form><input><select><option>a<option>b</select><textarea>t</textarea></form>",
        "iframe with text": "<iframe src=/x><p>no frames</p></iframe>",
        "object and embed": "<object data=x><embed src=y><p>fallback</p></object>",
        "audio and video": "<video src=x><track src=y>no video</video><audio src=z></audio>",
        "dialog": "<dialog open><p>Cookies?</p></dialog>",
        "details": "<details><summary>More</summary><p>x</p></details>",
        "ruby": "<ruby>港<rp>(</rp><rt>gang</rt><rp>)</rp></ruby>",
        "nested table": "<table><tr><td><table><tr><td>x</td></tr></table></td></tr></table>",
    }.items():
        yield put(name, before=markup)
    yield put("xmp", before="<xmp><p>x</p></xmp>")
    yield put("plaintext at the end", after="<plaintext><p>x</p>")
    yield Hostile(
        "layout by tables",
        lambda: (
            article()
            .replace("<article>", "<table><tr><td>")
            .replace("</article>", "</table>")
            .encode()
        ),
    )
    yield Hostile(
        "text in line breaks",
        lambda: article().replace("<p>", "").replace("</p>", "<br><br>").encode(),
    )
