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
    if not tokens:
        return []
    paragraphs = list(paragraphs)
    cutter = _Cutter("\n".join(text for _, text in paragraphs), tokens * UNITS_OF_TOKEN)
    at = 0
    for level, text in paragraphs:
        cutter.add(at, text, level)
        at += len(text) + 1
    return cutter.finish()


class _Cutter:
    def __init__(self, text: str, limit: int) -> None:
        self._text, self._limit = text, limit
        self._chunks: list[Chunk] = []
        self._path: list[tuple[int, str]] = []  # the open headings with their levels
        self._begin = self._end = self._size = 0  # of the piece that is being filled
        self._above: tuple[str, ...] = ()
        self._heading: int | None = None  # where headings begin that wait for their text

    def add(self, at: int, line: str, level: int) -> None:
        if level:
            while self._path and self._path[-1][0] >= level:
                self._path.pop()
            self._path.append((level, line))
            if self._heading is None:
                self._heading = at
            return
        above = 0 if self._heading is None else text_units(self._text[self._heading : at])
        for first, last in _pieces(line, self._limit - above):
            self._take(at + first, at + last)

    def _take(self, first: int, last: int) -> None:
        headings = tuple(heading for _, heading in self._path)
        is_full = False
        if self._heading is not None:
            first, self._heading = self._heading, None
            is_full = self._size * SHORT >= self._limit
        units = text_units(self._text[first:last])
        gap = first - self._end
        if is_full or self._size + gap + units > self._limit:
            self._close()
        if self._size:
            self._above = tuple(commonprefix([self._above, headings]))  # noqa: RUF071
            units += gap
        else:
            self._begin, self._above = first, headings
        self._end, self._size = last, self._size + units

    def _close(self) -> None:
        if self._size:
            piece = self._text[self._begin : self._end]
            self._chunks.append(Chunk(piece, self._above, self._begin, self._end))
        self._size = 0

    def finish(self) -> list[Chunk]:
        if self._heading is not None:
            self._take(self._heading, len(self._text))
        self._close()
        return self._chunks


def _pieces(line: str, limit: int) -> Iterator[tuple[int, int]]:
    first = 0
    for match in _END.finditer(line) if text_units(line) > limit else ():
        last = match.start() + len(match[0].rstrip())
        if not _ABBREVIATED.search(line, max(first, last - 5), last):
            yield first, last
            first = match.end()
    if first < len(line):
        yield first, len(line)
