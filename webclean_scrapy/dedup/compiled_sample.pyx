# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The sample of a page in one pass in C: what `page_sample` draws with numpy.

Optional: `page_sample` takes it where it was built. A token is asked for within the number of
tokens; what is kept has the room that is checked.
"""

import sys

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memmove

if sys.byteorder != "little":
    raise ImportError("an exact hash is made of little-endian numbers")

cdef enum:
    MOST_KEPT = 256
    A_NUMBER = 1  # in place of the hash of any number: `feature_codes`


cdef inline uint64_t mix(uint64_t h) noexcept:
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL
    return h ^ (h >> 31)


cdef inline uint64_t combine(uint64_t middle, uint64_t left, uint64_t right) noexcept:
    middle *= 0x9E3779B97F4A7C15ULL
    return mix(middle + left * 0xC2B2AE3D27D4EB4FULL + right * 0x165667B19E3779F9ULL)


cdef class Lowest:
    """The lowest of the numbers that are added, in order, each once."""

    cdef uint64_t[MOST_KEPT] kept
    cdef Py_ssize_t count, most

    def __cinit__(self, Py_ssize_t most):
        if not 0 <= most <= MOST_KEPT:
            raise ValueError(f"{most} are too many")
        self.most = most

    cdef inline bint is_too_high(self, uint64_t value) noexcept:
        return self.count == self.most and (self.most == 0 or value >= self.kept[self.count - 1])

    cdef void add(self, uint64_t value) noexcept:
        cdef Py_ssize_t low = 0, high = self.count, middle
        if self.is_too_high(value):
            return
        while low < high:
            middle = (low + high) // 2
            if self.kept[middle] < value:
                low = middle + 1
            else:
                high = middle
        if low < self.count and self.kept[low] == value:
            return
        self.count = min(self.count + 1, self.most)
        memmove(
            &self.kept[low + 1], &self.kept[low], (self.count - 1 - low) * sizeof(uint64_t)
        )
        self.kept[low] = value

    cdef void add_code(self, uint64_t value) noexcept:
        """Add a rank above a code, in place of the same code with a higher rank."""
        cdef Py_ssize_t at
        if self.is_too_high(value):
            return
        for at in range(self.count):
            if <uint32_t> self.kept[at] == <uint32_t> value:
                if self.kept[at] <= value:
                    return
                self.count -= 1
                memmove(
                    &self.kept[at], &self.kept[at + 1], (self.count - at) * sizeof(uint64_t)
                )
                break
        self.add(value)


cdef class Page:
    """The tokens of a page."""

    cdef const uint64_t[::1] hashes
    cdef const uint8_t[::1] numeric, single
    cdef bint is_masked  # numbers are A_NUMBER

    def __cinit__(self, words):
        self.hashes = words.hashes
        self.numeric, self.single = words.numeric.view("u1"), words.single.view("u1")
        if not self.hashes.shape[0] == self.numeric.shape[0] == self.single.shape[0]:
            raise ValueError("the columns of tokens have one length")

    cdef inline uint64_t token(self, Py_ssize_t at) noexcept:
        """Return the hash of a token; before the first and after the last there is a break."""
        if at < 0 or at >= self.hashes.shape[0]:
            return 0
        return A_NUMBER if self.is_masked and self.numeric[at] else self.hashes[at]

    cdef inline bint is_single(self, Py_ssize_t at) noexcept:
        return 0 <= at < self.single.shape[0] and self.single[at]

    cdef inline uint64_t before(self, Py_ssize_t at) noexcept:
        """Return a hash of the word that ends before a token: `_words_before`."""
        cdef uint64_t word = self.token(at - 1)
        if self.is_single(at - 1):
            word += self.token(at - 2) * 0x27D4EB2F165667C5ULL
        return word

    cdef inline uint64_t after(self, Py_ssize_t at) noexcept:
        """Return a hash of the word that begins at a token: `_words_from`."""
        cdef uint64_t word = self.token(at)
        if self.is_single(at):
            word += self.token(at + 1) * 0x27D4EB2F165667C5ULL
        return word

    cdef uint64_t place(self, Py_ssize_t at) noexcept:
        """Return a hash of the context of a number: `number_places`."""
        cdef uint64_t[3] words
        cdef Py_ssize_t start = at, word
        for word in range(3):
            words[word] = self.before(start)
            start -= 1 + self.is_single(start - 1)
        if self.token(at - 1) != 0:
            return combine(words[0], words[1], words[2])
        start = at + 1 + (self.token(at + 1) == 0)  # the number begins a line
        return combine(words[1], words[2], self.after(start))


def sample_codes(words, const double[::1] weights, Py_ssize_t most, scale):
    """Return (codes, ranks) of the *most* of lowest rank: `feature_codes`, `PageSampler._sample`.

    *weights* of the keywords; *scale*: lowest rank, steps, highest rank.
    """
    cdef Page page = Page(words)
    cdef Lowest lowest = Lowest(most)
    cdef const uint64_t[::1] keywords = words.keywords
    cdef const Py_ssize_t[::1] firsts = words.firsts, lasts = words.lasts
    cdef Py_ssize_t at
    cdef uint64_t code
    cdef double rank, from_rank, steps, highest
    from_rank, steps, highest = scale
    if not keywords.shape[0] == weights.shape[0] == firsts.shape[0] == lasts.shape[0]:
        raise ValueError("the columns of keywords have one length")
    for at in range(keywords.shape[0]):
        code = combine(keywords[at], page.before(firsts[at]), page.after(lasts[at] + 1))
        rank = log(((code >> 32) + 0.5) * 2.0**-32) / -weights[at]
        rank = min((log(rank) - from_rank) * steps, highest)
        lowest.add_code(<uint64_t> <int64_t> rank << 32 | <uint32_t> code)
    return (
        [<uint32_t> lowest.kept[at] for at in range(lowest.count)],
        [lowest.kept[at] >> 32 for at in range(lowest.count)],
    )


def sample_numbers(words, Py_ssize_t most):
    """Return (places, values) of the *most* numbers of lowest hash: `number_places`."""
    cdef Page page = Page(words)
    cdef Lowest lowest = Lowest(most)
    cdef Py_ssize_t at
    page.is_masked = True
    for at in range(page.numeric.shape[0]):
        if page.numeric[at]:
            lowest.add((page.place(at) & 0xFFFFFFFF) << 16 | page.hashes[at] & 0xFFFF)
    return (
        [lowest.kept[at] >> 16 for at in range(lowest.count)],
        [lowest.kept[at] & 0xFFFF for at in range(lowest.count)],
    )


def without_breaks(const uint64_t[::1] hashes):
    """Return the bytes of those that are not 0."""
    cdef Py_ssize_t at, count = 0
    cdef bytes found = PyBytes_FromStringAndSize(NULL, hashes.shape[0] * sizeof(uint64_t))
    cdef uint64_t* words = <uint64_t*> PyBytes_AS_STRING(found)
    for at in range(hashes.shape[0]):
        if hashes[at]:
            words[count] = hashes[at]
            count += 1
    return found[: count * sizeof(uint64_t)]
