"""Compare two pages by their terms: the share of a page that is its own.

Features 7 (papers.md): a cosine of keyword vectors of at least 0.8 makes a near-duplicate.
Deviation: a page is a copy if less than a quarter of it is its own; docs/method/duplicates.md tells
what passages, slots and boilerplate are, and on which texts the constants were chosen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.dedup.feature_codes import VALUE_BITS, are_among
from webclean_scrapy.dedup.fingerprint import DUPLICATE, OVERLAP, UPDATE, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint
    from webclean_scrapy.dedup.normalize import Flags

_LEAST_TERMS = 8  # of each page: fewer tell nothing
_WINDOW = 3  # terms, of which the older page lacks two: the middle one belongs to a passage
_STEPS = (1, 2)  # to the terms beside a term: one of them may be another name
_SLOT = 8  # terms in a slot at most
_SLOTS, _SLOT_SHARE = 3, 0.25  # with other names or numbers: another report
_NUMBER_SHARE = 0.4  # of those behind equal words, which may be paired by chance: the same
_NOUNS = 0.45  # share of a page's terms with a capital or a digit: it writes nouns like names
_NAMES_OF_NOUNS = 0.3  # share of the terms written like names that are names, on such a page
_PART = 0.4  # of the share that makes another page: with so much of its own, one slot does
_HELD = 0.9  # share of the older page that an update holds; of a page that an excerpt has
_PLACED = 0.3  # share of the common terms
_OVERLAP = 1 / 3  # share of a page that makes an overlap worth a mark
_REPLACED = 0.04  # share of a page; two releases over one boilerplate differ in as much
_NEWS = 4  # terms of two titles that only their own passages tell, half of them of the newer page
_SAME_GAP = 0.4  # share of the terms that two pages lack of a third: both replace one passage


class TextAlignment(NamedTuple):
    """The terms of an older and a newer page at a common level, in text order."""

    olds: NDArray[np.intp]
    news: NDArray[np.intp]
    old_names: Flags
    new_names: Flags
    in_new: Flags  # of each term of the older page: the newer one has it, beside a term as here
    in_old: Flags  # the same of each term of the newer page
    # Of each term of the newer page: its place in the older one; -1: none, or not certain.
    at: NDArray[np.intp]

    @property
    def own(self) -> float:
        """The share of the newer page in passages missing from the older one, 0..1.

        A term is in one if fewer than half of the `_WINDOW` terms around it are common.
        """
        around = np.ones(_WINDOW, np.intp)
        common = np.convolve(self.in_old, around, "same")
        terms = np.convolve(np.ones(len(self.in_old), np.intp), around, "same")
        return float(np.mean(2 * common < terms))

    @property
    def replaces(self) -> bool:
        """True if each page has passages that replace some of the other."""
        return bool(min(np.mean(~self.in_old), np.mean(~self.in_new)) >= _REPLACED)

    @property
    def similarity(self) -> float:
        """Common terms as a share of all, 0..1 (Jaccard)."""
        shared = np.count_nonzero(self.in_old)
        return float(shared / (len(self.in_old) + np.count_nonzero(~self.in_new)))

    @property
    def is_scattered(self) -> bool:
        """True if hardly any common term keeps its place in the older page.

        A long report made of formulas has the formulas of another one, in many places. A page of
        which nearly all is in the older one is an excerpt.
        """
        common = np.count_nonzero(self.in_old)
        placed = np.count_nonzero((self.at >= 0) & self.in_old)
        return bool(placed < _PLACED * common and common < _HELD * len(self.in_old))

    def slots(self, boilerplate: Flags | None = None) -> tuple[int, int]:
        """Return the number of slots with different names in both, and with a common name.

        A slot is a gap between two terms that both have, and that are no names, or between one and
        the end of the text. Its name is a common one if the older page has half of its terms beside
        a term as here. Common names that are *boilerplate* do not count. In German, common names
        are no part of slots.
        """
        has_nouns = bool(np.mean(self.new_names) > _NOUNS)
        anchors = ((self.at >= 0) & (has_nouns | ~self.new_names)).nonzero()[0]
        new_at = np.concatenate([[-1], anchors, [len(self.news)]])
        old_at = np.concatenate([[-1], self.at.take(anchors), [len(self.olds)]])
        old_gap, new_gap = np.diff(old_at) - 1, np.diff(new_at) - 1
        is_slot = (old_gap > 0) & (old_gap <= _SLOT) & (new_gap > 0) & (new_gap <= _SLOT)
        number = is_slot.nonzero()[0]
        olds = _names_in(number, old_at, old_gap, self.old_names)
        news = _names_in(number, new_at, new_gap, self.new_names)
        is_common = self.in_old.take(news[1])
        is_counted = is_common if boilerplate is None else is_common & ~boilerplate.take(news[1])
        old_names, names, common, counted = (
            np.bincount(slots, minlength=len(new_at))
            for slots in (olds[0], news[0], news[0][is_common], news[0][is_counted])
        )
        has_names = (names > 0) & (old_names > 0)
        other = has_names & (2 * common < names)
        kept = has_names & ~other & (counted > 0)
        if has_nouns:
            kept = self.new_names & self.in_old & (True if boilerplate is None else ~boilerplate)
        share = _NAMES_OF_NOUNS if has_nouns else 1
        spellings = {*self.news.take(news[1][~is_common & other.take(news[0])]).tolist()}
        different = min(int(np.count_nonzero(other)), len(spellings))  # a name respelt is one
        return different, round(share * np.count_nonzero(kept))


def compare_terms(old: Fingerprint, new: Fingerprint, config: DedupConfig) -> Verdict | None:
    """Compare *new* with *old*; None if they have little in common.

    A text of fewer than `short_words` words is compared with none but equal ones.
    """
    if min(old.length, new.length) < config.short_words:
        return None
    aligned = align_texts(old, new)
    if min(len(aligned.in_old), len(aligned.in_new)) < _LEAST_TERMS:
        return None
    own_share, (other, kept) = aligned.own, aligned.slots()
    is_sample = old.level or new.level
    error = math.sqrt(0.25 * 0.75 / len(aligned.in_old)) if is_sample else 0.0  # standard error
    least = _SLOTS if own_share < _PART * config.own_share else 1
    is_other = other >= least and other >= _SLOT_SHARE * (other + kept)
    if is_other or aligned.is_scattered or numbers_contradict(old, new):
        verdict = OVERLAP
    elif own_share < config.own_share + error:
        verdict = DUPLICATE
    else:
        verdict = UPDATE if aligned.in_new.mean() >= _HELD else OVERLAP
    if verdict == OVERLAP and aligned.in_old.mean() < _OVERLAP:
        return None
    is_sure = verdict != DUPLICATE or not (other >= _SLOTS or aligned.replaces)
    return Verdict(round(aligned.similarity, 4), verdict, round(own_share, 4), is_sure)


def may_be_boilerplate(old: Fingerprint, new: Fingerprint, others: Iterable[Fingerprint]) -> bool:
    """True if *new*, itself a copy of *old*, shares no more than boilerplate with it.

    The titles say so, or one of *others*, further pages like both: a witness.
    """
    is_other_story = _tells_of_own(old, new)
    return is_other_story or any(_is_witness(other, old, new) for other in others)


def _tells_of_own(old: Fingerprint, new: Fingerprint) -> bool:
    """True if either title, where it differs from the other one, tells of its own passages alone.

    The title of a release says its news. An outlet that gives a story a title and a lead of its own
    leaves the rest of it, which tells what the older title says.
    """
    aligned, level = align_texts(old, new), max(old.level, new.level)
    if not aligned.replaces:
        return False
    theirs, ours = _new_in_title(new, old), _new_in_title(old, new)
    before, before_common = _told_by(aligned.olds, aligned.in_new, theirs, level)
    own, common = _told_by(aligned.news, aligned.in_old, ours, level)
    is_news = own >= max(_NEWS // 2, 2 * common) and before > before_common
    return is_news and own + before >= _NEWS


def _told_by(
    terms: NDArray[np.intp], is_common: Flags, title: NDArray[np.intp], level: int
) -> tuple[int, int]:
    """Return how many terms of *title* the own passages of a page alone tell, and the others."""
    title = title[title & ((1 << level) - 1) == 0] >> level
    terms = terms & ((1 << VALUE_BITS - level) - 1)
    in_common = np.isin(title, terms[is_common])
    own = np.isin(title, terms[~is_common]) & ~in_common
    return int(np.count_nonzero(own)), int(np.count_nonzero(in_common))


def _new_in_title(old: Fingerprint, new: Fingerprint) -> NDArray[np.intp]:
    theirs, ours = (np.frombuffer(page.title, "<u2").astype(np.intp) for page in (old, new))
    return ours[~np.isin(ours, theirs)]


def _is_witness(other: Fingerprint, old: Fingerprint, new: Fingerprint) -> bool:
    """True if *other*, too, has something else in the place of *old* where *new* has its own text.

    Copies that were edited one by one lack different parts of *old*; outlets add their names to its
    title.
    """
    level = max(old.level, new.level, other.level)
    aligned, beside, third = (
        align_texts(*pages, level) for pages in ((old, new), (old, other), (other, new))
    )
    lacks, also_lacks = ~aligned.in_new, ~beside.in_new
    both = np.count_nonzero(lacks & also_lacks)
    if both < _SAME_GAP * np.count_nonzero(lacks):
        return False
    is_same_gap = both >= _SAME_GAP * np.count_nonzero(lacks | also_lacks)
    is_other_title = len(_new_in_title(old, new)) or not old.title
    if is_same_gap and is_other_title and aligned.replaces and beside.replaces:
        return True
    differing, kept = aligned.slots(third.in_old & aligned.in_old)
    return differing >= _SLOTS and differing >= _SLOT_SHARE * (differing + kept)


def align_texts(old: Fingerprint, new: Fingerprint, level: int = 0) -> TextAlignment:
    """Return the terms of both pages at the highest of their levels and *level*. Cost: n log n."""
    level = max(old.level, new.level, level)
    least = min(old.level, new.level)
    mask = (1 << VALUE_BITS - (level - least)) - 1
    olds, old_names = _terms_at(old, level, mask)
    news, new_names = _terms_at(new, level, mask)
    old_order, new_order = np.argsort(olds, kind="stable"), np.argsort(news, kind="stable")
    old_sorted, new_sorted = olds.take(old_order), news.take(new_order)
    first, end = new_sorted.searchsorted(new_sorted), new_sorted.searchsorted(new_sorted, "right")
    old_first = old_sorted.searchsorted(new_sorted)
    old_count = old_sorted.searchsorted(new_sorted, "right") - old_first
    at = np.full(len(news), -1)
    paired = (old_count == end - first).nonzero()[0]  # a term that is as frequent in both pages
    at[new_order.take(paired)] = old_order.take((old_first - first).take(paired) + paired)
    old_pairs, new_pairs = (  # each term with the next one, and with the one after that
        [terms[:-step] << VALUE_BITS | terms[step:] for step in _STEPS] for terms in (olds, news)
    )
    in_new, in_old = _in_pairs(old_pairs, new_pairs), _in_pairs(new_pairs, old_pairs)
    return TextAlignment(olds, news, old_names, new_names, in_new, in_old, at)


def _in_pairs(pairs: list[NDArray[np.intp]], others: list[NDArray[np.intp]]) -> Flags:
    """Mark terms in *pairs* that also occur in *others*.

    A page of the same subject has most words of another one, but not beside each other.
    """
    known = np.sort(np.concatenate(others))
    found = np.zeros(len(pairs[0]) + 1, np.bool_)
    for step, each in zip(_STEPS, pairs, strict=True):
        at = are_among(each, known).nonzero()[0]
        found[at] = found[at + step] = True
    return found


def _names_in(
    number: NDArray[np.intp], anchors: NDArray[np.intp], gaps: NDArray[np.intp], is_name: Flags
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each name in a slot the number of the slot, and its place.

    Slot *n* lies between the anchors *n* and *n* + 1, with a gap of so many terms.
    """
    lengths = gaps.take(number)
    slots = np.repeat(number, lengths)
    offsets = np.arange(len(slots)) - np.repeat(lengths.cumsum() - lengths, lengths)
    places = anchors.take(slots) + 1 + offsets
    kept = is_name.take(places)
    return slots[kept], places[kept]


def _terms_at(page: Fingerprint, level: int, mask: int) -> tuple[NDArray[np.intp], Flags]:
    """Return the terms of *page* at *level*, and which of them are names."""
    values = np.frombuffer(page.terms, "<u2").astype(np.intp)
    names = np.unpackbits(np.frombuffer(page.names, np.uint8), count=len(values)).astype(np.bool_)
    if step := level - page.level:
        kept = values & ((1 << step) - 1) == 0
        values, names = values[kept] >> step, names[kept]
    return values & mask, names


def numbers_contradict(old: Fingerprint, new: Fingerprint) -> bool:
    """True if equal words precede different numbers too often for a copy.

    Two numbers are enough where the pages have no number in common: a correction leaves some.
    """
    shared = set(old.places) & set(new.places)
    ours = zip(old.places, old.values, strict=True)
    theirs = zip(new.places, new.values, strict=True)
    agreeing = {place for place, _ in set(ours) & set(theirs)}
    other = len(shared - agreeing)
    least = _SLOTS - 1 if other == len(shared) else _SLOTS
    return other >= least and other >= _NUMBER_SHARE * len(shared)
