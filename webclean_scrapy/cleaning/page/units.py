"""Measure text in units, and find its invisible characters.

TextLength of Chen et al. 2012 (papers.md) counts characters.
Deviation: a CJK, kana or hangul character counts 3, as it means about as much as three letters;
without it every threshold is three times off for Chinese.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

# Control characters, zero-width and bidirectional ones; no white space. The joiners U+200C and
# U+200D shape words and emoji: they stay, but are no text by themselves.
_HIDDEN = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
)
_MOST_TEXTS = 1_000  # of an element that are read
_CONTROLS = re.compile(f"[{_HIDDEN}]")
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # not in XML 1.0
_NOT_LETTERS = re.compile(r"[\W_]+")
_ASCII_SIGNS = bytes(c for c in range(128) if not chr(c).isalnum())
_SEEN = re.compile(f"[^\\s{_HIDDEN}\u200c\u200d]")

# First UTF-8 bytes of U+3000..U+D7FF and of U+F000..U+FFFF: CJK and its marks, kana, hangul,
# full-width forms. What is left when all other bytes are taken off counts two units more.
_OTHER_BYTES = bytes(b for b in range(256) if not (0xE3 <= b <= 0xED or b == 0xEF))


def text_units(text: str) -> int:
    """Return the length of *text* in units: a character is 1, a CJK, kana or hangul one 3.

    >>> text_units("naïve – yes"), text_units("正文。")
    (11, 9)
    """
    if text.isascii():
        return len(text)
    wide = text.encode("utf-8", "surrogatepass").translate(None, _OTHER_BYTES)
    return len(text) + 2 * len(wide)


def without_controls(text: str) -> str:
    r"""Return *text* without invisible characters.

    >>> without_controls("\u200bbo\u00addy\u202e text\x07")
    'body text'
    """
    return text if text.isprintable() else _CONTROLS.sub("", text)


def is_seen(text: str) -> bool:
    """True if *text* is visible: more than white space and control characters.

    >>> is_seen("body"), is_seen("\u200b \u200d")
    (True, False)
    """
    return _SEEN.search(text) is not None


def letters(text: str) -> str:
    """Return *text* in the form for comparison: letters and digits, in lower case.

    >>> letters("Harbour-Post, 3. Mai"), letters("„Wörter“ 2_3")
    ('harbourpost3mai', 'wörter23')
    """
    if text.isascii():  # a quarter of the time
        return text.encode().translate(None, _ASCII_SIGNS).decode().lower()
    return _NOT_LETTERS.sub("", text).lower()


def text_of(element: _Element) -> str:
    """Return the text of an element, cut to a bounded length, as elements may be nested."""
    return "".join(islice(element.itertext(), _MOST_TEXTS)).strip()
