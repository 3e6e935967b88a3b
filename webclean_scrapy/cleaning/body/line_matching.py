"""Which lines of a page match the patterns of `line_patterns`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body import line_patterns as patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.lines import Lines

#: The last characters of a sentence, and what may follow them.
SENTENCE_ENDS = frozenset(".!?…。！？；．｡।॥؟۔։።။។")
CLOSERS = "\"'”’»)] 」』）"
_CLOSERS = frozenset(CLOSERS)
_BACK, _ON = ("<<", "«", "‹", "←"), (">>", "»", "›", "→")
_ARROWS = frozenset("<«‹←>»›→")  # at their ends


def ends_sentence(text: str) -> bool:
    """Whether a line ends as a sentence does, quotes and brackets aside."""
    last = text[-1:]
    if last in _CLOSERS:
        last = text.rstrip(CLOSERS)[-1:]
    return last in SENTENCE_ENDS


def is_unfilled(text: str) -> bool:
    """Whether most of *text*, in lower case, is placeholders that nothing was put into.

    >>> is_unfilled("by {{ author.name }}"), is_unfilled("Write {{ name }} where the name goes.")
    (True, False)
    """
    return 2 * sum(len(found) for found in patterns.PLACEHOLDER.findall(text)) > len(text)


def is_prompt(text: str) -> bool:
    """Whether *text*, in lower case, is a request, or has an arrow at one of its ends."""
    shown = text.strip()
    if shown[:1] in _ARROWS and shown.startswith(_BACK):
        return True
    if shown[-1:] in _ARROWS and shown.endswith(_ON):
        return True
    return patterns.PROMPT.search(text) is not None


def is_code(text: str) -> bool:
    """Whether *text*, in lower case, begins with code or data that a script would have used."""
    first = text.partition("\n")[0]
    return bool(patterns.CODE_PART.search(first) or patterns.CODE_START.match(text))


def is_credit(text: str) -> bool:
    """Whether *text*, in lower case, names who wrote, edited or published a text."""
    pattern = patterns.ASCII_CREDIT if text.isascii() else patterns.CREDIT
    return pattern.match(text) is not None


def is_editorial(text: str) -> bool:
    """Whether *text*, in lower case, names an editor, a source, an original title, a right."""
    if text.isascii() and "copyright" not in text:
        return False
    return patterns.EDITORIAL.match(text) is not None


def is_dated(text: str) -> bool:
    """Whether a date or a time is in *text*, which is in lower case."""
    return patterns.DATE.search(text) is not None


def match(
    pattern: Callable[[str], object], lines: Lines, candidates: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark those of the *candidates* that match the pattern, in lower case.

    Of a line that is longer, the first 400 characters are looked at.
    """
    return _matching(pattern, lines, np.flatnonzero(candidates).tolist())


def match_dates(lines: Lines, candidates: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark those of the *candidates* with a date or a time."""
    is_candidate = candidates.tolist()
    return _matching(is_dated, lines, [line for line in lines.numbered if is_candidate[line]])


def _matching(
    pattern: Callable[[str], object], lines: Lines, numbers: Iterable[int]
) -> NDArray[np.bool_]:
    lower = lines.lower_starts
    matching = np.zeros(len(lower), bool)
    found = [line for line in numbers if pattern(lower[line])]
    if found:
        matching[found] = True
    return matching
