"""The methods to choose from: how each makes fingerprints and compares two of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from webclean_scrapy.dedup.comparison import compare
from webclean_scrapy.dedup.feature_strings import compare_strings, string_codes
from webclean_scrapy.dedup.fingerprint import (
    Fingerprint,
    Fingerprinter,
    find_phrases,
    weighted_blocks,
)
from webclean_scrapy.dedup.keyword_vectors import compare_vectors, keyword_codes
from webclean_scrapy.dedup.minhash import Bands, minhash_codes, minhash_parameters
from webclean_scrapy.dedup.page_sample import PageReader, exact_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from webclean_scrapy.dedup.comparison import Comparison
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.page_sample import Block
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Numbers

    CodeFunction = Callable[[Words, Numbers, DedupConfig], tuple[list[int], list[int]]]
    Compare = Callable[[Fingerprint, Fingerprint, DedupConfig], Comparison | None]

_ALL = 1 << 31


class Maker(Protocol):
    """Makes fingerprints; safe to share between threads."""

    def make(
        self,
        blocks: Sequence[Block],
        *,
        title: Block | None = None,
        whole_page: bool = False,
        phrases: Sequence[str] = (),
    ) -> Fingerprint:
        """Return the fingerprint of a page given as (text, weight) *blocks* and its *title*.

        The words of *phrases* are emphasised.
        """


class CodeMaker:
    """A `Maker` for methods whose codes and ranks are a function of words and block weights."""

    def __init__(self, config: DedupConfig, codes_of: CodeFunction) -> None:
        self._reader = PageReader(config)
        self._config = config
        self._codes_of = codes_of

    def make(
        self,
        blocks: Sequence[Block],
        *,
        title: Block | None = None,
        whole_page: bool = False,
        phrases: Sequence[str] = (),
    ) -> Fingerprint:
        words, factors = self._reader.read(blocks, title, phrases)
        codes, ranks = map(tuple, self._codes_of(words, factors, self._config))
        exact = exact_hash(words.hashes)
        return Fingerprint(exact=exact, codes=codes, ranks=ranks, whole_page=whole_page)


class Search(NamedTuple):
    """How a store finds and compares pages."""

    index_codes: Callable[[Fingerprint], Sequence[int]]  # what a page may be indexed under
    compare: Compare


class Method(NamedTuple):
    """A way to detect near-duplicates."""

    maker: Callable[[DedupConfig], Maker]
    search: Callable[[DedupConfig], Search]
    parameters: Callable[[DedupConfig], dict[str, str]] = lambda _: {}  # in the header of a store


class PageFingerprinter:
    """Makes the fingerprints of pages, as the method of *config* does; safe to share.

    Its dictionaries (20 MB, 0.2 s) are loaded with the first page: a crawl whose workers make the
    fingerprints needs none.
    """

    def __init__(self, config: DedupConfig) -> None:
        self._config = config
        self._title_weight = config.title_weight

    @cached_property
    def _maker(self) -> Maker:
        return method_of(self._config).maker(self._config)

    def make(
        self,
        text: str,
        *,
        title: str = "",
        whole_page: bool = False,
        marked: Mapping[str, float] | None = None,
    ) -> Fingerprint:
        """Return the fingerprint of a page. For *marked* see `DuplicateIndex.check_and_add`."""
        return self._maker.make(
            weighted_blocks(text, marked) if marked else [(text, 1.0)],
            title=(title, self._title_weight) if title else None,
            whole_page=whole_page,
            phrases=find_phrases(text, marked) if marked else (),
        )


def _search_by_codes(compare: Compare) -> Callable[[DedupConfig], Search]:
    """Return a search that indexes pages under the codes of their fingerprints."""
    return lambda _: Search(attrgetter("codes"), compare)


def _search_by_bands(config: DedupConfig) -> Search:
    bands = Bands.of(config)
    return Search(bands.index_codes, bands.compare)


_METHODS = {
    "codes": Method(Fingerprinter, _search_by_codes(compare)),
    "keywords": Method(
        partial(CodeMaker, codes_of=keyword_codes),
        _search_by_codes(compare_vectors),
        lambda config: {
            "keywords": str(config.keywords),
            "indexed_keywords": str(config.indexed_keywords),
        },
    ),
    "feature-string": Method(
        partial(CodeMaker, codes_of=string_codes),
        _search_by_codes(compare_strings),
        lambda config: {"keywords": str(config.keywords)},
    ),
    "minhash": Method(
        partial(CodeMaker, codes_of=minhash_codes),
        _search_by_bands,
        minhash_parameters,
    ),
}


def method_of(config: DedupConfig) -> Method:
    """Return the method that *config* names."""
    return _METHODS[config.method]


def search_config(config: DedupConfig) -> DedupConfig:
    """Return *config* with the search that its method needs.

    The papers compare a page with every page that shares any code with it; of keywords, the
    heaviest ones can be enough.
    """
    if config.method == "codes":
        return config
    most = config.indexed_keywords if config.method == "keywords" else 255
    return replace(
        config, sample=255, indexed=most, probes=most, votes=1,
        max_pages_per_code=_ALL, max_candidates=_ALL,
    )  # fmt: skip


def scheme_of(config: DedupConfig) -> dict[str, str]:
    """Return the fields in which two comparable fingerprints are equal: the header of a store."""
    return config.scheme() | method_of(config).parameters(config)
