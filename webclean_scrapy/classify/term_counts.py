"""The terms of a page and how often each occurs: what a class is predicted from."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from webclean_scrapy.keywords.segment import simplify
from webclean_scrapy.keywords.spelling import fold_simplified
from webclean_scrapy.keywords.tag_weights import BODY
from webclean_scrapy.keywords.tfidf import clean_text

if TYPE_CHECKING:
    from webclean_scrapy.keywords.segment import Segmenter


def count_terms(
    segmenter: Segmenter, text: str, title: str = "", *, title_weight: float
) -> dict[str, float]:
    """Return the weighted frequency of each term; a word of *title* counts *title_weight* times.

    A term is a word without case and accents, Chinese simplified. Cost: linear.

    >>> from webclean_scrapy.keywords.segment import Segmenter
    >>> count_terms(Segmenter(), "The café", "Cafe", title_weight=5.0)
    {'cafe': 6.0, 'the': 1.0}
    """
    counts: dict[str, float] = defaultdict(float)
    for block, weight in ((title, title_weight), (text, BODY)):
        for word, count in Counter(segmenter.cut(simplify(clean_text(block)))).items():
            counts[fold_simplified(word)] += count * weight
    return dict(counts)
