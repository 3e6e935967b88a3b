"""Normalise all spellings of a text to one form for comparison.

A copy may differ from its source in compatibility forms (full width, ligatures), case, accents and
vowel points, traditional or simplified Chinese characters, apostrophes, invisible characters and
spaces between Chinese characters: they are made equal. Punctuation becomes ";", which keeps words
apart; line breaks stay, as reposts drop and move paragraphs.

Our choice (reconstructed: the papers do not print a normal form).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.keywords.segment import HAN, HANGUL, MARKS, UNSPACED, simplify

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.uint32]
    Kinds = NDArray[np.uint8]

# Marks that reposts drop: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points.
_accents = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
_apostrophes = "'\u2018\u2019\u02bc\u00b4`"
_is_mark = re.compile(f"[{MARKS}\u1160-\u11ff]").match
_is_han = re.compile(f"[{HAN}]").match
_is_unspaced = re.compile(f"[{UNSPACED}]").match
_is_hangul = re.compile(f"[{HANGUL}]").match
BLOCK_END = "\x1e"  # the record separator, which may be put between blocks

# The kinds of characters: gaps, then letters that form words (their bit 4 is set), then what is a
# token by itself. Plain numbers: numpy takes 10 us to read a member of an enum.
GAP = 1
SPACE = 2
POINT = 3  # "." and ","
DIGIT = 4
LETTER = 5  # of a script with spaces: gaps separate the words
BREAK = 8  # the end of a line
END = 9  # of a block
HAN_LETTER = 10
UNSPACED_LETTER = 11
HANGUL_LETTER = 12
KINDS = 13
# Points inside numbers, spaces between Chinese characters: by kinds.
_NUMBER_POINT, _HAN_GAP = bytes([DIGIT, POINT, DIGIT]), bytes([HAN_LETTER, SPACE])
_find_points = re.compile(b"\x03(?<=\x04\x03)(?=\x04)").finditer  # fast: a literal comes first
_find_gaps = re.compile(b"(?<=\x0a)\x02+(?=\x0a)").finditer
_NONE, _SEVERAL = 0x110000, 0x110001  # characters, in place of the folded form
_KIND_OF = {" ": SPACE, ".": POINT, ",": POINT, "\n": BREAK, BLOCK_END: END}


def fold_char(char: str) -> str:
    """Return "", " ", a line break, ";", or the folded form of one character; idempotent."""
    category = unicodedata.category(char)
    if char in _apostrophes or category == "Cf" or "\ufe00" <= char <= "\ufe0f":
        return ""
    if char == BLOCK_END:
        return char
    if category in {"Zl", "Zp"} or char == "\n":
        return "\n"
    if category in {"Zs", "Cc", "Cs", "Co", "Cn"}:
        return " "
    if char in ".,":
        return char
    if category == "Nd":
        return str(unicodedata.decimal(char))
    folded = _fold_letters(char)
    if folded != char:
        return "".join(map(fold_char, folded))
    return char if category[0] in "LNM" else ";"


def _fold_letters(char: str) -> str:
    """Return *char* decomposed, without accents, in lower case, simplified, composed again."""
    text = unicodedata.normalize("NFKD", char)
    text = unicodedata.normalize("NFKD", _accents.sub("", text).casefold())
    return unicodedata.normalize("NFC", simplify(_accents.sub("", text)))


def _kind(char: str) -> int:
    if char in _KIND_OF:
        return _KIND_OF[char]
    if char.isdecimal():
        return DIGIT
    if _is_unspaced(char):  # vowel signs too, which are not alphanumeric
        return UNSPACED_LETTER
    if not (char.isalnum() or _is_mark(char)):
        return GAP
    if _is_han(char):
        return HAN_LETTER
    return HANGUL_LETTER if _is_hangul(char) else LETTER


class _CharTable:
    """Folded form and kind of each character, computed on first use."""

    def __init__(self) -> None:
        self._forms = np.zeros(0x110000, np.uint32)
        self._kinds = np.zeros(0x110000, np.uint8)

    def fold(self, text: str) -> str:
        points = points_of(text)
        forms = self._look_up(self._forms, points)
        if not len(forms) or forms.max() < _NONE:
            return text_of(forms)
        longer = {*points[forms == _SEVERAL].tolist()}
        for char in map(chr, longer):
            text = text.replace(char, fold_char(char))
        return self.fold(text) if longer else text_of(forms[forms != _NONE])

    def kinds_of(self, points: Points) -> Kinds:
        return self._look_up(self._kinds, points)

    def _look_up(self, table: NDArray[Any], points: Points) -> NDArray[Any]:
        found = table.take(points)
        if found.all():
            return found
        for point in np.unique(points[found == 0]).tolist():
            char = chr(point)
            folded = fold_char(char)
            self._kinds[point] = _kind(char)
            self._forms[point] = ord(folded) if len(folded) == 1 else _SEVERAL if folded else _NONE
        return table.take(points)


_table = _CharTable()  # a cache of constant values


def points_of(text: str) -> Points:
    """Return the code point of each character, lone surrogates included."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def text_of(points: Points) -> str:
    """Return the text of *points*, which contain no surrogates."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le")


def normal_form(text: str) -> tuple[Points, Kinds]:
    """Return code points (of `normalize`, but with runs of spaces) and character kinds.

    Numbers are compared only, so their value does not matter: 1,200.5 and 1.200,5 become equal.
    """
    form = "NFKC" if "\uff9e" in text or "\uff9f" in text else "NFC"  # half-width marks
    text = unicodedata.normalize(form, text.replace("\u2026", "..."))  # type: ignore[arg-type]
    # A character between a letter and its combining mark may have been deleted.
    text = unicodedata.normalize("NFC", _table.fold(text))
    points = points_of(text)
    kinds = _table.kinds_of(points)
    plain = kinds.tobytes()
    gaps = [*_find_points(plain)] if _NUMBER_POINT in plain else []
    if _HAN_GAP in plain:
        gaps += _find_gaps(plain)
    if not gaps:
        return points, kinds
    kept = np.ones(len(points), np.bool_)
    for gap in gaps:
        kept[gap.start() : gap.end()] = False
    return points[kept], kinds[kept]


def normalize(text: str) -> str:
    """Normalise *text* for comparison.

    Words are separated by a single space, line breaks, `BLOCK_END`, ".", "," or ";". Doing it twice
    changes nothing. Any string is allowed, lone surrogates and NULs included. Cost: linear.

    >>> normalize("Ｃafé’s 1,200.50—臺灣")
    'cafes 120050;台湾'
    """
    return re.sub(" +", " ", text_of(normal_form(text)[0]))
