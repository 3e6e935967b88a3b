"""Make fingerprints, and list the detection methods."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np

from webclean_scrapy.dedup.comparison import compare_terms, may_be_boilerplate
from webclean_scrapy.dedup.feature_codes import sample_codes, sample_terms
from webclean_scrapy.dedup.fingerprint import DUPLICATE, Fingerprint, Verdict
from webclean_scrapy.dedup.other_methods import (
    band_codes,
    compare_bands,
    compare_strings,
    compare_vectors,
    keyword_codes,
    minhash_codes,
    minhash_parameters,
    string_codes,
)
from webclean_scrapy.dedup.text_words import BREAK_HASH, WORD, WordReader
from webclean_scrapy.keywords.tag_weights import EMPHASISED, MOST_IN_FINGERPRINT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Hashes, Numbers, Words

    Block = tuple[str, float]

_ALL = 1 << 31
MOST_LINES = 1_000  # that are kept of a text, to say what a later version changed


class Method(NamedTuple):
    """A way to detect near-duplicates."""

    codes: Callable[[Words, Numbers, DedupConfig], dict[str, Any]]  # fields of a `Fingerprint`
    compare: Callable[[Fingerprint, Fingerprint, DedupConfig], Verdict | None]
    parameters: Callable[[DedupConfig], dict[str, str]] = lambda _: {}  # in the header of a store
    # Under which a page may be indexed.
    index_codes: Callable[[Fingerprint, DedupConfig], Sequence[int]] = lambda page, _: page.codes
    has_terms: bool = False  # of the text, in the fingerprint
    # Whether a page (the second) is no copy after all, for what others have as well.
    doubts: Callable[[Fingerprint, Fingerprint, Iterable[Fingerprint]], bool] = lambda *_: False


class PageFingerprinter:
    """Makes fingerprints of pages by the method of *config*; thread-safe.

    Its dictionaries (20 MB, 0.2 s) are loaded with the first page: a crawl whose workers make the
    fingerprints needs none.
    """

    def __init__(self, config: DedupConfig) -> None:
        self._config = config

    @cached_property
    def _reader(self) -> WordReader:
        options = self._config
        return WordReader(options.stop_words, options.user_words, dict(options.idf))

    def make(
        self, text: str, *, title: str = "", marked: Mapping[str, float] | None = None
    ) -> Fingerprint:
        """Return the fingerprint of a page. For *marked* see `DuplicateIndex.check_and_add`.

        The exact hash leaves the title out, as copies often have another one; not so for short
        texts: "Loading ..." under two titles is two pages.
        Cost: linear in the first `max_chars` characters.
        """
        config = self._config
        text, title = text[: config.max_chars], title[: config.max_chars]
        method, marked = METHODS[config.method], marked or {}
        blocks = weighted_blocks(text, marked)
        titled = [*blocks, (title, config.title_weight)] if title else blocks
        words = self._reader.read([block for block, _ in titled])
        body = words.first(len(blocks))
        factors = self._factors(words, titled, find_phrases(text, marked))
        found = method.codes(words, factors, config)
        end = words.ends[len(blocks) - 1]  # of the text; the title follows
        terms = sample_terms(words, end, config.terms) if method.has_terms else {}
        hashes = (words if len(body.keywords) < config.min_codes else body).hashes
        lines = () if config.versions == "none" else line_hashes(body.hashes)
        exact, length = exact_hash(hashes), text_length(body)
        return Fingerprint(exact=exact, length=length, lines=lines, **found, **terms)

    def _factors(self, words: Words, blocks: Sequence[Block], phrases: str) -> Numbers:
        """Return for each keyword of *words* the weight of its block.

        Keywords of *phrases* weigh at least `EMPHASISED` wherever they occur.
        """
        starts = words.firsts.searchsorted([0, *words.ends])
        factors = np.zeros(len(words.firsts))
        for (_, weight), start in zip(blocks, starts.tolist(), strict=False):
            factors[start:] = weight
        if phrases:
            emphasised = self._reader.read([phrases[: self._config.max_chars]]).keywords
            raised = np.isin(words.keywords, emphasised) & (factors < EMPHASISED)
            factors[raised] = EMPHASISED
        return factors


def weighted_blocks(text: str, line_weights: Mapping[str, float]) -> list[Block]:
    r"""Return *text* as blocks of lines with equal weight: from *line_weights*, else 1.

    >>> weighted_blocks("A head\none\ntwo", {"A head": 3.0})
    [('A head', 2.0), ('one\ntwo', 1.0)]
    """
    if not line_weights:
        return [(text, 1.0)]
    by_weight = itertools.groupby(
        text.split("\n"), lambda line: min(line_weights.get(line, 1.0), MOST_IN_FINGERPRINT)
    )
    return [("\n".join(lines), weight) for weight, lines in by_weight]


def find_phrases(text: str, marked: Mapping[str, float]) -> str:
    r"""Return the texts of *marked* that are no whole lines of *text*, one a line.

    >>> find_phrases("A head\none two", {"A head": 3.0, "two": 1.5})
    'two'
    """
    lines = {*text.split("\n")} if marked else ()
    return "\n".join(phrase for phrase in marked if phrase not in lines)


def exact_hash(words: Hashes) -> int:
    """Return 64 bits that are equal for equal words in equal order; 0 without words."""
    words = words[words != BREAK_HASH]  # copies may wrap lines elsewhere
    if not len(words):
        return 0
    digest = hashlib.blake2b(words.astype("<u8", copy=False).tobytes(), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


def text_length(words: Words) -> int:
    """Return the number of *words*; what a syllable counts stands at `text_words.WORD`."""
    return int(words.parts.sum()) // WORD


def line_hashes(words: Hashes) -> tuple[int, ...]:
    """Return 32 bits per line with words; lines after `MOST_LINES` are hashed as one."""
    ends = (words == BREAK_HASH).nonzero()[0][:MOST_LINES]
    lines = (line[line != BREAK_HASH] for line in np.split(words, ends))
    return tuple(crc32(line.astype("<u8", copy=False).tobytes()) for line in lines if len(line))


def _named(*names: str) -> Callable[[DedupConfig], dict[str, str]]:
    return lambda config: {name: str(getattr(config, name)) for name in names}


METHODS = {
    "codes": Method(
        sample_codes, compare_terms, _named("terms"), has_terms=True, doubts=may_be_boilerplate
    ),
    "keywords": Method(keyword_codes, compare_vectors, _named("keywords", "indexed_keywords")),
    "feature-string": Method(string_codes, compare_strings, _named("keywords")),
    "minhash": Method(minhash_codes, compare_bands, minhash_parameters, band_codes),
}


def compare(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Verdict | None:
    """Compare *new* with *old*; None if they are unrelated."""
    if new.exact and old.exact == new.exact:
        return Verdict(1.0, DUPLICATE, 0.0)
    return METHODS[config.method].compare(old, new, config)


def search_config(config: DedupConfig) -> DedupConfig:
    """Return *config* with the search needed by its method.

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
    """Return the header of a store: the fields that comparable fingerprints share."""
    table = (f"{word} {value!r}" for word, value in config.idf)
    words = "\n".join((*sorted(config.stop_words), "", *config.user_words, "", *table)).encode()
    return {
        "scheme": config.method,
        "version": "10",
        **_named("sample", "numbers", "max_chars", "min_codes")(config),
        "title_weight": repr(float(config.title_weight)),
        "words": hashlib.blake2b(words, digest_size=8).hexdigest(),
        **METHODS[config.method].parameters(config),
    }
