"""The method "keywords": the ten heaviest keywords of a page, compared by the cosine.

Features 7 (papers.md), as printed: Top-10 keywords by weighted TF-IDF (`top_keywords`), an
inverted index from keyword to pages, candidates share a keyword, a cosine of at least 0.8 makes a
near-duplicate. The vectors are kept in a `Fingerprint`: the hashes of the keywords as codes, their
weights (65,535 for the heaviest) as ranks.

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

TOP = 10
MIN_COSINE = 0.8


def top_keywords(words: Words, factors: Numbers) -> tuple[Hashes, Numbers]:
    """Return hashes and TF-IDF of the `TOP` heaviest keywords, heaviest first.

    *factors*: weight of the block of each keyword. Equal weights: lower hash first.
    """
    distinct, positions = np.unique(words.keywords, return_inverse=True)
    totals = np.zeros(len(distinct))
    np.add.at(totals, positions, words.weights * factors)
    best = np.argsort(-totals, kind="stable")[:TOP]
    return distinct[best], totals[best]


def keyword_codes(words: Words, factors: Numbers) -> tuple[list[int], list[int]]:
    """Return 32 bits of the hash of each Top-10 keyword, and its weight as an integer."""
    keywords, totals = top_keywords(words, factors)
    weights = np.rint(totals * (65535 / totals[0])) if len(totals) else totals
    return (keywords & np.uint64(0xFFFFFFFF)).tolist(), weights.astype(np.int64).tolist()


def compare_vectors(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Comparison | None:
    """Return what *new* is to *old*, or None when it is another page."""
    del config  # the paper has no options
    if new.exact and old.exact == new.exact:
        return Comparison(1.0, DUPLICATE)
    weights = dict(zip(old.codes, old.ranks, strict=True))
    product = sum(weights.get(c, 0) * rank for c, rank in zip(new.codes, new.ranks, strict=True))
    if not product:
        return None
    cosine = product / math.hypot(*old.ranks) / math.hypot(*new.ranks)
    return Comparison(round(min(cosine, 1.0), 4), DUPLICATE) if cosine >= MIN_COSINE else None
