"""Cells of CSV that no spreadsheet takes for a formula.

Text of a page that begins with "=" would be computed where the file is opened: it may fetch an
address, or run a program (CSV injection). As OWASP advises, such a cell gets an apostrophe in
front. A number stays as it is.
"""

from __future__ import annotations

import re

#: What begins a formula: also a tab and line ends, which are skipped, and full-width signs.
_BEGINS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
_is_number = re.compile(r"[+-]?[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?%?").fullmatch


def text_cell(text: str) -> str:
    """Return *text* so that it is shown and not computed.

    >>> [text_cell(text) for text in ("=1+1", "-5", "- a line", "plain")]
    ["'=1+1", '-5', "'- a line", 'plain']
    """
    return f"'{text}" if text[:1] in _BEGINS and text and not _is_number(text) else text
