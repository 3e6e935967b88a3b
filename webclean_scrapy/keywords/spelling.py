"""The form of a word that is compared: no case, no accents, simplified Chinese."""

from __future__ import annotations

import unicodedata

from webclean_scrapy.keywords.segment import simplify


def fold_word(word: str) -> str:
    """Return the form of *word* that is compared: no case, no accents, simplified.

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
    bare = "".join(c for c in parts if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", bare)
