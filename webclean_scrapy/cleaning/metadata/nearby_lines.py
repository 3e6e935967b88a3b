"""Select the short lines around title and body, which state date, authors and source.

Menus, related stories and comments have dates, names and outlets of their own; what is beside
the title, just before the body or at its end is the article's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_LINE = 120  # characters; a longer line is a paragraph
_END = re.compile(r"[。！？!?।؟۔։။។]\W{0,2}\Z")
#: "a.m.", "14:05 h.", "2026 г.", "2026. március 12.": a full stop that ends no sentence
_SHORT_WORD = re.compile(
    r"\d\d?\s?(?:(?:[^\W\d_]\.\s?){1,2}|[Mm]in\.)\Z|(?:19|20)\d\d\.\s[^\W\d_]{3,12}\s\d\d?\.\Z"
)
_LONGEST_END, _LONGEST_SHORT_WORD = 3, 22  # characters
_SIGNED = re.compile(r"[。！？!?.”]\s?([（(][^（(]{2,28}[)）])\Z")  # behind the last sentence
_LONGEST_SIGNED = 32  # characters
_MIN_SENTENCE = 60  # characters before a full stop, which initials and abbreviations end with too
_ABOUT_TITLE = (-3, 8)  # lines before it, and up to which line after it
_BEFORE_BODY = (-8, 2)
_AFTER_BODY = (-3, 12)
_WIDER = (-16, 16)
_LEAD = 80  # characters
_FAR = 20  # lines between title and body: it is not this title then, but a link to the page


@dataclass(frozen=True, slots=True)
class Nearby:
    """The short lines around an article; lines closest to the title come first."""

    head: tuple[str, ...] = ()  # about the title and before the body
    tail: tuple[str, ...] = ()  # at the end of the body and after it
    signed: tuple[str, ...] = ()  # of *tail*, what stands in brackets behind the last sentence
    lead: str = ""  # how the body begins
    # Numbers of the lines that may hold a byline: those of *head*, of a wider range, of *tail*.
    numbers: tuple[int, ...] = ()
    head_numbers: tuple[int, ...] = ()
    tail_numbers: tuple[int, ...] = ()


def find_nearby(lines: Sequence[str], title: int | None, body: Sequence[int]) -> Nearby:
    """Select the lines around the title and the *body* (line numbers, rising).

    The title itself is not among them: its dates and names belong to the article's story.
    """
    head: list[int] = []
    tail: list[int] = []
    wider: list[int] = []
    if title is not None:
        head += _after_then_before(title, _ABOUT_TITLE)
        wider += _after_then_before(title, _WIDER)
    if body:
        before = _after_then_before(body[0], _BEFORE_BODY)
        near = title is not None and 0 <= body[0] - title <= _FAR
        head = head + before if near else before + head
        wider += _after_then_before(body[0], (_WIDER[0], _BEFORE_BODY[1]))
        tail += range(body[-1] + _AFTER_BODY[0], body[-1] + _AFTER_BODY[1])
    head, tail = _short(lines, head, title), _short(lines, tail, title)
    found = _SIGNED.search(lines[body[-1]][-_LONGEST_SIGNED:]) if body else None
    signed = found.groups() if found else ()
    return Nearby(
        head=tuple(lines[n] for n in head),
        tail=(*signed, *(lines[n] for n in tail)),
        signed=signed,
        lead=lines[body[0]][:_LEAD] if body else "",
        head_numbers=tuple(head),
        tail_numbers=tuple(tail),
        numbers=tuple(dict.fromkeys((*head, *_short(lines, wider, title), *tail))),
    )


def _after_then_before(line: int, around: tuple[int, int]) -> list[int]:
    """Return the line numbers around *line*: later ones, then earlier ones, nearest first."""
    return [*range(line, line + around[1] + 1), *range(line - 1, line + around[0] - 1, -1)]


def _short(lines: Sequence[str], numbers: Iterable[int], title: int | None) -> list[int]:
    """Return each of *numbers* with a short line, once."""
    inside = (n for n in dict.fromkeys(numbers) if 0 <= n < len(lines) and n != title)
    return [n for n in inside if is_short(lines[n])]


def ends_in_short_word(line: str) -> bool:
    """True if the full stop at the end of a line is that of a shortened word or a date."""
    return _SHORT_WORD.search(line[-_LONGEST_SHORT_WORD:]) is not None


def is_short(line: str) -> bool:
    """True if a line is not empty, not long and no sentence."""
    is_long = line.endswith(".") and len(line) > _MIN_SENTENCE and not ends_in_short_word(line)
    return 0 < len(line) <= MAX_LINE and not is_long and not _END.search(line[-_LONGEST_END:])
