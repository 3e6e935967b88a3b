"""Fold words for comparison: no case, no accents, simplified Chinese."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from webclean_scrapy.keywords.segment import simplify

if TYPE_CHECKING:
    from collections.abc import Sequence

_accents = re.compile("[\u0300-\u036f]+").sub


def fold_word(word: str) -> str:
    """Return *word* folded for comparison: no case, no accents, simplified Chinese.

    >>> fold_word("Café"), fold_word("臺灣")
    ('cafe', '台湾')
    """
    return fold_simplified(simplify(word))


def fold_simplified(word: str) -> str:
    if word.isascii():
        return word.lower()
    if _is_han(word):  # shortcut: Chinese words have nothing to fold
        return word.casefold()
    return _fold(word)


def fold_all(words: Sequence[str]) -> list[str]:
    """Return `fold_simplified` of each of *words*, which have no line breaks."""
    lines = "\n".join(words)
    if lines.isascii():
        return lines.lower().split("\n") if words else []
    others = [word for word in words if not (word.isascii() or _is_han(word))]
    folded = iter(_fold("\n".join(others)).split("\n"))  # nothing is composed over a line break
    return [
        word.lower() if word.isascii() else word.casefold() if _is_han(word) else next(folded)
        for word in words
    ]


def _is_han(word: str) -> bool:
    return "\u4e00" <= word[0] <= "\u9fff"


def _fold(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _accents("", parts))
