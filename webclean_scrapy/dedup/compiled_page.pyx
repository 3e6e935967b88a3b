# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The sample of a page in one pass in C: what `PageSampler` draws with numpy.

Optional: `page_sample` takes it where it was built. Arrays have room for one entry at each character
of a text; tables are asked for what is below their length, which is checked when they are taken.
"""

import sys
import unicodedata

import numpy as np

from webclean_scrapy.dedup.feature_codes import RANK_SCALE
from webclean_scrapy.dedup.normalize import char_table, points_of
from webclean_scrapy.dedup.text_words import WEIGHTS, join_texts
from webclean_scrapy.keywords.idf import PAIR
from webclean_scrapy.keywords.segment import LONGEST_KOREAN_WORD
from webclean_scrapy.keywords.tag_weights import EMPHASISED

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memmove

if sys.byteorder != "little":
    raise ImportError("an exact hash is made of little-endian numbers")

cdef enum:  # kinds of characters, as in `normalize`
    UNKNOWN = 0
    SPACE = 2
    POINT = 3
    DIGIT = 4
    LETTER = 5
    BREAK = 8
    END = 9
    HAN = 10
    UNSPACED = 11
    HANGUL = 12


cdef inline uint64_t mix(uint64_t h) noexcept:
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL
    return h ^ (h >> 31)


include "compiled_form.pxi"
include "compiled_words.pxi"
include "compiled_sample.pxi"


cdef class Sampler:
    """Draws samples by the tables of a `WordReader`. Serves many pages and threads."""

    cdef WordTables tables
    cdef Py_ssize_t codes, numbers, min_codes

    def __cinit__(self, reader, Py_ssize_t codes, Py_ssize_t numbers, Py_ssize_t min_codes):
        self.tables = WordTables(reader)
        self.codes, self.numbers, self.min_codes = codes, numbers, min_codes

    def draw(self, list texts, list weights, Py_ssize_t body):
        """Return (words, codes, ranks, places, values); words: bytes for the exact hash.

        *texts*: blocks, of which *body* are no title, of these *weights*; then may come phrases.
        """
        cdef Form form = Form()
        cdef Page page = Page(self.tables)
        cdef Lowest codes = Lowest(self.codes), numbers = Lowest(self.numbers)
        cdef Py_ssize_t body_end
        if not 0 < body <= len(weights) <= len(texts):
            raise ValueError("a page has a text, and each block a weight")
        form.fold(join_texts(texts))
        form.close_gaps()
        page.cut(form)
        if len(page.ends) != len(texts):
            raise ValueError("each text has one end")
        page.cut_phrases(len(weights))
        body_end = page.ends[body - 1]
        if page.draw(weights, codes, numbers, body_end) < self.min_codes:
            body_end = page.count
        return (
            page.words(body_end), codes.parts(32, False), codes.parts(32, True),
            numbers.parts(16, True), numbers.parts(16, False),
        )
