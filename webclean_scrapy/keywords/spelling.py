"""Fold words for comparison: no case, no accents, simplified Chinese."""

from __future__ import annotations

import re
import unicodedata

from webclean_scrapy.keywords.segment import simplify

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
    if "\u4e00" <= word[0] <= "\u9fff":  # shortcut: Chinese words have nothing to fold
        return word.casefold()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return unicodedata.normalize("NFC", _accents("", parts))
