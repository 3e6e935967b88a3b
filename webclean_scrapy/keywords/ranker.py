"""Keyword ranking methods by name, loaded on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webclean_scrapy.keywords.tfidf import Keyword

#: By frequency; by several features; by the network of words (extra `network`).
METHODS = ("tfidf", "features", "network")


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
    if method == "features":
        from webclean_scrapy.keywords.feature_ranker import FeatureRanker

        return FeatureRanker()
    if method == "network":
        from webclean_scrapy.keywords.word_network import NetworkRanker

        return NetworkRanker()
    from webclean_scrapy.keywords.tfidf import KeywordRanker

    return KeywordRanker()
