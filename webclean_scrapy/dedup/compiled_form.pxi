"""The normal form of a text: what `normalize.normal_form` makes with numpy."""

cdef enum:  # as in `normalize`: what is known of a character, besides its folded form
    FOLDED = 0x1FFFFF
    DELETED = 0x110000
    LONGER = 0x110001
    FINAL = 1 << 29
    CHARACTERS = 0x110000


CHARS = char_table()


cdef class Form:
    """The characters of a text while they are folded."""

    cdef const uint32_t[::1] form_of  # each has a place for every character
    cdef const uint8_t[::1] kind_of
    cdef uint32_t* points  # room for every character of the text
    cdef uint8_t* kinds
    cdef Py_ssize_t size
    cdef set unknown, longer  # characters

    def __cinit__(self):
        self.form_of, self.kind_of = CHARS.forms, CHARS.kinds
        if self.form_of.shape[0] != CHARACTERS or self.kind_of.shape[0] != CHARACTERS:
            raise ValueError("the table does not have all characters")

    def __dealloc__(self):
        PyMem_Free(self.points)

    cdef int make_room(self, Py_ssize_t length) except -1:
        PyMem_Free(self.points)
        self.points = <uint32_t*> PyMem_Malloc(length * (sizeof(uint32_t) + 1))
        if self.points is NULL:
            raise MemoryError
        self.kinds = <uint8_t*> &self.points[length]
        return 0

    cdef int fold(self, str text) except -1:
        """Fill points and kinds: `normalize._fold`."""
        if not text.isascii():
            text = text.replace("\u2026", "...")
            form = "NFKC" if "\uff9e" in text or "\uff9f" in text else "NFC"
            text = unicodedata.normalize(form, text)
        known = self.take_known(text, False)
        while self.longer:
            text = CHARS.spell_out(text, self.longer)
            known = self.take_known(text, False)
        if not known & FINAL:
            # A character between a letter and its combining mark may have been deleted.
            folded = (<char*> self.points)[: self.size * sizeof(uint32_t)].decode("utf-32")
            self.take_known(unicodedata.normalize("NFC", folded), True)
        return 0

    cdef uint32_t take_known(self, str text, bint is_folded) except? 0:
        """Do what `take` does, after learning the characters that are not known."""
        known = self.take(text, is_folded)
        while self.unknown:
            CHARS.learn(np.array(sorted(self.unknown), np.uint32))
            known = self.take(text, is_folded)
        return known

    cdef uint32_t take(self, str text, bint is_folded) except? 0:
        """Fill points and kinds; return the bits that are known of all characters."""
        cdef Py_ssize_t at, length = len(text)
        cdef int width = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef uint32_t char, form, known = FINAL
        cdef uint8_t kind
        self.make_room(length)
        self.size, self.unknown, self.longer = 0, set(), set()
        for at in range(length):
            char = PyUnicode_READ(width, data, at)
            kind, form = self.kind_of[char], self.form_of[char]
            if kind == UNKNOWN:
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
