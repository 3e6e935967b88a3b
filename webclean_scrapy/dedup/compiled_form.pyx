# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The normal form of a text in one pass in C: what `normalize.normal_form` makes with numpy.

Optional: `normalize` takes it where it was built. Its arrays have room for each character of the
text; the tables, whose lengths are checked, for each character there is.
"""

import unicodedata

import numpy as np

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint8_t, uint32_t

cdef enum:  # as in `normalize`: kinds of characters, and what is known of one
    UNKNOWN_KIND = 0
    SPACE = 2
    POINT = 3
    DIGIT = 4
    HAN = 10
    FOLDED = 0x1FFFFF
    DELETED = 0x110000
    LONGER = 0x110001
    FINAL = 1 << 29
    CHARACTERS = 0x110000


def normal_form(str text, table):
    """Return what `normalize.normal_form` returns; of the spaces in a row, others may stay.

    *table*: the `CharTable`, which learns characters that it does not know.
    """
    cdef Form form = Form(table)
    form.fold(text)
    form.close_gaps()
    return form.points_array[: form.size], form.kinds_array[: form.size].tobytes()


cdef class Form:
    """The characters of a text while they are folded."""

    cdef object table, points_array, kinds_array
    cdef const uint32_t[::1] form_of
    cdef const uint8_t[::1] kind_of
    cdef uint32_t[::1] points
    cdef uint8_t[::1] kinds
    cdef Py_ssize_t size
    cdef set unknown, longer  # characters

    def __cinit__(self, table):
        self.table, self.form_of, self.kind_of = table, table.forms, table.kinds
        if self.form_of.shape[0] != CHARACTERS or self.kind_of.shape[0] != CHARACTERS:
            raise ValueError("the table does not have all characters")

    cdef int fold(self, str text) except -1:
        """Fill points and kinds: `normalize._fold`."""
        if not text.isascii():
            text = text.replace("\u2026", "...")
            form = "NFKC" if "\uff9e" in text or "\uff9f" in text else "NFC"
            text = unicodedata.normalize(form, text)
        known = self.take_known(text, False)
        while self.longer:
            text = self.table.spell_out(text, self.longer)
            known = self.take_known(text, False)
        if not known & FINAL:
            # A character between a letter and its combining mark may have been deleted.
            folded = self.points_array[: self.size].tobytes().decode("utf-32")
            self.take_known(unicodedata.normalize("NFC", folded), True)
        return 0

    cdef uint32_t take_known(self, str text, bint is_folded) except? 0:
        """Do what `take` does, after learning the characters that are not known."""
        known = self.take(text, is_folded)
        while self.unknown:
            self.table.learn(np.array(sorted(self.unknown), np.uint32))
            known = self.take(text, is_folded)
        return known

    cdef uint32_t take(self, str text, bint is_folded) except? 0:
        """Fill points and kinds; return the bits that are known of all characters."""
        cdef Py_ssize_t at, length = len(text)
        cdef int width = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef uint32_t char, form, known = FINAL
        cdef uint8_t kind
        self.points_array, self.kinds_array = np.empty(length, np.uint32), np.empty(length, np.uint8)
        self.points, self.kinds, self.size = self.points_array, self.kinds_array, 0
        self.unknown, self.longer = set(), set()
        for at in range(length):
            char = PyUnicode_READ(width, data, at)
            kind, form = self.kind_of[char], self.form_of[char]
            if kind == UNKNOWN_KIND:
                self.unknown.add(char)
                continue
            known &= form
            form = char if is_folded else form & FOLDED
            if form == LONGER:
                self.longer.add(char)
            elif form != DELETED:
                self.points[self.size] = form
                self.kinds[self.size] = kind
                self.size += 1
        return known

    cdef void close_gaps(self) noexcept:
        """Remove points inside numbers and spaces between Chinese characters, where they stand."""
        cdef Py_ssize_t at, back, size = 0
        cdef uint8_t kind, before = SPACE
        for at in range(self.size):
            kind = self.kinds[at]
            if kind == POINT and before == DIGIT and at + 1 < self.size:
                if self.kinds[at + 1] == DIGIT:
                    before = kind
                    continue
            before = kind
            if kind == HAN:
                back = size
                while back > 0 and self.kinds[back - 1] == SPACE:
                    back -= 1
                if back > 0 and self.kinds[back - 1] == HAN:
                    size = back
            self.points[size] = self.points[at]
            self.kinds[size] = kind
            size += 1
        self.size = size
