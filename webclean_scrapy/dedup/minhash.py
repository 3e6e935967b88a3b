"""The method "minhash": MinHash LSH by datasketch, the usual method, to compare ours with.

Broder, "On the resemblance and containment of documents", 1997; shingles of five characters in
scripts without spaces, of three words in others; a page matches when the estimated
Jaccard similarity is about 0.7 or more (128 permutations; datasketch chooses the bands).

The extra `minhash` installs datasketch, which brings SciPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.dedup.comparison import DUPLICATE, Comparison
from webclean_scrapy.dedup.fingerprint import Fingerprint, exact_hash
from webclean_scrapy.dedup.text_words import BREAK_HASH, WordReader
from webclean_scrapy.dedup.word_hashes import mix
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Block
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Hashes

PERMUTATIONS = 128
THRESHOLD = 0.7
CHARACTERS, WORDS = 5, 3  # in a shingle
INSTALL = "install the extra: pip install 'webclean-scrapy[minhash]'"
_NEXT = np.uint64(0x9E3779B97F4A7C15)


def load_datasketch() -> Any:
    """Return the library. Raises: ConfigError when it is not installed."""
    try:
        import datasketch
    except ImportError as error:
        raise ConfigError(f"method 'minhash' needs datasketch; {INSTALL}") from error
    return datasketch


class MinHasher:
    """Makes MinHashes, kept as the codes of a `Fingerprint`. One serves many threads."""

    def __init__(self, config: DedupConfig) -> None:
        self._minhash = load_datasketch().MinHash
        self._config = config
        self._reader = WordReader()

    def make(
        self, blocks: Sequence[Block], *, title: Block | None = None, whole_page: bool = False
    ) -> Fingerprint:
        """Return the fingerprint of a page given as (text, weight) *blocks* and its *title*.

        The weights are not used. A page without words has no codes.
        """
        blocks = [*blocks, title] if title else blocks
        words = self._reader.read([text[: self._config.max_chars] for text, _ in blocks])
        hashes = shingles(words)
        codes: tuple[int, ...] = ()
        if len(hashes):
            minhash = self._minhash(num_perm=PERMUTATIONS)
            minhash.update_batch([one.tobytes() for one in np.unique(hashes).astype("<u8")])
            codes = tuple(minhash.hashvalues.tolist())
        return Fingerprint(
            exact=exact_hash(words.hashes),
            codes=codes,
            ranks=(0,) * len(codes),
            whole_page=whole_page,
        )


def shingles(words: Words) -> Hashes:
    """Return a hash of each run of `CHARACTERS` or `WORDS`, by the script of most tokens."""
    tokens = words.hashes[words.hashes != BREAK_HASH]
    size = CHARACTERS if np.count_nonzero(words.single) * 2 > len(tokens) else WORDS
    size = min(size, len(tokens))
    count = len(tokens) - size + 1
    hashes: Hashes = tokens[:count]
    for step in range(1, size):
        hashes = mix(hashes * _NEXT + tokens[step : step + count])
    return hashes


def compare_minhashes(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Comparison | None:
    """Return the estimated similarity of two pages; that the bands agree makes them duplicates."""
    del config
    if new.exact and old.exact == new.exact:
        return Comparison(1.0, DUPLICATE)
    equal = sum(a == b for a, b in zip(old.codes, new.codes, strict=True))
    return Comparison(round(equal / PERMUTATIONS, 4), DUPLICATE)
