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
    from collections.abc import Iterable

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

# The kinds of characters: gaps, then letters that form words (their bit 4 is set), then what is a
# token by itself. Plain numbers: numpy takes 10 us to read a member of an enum.
UNKNOWN_KIND = 0
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
_KIND_OF = {" ": SPACE, ".": POINT, ",": POINT, "\n": BREAK, BLOCK_END: END}
_NUMBER_POINT = bytes([DIGIT, POINT, DIGIT])
_HAN_SPACE, _SPACE_HAN = bytes([HAN_LETTER, SPACE]), bytes([SPACE, HAN_LETTER])

# What is known of a character, above the 21 bits of its folded form. One bitwise "and" over a text
# tells whether a step is needed for any character of it.
_KNOWN, _ONE, _FINAL, _ASCII = (1 << bit for bit in (31, 30, 29, 28))
_FOLDED = np.uint32(0x1FFFFF)
_DELETED, _LONGER = 0x110000, 0x110001  # in place of a character: none, several
_LAST_ASCII = 127
# Up to so many different characters beyond ASCII, and so large a share of them, replacing one after
# the other is faster.
_FEW, _MOST_BEYOND = 32, 0.1


class CharTable:
    """Folded form and kind of each character, computed when the character is first seen.

    A cache of constant values: only the part of it that is filled changes.
    """

    def __init__(self) -> None:
        self.forms = np.zeros(0x110000, np.uint32)
        self.kinds = np.zeros(0x110000, np.uint8)

    def learn(self, points: Points) -> None:
        for point in np.unique(points).tolist():
            folded = fold_char(chr(point))
            kind = self.kinds[point] = _kind(folded[:1])
            form = (_DELETED, ord(folded[:1] or " "), _LONGER)[min(len(folded), 2)]
            is_ascii = folded.isascii()
            form |= _KNOWN | _ONE * (len(folded) == 1) | _ASCII * is_ascii
            self.forms[point] = form | _FINAL * (is_ascii or kind == HAN_LETTER)

    def spell_out(self, text: str, longer: Iterable[int]) -> str:
        """Return *text* with the folded forms of the characters *longer*."""
        for char in map(chr, longer):
            text = text.replace(char, fold_char(char))
        return text


@functools.cache
def char_table() -> CharTable:
    return CharTable()


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


@functools.lru_cache(maxsize=8192)
def _fold_alone(char: str) -> str | None:
    """Return the folded form of a character if that is ASCII, whatever stands beside it."""
    folded = fold_char(char)
    return folded if folded.isascii() and not unicodedata.combining(char) else None


def _kind(char: str) -> int:
    if char in _KIND_OF:
        return _KIND_OF[char]
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
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return points.astype(np.uint32, copy=False)


def text_of(points: Points) -> str:
    """Return the text of *points*, which hold no surrogate."""
    return points.astype("<u4").tobytes().decode("utf-32-le")


def _kinds_of(points: Points) -> bytes:
    """Return the kind of each of *points*, which are folded."""
    if points.dtype == np.uint8:
        return points.tobytes().translate(_ascii_tables()[1])
    table = char_table()
    kinds = table.kinds.take(points)
    if UNKNOWN_KIND in kinds.tobytes():
        table.learn(points[kinds == UNKNOWN_KIND])
        kinds = table.kinds.take(points)
    return kinds.tobytes()


def normalize(text: str) -> str:
    """Return the form of *text* in which it is compared.

    Words are separated by a single space, line breaks, `BLOCK_END`, ".", "," or ";". Doing it twice
    changes nothing. Any string is allowed, lone surrogates and NULs included. Cost: linear.

    >>> normalize("Ｃafé’s 1,200.50—臺灣")
    'cafes 120050;台湾'
    """
    points, plain = normal_form(text)
    kept = np.frombuffer(plain, np.uint8) != SPACE
    kept[1:] |= kept[:-1]  # the first of several
    kept[:1] = True
    return text_of(points[kept])


