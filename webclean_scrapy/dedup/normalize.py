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

from webclean_scrapy.keywords.segment import HAN, simplify

# Marks that reposts drop: Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points.
_accents = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
_apostrophes = "'\u2018\u2019\u02bc\u00b4`"
_spaced_han = re.compile(f" (?=[{HAN}])(?<=[{HAN}] )").search
_han_gap = re.compile(f"([{HAN}]) +(?=[{HAN}])")
_many_spaces = re.compile("  +")
# 1,200.5 and 1200.5 and 1.200,5: digits only, as the number is compared and never computed with.
_digit_point = re.compile(r"[.,](?<=\d[.,])(?=\d)")
_not_ascii = re.compile("[^\x00-\x7f]+")


class _FoldTable(dict[int, "str | None"]):
    """`str.translate` table that works out each character when it is first met.

    Filled on demand it holds what the texts use (some thousand entries) and never misses, which is
    also what makes `str.translate` fast.
    """

    def __missing__(self, char: int) -> str | None:
        # None deletes as "" does, and ASCII text stays on the fast path of str.translate.
        folded = self[char] = fold_char(chr(char)) or None
        return folded


@functools.cache
def _fold_table() -> _FoldTable:
    return _FoldTable()


def fold_char(char: str) -> str:
    """Return what stands for one character: "", " ", a line break, ";", or its folded form.

    Folding what this returns changes nothing.
    """
    category = unicodedata.category(char)
    if char in _apostrophes or category == "Cf" or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category in {"Zl", "Zp"} or char == "\n":
        return "\n"
    if category in {"Zs", "Cc", "Cs", "Co", "Cn"}:
        return " "
    if char in ".,":
        return char
    folded = _fold_letters(char)
    if folded != char:
        return "".join(map(fold_char, folded))
    return char if category[0] in "LNM" else ";"


def _fold_letters(char: str) -> str:
    """Return *char* decomposed, without accents, in lower case, simplified, composed again."""
    text = unicodedata.normalize("NFKD", char)
    text = unicodedata.normalize("NFKD", _accents.sub("", text).casefold())
    text = simplify(_accents.sub("", text))
    return unicodedata.normalize("NFC", text)


def normalize(text: str) -> str:
    r"""Return the form of *text* in which it is compared.

    Words with single spaces, line breaks, "." "," or ";" between them.
    Doing it twice changes nothing. Any string is accepted, lone surrogates and NULs included.
    Cost: linear.

    >>> normalize("Ｃafé’s 1,200.50—臺灣")
    'cafes 120050;台湾'
    """
    text = unicodedata.normalize("NFC", _fold(text))
    if "." in text or "," in text:
        text = _digit_point.sub("", text)
    if "  " in text:
        text = _many_spaces.sub(" ", text)
    if not text.isascii() and _spaced_han(text):
        text = _han_gap.sub(r"\1", text)
    return text


def _fold(text: str) -> str:
    table = _fold_table()
    if not text.isascii() and len(text.encode("ascii", "ignore")) > 0.9 * len(text):
        # Latin text with a few quotes and accents: with them folded it is ASCII, which
        # str.translate does ten times as fast. Folding the same character twice is harmless.
        text = _not_ascii.sub(lambda run: run.group().translate(table), text)
    return text.translate(table)
