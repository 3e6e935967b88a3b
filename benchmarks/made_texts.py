"""Texts of any number of pages, made by rule, for measuring an index of near-duplicates.

Words are drawn by Zipf's law with the offset of Mandelbrot (English: stop words first, then words
made of syllables) or by the frequencies of jieba's dictionary (Chinese). One sentence in four holds
one of 3,000 stock phrases, themselves drawn by Zipf's law, and one page in three a sentence that
all pages of its site have, so that some codes become frequent, as on the web. The same number gives
the same page.

Of 100 pages 3 are copies (a third each: a fifth of the sentences written anew, cut to two thirds,
a foreword and sentences in another order), 1 is an update (as much news again on top), 1 is another
report in the same words (every number differs, four at least), all of an earlier page.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from webclean_scrapy.keywords.segment import jieba_file
from webclean_scrapy.keywords.stop_words import ENGLISH

VOCABULARY, PHRASES, SITES = 60_000, 3_000, 500
_SYLLABLES = "ba ko li mer tan sel dor vi ra nes quo fi lan gor pe ti mas ule stra hen".split()
_KINDS = ("copy", "copy", "copy", "update", "sister")  # of the last pages of each hundred


class MadeText(NamedTuple):
    """A generated page with its labels."""

    number: int
    url: str
    text: str
    kind: str  # "new", "copy", "update" or "sister"
    origin: int  # number of the page that it was made of, else its own


class _Language(NamedTuple):
    words: list[str]
    chances: np.ndarray  # running sums, the last is 1
    phrases: list[str]
    space: str
    stop: str


def make_text(number: int) -> MadeText:
    """Return page *number*."""
    draw = np.random.default_rng([1, number])
    at = number % 100 - (100 - len(_KINDS))
    kind = _KINDS[at] if at >= 0 and number >= 200 else "new"
    origin = number
    if kind != "new":
        origin = int(draw.integers(number // 100)) * 100 + int(draw.integers(90))
    sentences = _sentences(origin, draw if kind == "sister" else None)
    if kind == "copy":
        sentences = _copy(sentences, origin, draw)
    elif kind == "update":
        sentences = _sentences(10**9 + number, None, origin % 2) + sentences
    text = "\n".join(_language(origin % 2).space.join(sentences[at : at + 4])
                     for at in range(0, len(sentences), 4))  # fmt: skip
    url = f"https://www.site{number % SITES}.example/2026/05/story-{number:09d}.html"
    return MadeText(number, url, text, kind, origin)


def _copy(sentences: list[str], origin: int, draw: np.random.Generator) -> list[str]:
    way = int(draw.integers(3))
    if way == 0:
        fresh = _sentences(2 * 10**9 + int(draw.integers(10**8)), None, origin % 2)
        return [fresh[n % len(fresh)] if draw.random() < 0.2 else s
                for n, s in enumerate(sentences)]  # fmt: skip
    if way == 1:
        return sentences[: max(3, len(sentences) * 2 // 3)]
    half = len(sentences) // 2
    return ["The news desk reports.", *sentences[half:], *sentences[:half]]


def _sentences(
    number: int, numbers: np.random.Generator | None, language: int | None = None
) -> list[str]:
    draw = np.random.default_rng([2, number])
    lang = _language(number % 2 if language is None else language)
    lengths = draw.integers(8, 26, max(5, int(draw.lognormal(2.7, 0.45))))
    ends = np.cumsum(lengths)
    picked = np.searchsorted(lang.chances, draw.random(int(ends[-1]))).tolist()
    chances = draw.random((len(lengths), 3))
    figures = (draw if numbers is None else numbers).integers(2, 9000, len(lengths)).tolist()
    found = []
    for place, (end, length, (phrase, at, figure), amount) in enumerate(
        zip(ends.tolist(), lengths.tolist(), chances.tolist(), figures, strict=True)
    ):
        words = [lang.words[n] for n in picked[end - length : end]]
        if phrase < 0.25:
            words.insert(length // 2, lang.phrases[int(PHRASES**at) - 1])
        if figure < 0.4 or place < 4:
            words.insert(length - 2, str(amount))
        found.append(lang.space.join(words) + lang.stop)
    if number % 3 == 0:
        found.append(_site_sentence(number % SITES, number % 2 if language is None else language))
    return found


@functools.cache
def _site_sentence(site: int, language: int) -> str:
    lang = _language(language)
    draw = np.random.default_rng([3, site, language])
    picked = np.searchsorted(lang.chances, draw.random(14))
    return lang.space.join(lang.words[n] for n in picked.tolist()) + lang.stop


@functools.cache
def _language(which: int) -> _Language:
    """Return English (0) or Chinese (1)."""
    draw = np.random.default_rng(4)
    words, weights = _english(draw) if which == 0 else _chinese()
    chances = np.cumsum(weights) / np.sum(weights)
    chances[-1] = 1.0
    space, stop = (" ", ".") if which == 0 else ("", "\u3002")
    phrases = []
    for length in draw.integers(4, 8, PHRASES).tolist():
        picked = np.searchsorted(chances, draw.random(length)).tolist()
        phrases.append(space.join(words[n] for n in picked))
    return _Language(words, chances, phrases, space, stop)


def _english(draw: np.random.Generator) -> tuple[list[str], np.ndarray]:
    made = dict.fromkeys(ENGLISH.split()[:120])
    while len(made) < VOCABULARY:
        # A language's frequent words are its short ones.
        longest = 2 + (len(made) > 500) + (len(made) > 5_000)
        length = int(draw.integers(longest - 1, longest + 1))
        made["".join(_SYLLABLES[n] for n in draw.integers(len(_SYLLABLES), size=length))] = None
    return list(made), 1.0 / (np.arange(VOCABULARY) + 2.7)


def _chinese() -> tuple[list[str], np.ndarray]:
    path = jieba_file("dict.txt")
    lines = [line.split() for line in path.read_text(encoding="utf8").splitlines()]
    lines.sort(key=lambda parts: (-int(parts[1]), parts[0]))
    words, counts = zip(*((p[0], int(p[1])) for p in lines[:VOCABULARY]), strict=True)
    return list(words), np.array(counts, float)
