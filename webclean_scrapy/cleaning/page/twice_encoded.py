"""Repair text encoded twice: UTF-8 read as Windows-1252 or Latin-1 and encoded again.

It reads "â€™" for "’" and "Ã©" for "é". Often only a part of a page does: its head, a menu, what
came out of an old database. What can be read as UTF-8 need not be such text: "MANHÃ”" and "CAFÉ™"
are words in capitals and a mark. So a piece is repaired only when it has a sign in it that text of
no language has, or when the page has several weaker signs.

Text that was taken for GBK or Big5 has lost bytes and cannot be repaired. ftfy, the library for
this, gives the same text on every such page that was looked at, in ten times the time, and repairs
"MANHÃ”" too.
"""

from __future__ import annotations

import html
import re
from functools import cache

# In UTF-8: the characters that the bytes 80..BF are in either encoding.
_ANY = (
    rb"(?:\xc2[\x80-\xbf]|\xc5[\x92\x93\xa0\xa1\xb8\xbd\xbe]|\xc6\x92|\xcb[\x86\x9c]"
    rb"|\xe2(?:\x80[\x93\x94\x98-\x9a\x9c-\x9e\xa0-\xa2\xa6\xb0\xb9\xba]|\x82\xac|\x84\xa2))"
)
_PAIR = rb"[\x82-\x96\x98-\x9e]" + _ANY  # behind C3: one of "ÂÃ...Þ", which begin two bytes
_TRIPLE = rb"[\xa0-\xaf]" + _ANY + _ANY  # one of "à...ï", which begin three
_FIRST = b"\xc3"  # every sign begins with it: told in no time
_MAY_BE_SIGN = re.compile(rb"\xc3[\x82-\xb0][\xc2\xc5\xc6\xcb\xe2]")  # and so
#: What text of no language has. Every alternative begins with the same byte, which is found fast.
_SIGN = re.compile(
    rb"\xc3(?:"
    rb"\xa2(?:\xe2\x82\xac|\xc2\x80)"  # "â€": quotation marks, dashes, "…"
    rb"|\xb0(?:\xc5\xb8|\xc2\x9f)"  # "ðŸ": emoji
    rb"|(?<=[a-z]\xc3)" + _PAIR +  # "cafÃ©": a capital after a small letter, then a symbol
    rb"|[\x83-\x85\x90\x91](?!\xe2\x80\x99)" + _ANY + rb"[a-z]"  # "Ã©tat", but "ESPAÑ’s"
    rb"|" + _PAIR + rb"\xc3" + _PAIR +  # "Ð¿Ñ€": Cyrillic, Greek, Arabic ...
    rb"|" + _TRIPLE + rb"\xc3" + _TRIPLE +  # "ä½ å¥½": Chinese, Thai ...
    rb")"
)  # fmt: skip
#: "Â " and "Ã¼", no capital before them. One alone can be the name of a letter.
_WEAK_SIGN = re.compile(rb"\xc3(?<![A-Z]\xc3)[\x82\x83]\xc2[\x80-\xba\xbc-\xbf]")
#: The same, written in entities: "&acirc;&euro;&trade;".
_ENTITIES_SIGN = re.compile(rb"&(?:acirc|Acirc|Atilde|#226|#19[45]);&", re.ASCII)
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#(?:1[2-9]\d|[2-9]\d\d|\d{4}));")
_PIECE = re.compile(rb"[^<>\r\n]+")  # between two tags or ends of lines
_EDGES = (b"<", b">", b"\r", b"\n")
_ANY_SIGN = re.compile(_SIGN.pattern + b"|" + _WEAK_SIGN.pattern)

_BYTES = {ord(bytes([byte]).decode("cp1252", "replace")): byte for byte in range(0x80, 0xA0)}
_BYTES.pop(0xFFFD)  # five bytes are no character
_LATER = "".join(map(chr, (*range(0x80, 0xC0), *_BYTES)))
_TWICE_ENCODED = re.compile(
    f"(?:[\xc2-\xdf][{_LATER}]|\xe2[{_LATER}]{{2}}|[\xf0-\xf4][{_LATER}]{{3}}"
    # "café »" with the blank that does not break: one alone after a letter is no such text.
    f"|(?<![A-Za-z])[\xe0-\xef][{_LATER}]{{2}}|[\xe0-\xef][{_LATER}]{{2}}(?=[\xe0-\xef]))+"
)
_MOST_TIMES = 3  # "Ã¢â‚¬â„¢" was encoded three times


def repair(page: bytes) -> tuple[bytes, int]:
    """Repair doubly encoded pieces of *page*, in UTF-8; return the page and their number.

    A piece is the text between two tags or line ends. All others are unchanged. Cost:
    linear; a page without a sign costs a millisecond a megabyte.

    >>> page, pieces = repair("<p>The cafÃ©â€™s <b>Zoë</b></p>".encode())
    >>> page.decode(), pieces
    ('<p>The café’s <b>Zoë</b></p>', 1)
    """
    if _ENTITIES_SIGN.search(page):
        page = _ENTITY.sub(_character, page.decode()).encode()
    if _FIRST not in page or _MAY_BE_SIGN.search(page) is None:  # most pages
        return page, 0
    signs = len(_WEAK_SIGN.findall(page))
    if signs < 2 and _SIGN.search(page) is None:
        return page, 0
    pieces, decode, done = 0, cache(_decode), 0  # the same few characters come thousands of times
    parts: list[bytes] = []
    for sign in (_ANY_SIGN if signs > 1 else _SIGN).finditer(page):
        if sign.start() < done:
            continue
        start = max(done - 1, *(page.rfind(edge, done, sign.start()) for edge in _EDGES)) + 1
        end = _PIECE.match(page, start).end()  # type: ignore[union-attr] # the sign is in it
        piece = page[start:end]
        for _ in range(_MOST_TIMES):
            piece = _TWICE_ENCODED.sub(lambda text: decode(text[0]), piece.decode()).encode()
            if _SIGN.search(piece) is None:
                break
        parts += page[done:start], piece
        pieces, done = pieces + 1, end
    return b"".join((*parts, page[done:])), pieces


def _decode(text: str) -> str:
    """Return *text* decoded once more; unchanged if it is not doubly encoded."""
    try:
        return text.translate(_BYTES).encode("latin-1").decode()
    except UnicodeDecodeError:
        return text


def _character(match: re.Match[str]) -> str:
    """Return the character of an entity beyond ASCII; other entities unchanged."""
    character = html.unescape(match.group())
    return character if len(character) == 1 and character > "\x7f" else match.group()
