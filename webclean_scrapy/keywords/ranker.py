"""Keyword ranking methods by name, loaded on demand."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.keywords.tfidf import Keyword

_RANKERS = {
    "tfidf": "tfidf:KeywordRanker",  # by frequency
    "features": "feature_ranker:FeatureRanker",
    "network": "word_network:NetworkRanker",  # of words; extra `network`
}
METHODS = tuple(_RANKERS)


class Ranker(Protocol):
    """Ranks the words of pages; safe to share between threads.

    *language* of the texts, ISO 639-1: whose stop words count.
    """

    def rank(
        self, blocks: Iterable[tuple[str, float]], limit: int = 10, language: str | None = None
    ) -> list[Keyword]: ...


def make_ranker(method: str) -> Ranker:
    """Return the ranker named *method*, one of `METHODS`.

    Raises: ConfigError when the library it needs is not installed.
    """
    ranker: Ranker = resolve_name(f"webclean_scrapy.keywords.{_RANKERS[method]}")()
    return ranker
