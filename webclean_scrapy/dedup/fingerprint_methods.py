"""The methods to choose from: how a fingerprint is made, and what makes two of them alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from webclean_scrapy.dedup.comparison import judge
from webclean_scrapy.dedup.feature_strings import FeatureStrings, judge_strings
from webclean_scrapy.dedup.fingerprint import Fingerprinter
from webclean_scrapy.dedup.keyword_vectors import KeywordVectors, judge_vectors
from webclean_scrapy.dedup.minhash import MinHasher, judge_minhashes
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webclean_scrapy.dedup.comparison import Judgement
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Block, Fingerprint

_ALL = 1 << 31


class Maker(Protocol):
    """Makes fingerprints; safe to share between threads."""

    def make(
        self, blocks: Sequence[Block], *, title: Block | None = None, whole_page: bool = False
    ) -> Fingerprint: ...


class Method(NamedTuple):
    """A way to tell near-duplicates."""

    maker: Callable[[DedupConfig], Maker]
    judge: Callable[[Fingerprint, Fingerprint, DedupConfig], Judgement | None]
    stores: tuple[str, ...]  # kinds that can hold its index: "memory", "sqlite", "redis"


_LOCAL = ("memory", "sqlite")
_METHODS = {
    "codes": Method(Fingerprinter, judge, (*_LOCAL, "redis")),
    "keywords": Method(KeywordVectors, judge_vectors, _LOCAL),
    "feature-string": Method(FeatureStrings, judge_strings, _LOCAL),
    "minhash": Method(MinHasher, judge_minhashes, ("memory",)),
}


def method_of(config: DedupConfig) -> Method:
    """Return the method that *config* names."""
    return _METHODS[config.method]


def search_config(config: DedupConfig) -> DedupConfig:
    """Return *config* with the search that its method asks for.

    The papers compare a page with all that share anything with it.
    """
    if config.method == "codes":
        return config
    return replace(
        config, sample=255, indexed=255, probes=255, votes=1,
        max_pages_per_code=_ALL, max_candidates=_ALL,
    )  # fmt: skip


def check_store(config: DedupConfig, kind: str) -> None:
    """Raise ConfigError when the method does not work with stores of *kind*."""
    stores = method_of(config).stores
    if kind not in stores:
        names = {"memory": "None (memory)", "sqlite": "'sqlite:///file.db'"}
        told = " or ".join(names[name] for name in stores)
        raise ConfigError(
            f"method {config.method!r} does not support a {kind} store; use {told} "
            "as the URI, or the method 'codes'"
        )
