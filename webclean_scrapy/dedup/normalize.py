"""One form for all spellings of a text: what `dedup` compares.

A copy may differ from its source in compatibility forms (full width, ligatures), case, accents and
vowel points, traditional or simplified Chinese characters, apostrophes, invisible characters and
spaces between Chinese characters: they are made equal. Punctuation becomes ";", which keeps words
apart; line breaks stay, as reposts drop and move paragraphs.

Our choice (reconstructed: the papers do not print a normal form).
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

    Points = NDArray[np.uint32] | NDArray[np.uint8]  # the latter where all is ASCII

# Marks that reposts drop: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points.
_accents = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
_apostrophes = "'\u2018\u2019\u02bc\u00b4`"
_is_mark = re.compile(f"[{MARKS}\u1160-\u11ff]").match
_is_han = re.compile(f"[{HAN}]").match
_is_unspaced = re.compile(f"[{UNSPACED}]").match
_is_hangul = re.compile(f"[{HANGUL}]").match

BLOCK_END = "\x1e"  # the record separator, which may be put between blocks
_SPACE, _COMMA, _ZERO = map(ord, " ,0")
_DELETED, _LONGER = 0x110000, 0x110001  # in place of a character: none, several


# The kinds of characters. Plain numbers: numpy takes 10 us to read a member of an enum.
UNKNOWN_KIND = 0
GAP = 1
BREAK = 2  # the end of a line or block
DIGIT = 3
LETTER = 4  # of a script with spaces: gaps separate the words
HAN_LETTER = 5
UNSPACED_LETTER = 6
HANGUL_LETTER = 7
KINDS = 8


class _Table:
    """Folded form and kind of each character, computed when the character is first seen.

    A cache of constant values: only the part of it that is filled changes.
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
    """Return "", " ", a line break, ";", or the folded form of one character.

    Folding the result again changes nothing.
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
    if _is_unspaced(char):  # vowel signs too, which are not alphanumeric
        return UNSPACED_LETTER
    if char == "" or not (char.isalnum() or _is_mark(char)):
        return GAP
    if _is_han(char):
        return HAN_LETTER
    return HANGUL_LETTER if _is_hangul(char) else LETTER


def points_of(text: str) -> Points:
    """Return the code point of each character, lone surrogates too."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32)


def text_of(points: Points) -> str:
    """Return the text of *points*, which hold no surrogate."""
    return points.astype("<u4").tobytes().decode("utf-32-le")


def kinds_of(points: Points) -> NDArray[np.uint8]:
    """Return the kind of each of *points*, which are normalised."""
    if points.dtype == np.uint8:
        return np.frombuffer(points.tobytes().translate(_ascii_tables()[2]), np.uint8)
    table = _table()
    kinds = table.kinds[points]
    if not kinds.all():
        table.learn(points[kinds == UNKNOWN_KIND])
        kinds = table.kinds[points]
    return kinds


def normalize(text: str) -> str:
    """Return the form of *text* in which it is compared.

    Words are separated by a single space, line breaks, `BLOCK_END`, ".", "," or ";". Doing it twice
    changes nothing. Any string is allowed, lone surrogates and NULs included. Cost: linear.

    >>> normalize("Ｃafé’s 1,200.50—臺灣")
    'cafes 120050;台湾'
    """
    points = normal_points(text)
    at = (points == _SPACE).nonzero()[0]
    return text_of(_without(points, at[1:][at[1:] - at[:-1] == 1]))


def normal_points(text: str) -> Points:
    """Return the code points of what `normalize` returns, but runs of spaces may stay."""
    points = _join_numbers(_fold(text))
    return points if points.dtype == np.uint8 else _close_gaps(points)


def _join_numbers(points: Points) -> Points:
    """Remove "." and "," between digits: 1,200.5 and 1200.5 and 1.200,5 become equal.

    Numbers are compared only, so their value does not matter.
    """
    at = (points - _COMMA < 3).nonzero()[0]  # "-", which lies between them, was folded
    at = at[(at > 0) & (at < len(points) - 1)]
    before, after = points[at - 1] - _ZERO, points[at + 1] - _ZERO  # wraps below zero
    return _without(points, at[(before < 10) & (after < 10)])


def _close_gaps(points: Points) -> Points:
    """Remove the spaces between two Chinese characters."""
    at = (points == _SPACE).nonzero()[0]
    several = at[1:][at[1:] - at[:-1] == 1]
    if len(several):
        points = _without(points, several)
        at = (points == _SPACE).nonzero()[0]
    at = at[(at > 0) & (at < len(points) - 1)]
    is_han = kinds_of(points[at - 1]) == HAN_LETTER
    is_han &= kinds_of(points[at + 1]) == HAN_LETTER
    return _without(points, at[is_han])


def _without(points: Points, at: NDArray[np.intp]) -> Points:
    """Return *points* without those at the indexes *at*."""
    if not len(at):
        return points
    kept = np.ones(len(points), np.bool_)
    kept[at] = False
    return points[kept]


@functools.cache
def _ascii_tables() -> tuple[bytes, bytes, bytes]:
    """Return the table and the bytes to delete that fold ASCII, and the table of kinds."""
    folded = [fold_char(chr(char)) for char in range(128)]
    table = bytes(ord(char or " ") for char in folded).ljust(256)
    kinds = bytes(_kind(chr(char)) for char in range(128)).ljust(256)
    return table, bytes(char for char in range(128) if not folded[char]), kinds


def _fold(text: str) -> Points:
    if not text.isascii():
        has_half_width_marks = "\uff9e" in text or "\uff9f" in text
        form: Literal["NFKC", "NFC"] = "NFKC" if has_half_width_marks else "NFC"
        text = unicodedata.normalize(form, text)
    if text.isascii():
        table, deleted, _ = _ascii_tables()
        return np.frombuffer(text.encode().translate(table, deleted), np.uint8)
    points = _fold_points(text)
    beyond = points[points >= 128]
    if not len(beyond):
        return points.astype(np.uint8)
    if (kinds_of(beyond) != HAN_LETTER).any():
        # A character between a letter and its combining mark may have been deleted.
        points = points_of(unicodedata.normalize("NFC", text_of(points)))
    return points


def _fold_points(text: str) -> Points:
    points = points_of(text)
    table = _table()
    folded = table.folded[points]
    if not folded.all():
        table.learn(points[folded == 0])
        folded = table.folded[points]
    if folded.max() >= _DELETED:
        longer = points[folded == _LONGER]
        if len(longer):
            for char in map(chr, np.unique(longer).tolist()):
                text = text.replace(char, fold_char(char))
            return _fold_points(text)  # once, as folded characters do not change
        folded = folded[folded != _DELETED]
    return folded
