"""Hostile by size, and by the contents of heads and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.hostile.pages import put, raw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hostile.pages import Hostile


def size_kinds() -> Iterator[Hostile]:
    """Yield every one of them."""
    yield from _huge()
    yield from _heads()
    yield from _links()


def _huge() -> Iterator[Hostile]:
    def attributes(form: str) -> str:
        return f"<div {' '.join(form.format(i) for i in range(100_000))}>x</div>"

    yield raw("50 megabytes", lambda: b"<p>x</p>" * 6_500_000)
    yield raw("a million siblings", lambda: b"<br>" * 1_000_000)
    yield put("20 megabytes before", before="<div><p>x " * 2_000_000)
    yield put("ten megabytes of menu before", before="<li><a href=/x>x</a></li>" * 400_000)
    yield put("ten megabytes of script", before=f"<script>{'if(i<n)x;' * 1_200_000}</script>")
    yield put("a million unclosed tags", before="<b " * 1_000_000)
    yield put("a million unclosed quotes", after="<a b='" * 1_000_000)
    yield put("two million unclosed comments", after="<!--" * 2_000_000)
    yield put("300 000 tags", between="<b>x</b>" * 75_000)
    yield put("100 000 attributes", after=attributes("a{}=1"))
    yield put("100 000 quoted attributes", after=attributes('a{}=">"'))
    yield put("100 000 bare attributes", before=attributes("a{}"))
    yield put("a long attribute", before=f"<div title='{'x' * 1_000_000}'></div>")
    yield put("a class of 100 000 words", before=f"<div class='{'c ' * 100_000}'></div>")
    yield put("a long tag name", before=f"<{'x' * 100_000}>y</{'x' * 100_000}>")
    yield put("20 000 links", after="<a href=/x>x</a> " * 20_000)
    yield put("20 000 empty divs", after="<div></div>" * 20_000)
    yield put("a long script", before=f"<script>{'var a = 1 < 2;' * 200_000}</script>")
    yield put("a long inline style", before=f"<div style='{'color:red;' * 100_000}'></div>")
    yield put("a long data address", before=f"<img src='data:image/png;base64,{'A' * 2_000_000}'>")
    yield put("100 000 entities", after=f"<p>{'&amp;' * 100_000}</p>")
    yield put("100 000 bad entities", after=f"<p>{'&#xFFFFFFFF;&bogus' * 50_000}</p>")
    yield put("100 000 comments", between="<!-- c -->" * 50_000)
    yield raw("a text of four megabytes", lambda: b"<p>" + b"word " * 800_000)
    yield raw("a text without spaces", lambda: b"<p>" + b"x" * 4_000_000)
    yield raw("a chinese text without end", ("<p>" + "港" * 1_000_000).encode)
    yield raw("one line of numbers", lambda: b"<p>" + b"1.5,-" * 500_000)


def _heads() -> Iterator[Hostile]:
    def ld(text: str) -> str:
        return f"<script type='application/ld+json'>{text}</script>"

    yield put("broken json-ld", head=ld('{"@type":"Article","headline":"x'))
    yield put("deep json-ld", head=ld("[" * 100_000))
    yield put(
        "large json-ld", head=ld('{"@type":"Article","articleBody":"' + "x " * 500_000 + '"}')
    )
    yield put(
        "json-ld of wrong types", head=ld('{"@type":7,"author":[[{"name":{}}]],"headline":[1]}')
    )
    yield put("50 000 meta tags", head="<meta name=a content=b>" * 50_000)
    yield put("a title of a megabyte", head=f"<meta property=og:title content='{'t ' * 500_000}'>")
    yield put("a title without end", head="<title>" * 3 + "x</title>")
    yield put("base tricks", head="<base href='javascript:alert(1)'><base href='//[bad'><base>")
    yield put("refresh", head="<meta http-equiv=refresh content='0;url=javascript:1'>")
    yield put("a date without sense", head="<meta name=date content='9999999999999-99-99T99:99'>")
    yield put("a language without sense", head="<meta name=language content='\u202e%%%'>")


def _links() -> Iterator[Hostile]:
    bad = "<a href='javascript:alert(1)' onclick=x()>j</a> <a href='data:text/html,<p>x'>d</a> "
    yield put("script links", between=f"<p>{bad}</p>")
    yield put(
        "addresses that cannot be parsed",
        between="<p><a href='http://[::1'>x</a><a href='//['>y</a></p>",
    )
    yield put("an address of a megabyte", between=f"<p><a href='/{'x' * 1_000_000}'>x</a></p>")
    yield put("an image without address", between="<p><img><img src=''><img srcset='a 1x, b'></p>")
