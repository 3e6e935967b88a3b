"""The methods that rank the keywords of a page, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from webclean_scrapy.keywords.directed_network import DirectedNetworkRanker
from webclean_scrapy.keywords.feature_ranker import FeatureRanker
from webclean_scrapy.keywords.tfidf import Keyword, KeywordRanker
from webclean_scrapy.keywords.word_network import NetworkRanker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webclean_scrapy.keywords.segment import Segmenter


class Ranker(Protocol):
    """Ranks the words of pages; safe to share between threads.

    *language* of the texts, ISO 639-1: whose stop words count.
    """

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]: ...


def make_ranker(method: str, segmenter: Segmenter | None = None) -> Ranker:
    """Return the ranker that *method*, one of `ranker_names.METHODS`, names.

    Raises: ConfigError when the library it needs is not installed.
    """
    rankers: dict[str, Callable[[Segmenter | None], Ranker]] = {
        "tfidf": KeywordRanker,
        "features": FeatureRanker,
        "network": NetworkRanker,
        "network-directed": DirectedNetworkRanker,
    }
    return rankers[method](segmenter)
