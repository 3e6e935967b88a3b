"""The terms of a page in text order, used to find passages of its own.

A term is a word (no stop word), a number, or two characters of a script without spaces: an entry of
the dictionary, or a pair of which a character belongs to no entry. Of a long page those terms are
kept whose hash ends in a number of zero bits, the `Fingerprint.level`. As that is a property of the
term, two pages keep the same terms of what they share.

A term is a name if it is a number, if it begins with a capital letter somewhere inside a sentence,
or if neither of its two characters belongs to an entry of the dictionary.

Our choice (reconstructed: Features 2 and 7 compare keywords and what stands beside them, and not
where a page differs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from webclean_scrapy.dedup.text_words import join_hashes, mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webclean_scrapy.dedup.text_words import Hashes, Words

    Flags = NDArray[np.bool_]

VALUE_BITS = 16
_SALT = np.uint64(0x2545F4914F6CDD1D)  # so that terms are drawn independently of the codes


class Terms(NamedTuple):
    """Terms in text order; `sample_terms` selects those for a fingerprint."""

    hashes: Hashes
    tokens: Hashes  # hash of the first token of each
    is_name: Flags  # without the words that are written like names


def find_terms(words: Words) -> Terms:
    """Return the terms of *words*."""
    hashes, single, numeric = words.hashes, words.single, words.numeric
    terms, is_term, is_name = hashes, numeric.copy(), numeric
    is_term[words.firsts] = True
    if np.count_nonzero(single):
        terms, is_name = hashes.copy(), numeric.copy()
        terms[words.firsts] = words.keywords
        is_free = single & ~_covered(words)
        is_pair = single[:-1] & single[1:] & (is_free[:-1] | is_free[1:]) & ~is_term[:-1]
        at = is_pair.nonzero()[0]
        terms[at], is_term[at] = join_hashes(hashes.take(at), hashes.take(at + 1)), True
        is_name[at] = is_free.take(at) & is_free.take(at + 1)
    kept = is_term.nonzero()[0]
    return Terms(mix(terms.take(kept) + _SALT), hashes.take(kept), is_name.take(kept))


def _covered(words: Words) -> Flags:
    """Mark the tokens inside keywords of several tokens."""
    is_long = words.lasts > words.firsts
    at, lasts = words.firsts[is_long], words.lasts[is_long]
    covered = np.zeros(len(words.hashes), np.bool_)
    covered[lasts] = True
    while len(at):
        covered[at] = True
        at += 1
        is_long = at < lasts
        at, lasts = at[is_long], lasts[is_long]
    return covered


def sample_terms(words: Words, most: int) -> dict[str, Any]:
    """Return the fields of a `Fingerprint` with at most *most* terms of *words*."""
    hashes, tokens, is_name = find_terms(words)
    level = 0
    while len(hashes) > most and level < VALUE_BITS:
        kept = (hashes & np.uint64(1 << level) == 0).nonzero()[0]
        hashes, tokens, is_name = hashes.take(kept), tokens.take(kept), is_name.take(kept)
        level += 1
    values = (hashes[:most] >> np.uint64(level)).astype("<u2")
    names = words.hashes[words.is_name]
    names.sort()
    bits = np.packbits(is_name[:most] | are_among(tokens[:most], names))
    return {"level": level, "terms": values.tobytes(), "names": bits.tobytes()}


def are_among(values: NDArray[Any], known: NDArray[Any]) -> Flags:
    """Mark the *values* in the sorted *known*, five times faster than `np.isin`."""
    if not len(known):
        return np.zeros(len(values), np.bool_)
    found: Flags = known.take(known.searchsorted(values), mode="clip") == values
    return found
