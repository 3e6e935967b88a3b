"""Pages with wrongly declared encodings, and with invalid characters."""

from codecs import BOM_UTF16_LE
from collections.abc import Callable, Iterator

from tests.nightly.hostile.draw import Article, Draw, Hostile, Kind, draw_article, put, written

_WIDE = {
    "UTF-16 little endian with a mark": ("utf-16-le", BOM_UTF16_LE),
    "UTF-16 big endian without a mark": ("utf-16-be", b""),
}
_UNDECLARED = {
    "gb18030": "zh", "big5hkscs": "zh", "cp1251": "ru", "cp1252": "en", "cp1256": "ar",
    "koi8-r": "ru",
}  # fmt: skip
_DECLARED = ("iso-8859-1", "utf-8", "gb2312", "windows-1251", "utf-16", "x-none", "hex", "utf-7")
_TO_BIG5 = str.maketrans(
    "员发现条缝闭码头里礼边闸学长渔业镇务过说这样虽为会儿个几关处时间东后来还对开队话气见边",
    "員發現條縫閉碼頭裡禮邊閘學長漁業鎮務過說這樣雖為會兒個幾關處時間東後來還對開隊話氣見邊",
)


def charset_kinds() -> Iterator[Kind]:
    """Yield all kinds."""
    for name, (encoding, mark) in _WIDE.items():
        yield Kind(name, _wide(encoding, mark))
    for encoding, language in _UNDECLARED.items():
        yield Kind(f"{encoding} without a declaration", _undeclared(encoding, language))
    yield Kind("UTF-8 declared as another", lambda rng: _declared(rng, "utf-8", None))
    yield Kind("GBK declared as another", lambda rng: _declared(rng, "gbk", "zh"))
    yield Kind(
        "UTF-8 with a mark declared as another", lambda rng: _declared(rng, "utf-8-sig", None)
    )
    yield from _characters()


def _wide(encoding: str, mark: bytes) -> Callable[[Draw], Hostile]:
    def make(rng: Draw) -> Hostile:
        article = draw_article(rng)
        return Hostile(mark + article.html.encode(encoding), article.marks, _header(rng))

    return make


def _undeclared(encoding: str, language: str) -> Callable[[Draw], Hostile]:
    def make(rng: Draw) -> Hostile:
        article = draw_article(rng, language)
        html, marks = article.html, article.marks
        if encoding == "big5hkscs":
            html = html.translate(_TO_BIG5)
            marks = tuple(mark.translate(_TO_BIG5) for mark in marks)
        return Hostile(html.encode(encoding, "xmlcharrefreplace"), marks)

    return make


def _header(rng: Draw) -> str | None:
    return rng.choice((None, *_DECLARED))


def _declared(rng: Draw, encoding: str, language: str | None) -> Hostile:
    head = f"<meta charset={rng.choice(_DECLARED)}>"
    return draw_article(rng, language, head=head).page(encoding, _header(rng))


def _characters() -> Iterator[Kind]:
    for name, characters in {
        "NUL bytes": "\0",
        "control characters": "".join(map(chr, range(1, 32))),
        "non-characters": "\ufffe\uffff\U0001ffff\ue000\uf8ff\U000f0000",
        "zero-width characters and bidi controls": "\u200b\u200d\ufeff\u2060\u202e\u2066\u202c",
        "separators of lines": "\u2028\u2029\x85\x0b\x0c",
        "combining marks and emoji": "a\u0301\u0488\U0001f468\u200d\U0001f469\U0001f1eb",
    }.items():
        yield put(f"{name} between the text", _between(characters))
    yield written("NUL bytes in the tags", _nul_in_tags)
    yield written("broken bytes", _spread)
    yield Kind("two encodings", _two_encodings)
    yield written("old ends of lines", lambda _, a: a.html.replace("\n", "\r"))
    for name, unit in {"a text without spaces": "x", "numbers without end": "1.5,-"}.items():
        yield put(name, _endless(unit), "after")


def _endless(unit: str) -> Callable[[Draw], str]:
    return lambda rng: "<p>" + unit * rng.size(90_000, 900_000)


def _between(characters: str) -> Callable[[Draw], str]:
    def make(rng: Draw) -> str:
        drawn = "".join(rng.choices(characters, k=rng.randint(1, 400)))
        return rng.choice(("{}", "<p>{}</p>", "<div>x{}</div>")).format(drawn)

    return make


def _nul_in_tags(rng: Draw, article: Article) -> bytes:
    tag = rng.choice((b"<p", b"</p", b"<article", b"<nav", b"</title", b"<body"))
    return article.html.encode().replace(tag, tag[:1] + b"\0" + tag[1:])


def _spread(rng: Draw, article: Article) -> bytes:
    lines = article.html.encode().splitlines(keepends=True)
    return b"".join(line + rng.choice((b"\xff", b"\xc0\x80", b"\xed\xa0")) for line in lines)


def _two_encodings(rng: Draw) -> Hostile:
    article = draw_article(rng, rng.choice(("zh", "ru", "en")))
    other = "<p>港口的消息</p>".encode(rng.choice(("gbk", "big5", "cp932")))
    return Hostile(
        article.html.encode().replace(b"</article>", other + b"</article>"), article.marks
    )
