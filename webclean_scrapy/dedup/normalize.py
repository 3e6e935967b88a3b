"""One form for all spellings of a text: what `dedup` compares.

Compatibility forms (full width, ligatures), case, accents and vowel points, traditional Chinese
characters, apostrophes, invisible characters and the spaces between Chinese characters do not tell
a copy from its source. Punctuation becomes ";", so words do not run together; line breaks stay,
as paragraphs are what reposts drop and move.

Deviation from "NFKC, lower case, simplified, no punctuation": accents go too (reposts lose them),
and case is folded ("Straße" and "STRASSE" are one).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import TYPE_CHECKING, Literal

import numpy as np

from webclean_scrapy.keywords.segment import HAN, HANGUL, MARKS, UNSPACED, simplify

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.uint32]

# Marks that reposts drop: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points.
_accents = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
_apostrophes = "'\u2018\u2019\u02bc\u00b4`"
_half_width_marks = re.compile("[\uff9e\uff9f]").search
_is_mark = re.compile(f"[{MARKS}\u1160-\u11ff]").match
_is_han = re.compile(f"[{HAN}]").match
_is_unspaced = re.compile(f"[{UNSPACED}]").match
_is_hangul = re.compile(f"[{HANGUL}]").match

_many_spaces = re.compile("  +")
# 1,200.5 and 1200.5 and 1.200,5 are one: a number is compared, not computed with.
_digit_point = re.compile(r"[.,](?<=\d[.,])(?=\d)")
_spaced_han = re.compile(f" (?=[{HAN}])(?<=[{HAN}] )").search
_han_gap = re.compile(f"([{HAN}]) +(?=[{HAN}])")
BLOCK_END = "\x1e"  # the record separator: may be put between blocks, to be found again
_DELETED, _LONGER = 0x110000, 0x110001  # in place of a character: none, several


# What a character is to a word. Plain numbers: numpy takes 10 us to look at an enum's member.
UNKNOWN_KIND = 0
GAP = 1
BREAK = 2  # the end of a line or block
DIGIT = 3
LETTER = 4  # of a script with spaces: gaps part the words
HAN_LETTER = 5
UNSPACED_LETTER = 6
HANGUL_LETTER = 7
KINDS = 8


class _Table:
    """What each character becomes and is, worked out when it is first met (some thousand are).

    The content is a constant; only which part of it is known grows.
    """

    def __init__(self) -> None:
        self.folded = np.zeros(0x110000, np.uint32)
        self.kinds = np.zeros(0x110000, np.uint8)

    def learn(self, points: Points) -> None:
        for point in np.unique(points).tolist():
            folded = fold_char(chr(point))
            self.kinds[point] = _kind(folded[:1])
            self.folded[point] = (_DELETED, ord(folded[:1] or " "), _LONGER)[min(len(folded), 2)]


@functools.cache
def _table() -> _Table:
    return _Table()


@functools.lru_cache(maxsize=8192)
def fold_char(char: str) -> str:
    """Return what stands for one character: "", " ", a line break, ";", or its folded form.

    Folding what this returns changes nothing.
    """
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
    if char in {"\n", BLOCK_END}:
        return BREAK
    if char.isdecimal():
        return DIGIT
    if char == "" or not (char.isalnum() or _is_mark(char)):
        return GAP
    if _is_han(char):
        return HAN_LETTER
    if _is_unspaced(char):
        return UNSPACED_LETTER
    return HANGUL_LETTER if _is_hangul(char) else LETTER


def points_of(text: str) -> Points:
    """Return the code point of each character, lone surrogates too."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32)


def text_of(points: Points) -> str:
    """Return the characters of *points*, none of them a surrogate."""
    return points.astype("<u4").tobytes().decode("utf-32-le")


def kinds_of(points: Points) -> NDArray[np.uint8]:
    """Return the kind of each of *points*, characters that `normalize` gave."""
    table = _table()
    kinds = table.kinds[points]
    if not kinds.all():
        table.learn(points[kinds == UNKNOWN_KIND])
        kinds = table.kinds[points]
    return kinds


def normalize(text: str) -> str:
    """Return the form of *text* in which it is compared.

    Words with single spaces, line breaks, `BLOCK_END`, "." "," or ";" between them. Doing it twice
    changes nothing. Any string is accepted, lone surrogates and NULs included. Cost: linear.

    >>> normalize("Ｃafé’s 1,200.50—臺灣")
    'cafes 120050;台湾'
    """
    text = _fold(text)
    if "  " in text:
        text = _many_spaces.sub(" ", text)
    if "." in text or "," in text:
        text = _digit_point.sub("", text)
    if not text.isascii() and _spaced_han(text):
        text = _han_gap.sub(r"\1", text)
    return text


@functools.cache
def _ascii_table() -> dict[int, str | None]:
    """Return `fold_char` of ASCII; one to one or nothing, for which `str.translate` is fastest."""
    return {char: fold_char(chr(char)) or None for char in range(128)}


def _fold(text: str) -> str:
    if not text.isascii():
        form: Literal["NFKC", "NFC"] = "NFKC" if _half_width_marks(text) else "NFC"
        text = unicodedata.normalize(form, text)
    if text.isascii():
        return text.translate(_ascii_table())
    text = text_of(_fold_points(text))
    # What stood between a letter and its mark may be gone.
    return unicodedata.normalize("NFC", text)


def _fold_points(text: str) -> Points:
    points = points_of(text)
    table = _table()
    folded = table.folded[points]
    if not folded.all():
        table.learn(points[folded == 0])
        folded = table.folded[points]
    if folded.max() >= _DELETED:
        if (folded == _LONGER).any():
            return points_of("".join(map(fold_char, text)))
        folded = folded[folded != _DELETED]
    return folded
