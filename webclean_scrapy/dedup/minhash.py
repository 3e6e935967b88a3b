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
from webclean_scrapy.dedup.text_words import BREAK_HASH
from webclean_scrapy.dedup.word_hashes import mix
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Hashes, Numbers

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


def minhash_codes(words: Words, factors: Numbers) -> tuple[list[int], list[int]]:
    """Return the MinHash of a page, empty without words, and ranks of 0, which have no meaning."""
    del factors  # weights are not used
    hashes = shingles(words)
    if not len(hashes):
        return [], []
    minhash = load_datasketch().MinHash(num_perm=PERMUTATIONS)
    minhash.update_batch([one.tobytes() for one in np.unique(hashes).astype("<u8")])
    return minhash.hashvalues.tolist(), [0] * PERMUTATIONS


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
