"""Decode the bytes of a page: find the encoding in which they read as text.

Headers and ``meta`` tags are often wrong, so a declaration is one sign among several. In order: a
byte order mark; UTF-8 when the whole page decodes as such (other encodings hardly ever do by
chance); NUL bytes in every second place (UTF-16 without a mark); then, on a sample of the text
beyond ASCII: UTF-8 with some broken bytes, the East Asian encoding whose text has the characters
that such text must have, the declared single-byte encoding, that of the page's language (the table
of legacy encodings by language in the HTML standard), and charset-normalizer's guess.

An ordinary page costs one ``bytes.decode``, and `as_utf8` returns its bytes unchanged; the others
cost about a millisecond more, or some 10 ms when neither declaration nor language is given.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import cast

from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding, to_unicode

UTF_8 = "utf-8"
LAST_RESORT = "cp1252"

_SAMPLE_BYTES = 4_096  # of text with bytes beyond ASCII; more changes no decision

# Encodings of many bytes a character: name -> share of its non-ASCII characters that are of the
# kind counted by `_telltale_share` in ordinary text (measured on news in each language).
_EAST_ASIAN = {"gb18030": 0.22, "big5hkscs": 0.22, "cp932": 0.45, "euc_jp": 0.45, "cp949": 0.85}
_SINGLE_BYTE = frozenset(
    {*(f"cp{number}" for number in (866, 874, *range(1250, 1259)))}
    | {*(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16))}
    | {"koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"}
)
#: Declarations that are believed; other codecs of Python are none of the web, or decode no text.
DECLARED = frozenset({UTF_8, *_SINGLE_BYTE, *_EAST_ASIAN})
# The most frequent characters of written Chinese, in both orthographies.
_FREQUENT_HANZI = frozenset(
    "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
    "她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手用主行方又如前所本见经头面公同三已"
    "這來國個說們為時會著過學對裡後麼沒於還發當無開見經頭"
)
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_LANGUAGE_DEFAULTS = {
    **dict.fromkeys(("ar", "fa", "ur"), "cp1256"),
    **dict.fromkeys(("cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"), "cp1250"),
    **dict.fromkeys(("da", "de", "en", "es", "fi", "fr", "id", "it", "nb", "nl"), "cp1252"),
    **dict.fromkeys(("no", "pt", "sv"), "cp1252"),
    **dict.fromkeys(("et", "lt", "lv"), "cp1257"),
    **dict.fromkeys(("az", "ku", "tr"), "cp1254"),
    "el": "cp1253",
    "he": "cp1255",
    "th": "cp874",
    "vi": "cp1258",
}

_DETECTED = ["cp1251", "koi8_r", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp874"]

_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
#: Where a comment, a script or a style sheet begins (with a group) or ends.
_HIDING = re.compile(rb"(<!--|<script|<style)|-->|</script|</style", re.IGNORECASE)
_HIGH_TEXT = re.compile(rb"(?:[\x80-\xff]+[^\x80-\xff<>\r\n]{0,16})+")
# What other alphabets look like when they are read as cp1252:
_SYMBOL_IN_WORD = re.compile("[a-z][¹²³¿¼½¾¥¦][a-z]")  # Polish, Czech ...
_ICELANDIC_IN_WORD = re.compile("[a-z][ðýþ][a-z]")  # Turkish, which is far more common
#: Whether many of the bytes at place 0, 1, 2 and 3 of every four are NUL, as in markup.
_NUL_PLACES: dict[tuple[bool, ...], str] = {
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
}
_MARKUP = re.compile(r"<[!?a-zA-Z]")
_LANG = re.compile(rb"<html[^>]{0,500}?\slang\s*=\s*[\"']?([a-zA-Z]{2})\b", re.IGNORECASE)


def decode(body: bytes, *, declared: str | None = None) -> tuple[str, str]:
    """Decode *body*; return the text without byte order mark, and the encoding.

    *declared* is the charset label of the HTTP header; a label nobody knows is no declaration.
    Bytes that the encoding does not have become U+FFFD; it never raises. GB2312 and GBK are read
    as gb18030, Latin-1 as cp1252, as browsers do.

    >>> decode("<p>这是新的。</p>".encode("gbk"), declared="utf-8")
    ('<p>这是新的。</p>', 'gb18030')
    """
    if (certain := certain_encoding(body)) is not None:
        encoding, mark = certain
        return body[len(mark) :].decode(encoding, "replace"), encoding
    if body.isascii() and b"\x1b$" in body:
        return body.decode("iso2022_jp", "replace"), "iso2022_jp"
    try:
        return body.decode(), UTF_8
    except UnicodeDecodeError:
        encoding = _detect_encoding(body, declared)
        return to_unicode(body, encoding), encoding


def as_utf8(body: bytes, *, declared: str | None = None) -> bytes:
    """Return *body* as UTF-8 without byte order mark; *declared* as in `decode`.

    >>> as_utf8("<p>这是新的。</p>".encode("gbk")).decode()
    '<p>这是新的。</p>'
    """
    text, encoding = decode(body, declared=declared)
    if encoding == UTF_8 and "\ufffd" not in text:  # nothing was replaced
        return body.removeprefix(BOM_UTF8)
    return text.encode()


def certain_encoding(body: bytes) -> tuple[str, bytes] | None:
    """Return the encoding certain from the first bytes, and its byte order mark, or None.

    UTF-16 and UTF-32 without a mark are recognised by where the NULs are; the rest
    must then be markup.
    """
    encoding, mark = read_bom(body)
    if encoding and mark:
        return encoding, mark
    head = body[:512]
    if b"\0" not in head:
        return None
    nuls = tuple(head[at::4].count(0) > len(head) // 16 for at in range(4))
    name = _NUL_PLACES.get(nuls)
    if name is None or _MARKUP.search(head.decode(name, "replace")) is None:
        return None
    return name, b""


def _detect_encoding(body: bytes, declared: str | None) -> str:
    sample = _sample(body)
    if _is_mostly_utf8(sample):
        return UTF_8
    labels = _declarations(body, declared)
    if (east_asian := _east_asian(sample, labels)) is not None:
        return east_asian
    western = _can_be_western(sample)
    language = _LANG.search(body, 0, 4_096)
    usual = _LANGUAGE_DEFAULTS.get(language[1].decode().lower()) if language else None
    for name in (*labels, usual):
        if name in _SINGLE_BYTE and (western or name != "cp1252"):
            return name
    return _guess_single_byte(sample, western=western) or LAST_RESORT


def _sample(body: bytes) -> bytes:
    """Return pieces of text around non-ASCII bytes, about 4 kB, the title first.

    Comments and scripts often come from elsewhere, in another encoding: only where there is no
    other text.
    """
    shown: list[bytes] = []
    hidden: list[bytes] = []
    pieces, size, last, at = shown, 0, 0, 0
    while first := _HIGH_BYTE.search(body, at):  # searching a set of bytes is fast, a group is not
        if marks := _HIDING.findall(body, max(at - 2, 0), first.start()):  # "--" is of the piece
            pieces = hidden if marks[-1] else shown
        match = cast("re.Match[bytes]", _HIGH_TEXT.match(body, first.start()))
        at = match.end()
        start = max(last, match.start() - 16)  # the beginning of the word helps detection
        last = min(match.end(), start + _SAMPLE_BYTES)
        pieces.append(body[start:last])
        size += last - start if pieces is shown else 0
        if size >= _SAMPLE_BYTES:
            break
    return b"\n".join(shown or hidden)[: 2 * _SAMPLE_BYTES]


def _is_mostly_utf8(sample: bytes) -> bool:
    runs = b"".join(_HIGH_RUN.findall(sample))
    good = len(runs.decode(UTF_8, "ignore").encode())
    return good * 4 >= 3 * len(runs)


def _declarations(body: bytes, declared: str | None) -> list[str]:
    labels = [html_body_declared_encoding(body)]
    if declared and declared.isascii() and declared.isprintable():
        labels.append(resolve_encoding(declared.strip()))
    return [label for label in labels if label in DECLARED]


def _east_asian(sample: bytes, labels: list[str]) -> str | None:
    """Return the East Asian encoding in which *sample* reads as text, the declared one on ties."""
    for label in labels:
        if label in _EAST_ASIAN and _score(sample, label) >= 0.6:
            return label
    scores = {name: _score(sample, name) for name in _EAST_ASIAN}
    best = max(scores, key=scores.__getitem__)
    if scores[best] >= 0.5:
        return best
    # Too little text, or none that is ordinary: the declaration decides if it can be right.
    needed = 0.0 if len(sample) < 100 else 0.1
    return next((label for label in labels if scores.get(label, 0.0) > needed), None)


def _score(sample: bytes, encoding: str) -> float:
    """Return how well *sample* reads as text in *encoding*: about 1 for text, 0 for noise."""
    text = sample.decode(encoding, "replace")
    beyond = [char for char in text if char > "\x7f"]
    broken = text.count("\ufffd") / max(len(beyond), 1)
    if broken > 0.1:
        return 0.0
    share = _telltale_share("".join(beyond), encoding) / _EAST_ASIAN[encoding]
    return max(share, 0.01) * (1 - 5 * broken)


def _telltale_share(text: str, encoding: str) -> float:
    if encoding in ("cp932", "euc_jp"):
        count = len(_KANA.findall(text))
    elif encoding == "cp949":
        count = _frequent_hangul(text)
    else:
        count = sum(map(_FREQUENT_HANZI.__contains__, text))
    return count / max(len(text), 1)


def _frequent_hangul(text: str) -> int:
    """Count the frequent Hangul syllables (2,350) in *text*.

    The other 8,822 are rare in Korean text, and what Japanese text in cp932 reads as.
    """
    data = "".join(_HANGUL.findall(text)).encode("cp949")
    return sum(one > 0xA0 and two > 0xA0 for one, two in zip(data[::2], data[1::2], strict=True))


def _can_be_western(sample: bytes) -> bool:
    """True if *sample* can be cp1252, a common wrong declaration of servers.

    Letters of other scripts are bytes beyond ASCII in runs of three and more; those of other
    Latin alphabets read as symbols within words.
    """
    runs = _HIGH_RUN.findall(sample)
    in_long_runs = sum(len(run) for run in runs if len(run) > 2)
    if in_long_runs * 2 > sum(map(len, runs)):
        return False
    return not _SYMBOL_IN_WORD.search(sample.decode("cp1252", "replace"))


def _guess_single_byte(sample: bytes, *, western: bool) -> str | None:
    """Return charset-normalizer's guess among the single-byte web encodings.

    Its guesses between Latin alphabets are poor: they count only where cp1252 cannot be.
    """
    if western:
        turkish = _ICELANDIC_IN_WORD.search(sample.decode("cp1252", "replace"))
        return "cp1254" if turkish else None
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_DETECTED).best()
    return None if best is None else resolve_encoding(best.encoding)
