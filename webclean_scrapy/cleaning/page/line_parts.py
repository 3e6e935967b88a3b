"""Short strings of which one is in every match of a pattern, found in all lines of a page at once.

Most lines match none of `body.line_patterns`, and to try each pattern on each takes long. The first
four bytes of each string are looked for: two tables say which strings have a pair of bytes first,
and which second. What both say, at each place of the text, are the strings there. A few strings
share a bit, so what is found is what a match may be in, never less.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Bits = NDArray[np.uint64]

#: Per pattern of `body.line_patterns`, and the digits of ASCII. The rarer the first four bytes of
#: one, the fewer lines are tried.
PARTS: dict[str, tuple[str, ...]] = {
    "ADVERT": (
        "dvert", "nsored", "anzeige", "werbung", "reklam", "publici", "клама", "iklan", "广告",
        "廣告", "ontinu",
    ),
    "CAPTION": (
        "▲", "△", "↑", "▼", "图", "圖", "摄", "攝", "视", "新华", "photo", "image", "picture",
        "video", "graphic", "llustration", "redit", "rtesy", "foto", "bild", "getty", "afp",
        "reuters", "shutter", "ia ap",
    ),
    "CODE": ("{", "[", "<", "function", "var "),
    "DIGIT": tuple("0123456789"),
    "DISCLAIMER": ("声明", "聲明", "isclaimer", "ice: the content"),
    "END_HEADING": (
        "相", "关", "關", "延伸", "推荐", "推薦", "精彩", "猜你", "为您", "更多", "热", "熱",
        "最新", "评", "評", "跟", "omme", "omen", "eply", "join the", "sponse", "eplies",
        "iscuss", "elat", "elac", "ad next", "more", "op stories", "ou ma", "ou mi", "ou 'll",
        "most", "opul", "atest", "rending", "e author", "o read", "urther", "hema", "tikel",
        "liés", "elesen", "sen sie", "nnte", "éaction", "ctie", "lire", "même", "simil", "plus l",
        "puede", "más", "leia", "veja", "mais", "leggi", "orrelati", "potrebbe", "letti", "lees",
        "meest", "obacz", "zyta", "olecamy", "powi", "мм", "жд", "кж", "ем", "ожие", "пулярн",
        "угие", "yorum", "lgili", "okunan", "関連", "コメント", "あわせ", "すすめ", "人気",
        "ランキ", "관련", "댓글", "많이", "추천",
    ),
    "PLACEHOLDER": ("{{", "<%", "${", "%%", "["),
    "PROMPT": (
        "cookie", "wsletter", "bscri", "gn up", "og in", "inbox", "ow us", "r app", "wnload the",
        "k here", "hts reserved", "扫", "掃", "分享", "二維", "二维", "公众", "公眾", "客户",
        "客戶", "订", "訂", "关注", "關注", "下载", "下載", "点击", "点擊", "點", "登", "转",
        "轉", "更多", "不得", "版", "<<", "«", "‹", "←", ">>", "»", "›", "→",
    ),
    "RIGHTS": (
        "©", "pyright", "(c)", "hts reserved", "chte v", "oits r", "todos ", "diritti", "wszel",
        "рава", "hakk", "k cipta", "权", "權", "権", "無断", "저작권", "무단", "不得", "جميع",
        "ot be ", "чатк", "zedruk", "chdruck", "eprodu", "ffiliat", "mmissi", "nsored ", "id p",
        "dvice", "l purpo", "ws expr", "ws of th", "pinion", "rms of", "vacy p", "impressum",
        "gister", "siret", "piva", "p.iva", "p. iva", "p iva", "icp", "isbn", "issn",
    ),
}  # fmt: skip
#: How many of the 64 bits the strings of a pattern share: more where it takes longer to try.
_BITS = {
    "ADVERT": 2, "CAPTION": 6, "CODE": 1, "DIGIT": 0, "DISCLAIMER": 1, "END_HEADING": 12,
    "PLACEHOLDER": 1, "PROMPT": 12, "RIGHTS": 20,
}  # fmt: skip
_PAIRS = 1 << 16
_LONG = 4  # bytes that are looked for; strings of one pair or less have a bit of their own
_STEP = 1 << 16  # bytes at a time: what is made of them stays in the processor's cache


@cache
def _tables() -> tuple[Bits, Bits, dict[str, np.uint64]]:
    """Return the bits of each pair of bytes, as the first and as the second; of each pattern."""
    first, second = np.zeros(_PAIRS, np.uint64), np.zeros(_PAIRS, np.uint64)
    of_pattern: dict[str, np.uint64] = {}
    free = (np.uint64(1 << bit) for bit in range(64))
    for name, parts in PARTS.items():
        short, *bits = islice(free, 1 + _BITS[name])
        of_pattern[name] = np.bitwise_or.reduce([short, *bits])
        for number, part in enumerate(parts):
            written = part.encode()[:_LONG]
            bit = bits[number % len(bits)] if len(written) > 2 else short
            first[_numbers(written[:2])] |= bit
            second[_numbers(written[2:])] |= bit
    return first, second, of_pattern


def _numbers(pair: bytes) -> slice:
    """Return the numbers of the pairs of bytes that begin with *pair*, which may be shorter."""
    if not pair:
        return slice(None)
    if len(pair) == 1:
        return slice(pair[0], None, 1 << 8)
    number = int.from_bytes(pair, "little")
    return slice(number, number + 1)


def find_parts(texts: Sequence[str]) -> Bits:
    """Return which strings may be in each of *texts*, as `bits_of` names them. Cost: O(characters).

    >>> holds = find_parts(["accept cookies", "a ferry"])
    >>> (holds & bits_of("PROMPT") > 0).tolist()
    [True, False]
    """
    whole = "\0".join(texts)
    if whole.count("\0") >= len(texts):  # in a text itself
        whole = "\0".join([text.replace("\0", " ") for text in texts])
    data = whole.encode("utf-8", "surrogatepass") + bytes(_LONG)
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 0)
    first, second, _ = _tables()
    holds = np.zeros(len(texts), np.uint64)
    for start in range(0, len(data) - _LONG, _STEP):
        for offset in (start, start + 1):
            count = (min(_STEP + 2, len(data) - offset)) // 2
            pairs = np.frombuffer(data, "<u2", count, offset).astype(np.intp)
            bits = first.take(pairs[:-1])
            bits &= second.take(pairs[1:])
            at = np.flatnonzero(bits != 0)
            lines = np.searchsorted(ends, 2 * at + offset)
            np.bitwise_or.at(holds, lines, bits[at])
    return holds


def bits_of(pattern: str) -> np.uint64:
    """Return the bits of the strings of a pattern: one of them is in every line that matches."""
    return _tables()[2][pattern]
