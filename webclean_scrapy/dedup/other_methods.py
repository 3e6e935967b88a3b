"""The methods "keywords" and "feature-string" of the papers, and "minhash" for comparison.

"keywords", Features 7 (papers.md), as printed: Top-10 keywords by weighted TF-IDF, an inverted
index from keyword to pages, a cosine of at least 0.8 makes a near-duplicate. The weights (65,535
for the heaviest) are the ranks of a `Fingerprint`.
Deviation: of the ten, the three heaviest find candidates (`DedupConfig.indexed_keywords`); Chinese
keywords may overlap (`text_words`); pages without keywords are compared by their exact hash.

"feature-string", Features 2 (papers.md): the feature codes of the keywords in text order are the
feature string of the page; the similarity of two pages is the length of their longest common
contiguous run, divided by the length of the string.
Deviation: the keywords are the Top-10 of Features 7; at most 255 codes are kept; the length is that
of the shorter string, so that shortened copies match; the threshold of one half is our choice
(reconstructed: the paper does not print it).

"minhash": MinHash LSH (Broder, "On the resemblance and containment of documents", 1997) by
datasketch, over shingles of five characters in scripts without spaces, of three words in others.
Deviation: datasketch makes the MinHashes and says how many bands of how many values there are; a
hash of each band is a code in the index of the store. So a file can hold it, without pickle.
datasketch brings SciPy, so it is imported when the method is chosen.
"""

from __future__ import annotations

import functools
import hashlib
import math
import struct
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.dedup.feature_codes import feature_codes
from webclean_scrapy.dedup.fingerprint import DUPLICATE, Fingerprint, Verdict
from webclean_scrapy.dedup.text_words import BREAK_HASH, mix
from webclean_scrapy.errors import missing_library

if TYPE_CHECKING:
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Hashes, Numbers, Words

LONGEST = 255  # codes of a feature string
PERMUTATIONS = 128
CHARACTERS, WORDS = 5, 3  # in a shingle
_LOW32 = np.uint64(0xFFFFFFFF)
_NEXT = np.uint64(0x9E3779B97F4A7C15)


def top_keywords(words: Words, factors: Numbers, count: int) -> tuple[Hashes, Numbers]:
    """Return hashes and TF-IDF of the *count* heaviest keywords, in descending order.

    *factors*: weight of the block of each keyword. Equal weights: lower hash first.
    """
    distinct, positions = np.unique(words.keywords, return_inverse=True)
    totals = np.zeros(len(distinct))
    np.add.at(totals, positions, words.weights * factors)
    best = np.argsort(-totals, kind="stable")[:count]
    return distinct[best], totals[best]


def keyword_codes(words: Words, factors: Numbers, config: DedupConfig) -> dict[str, Any]:
    """Return 32 hash bits of each of the heaviest keywords, and its weight as an integer."""
    keywords, totals = top_keywords(words, factors, config.keywords)
    weights = np.rint(totals * (65535 / totals[0])) if len(totals) else totals
    codes, ranks = (keywords & _LOW32).tolist(), weights.astype(np.int64).tolist()
    return {"codes": tuple(codes), "ranks": tuple(ranks)}


def compare_vectors(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Verdict | None:
    weights = dict(zip(old.codes, old.ranks, strict=True))
    product = sum(weights.get(c, 0) * rank for c, rank in zip(new.codes, new.ranks, strict=True))
    if not product:
        return None
    cosine = product / math.hypot(*old.ranks) / math.hypot(*new.ranks)
    if cosine < config.min_cosine:
        return None
    return Verdict(round(min(cosine, 1.0), 4), DUPLICATE)


def string_codes(words: Words, factors: Numbers, config: DedupConfig) -> dict[str, Any]:
    """Return the feature string with 32 bits per code."""
    keywords, _ = top_keywords(words, factors, config.keywords)
    codes = feature_codes(words)[np.isin(words.keywords, keywords)][:LONGEST]
    return {"codes": tuple((codes & _LOW32).tolist())}


def compare_strings(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Verdict | None:
    shorter = min(len(old.codes), len(new.codes))
    common = SequenceMatcher(None, old.codes, new.codes, autojunk=False).find_longest_match()
    similarity = common.size / max(1, shorter)
    if similarity < config.min_run:
        return None
    return Verdict(round(similarity, 4), DUPLICATE)


def load_datasketch() -> Any:
    """Import datasketch. Raises: ConfigError when it is not installed."""
    try:
        import datasketch
    except ImportError as error:
        raise missing_library("the method 'minhash'", "datasketch") from error
    return datasketch


def minhash_codes(words: Words, factors: Numbers, config: DedupConfig) -> dict[str, Any]:
    """Return the MinHash of a page, empty without words."""
    del factors, config  # weights are not used
    hashes = shingles(words)
    if not len(hashes):
        return {"codes": ()}
    tokens = [one.tobytes() for one in np.unique(hashes).astype("<u8")]
    return {"codes": _minhash_of(tokens)}


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


def _minhash_of(tokens: list[bytes]) -> tuple[int, ...]:
    minhash = load_datasketch().MinHash(num_perm=PERMUTATIONS)
    minhash.update_batch(tokens)
    return tuple(minhash.hashvalues.tolist())


@functools.cache
def choose_bands(min_jaccard: float) -> tuple[int, int]:
    """Return datasketch's choice of bands and rows per band."""
    chosen = load_datasketch().MinHashLSH(threshold=min_jaccard, num_perm=PERMUTATIONS)
    return chosen.b, chosen.r


def band_codes(page: Fingerprint, config: DedupConfig) -> list[int]:
    """Return a 32-bit key for each band."""
    return [
        int.from_bytes(hashlib.blake2b(band, digest_size=4).digest(), "little")
        for band in _cut(page, config)
    ]


def compare_bands(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Verdict | None:
    """Return the estimated similarity of two pages with a common band, as duplicates."""
    if not {*_cut(old, config)} & {*_cut(new, config)}:  # only 32 bits of them are equal
        return None
    equal = sum(a == b for a, b in zip(old.codes, new.codes, strict=True))
    return Verdict(round(equal / PERMUTATIONS, 4), DUPLICATE)


def _cut(page: Fingerprint, config: DedupConfig) -> list[bytes]:
    """Return number and values of each band; none for a page without words."""
    bands, rows = choose_bands(config.minhash_jaccard) if page.codes else (0, 0)
    return [
        struct.pack(f"<{rows + 1}I", band, *page.codes[band * rows : (band + 1) * rows])
        for band in range(bands)
    ]


def minhash_parameters(config: DedupConfig) -> dict[str, str]:
    """Return the parameters of MinHashes and bands, to check stores with.

    The hash of a known text tells whether datasketch hashes as it did when a store was created: its
    versions differ, and an index of another one finds nothing.
    """
    known = struct.pack(f"<{PERMUTATIONS}I", *_minhash_of([b"webclean", b"scrapy"]))
    bands, rows = choose_bands(config.minhash_jaccard)
    return {
        "permutations": str(PERMUTATIONS),
        "minhash_jaccard": repr(float(config.minhash_jaccard)),
        "bands": f"{bands} x {rows}",
        "datasketch": hashlib.blake2b(known, digest_size=8).hexdigest(),
    }
