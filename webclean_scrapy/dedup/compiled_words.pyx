# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The words of a text in one pass in C: what `WordReader.read` finds with numpy.

Optional: `text_words` takes it where it was built. Its arrays have room for a token at each
character; the tables, whose lengths are checked, for each hash under the mask of their length.
"""

import numpy as np

from webclean_scrapy.keywords.idf import PAIR
from webclean_scrapy.keywords.segment import LONGEST_KOREAN_WORD

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:  # kinds of characters, as in `normalize`
    POINT = 3
    DIGIT = 4
    LETTER = 5
    BREAK = 8
    END = 9
    HAN = 10
    UNSPACED = 11
    HANGUL = 12

cdef enum:
    LONG = 9  # words of at least this length have one weight

cdef double PAIR_WEIGHT = PAIR
cdef Py_ssize_t LONGEST_KOREAN = LONGEST_KOREAN_WORD


cdef inline uint64_t mix(uint64_t h) noexcept:
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL
    return h ^ (h >> 31)


cdef inline uint64_t join(uint64_t word, uint64_t char) noexcept:
    return mix(word * 0xFF51AFD7ED558CCDULL + char)


cdef inline bint weigh(const uint32_t[::1] slots, uint64_t word, double* weight) noexcept:
    """Whether *word* is in a `WeightTable`; if it is, set its weight."""
    cdef uint32_t slot = slots[<Py_ssize_t> (word & <uint64_t> (slots.shape[0] - 1))]
    if slot >> 16 != word >> 48:
        return False
    weight[0] = (slot & 0xFFFF) / 4096.0
    return True


cdef class Page:
    """The words of a page while they are found."""

    cdef const uint32_t[::1] points, spaced, chinese
    cdef const uint8_t[::1] kinds
    cdef uint64_t[::1] hashes, keywords  # of each token; of each keyword
    cdef uint8_t[::1] token_kinds, numeric, single, touches  # touches: the token before it
    cdef uint8_t[::1] lengths  # at most LONG
    cdef double[::1] weights
    cdef const double[:, ::1] weight_of  # by kind and length
    cdef Py_ssize_t[::1] firsts, lasts
    cdef list blocks
    cdef Py_ssize_t count, longest
    cdef bint has_own, has_letter, has_single

    cdef int cut(self) except -1:
        """Find the tokens: `_cut` and `_cut_korean`."""
        cdef Py_ssize_t at = 0, start, end_before = -1, block = 0
        cdef uint8_t kind
        while at < self.kinds.shape[0]:
            start, kind = at, self.kinds[at]
            at += 1
            if kind <= POINT:
                continue
            if kind == DIGIT or kind == LETTER:
                while at < self.kinds.shape[0] and self.kinds[at] in (DIGIT, LETTER):
                    at += 1
            elif kind == HANGUL:
                while at < self.kinds.shape[0] and self.kinds[at] == HANGUL:
                    at += 1
                if at - start > LONGEST_KOREAN:  # written without spaces
                    while start < at:
                        self.add(start, start + 1, UNSPACED, end_before == start)
                        start += 1
                        end_before = start
                    continue
            self.add(start, at, kind, end_before == start)
            end_before = at
            if kind == END:
                self.blocks.append(self.count - block)
                block = self.count
        return 0

    cdef inline void add(self, Py_ssize_t start, Py_ssize_t end, uint8_t kind, bint touches) noexcept:
        """Add the token from *start* to *end*: `hash_spans`."""
        cdef uint64_t char, hashed = 0, power = 1
        kind = min(kind, HANGUL)
        self.token_kinds[self.count], self.touches[self.count] = kind, touches
        self.lengths[self.count] = <uint8_t> min(end - start, LONG)
        if kind != BREAK and kind != END:
            while start < end:
                char = self.points[start]
                hashed += (char + 0xD6E8FEB86659FD93ULL) * char * power
                power *= 0x9E3779B97F4A7C15ULL
                start += 1
        self.hashes[self.count] = mix(hashed)
        self.numeric[self.count] = kind == DIGIT
        self.single[self.count] = kind == HAN or kind == UNSPACED
        self.has_letter |= kind == LETTER
        self.has_single |= self.single[self.count]
        self.count += 1

    cdef inline bint follows(self, Py_ssize_t at) noexcept:
        """Whether a token and the next one are characters without spaces that touch."""
        if at + 1 >= self.count:
            return False
        return self.single[at] and self.single[at + 1] and self.touches[at + 1]

    cdef Py_ssize_t find_keywords(self) noexcept:
        """Find the keyword that begins at each token; return how many there are."""
        cdef Py_ssize_t at, found = 0
        for at in range(self.count):
            self.firsts[found] = self.lasts[found] = at
            self.keywords[found] = self.hashes[at]
            self.weigh_word(at, found)
            if self.has_single and self.follows(at):
                self.find_longer(at, found)
            found += self.weights[found] != 0
        return found

    cdef inline void weigh_word(self, Py_ssize_t at, Py_ssize_t found) noexcept:
        """Weigh a token by itself: `_word_weights`."""
        self.weights[found] = self.weight_of[self.token_kinds[at], self.lengths[at]]
        if self.has_letter and (self.has_own or self.weights[found] != 0):
            weigh(self.spaced, self.hashes[at], &self.weights[found])

    cdef inline void find_longer(self, Py_ssize_t at, Py_ssize_t found) noexcept:
        """Find the longest word of several tokens: `_find_unspaced` and `_find_longer`."""
        cdef Py_ssize_t last = at + 1
        cdef uint64_t joined = join(self.hashes[at], self.hashes[last])
        if weigh(self.chinese, joined, &self.weights[found]):
            self.keywords[found], self.lasts[found] = joined, last
        elif self.token_kinds[at] == UNSPACED and self.token_kinds[last] == UNSPACED:
            self.keywords[found], self.lasts[found] = joined, last
            self.weights[found] = PAIR_WEIGHT
        while last - at + 1 < self.longest and self.follows(last):
            last += 1
            joined = join(joined, self.hashes[last])
            if weigh(self.chinese, joined, &self.weights[found]):
                self.keywords[found], self.lasts[found] = joined, last


def read_words(const uint32_t[::1] points, const uint8_t[::1] kinds, reader):
    """Return the fields of `Words`, of characters and their kinds, by the tables of *reader*."""
    cdef Page page = Page()
    cdef Py_ssize_t size = kinds.shape[0]
    if points.shape[0] != size:
        raise ValueError("each character has one kind")
    page.points, page.kinds, page.blocks = points, kinds, []
    page.weight_of, page.spaced = reader.weight_of, _checked(reader.spaced.slots)
    if page.weight_of.shape[0] <= HANGUL or page.weight_of.shape[1] != LONG + 1:
        raise ValueError("the table of weights has another shape")
    page.has_own, page.longest = bool(reader.own), reader.longest
    hashes, keywords = np.empty(size, np.uint64), np.empty(size, np.uint64)
    numeric, single = np.empty(size, np.bool_), np.empty(size, np.bool_)
    page.hashes, page.numeric, page.single = hashes, numeric.view(np.uint8), single.view(np.uint8)
    page.token_kinds, page.touches, page.lengths = np.empty((3, size), np.uint8)
    page.cut()
    if page.has_single:
        page.chinese = _checked(reader.chinese.slots)
    weights, places = np.empty(page.count), np.empty((2, page.count), np.intp)
    page.keywords, page.weights = keywords, weights
    page.firsts, page.lasts = places
    found = page.find_keywords()
    count = page.count
    return (
        hashes[:count], numeric[:count], single[:count], page.blocks,
        keywords[:found], weights[:found], places[0, :found], places[1, :found],
    )


def _checked(slots):
    """Return the slots of a table, of which there are a power of two."""
    if not len(slots) or len(slots) & (len(slots) - 1):
        raise ValueError("the length of a table is a power of two")
    return slots
