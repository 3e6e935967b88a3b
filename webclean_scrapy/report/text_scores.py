"""Score extracted texts against labelled ones.

The measure of scrapinghub/article-extraction-benchmark: precision and recall over multisets of
4-token shingles, and of a set the F1 of the mean precision and the mean recall. A token is a word
or number in lower case, or one Chinese, Japanese or Korean character. All shares are 0..1.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHINGLE = 4  # tokens
GOOD, BAD = 0.95, 0.85  # F1 of a page that counts as right, and as nearly right

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScore:
    """Score of an extractor on a set of pages."""

    f1: float  # of the two means, the figure that is compared
    precision: float
    recall: float


def tokens(text: str) -> list[str]:
    """Return the words, numbers and CJK characters of *text*, in lower case."""
    return _TOKEN.findall(text.lower())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Return the shingles of *text* with their counts; fewer than four tokens make one shingle.

    >>> sorted(shingles("Ferry 潮汐表 late!"))
    [('ferry', '潮', '汐', '表'), ('潮', '汐', '表', 'late')]
    """
    words = tokens(text)
    starts = range(max(len(words) - SHINGLE + 1, min(len(words), 1)))
    return Counter(tuple(words[at : at + SHINGLE]) for at in starts)


def precision_recall(gold: str, text: str, optional: Iterable[str] = ()) -> tuple[float, float]:
    """Return the precision and the recall of *text* against *gold*.

    An *optional* paragraph belongs to the gold when the text holds more than half of it. Two empty
    texts agree.
    """
    have = shingles(text)
    taken = [p for p in optional if _share_in(shingles(p), have) > 0.5]
    want = shingles("\n".join((gold, *taken)))
    if not want and not have:
        return 1.0, 1.0
    hits = (want & have).total()
    return hits / max(1, have.total()), hits / max(1, want.total())


def harmonic(precision: float, recall: float) -> float:
    """Return F1, 0 when both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def set_score(pairs: Sequence[tuple[float, float]]) -> SetScore:
    """Return the score of a set from the (precision, recall) of its pages, at least one."""
    precision, recall = (float(mean) for mean in np.mean(pairs, axis=0))
    return SetScore(f1=harmonic(precision, recall), precision=precision, recall=recall)


def right_share(scores: Sequence[float], least: float = GOOD) -> float:
    """Return the share of pages with an F1 of at least *least*.

    >>> right_share([0.96, 0.95, 0.9, 0.2])
    0.5
    """
    return sum(score >= least for score in scores) / len(scores)


def _share_in(part: Counter[tuple[str, ...]], whole: Counter[tuple[str, ...]]) -> float:
    return sum(key in whole for key in part) / len(part) if part else 0.0
