"""The papers' methods "keywords" and "feature-string": the ten heaviest keywords.

"keywords", Features 7 (papers.md), as printed: Top-10 keywords by weighted TF-IDF, an inverted
index from keyword to pages, candidates share a keyword, a cosine of at least 0.8 makes a
near-duplicate. The paper keeps a weight beside each page of a keyword; here it is in the page's
`Fingerprint`: the hashes of the keywords as codes, heaviest first, their weights (65,535 for the
heaviest) as ranks.
Deviation: of the ten, the three heaviest find candidates (`DedupConfig.indexed_keywords`); Chinese
keywords may overlap (`text_words`); pages without keywords are compared by their exact hash.

"feature-string", Features 2 (papers.md): the text around each occurrence of a keyword is a feature
code; the codes in order are the feature string of the page; the similarity of two pages is the
length of their longest common contiguous run, divided by the length of the string.
Deviation: the keywords are the Top-10 of Features 7; at most 255 codes are kept; the length is that
of the shorter string, so that shortened copies match; the threshold of one half is our choice
(reconstructed: the paper does not print it).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.dedup.feature_codes import feature_codes
from webclean_scrapy.dedup.fingerprint import DUPLICATE, Fingerprint, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.text_words import Hashes, Numbers, Words

LONGEST = 255
_LOW32 = np.uint64(0xFFFFFFFF)


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


def longest_common_run(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the length of the longest common run of codes. Cost: pairs of equal codes.

    >>> longest_common_run([1, 2, 3, 4], [2, 3, 5, 1])
    2
    """
    places: dict[int, list[int]] = {}
    for at, code in enumerate(left):
        places.setdefault(code, []).append(at)
    longest = 0
    runs: dict[int, int] = {}  # length of the run that ends at a place of *left*
    for code in right:
        runs = {at: runs.get(at - 1, 0) + 1 for at in places.get(code, ())}
        longest = max(longest, *runs.values()) if runs else longest
    return longest


def compare_strings(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Verdict | None:
    shorter = min(len(old.codes), len(new.codes))
    similarity = longest_common_run(old.codes, new.codes) / max(1, shorter)
    if similarity < config.min_run:
        return None
    return Verdict(round(similarity, 4), DUPLICATE)