def normal_form(text: str) -> tuple[Points, bytes]:
    """Return the code points of what `normalize` returns, but runs of spaces may stay; and kinds.

    1,200.5 and 1200.5 and 1.200,5 become equal: numbers are compared only, so their value does not
    matter.
    """
    points = _fold(text)
    kinds = _kinds_of(points)
    at = _find_all(_NUMBER_POINT, kinds)
    if at:
        points, kinds = _without(points, kinds, np.array(at) + 1)
    if points.dtype != np.uint8 and _HAN_SPACE in kinds and _SPACE_HAN in kinds:
        return _close_gaps(points, kinds)
    return points, kinds


def _find_all(pattern: bytes, kinds: bytes) -> list[int]:
    """Return where *pattern* stands in *kinds*; two may have one byte in common."""
    found = []
    at = kinds.find(pattern)
    while at >= 0:
        found.append(at)
        at = kinds.find(pattern, at + len(pattern) - 1)
    return found


def _close_gaps(points: Points, plain: bytes) -> tuple[Points, bytes]:
    """Remove the spaces between two Chinese characters."""
    at = (np.frombuffer(plain, np.uint8) == SPACE).nonzero()[0]
    several = at[1:][at[1:] - at[:-1] == 1]
    if len(several):
        points, plain = _without(points, plain, several)
    at = np.array(_find_all(bytes([HAN_LETTER, SPACE, HAN_LETTER]), plain), np.intp)
    return _without(points, plain, at + 1)


def _without(points: Points, kinds: bytes, at: NDArray[np.intp]) -> tuple[Points, bytes]:
    """Return *points* and *kinds* without those at the indexes *at*."""
    kept = np.ones(len(points), np.bool_)
    kept[at] = False
    return points[kept], np.frombuffer(kinds, np.uint8)[kept].tobytes()


@functools.cache
def _ascii_tables() -> tuple[bytes, bytes, tuple[bytes, ...]]:
    """Return the tables that fold ASCII and that tell the kinds, and the characters to delete."""
    folded = [fold_char(chr(char)) for char in range(128)]
    table = bytes(ord(char or " ") for char in folded).ljust(256)
    kinds = bytes(_kind(chr(char)) for char in range(128)).ljust(256)
    return table, kinds, tuple(bytes([char]) for char in range(128) if not folded[char])


def _fold(text: str) -> Points:
    if not text.isascii():
        text = _replace_few(text)
    if text.isascii():
        plain = text.encode()
        table, _, deleted = _ascii_tables()
        for char in deleted:  # faster than to let `translate` do it
            plain = plain.replace(char, b"")
        return np.frombuffer(plain.translate(table), np.uint8)
    text = text.replace("\u2026", "...")  # the frequent one of those that fold to several
    has_half_width_marks = "\uff9e" in text or "\uff9f" in text
    form: Literal["NFKC", "NFC"] = "NFKC" if has_half_width_marks else "NFC"
    points, known = _fold_points(unicodedata.normalize(form, text))
    if known & _ASCII:
        return points.astype(np.uint8)
    if not known & _FINAL:
        # A character between a letter and its combining mark may have been deleted.
        points = points_of(unicodedata.normalize("NFC", text_of(points)))
    return points


def _replace_few(text: str) -> str:
    """Return *text* in ASCII if it has few other characters, such as quotes and accents."""
    points = points_of(text)
    beyond = points[points > _LAST_ASCII]
    if len(beyond) > _MOST_BEYOND * len(text):
        return text
    others = {*beyond.tolist()}
    if len(others) > _FEW:
        return text
    replaced = text
    for char in map(chr, others):
        folded = _fold_alone(char)
        if folded is None:
            return text
        replaced = replaced.replace(char, folded)
    return replaced


def _fold_points(text: str) -> tuple[Points, int]:
    """Return the folded form of *text*, and the bits that all of its characters have."""
    points = points_of(text)
    table = char_table()
    forms = table.forms.take(points)
    known = int(np.bitwise_and.reduce(forms))
    if not known & _KNOWN:
        table.learn(points[forms == 0])
        forms = table.forms.take(points)
        known = int(np.bitwise_and.reduce(forms))
    if not known & _ONE:
        longer = points[(forms & _FOLDED) == _LONGER]
        if len(longer):
            text = table.spell_out(text, {*longer.tolist()})
            return _fold_points(text)  # once, as folded characters do not change
        forms = forms[(forms & _FOLDED) != _DELETED]
    return forms & _FOLDED, known
