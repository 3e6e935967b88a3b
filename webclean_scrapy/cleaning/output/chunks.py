"""Cut the text of a body into chunks for retrieval, at headings, paragraphs and sentences.

A piece is a range of characters of the text, so that what is found leads back to the article. It
knows the headings that it stands under. A heading begins a new piece, unless the piece before it is
still short; a paragraph is cut only when it is longer than a piece, and a sentence never.
"""

from __future__ import annotations

import re
from os.path import commonprefix
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.page.lines import SENTENCE_END
from webclean_scrapy.cleaning.page.units import text_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UNITS_OF_TOKEN = 4  # tokenizers differ: a token has about 4 letters, or 1.3 Chinese characters
SHORT = 4  # a piece of less than this part of its size goes on over a heading
# No sentence ends behind "Dr.", "U.S." or an initial; one that does is joined with the next.
_ABBREVIATED = re.compile(r"(?:\b[A-Z]\w{0,2}|\.\w{1,3})\.$")

_END = re.compile(rf"(?:{SENTENCE_END.pattern})[”’」』）]*\s*|\n")  # a line of code ends, too


class Chunk(NamedTuple):
    """A chunk of the body: characters *start* to *stop* of the article's text."""

    text: str
    headings: tuple[str, ...]  # that it stands under, the outermost first
    start: int
    end: int


def cut_text(paragraphs: Iterable[tuple[int, str]], tokens: int) -> list[Chunk]:
    """Cut a text into chunks of at most *tokens*, single sentences apart; [] for 0 tokens.

    *paragraphs*: its level, 1 to 6 for a heading and 0 for others, and its text. That of code may
    have several lines. Cost: O(length).
    """
    paragraphs = list(paragraphs) if tokens else []
    text, limit = "\n".join(text for _, text in paragraphs), tokens * UNITS_OF_TOKEN
    chunks: list[Chunk] = []
    begin = end = size = 0  # of the chunk that is being filled
    above: tuple[str, ...] = ()
    for first, last, headings, begins_section in _cut(paragraphs, text, limit):
        units, gap = text_units(text[first:last]), first - end
        is_full = begins_section and size * SHORT >= limit
        if size and (is_full or size + gap + units > limit):
            chunks.append(Chunk(text[begin:end], above, begin, end))
            size = 0
        if size:
            above = tuple(commonprefix([above, headings]))  # noqa: RUF071
            units += gap
        else:
            begin, above = first, headings
        end, size = last, size + units
    return [*chunks, Chunk(text[begin:end], above, begin, end)] if size else chunks


def _cut(
    paragraphs: Iterable[tuple[int, str]], text: str, limit: int
) -> Iterator[tuple[int, int, tuple[str, ...], bool]]:
    """Yield start, end and headings of each piece, and whether it begins with its headings."""
    path: list[tuple[int, str]] = []  # the open headings with their levels
    waiting: int | None = None  # where headings begin that wait for their text
    at = 0
    for level, line in paragraphs:
        if level:
            while path and path[-1][0] >= level:
                path.pop()
            path.append((level, line))
            waiting = at if waiting is None else waiting
        else:
            before = 0 if waiting is None else text_units(text[waiting:at])
            headings = tuple(heading for _, heading in path)
            for first, last in _pieces(line, limit - before):
                start = at + first if waiting is None else waiting
                yield start, at + last, headings, waiting is not None
                waiting = None
        at += len(line) + 1
    if waiting is not None:
        yield waiting, len(text), tuple(heading for _, heading in path), True


def _pieces(line: str, limit: int) -> Iterator[tuple[int, int]]:
    first = 0
    for match in _END.finditer(line) if text_units(line) > limit else ():
        last = match.start() + len(match[0].rstrip())
        if not _ABBREVIATED.search(line, max(first, last - 5), last):
            yield first, last
            first = match.end()
    if first < len(line):
        yield first, len(line)
