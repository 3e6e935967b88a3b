"""The methods to choose from: how each makes fingerprints and compares two of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from webclean_scrapy.dedup.comparison import compare
from webclean_scrapy.dedup.feature_strings import compare_strings, string_codes
from webclean_scrapy.dedup.fingerprint import Fingerprint, Fingerprinter, PageReader, exact_hash
from webclean_scrapy.dedup.keyword_vectors import compare_vectors, keyword_codes
from webclean_scrapy.dedup.minhash import compare_minhashes, minhash_codes
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webclean_scrapy.dedup.comparison import Comparison
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Block
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Numbers

    CodeFunction = Callable[[Words, Numbers], tuple[list[int], list[int]]]

_ALL = 1 << 31


class Maker(Protocol):
    """Makes fingerprints; safe to share between threads."""

    def make(
        self, blocks: Sequence[Block], *, title: Block | None = None, whole_page: bool = False
    ) -> Fingerprint:
        """Return the fingerprint of a page given as (text, weight) *blocks* and its *title*."""


class CodeMaker:
    """A `Maker` for methods whose codes and ranks are a function of words and block weights."""

    def __init__(self, config: DedupConfig, codes_of: CodeFunction) -> None:
        self._reader = PageReader(config)
        self._codes_of = codes_of

    def make(
        self, blocks: Sequence[Block], *, title: Block | None = None, whole_page: bool = False
    ) -> Fingerprint:
        words, factors = self._reader.read(blocks, title)
        codes, ranks = map(tuple, self._codes_of(words, factors))
        exact = exact_hash(words.hashes)
        return Fingerprint(exact=exact, codes=codes, ranks=ranks, whole_page=whole_page)


class Method(NamedTuple):
    """A way to detect near-duplicates."""

    maker: Callable[[DedupConfig], Maker]
    compare: Callable[[Fingerprint, Fingerprint, DedupConfig], Comparison | None]
    stores: tuple[str, ...]  # kinds that can hold its index: "memory", "sqlite", "redis"


_LOCAL = ("memory", "sqlite")
_METHODS = {
    "codes": Method(Fingerprinter, compare, (*_LOCAL, "redis")),
    "keywords": Method(partial(CodeMaker, codes_of=keyword_codes), compare_vectors, _LOCAL),
    "feature-string": Method(partial(CodeMaker, codes_of=string_codes), compare_strings, _LOCAL),
    "minhash": Method(partial(CodeMaker, codes_of=minhash_codes), compare_minhashes, ("memory",)),
}


def method_of(config: DedupConfig) -> Method:
    """Return the method that *config* names."""
    return _METHODS[config.method]


def search_config(config: DedupConfig) -> DedupConfig:
    """Return *config* with the search that its method needs.

    The papers compare a page with every page that shares any code with it.
    """
    if config.method == "codes":
        return config
    return replace(
        config, sample=255, indexed=255, probes=255, votes=1,
        max_pages_per_code=_ALL, max_candidates=_ALL,
    )  # fmt: skip


def check_store(config: DedupConfig, kind: str) -> None:
    """Raise ConfigError when the method of *config* does not work with stores of *kind*."""
    stores = method_of(config).stores
    if kind not in stores:
        names = {"memory": "None (memory)", "sqlite": "'sqlite:///file.db'"}
        known = " or ".join(names[name] for name in stores)
        raise ConfigError(
            f"method {config.method!r} does not support a {kind} store; use {known} "
            "as the URI, or the method 'codes'"
        )
