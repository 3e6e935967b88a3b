"""Interest profiles: words of pages kept by a reader, used to rate pages and links.

Features 5 (papers.md): the profile is the sum of the tag-weighted keyword vectors of the kept
pages, cut to its top 30 terms; the interest of a page is the cosine of its vector with the profile.
Deviation: the vectors have length 1 before they are added. As printed, a long page outweighs
several short ones.

Links are ordered after Hersovici et al., "The shark-search algorithm", 1998 (papers.md), which
takes a link's promise from its text and from the page it is on: promise = `TEXT_SHARE` x cosine of
the link's text + the rest x cosine of the page with the profile.
Deviation: a page hands on nothing of what was promised of it: with half of it, crawls of the demo
portal found no more. The words around a link are not read.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webclean_scrapy.errors import ProfileFileError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.keywords.tfidf import KeywordRanker

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

TERMS = 30  # of a profile, as printed
FILE_FORMAT = "webclean interest profile"
FILE_VERSION = 1
MAX_BYTES = 1_000_000  # of a file; a profile has one or two thousand
TEXT_SHARE = 0.75  # of a promise that is the link's text
MAX_LINK_CHARS = 300  # of a link's text that are read
MAX_LINK_TEXTS = 2_000  # of a page that are read; later ones have the promise of the page alone
#: Priorities of requests, 1..STEPS by the square root of the promise: most promises are small.
#: There are few, because a queue on disk keeps a file open for each priority.
STEPS = 100
MAX_DEPTH = 20  # without a promise, the first pages of a site come first: -1..-MAX_DEPTH


@dataclass(frozen=True, slots=True)
class InterestProfile:
    """The terms of the kept pages: folded words and their weights, heaviest first.

    Weights are sums of TF-IDF with the weights of tags; only their proportions matter.
    """

    terms: tuple[tuple[str, float], ...]
    pages: int  # that were kept

    def interest(self, vector: Mapping[str, float]) -> float:
        """Return the cosine of *vector* (TF-IDF by folded word) with the profile, 0..1.

        0.0 for an empty vector. Cost: linear in the length of *vector*.

        >>> profile = InterestProfile((("bridge", 4.0), ("amber", 3.0)), pages=1)
        >>> profile.interest({"bridge": 4.0, "amber": 3.0}), profile.interest({"amber": 1.0})
        (1.0, 0.6)
        """
        product = sum(weight * vector.get(word, 0.0) for word, weight in self.terms)
        if product <= 0.0:
            return 0.0
        lengths = math.hypot(*(weight for _, weight in self.terms)) * math.hypot(*vector.values())
        return min(product / lengths, 1.0)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the profile. A crash leaves the file unchanged. Raises OSError."""
        data = {
            "format": FILE_FORMAT,
            "version": FILE_VERSION,
            "pages": self.pages,
            "terms": {word: round(weight, 6) for word, weight in self.terms},
        }
        replace_text(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> InterestProfile:
        """Return the profile in *path*. Raises: ProfileFileError."""
        try:
            with Path(path).open("rb") as file:
                return _from_content(file.read(MAX_BYTES + 1))
        except (OSError, ValueError, RecursionError) as error:
            raise ProfileFileError(
                f"cannot read an interest profile from {path}: {error}"
            ) from error


def make_profile(vectors: Iterable[Mapping[str, float]], limit: int = TERMS) -> InterestProfile:
    """Return the profile of kept pages by their *vectors* (TF-IDF by folded word).

    It has at most *limit* terms; equal weights: the word that comes first in the alphabet. Pages
    without words are not counted.
    """
    sums: dict[str, float] = {}
    pages = 0
    for vector in filter(None, vectors):
        pages += 1
        length = math.hypot(*vector.values())
        for word, weight in vector.items():
            sums[word] = sums.get(word, 0.0) + weight / length
    best = sorted(sums.items(), key=lambda term: (-term[1], term[0]))
    return InterestProfile(tuple(best[:limit]), pages)


def measure_interest(
    profile: InterestProfile, ranker: KeywordRanker, blocks: Iterable[tuple[str, float]]
) -> float:
    """Return the interest of a page by its (text, weight) *blocks*, 0..1, with four digits."""
    return round(profile.interest(ranker.vector(blocks)), 4)


def _from_content(content: bytes) -> InterestProfile:
    """Read the profile from a file's bytes. Raises ValueError or RecursionError."""
    if len(content) > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES:,} bytes")
    data: Any = json.loads(content)
    if not isinstance(data, dict) or data.get("format") != FILE_FORMAT:
        raise ValueError(f"its format is not {FILE_FORMAT!r}")
    if data.get("version") != FILE_VERSION:
        raise ValueError(f"it has version {data.get('version')!r}, expected {FILE_VERSION}")
    pages, terms = data.get("pages"), data.get("terms")
    if type(pages) is not int or pages < 1 or not isinstance(terms, dict) or not terms:
        raise ValueError("it has no pages or no terms")
    weights = list(terms.values())
    if not all(type(w) in {int, float} and 0.0 < w < 1e12 for w in weights):
        raise ValueError("its weights must be positive numbers")
    return InterestProfile(tuple((word, float(w)) for word, w in terms.items()), pages)


class LinkInterest:
    """Gives links a priority by an interest profile. One serves many pages and threads."""

    def __init__(self, profile: InterestProfile) -> None:
        self._profile, self._ranker = profile, KeywordRanker()

    def priorities(
        self, text: str, links: Iterable[tuple[str, str]], *, depth: int = 0
    ) -> dict[str, int]:
        """Return the priority of each URL of (URL, link text) *links*, in order, once each.

        *text* is that of the page, *depth* its distance from the first page. A URL with several
        texts has the best one's priority. Cost: linear.
        """
        page = self._interest(text)
        texts: dict[str, float] = {"": 0.0}
        best: dict[str, int] = {}
        for url, link_text in links:
            words = link_text[:MAX_LINK_CHARS].strip()
            if words not in texts and len(texts) < MAX_LINK_TEXTS:
                texts[words] = self._interest(words)
            promise = TEXT_SHARE * texts.get(words, 0.0) + (1 - TEXT_SHARE) * page
            priority = round(STEPS * math.sqrt(promise)) or -min(depth + 1, MAX_DEPTH)
            best[url] = max(priority, best.get(url, -MAX_DEPTH))
        return best

    def _interest(self, text: str) -> float:
        return self._profile.interest(self._ranker.vector([(text, 1.0)]))
