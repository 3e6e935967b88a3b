"""The method "keywords": the ten heaviest keywords of a page, compared by the cosine.

Features 7 (papers.md), as printed: Top-10 keywords by weighted TF-IDF (`top_keywords`), an
inverted index from keyword to pages, candidates share a keyword, a cosine of at least 0.8 makes a
near-duplicate. The paper keeps a weight beside each page of a keyword; here it is in the page's
`Fingerprint`: the hashes of the keywords as codes, heaviest first, their weights (65,535 for the
heaviest) as ranks.

Deviation: Chinese keywords may overlap (`text_words`); pages without keywords are compared by their
exact hash.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.dedup.comparison import DUPLICATE, Comparison

if TYPE_CHECKING:
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Hashes, Numbers


def top_keywords(words: Words, factors: Numbers, count: int) -> tuple[Hashes, Numbers]:
    """Return hashes and TF-IDF of the *count* heaviest keywords, heaviest first.

    *factors*: weight of the block of each keyword. Equal weights: lower hash first.
    """
    distinct, positions = np.unique(words.keywords, return_inverse=True)
    totals = np.zeros(len(distinct))
    np.add.at(totals, positions, words.weights * factors)
    best = np.argsort(-totals, kind="stable")[:count]
    return distinct[best], totals[best]


def keyword_codes(
    words: Words, factors: Numbers, config: DedupConfig
) -> tuple[list[int], list[int]]:
    """Return 32 bits of the hash of each of the heaviest keywords, and its weight as an integer."""
    keywords, totals = top_keywords(words, factors, config.keywords)
    weights = np.rint(totals * (65535 / totals[0])) if len(totals) else totals
    return (keywords & np.uint64(0xFFFFFFFF)).tolist(), weights.astype(np.int64).tolist()


def compare_vectors(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Comparison | None:
    """Return what *new* is to *old*, or None when it is another page."""
    if new.exact and old.exact == new.exact:
        return Comparison(1.0, DUPLICATE)
    weights = dict(zip(old.codes, old.ranks, strict=True))
    product = sum(weights.get(c, 0) * rank for c, rank in zip(new.codes, new.ranks, strict=True))
    if not product:
        return None
    cosine = product / math.hypot(*old.ranks) / math.hypot(*new.ranks)
    if cosine < config.min_cosine:
        return None
    return Comparison(round(min(cosine, 1.0), 4), DUPLICATE)
