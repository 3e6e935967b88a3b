"""Orders the links of a page by the interest that they promise.

After Hersovici et al., "The shark-search algorithm", 1998 (papers.md), which takes a link's promise
from its text and from the page it is on: promise = `TEXT_SHARE` x cosine of the link's text + the
rest x cosine of the page with the profile.

Deviation: a page hands on nothing of what was promised of it: with half of it, crawls of the demo
portal found no more. The words around a link are not read.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from webclean_scrapy.keywords.tfidf import KeywordRanker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.keywords.interest_profile import InterestProfile

TEXT_SHARE = 0.75  # of a promise that is the link's text
MAX_LINK_CHARS = 300  # of a link's text that are read
MAX_LINK_TEXTS = 2_000  # of a page that are read; later ones have the promise of the page alone
#: Priorities of requests, 1..STEPS by the square root of the promise: most promises are small.
#: There are few, because a queue on disk keeps a file open for each priority.
STEPS = 100
MAX_DEPTH = 20  # without a promise, the first pages of a site come first: -1..-MAX_DEPTH


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
            best[url] = max(_priority(promise, depth), best.get(url, -MAX_DEPTH))
        return best

    def _interest(self, text: str) -> float:
        return self._profile.interest(self._ranker.vector([(text, 1.0)]))


def _priority(promise: float, depth: int) -> int:
    """Return the priority of a link on a page at *depth*, for a promise of 0..1."""
    return round(STEPS * math.sqrt(promise)) or -min(depth + 1, MAX_DEPTH)
