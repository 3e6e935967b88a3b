"""The words of a normal form: what `WordReader.read` finds with numpy."""

cdef enum:
    LONG = 9  # words of at least this length have one weight

cdef struct Token:
    uint64_t hash  # 0: the end of a line or a block
    uint8_t kind  # of its first character
    uint8_t length  # at most LONG
    bint touches  # the token before it

cdef struct Keyword:
    uint64_t hash
    double weight
    Py_ssize_t last  # its last token

cdef double PAIR_WEIGHT = PAIR
cdef Py_ssize_t LONGEST_KOREAN = LONGEST_KOREAN_WORD


cdef inline uint64_t join(uint64_t word, uint64_t char) noexcept:
    return mix(word * 0xFF51AFD7ED558CCDULL + char)


cdef inline bint weigh(const uint32_t[::1] slots, uint64_t word, double* weight) noexcept:
    """Whether *word* is in a `WeightTable`; if it is, set its weight."""
    cdef uint32_t slot = slots[<Py_ssize_t> (word & <uint64_t> (slots.shape[0] - 1))]
    if slot >> 16 != word >> 48:
        return False
    weight[0] = (slot & 0xFFFF) / 4096.0
    return True


def _checked(slots):
    """Return the slots of a table, of which there are a power of two."""
    if not len(slots) or len(slots) & (len(slots) - 1):
        raise ValueError("the length of a table is a power of two")
    return slots


cdef class WordTables:
    """The tables of a `WordReader`."""

    cdef object reader
    cdef const uint32_t[::1] spaced, chinese  # a power of two long
    cdef const double[:, ::1] weight_of  # by kind and length
    cdef Py_ssize_t longest
    cdef bint has_own, has_chinese

    def __cinit__(self, reader):
        self.reader, self.spaced = reader, _checked(reader.spaced.slots)
        self.has_own, self.longest, self.weight_of = bool(reader.own), reader.longest, WEIGHTS
        if self.weight_of.shape[0] <= HANGUL or self.weight_of.shape[1] <= LONG:
            raise ValueError("the table of weights is too small")

    cdef int load_chinese(self) except -1:
        if not self.has_chinese:
            self.chinese, self.has_chinese = _checked(self.reader.chinese.slots), True
        return 0


cdef class Tokens:
    """The tokens of a text."""

    cdef WordTables tables
    cdef Token* tokens  # room for one at each character
    cdef Py_ssize_t count
    cdef list ends  # number of tokens to the end of each block
    cdef bint has_letter, has_single

    def __cinit__(self, WordTables tables):
        self.tables, self.ends = tables, []

    def __dealloc__(self):
        PyMem_Free(self.tokens)

    cdef int cut(self, Form form) except -1:
        """Find the tokens: `_cut` and `_cut_korean`."""
        cdef Py_ssize_t at = 0, start, end_before = -1
        cdef uint8_t kind
        self.tokens = <Token*> PyMem_Malloc(form.size * sizeof(Token))
        if self.tokens is NULL:
            raise MemoryError
        while at < form.size:
            start, kind = at, form.kinds[at]
            at += 1
            if kind <= POINT:
                continue
            if kind == DIGIT or kind == LETTER:
                while at < form.size and (form.kinds[at] == DIGIT or form.kinds[at] == LETTER):
                    at += 1
            elif kind == HANGUL:
                while at < form.size and form.kinds[at] == HANGUL:
                    at += 1
                while at - start > LONGEST_KOREAN or kind == UNSPACED and start < at - 1:
                    kind = UNSPACED  # a long run was written without spaces
                    self.add(&form.points[start], 1, kind, end_before == start)
                    start += 1
                    end_before = start
            self.add(&form.points[start], at - start, kind, end_before == start)
            end_before = at
            if kind == END:
                self.ends.append(self.count)
        if self.has_single:
            self.tables.load_chinese()
        return 0

    cdef inline void add(
        self, uint32_t* points, Py_ssize_t length, uint8_t kind, bint touches
    ) noexcept:
        """Add the token of *points*: `hash_spans`."""
        cdef Token* token = &self.tokens[self.count]
        cdef uint64_t char, hashed = 0, power = 1
        cdef Py_ssize_t at
        token.kind, token.touches, token.length = min(kind, HANGUL), touches, min(length, LONG)
        if kind != BREAK and kind != END:
            for at in range(length):
                char = points[at]
                hashed += (char + 0xD6E8FEB86659FD93ULL) * char * power
                power *= 0x9E3779B97F4A7C15ULL
        token.hash = mix(hashed)
        self.has_letter |= kind == LETTER
        self.has_single |= kind == HAN or kind == UNSPACED
        self.count += 1

    cdef inline bint is_single(self, Py_ssize_t at) noexcept:
        """Whether a token is a character of a script without spaces."""
        if at < 0 or at >= self.count:
            return False
        return self.tokens[at].kind == HAN or self.tokens[at].kind == UNSPACED

    cdef inline bint follows(self, Py_ssize_t at) noexcept:
        """Whether a token and the next one are such characters, and touch."""
        return self.is_single(at) and self.is_single(at + 1) and self.tokens[at + 1].touches

    cdef bint find_keyword(self, Py_ssize_t at, Keyword* found) noexcept:
        """Whether a keyword begins at a token: `_word_weights`, `_find_unspaced`, `_find_longer`."""
        cdef WordTables tables = self.tables
        cdef Token* token = &self.tokens[at]
        cdef Py_ssize_t last = at + 1
        cdef uint64_t joined
        found.hash, found.last = token.hash, at
        found.weight = tables.weight_of[token.kind, token.length]
        if self.has_letter and (tables.has_own or found.weight != 0):
            weigh(tables.spaced, token.hash, &found.weight)
        if self.has_single and self.follows(at):
            joined = join(token.hash, self.tokens[last].hash)
            if weigh(tables.chinese, joined, &found.weight):
                found.hash, found.last = joined, last
            elif token.kind == UNSPACED and self.tokens[last].kind == UNSPACED:
                found.hash, found.last, found.weight = joined, last, PAIR_WEIGHT
            while last - at + 1 < tables.longest and self.follows(last):
                last += 1
                joined = join(joined, self.tokens[last].hash)
                if weigh(tables.chinese, joined, &found.weight):
                    found.hash, found.last = joined, last
        return found.weight != 0
