"""Normalise all spellings of a text to one form for comparison.

A copy may differ from its source in width, case, accents, vowel points, Chinese script, invisible
characters, apostrophes, and Arabic letters that are typed for each other: they are made equal.
Punctuation becomes ";", which keeps words apart; line breaks stay, as reposts drop and move
paragraphs.

Our choice (reconstructed: the papers do not print a normal form).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.keywords.segment import HAN, HANGUL, MARKS, UNSPACED, simplify

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.uint32]
    Kinds = NDArray[np.uint8]
    Flags = NDArray[np.bool_]

# Marks that reposts drop: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points.
_accents = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
# Arabic letters that are typed for each other: at the ends of words, and on Persian and Urdu keys.
# The stretching of a letter is dropped; marks of decimals and thousands are points.
_ARABIC = str.maketrans(
    "\u0629\u06c1\u06be\u06d5\u06c3\u0649\u06cc\u06a9\u066b\u066c",
    "\u0647\u0647\u0647\u0647\u0647\u064a\u064a\u0643.,",
    "\u0640",
)
_apostrophes = "'\u2018\u2019\u02bc\u00b4`"
_is_mark = re.compile(f"[{MARKS}\u1160-\u11ff]").match
_is_han = re.compile(f"[{HAN}]").match
_is_unspaced = re.compile(f"[{UNSPACED}]").match
_is_hangul = re.compile(f"[{HANGUL}]").match
_RTL = "\u0590", "\u08ff"  # the blocks of Hebrew, Arabic and other scripts, with their marks
BLOCK_END = "\x1e"  # the record separator, which may be put between blocks

# The kinds of characters: gaps, then letters that form words (their bit 4 is set), then what is a
# token by itself. Plain numbers: numpy takes 10 us to read a member of an enum.
GAP = 1
SPACE = 2
POINT = 3  # "." and ","
DIGIT = 4
LETTER = 5  # of a script with spaces: gaps separate the words
RTL_LETTER = 6  # the same, written from right to left: a number is a word, joined to "and" or not
BREAK = 8  # the end of a line
END = 9  # of a block
HAN_LETTER = 10
UNSPACED_LETTER = 11
HANGUL_LETTER = 12
KINDS = 13
_FORM, _S24 = np.uint32(0xFFFFFF), np.uint32(24)
# What else is told of a character, beside its kind, as bits of one number. A name begins with a
# capital after another word of its sentence; the odd ones are not folded one by one.
_KIND, _INSIDE, _CAPITAL, _JOINS, _ODD = np.uint8(15), 16, 32, 64, 128
_FOLDED = (("\u2026", "..."), ("\u2019", ""), ("'", ""))  # of the odd ones the most frequent
# Spaces between Chinese characters, by kinds; fast, as a literal comes first.
_find_gaps = re.compile(b"\x02(?<=\x0a\x02)\x02*(?=\x0a)").finditer
_entries = np.zeros(0x110000, np.uint32)  # a cache of constant values: `_entry` by code point
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
    text = _accents.sub("", text).translate(_ARABIC)
    return unicodedata.normalize("NFC", simplify(text))


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
    if _is_hangul(char):
        return HANGUL_LETTER
    return RTL_LETTER if _RTL[0] <= char <= _RTL[1] else LETTER


def _entry(char: str) -> int:
    """Return the folded form of *char* in the low bits, its marks above."""
    folded = fold_char(char)
    marks = _kind(folded) if len(folded) == 1 else _ODD
    marks |= _CAPITAL * char.isupper() | _INSIDE * (char.isalnum() or char in "_,;:")
    if char != unicodedata.normalize("NFC", char) or any(map(_joins, char + folded)):
        marks |= _JOINS
    return marks << 24 | ord(folded[:1] or " ")


def _joins(char: str) -> bool:
    """True if *char* may be composed with the one before it."""
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"


def _look_up(points: Points) -> tuple[Points, NDArray[np.uint8]]:
    entries = _entries.take(points)
    if np.count_nonzero(entries) < len(entries):
        for point in np.unique(points[entries == 0]).tolist():
            _entries[point] = _entry(chr(point))
        entries = _entries.take(points)
    return entries & _FORM, (entries >> _S24).astype(np.uint8)


def points_of(text: str) -> Points:
    """Return the code point of each character, lone surrogates included."""
    return np.array([text]).view(np.uint32)[: len(text)]  # of an empty text one


def text_of(points: Points) -> str:
    """Return the text of *points*, which contain no surrogates."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le")


def normal_form(text: str) -> tuple[Points, Kinds, Flags]:
    """Return code points (of `normalize`, but with runs of spaces), kinds, and beginnings of names.

    Numbers are compared only, so their value does not matter: 1,200.5 and 1.200,5 become equal.
    """
    for char, folded in _FOLDED:
        text = text.replace(char, folded)
    points, marks = _look_up(points_of(text))
    if np.count_nonzero(marks >= _JOINS):
        points, marks = _fold_odd(text)
    kinds = marks & _KIND
    begins = marks & _CAPITAL != 0
    begins[:2] = False
    begins[2:] &= (kinds[1:-1] == SPACE) & (marks[:-2] & _INSIDE != 0)
    gaps = np.zeros(len(kinds), np.bool_)
    gaps[1:-1] = (kinds[1:-1] == POINT) & (kinds[:-2] == DIGIT) & (kinds[2:] == DIGIT)
    plain = kinds.tobytes()
    if HAN_LETTER in plain:
        for gap in _find_gaps(plain):
            gaps[gap.start() : gap.end()] = True
    if not np.count_nonzero(gaps):
        return points, kinds, begins
    kept = (~gaps).nonzero()[0]
    return points.take(kept), kinds.take(kept), begins.take(kept)


def _fold_odd(text: str) -> tuple[Points, NDArray[np.uint8]]:
    """Look up a *text* with characters that are not folded one by one."""
    form = "NFKC" if "\uff9e" in text or "\uff9f" in text else "NFC"  # half-width marks
    text = unicodedata.normalize(form, text)  # type: ignore[arg-type]
    points = points_of(text)
    _, marks = _look_up(points)
    for char in map(chr, {*points[marks >= _ODD].tolist()}):
        text = text.replace(char, fold_char(char))
    # A character between a letter and its combining mark may have been deleted.
    points, marks = _look_up(points_of(unicodedata.normalize("NFC", text)))
    folded = text_of(points)
    composed = unicodedata.normalize("NFC", folded)
    return (points, marks) if composed == folded else _look_up(points_of(composed))


def normalize(text: str) -> str:
    """Normalise *text* for comparison.

    Words are separated by a single space, line breaks, `BLOCK_END`, ".", "," or ";". Doing it twice
    changes nothing. Any string is allowed, lone surrogates and NULs included. Cost: linear.

    >>> normalize("Ｃafé’s 1,200.50—臺灣")
    'cafes 120050;台湾'
    """
    return re.sub(" +", " ", text_of(normal_form(text)[0]))
