"""Cut text in scripts that put spaces between words: at white space and punctuation."""

from __future__ import annotations

import re
from collections import Counter

# Vowel signs are no \w in Python: without these ranges an Indic word would be cut.
MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0f71-\u0f84"
)
_words = re.compile(f"[\\w{MARKS}]+").findall  # "_" is taken for a gap before
# What is not ASCII is left in place: bytes are translated and split at six times the speed of a
# regular expression, and most pieces are words.
_ascii_gaps = bytes(c if c > 127 or chr(c).isalnum() else 32 for c in range(256))


def cut_spaced(text: str) -> list[str]:
    """Return the words of *text* in order."""
    pieces = _pieces(text)
    return pieces if text.isascii() else [w for piece in pieces for w in _words_of(piece)]


def _pieces(text: str) -> list[str]:
    """Return *text* cut at white space and ASCII punctuation; there may be other in a piece."""
    return text.encode(errors="replace").translate(_ascii_gaps).decode().split()


def count_spaced(counts: dict[str, int], text: str) -> None:
    """Add the words of *text* to *counts*. Each different piece of it is looked at once."""
    for piece, number in Counter(_pieces(text)).items():
        if piece.isascii():
            counts[piece] = counts.get(piece, 0) + number
        else:
            for word in _words(piece):
                counts[word] = counts.get(word, 0) + number


def _words_of(piece: str) -> list[str]:
    """Return the words in a piece of a text in scripts with spaces."""
    return [piece] if piece.isascii() else _words(piece)
