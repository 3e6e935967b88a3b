"""One form for all spellings of a text: what `dedup` compares.

A copy may differ from its source in compatibility forms (full width, ligatures), case, accents and
vowel points, traditional or simplified Chinese characters, apostrophes, invisible characters and
spaces between Chinese characters: they are made equal. Punctuation becomes ";", which keeps words
apart; line breaks stay, as reposts drop and move paragraphs.

Our choice (reconstructed: the papers do not print a normal form).
"""

from __future__ import annotations

import re
import unicodedata

from webclean_scrapy.keywords.segment import HAN, HANGUL, MARKS, UNSPACED, simplify

# Marks that reposts drop: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points.
_accents = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
_apostrophes = "'\u2018\u2019\u02bc\u00b4`"
_is_mark = re.compile(f"[{MARKS}\u1160-\u11ff]").match
_is_han = re.compile(f"[{HAN}]").match
_is_unspaced = re.compile(f"[{UNSPACED}]").match
_is_hangul = re.compile(f"[{HANGUL}]").match
# Numbers are compared only, so their value does not matter: 1,200.5 and 1.200,5 become equal.
_number_points = re.compile("(?<=[0-9])[.,](?=[0-9])")
_han_gaps = re.compile(f"(?<=[{HAN}]) +(?=[{HAN}])")
_half_width_marks = re.compile("[\uff9e\uff9f]")

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
_KIND_OF = {" ": SPACE, ".": POINT, ",": POINT, "\n": BREAK, BLOCK_END: END}


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


class _Folded(dict[int, str]):
    """Folded form of each character, computed when the character is first seen."""

    def __missing__(self, point: int) -> str:
        self[point] = folded = fold_char(chr(point))
        return folded


class _Kinds(dict[int, int]):
    """Kind of each character, computed when the character is first seen."""

    def __missing__(self, point: int) -> int:
        self[point] = kind = _kind(chr(point))
        return kind


_folded, _kinds = _Folded(), _Kinds()  # caches of constant values


def normal_form(text: str) -> str:
    """Return what `normalize` returns, but runs of spaces may stay."""
    if text.isascii():
        return _number_points.sub("", text.translate(_folded))
    form = "NFKC" if _half_width_marks.search(text) else "NFC"
    text = unicodedata.normalize(form, text).translate(_folded)  # type: ignore[arg-type]
    # A character between a letter and its combining mark may have been deleted.
    return _han_gaps.sub("", _number_points.sub("", unicodedata.normalize("NFC", text)))


def normalize(text: str) -> str:
    """Return the form of *text* in which it is compared.

    Words are separated by a single space, line breaks, `BLOCK_END`, ".", "," or ";". Doing it twice
    changes nothing. Any string is allowed, lone surrogates and NULs included. Cost: linear.

    >>> normalize("Ｃafé’s 1,200.50—臺灣")
    'cafes 120050;台湾'
    """
    return re.sub(" +", " ", normal_form(text))


def kinds_of(text: str) -> bytes:
    """Return the kind of each character of *text*, which is folded."""
    return text.translate(_kinds).encode("latin-1")
