"""The method "feature-string": feature codes in text order, compared by their longest common run.

Features 2 (papers.md): the text around each occurrence of a keyword is a feature code;
the codes in order are the feature string of the page; the similarity of two pages is the length of
their longest common contiguous run, divided by the length of the string.

Deviation: the keywords are the Top-10 of Features 7; at most 255 codes are kept; the length is that
of the shorter string, so that shortened copies match; the threshold of one half is our choice
(reconstructed: the paper does not print it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.dedup.comparison import DUPLICATE, Comparison
from webclean_scrapy.dedup.feature_codes import feature_codes
from webclean_scrapy.dedup.keyword_vectors import top_keywords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint
    from webclean_scrapy.dedup.text_words import Words
    from webclean_scrapy.dedup.word_hashes import Numbers

LONGEST = 255


def string_codes(
    words: Words, factors: Numbers, config: DedupConfig
) -> tuple[list[int], list[int]]:
    """Return the feature string, 32 bits of each code, and ranks of 0, which have no meaning."""
    keywords, _ = top_keywords(words, factors, config.keywords)
    codes = feature_codes(words)[np.isin(words.keywords, keywords)][:LONGEST]
    return (codes & np.uint64(0xFFFFFFFF)).tolist(), [0] * len(codes)


def longest_common_run(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the length of the longest run of codes that both have. Cost: pairs of equal codes.

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


def compare_strings(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Comparison | None:
    """Return what *new* is to *old*, or None when it is another page."""
    if new.exact and old.exact == new.exact:
        return Comparison(1.0, DUPLICATE)
    shorter = min(len(old.codes), len(new.codes))
    similarity = longest_common_run(old.codes, new.codes) / max(1, shorter)
    if similarity < config.min_run:
        return None
    return Comparison(round(similarity, 4), DUPLICATE)
