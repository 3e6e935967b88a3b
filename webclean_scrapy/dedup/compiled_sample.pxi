"""The sample of the words: what `feature_codes` and `PageSampler` draw with numpy."""

cdef enum:
    MOST_KEPT = 256
    A_NUMBER = 1  # in place of the hash of any number: `feature_codes`

cdef double MIN_EMPHASIS = EMPHASISED, FROM_RANK, RANK_STEPS, HIGHEST_RANK
FROM_RANK, RANK_STEPS, HIGHEST_RANK = RANK_SCALE


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

    cdef tuple parts(self, int bits, bint is_upper):
        """Return what is above the lower *bits* of each number, or these."""
        cdef Py_ssize_t at
        cdef uint64_t mask = (1ULL << bits) - 1
        return tuple(
            [self.kept[at] >> bits if is_upper else self.kept[at] & mask for at in range(self.count)]
        )


cdef class Page(Tokens):
    """The tokens of a page, of which a sample is drawn."""

    cdef set emphasised  # keywords

    cdef inline uint64_t token(self, Py_ssize_t at, bint is_masked) noexcept:
        """Return the hash of a token; before the first and after the last there is a break.

        *is_masked*: A_NUMBER for any number.
        """
        if at < 0 or at >= self.count:
            return 0
        return A_NUMBER if is_masked and self.tokens[at].kind == DIGIT else self.tokens[at].hash

    cdef inline uint64_t before(self, Py_ssize_t at, bint is_masked) noexcept:
        """Return a hash of the word that ends before a token: `_words_before`."""
        cdef uint64_t word = self.token(at - 1, is_masked)
        if self.is_single(at - 1):
            word += self.token(at - 2, is_masked) * 0x27D4EB2F165667C5ULL
        return word

    cdef inline uint64_t after(self, Py_ssize_t at, bint is_masked) noexcept:
        """Return a hash of the word that begins at a token: `_words_from`."""
        cdef uint64_t word = self.token(at, is_masked)
        if self.is_single(at):
            word += self.token(at + 1, is_masked) * 0x27D4EB2F165667C5ULL
        return word

    cdef uint64_t place(self, Py_ssize_t at) noexcept:
        """Return a hash of the context of a number: `number_places`."""
        cdef uint64_t[3] words
        cdef Py_ssize_t start = at, word
        for word in range(3):
            words[word] = self.before(start, True)
            start -= 1 + self.is_single(start - 1)
        if self.token(at - 1, True) != 0:
            return combine(words[0], words[1], words[2])
        start = at + 1 + (self.token(at + 1, True) == 0)  # the number begins a line
        return combine(words[1], words[2], self.after(start, True))

    cdef int cut_phrases(self, Py_ssize_t blocks) except -1:
        """Take the keywords of the last block for the emphasised ones, if it is one more."""
        cdef Keyword keyword
        cdef Py_ssize_t at
        self.emphasised = set()
        if len(self.ends) > blocks:
            for at in range(self.ends[blocks - 1], self.count):
                if self.find_keyword(at, &keyword):
                    self.emphasised.add(keyword.hash)
            self.count = self.ends[blocks - 1]
        return 0

    cdef Py_ssize_t draw(
        self, list weights, Lowest codes, Lowest numbers, Py_ssize_t body_end
    ) except -1:
        """Draw the sample; return how many keywords there are before *body_end*."""
        cdef Keyword found
        cdef Py_ssize_t at, block = 0, keywords = 0
        cdef double rank, factor, own = weights[0]
        cdef uint64_t code
        for at in range(self.count):
            if self.tokens[at].kind == END:
                block += 1
                own = weights[block] if block < len(weights) else own
            elif self.tokens[at].kind == DIGIT:
                code = self.place(at) & 0xFFFFFFFF
                numbers.add(code << 16 | self.tokens[at].hash & 0xFFFF)
            if not self.find_keyword(at, &found):
                continue
            keywords += at < body_end
            factor = own
            if self.emphasised and own < MIN_EMPHASIS and found.hash in self.emphasised:
                factor = MIN_EMPHASIS
            code = combine(found.hash, self.before(at, False), self.after(found.last + 1, False))
            rank = log(((code >> 32) + 0.5) * 2.0**-32) / -(found.weight * factor)
            rank = min((log(rank) - FROM_RANK) * RANK_STEPS, HIGHEST_RANK)
            codes.add_code(<uint64_t> <int64_t> rank << 32 | <uint32_t> code)
        return keywords

    cdef bytes words(self, Py_ssize_t end):
        """Return the hashes of the tokens before *end*, without breaks."""
        cdef Py_ssize_t at, count = 0
        cdef bytes found = PyBytes_FromStringAndSize(NULL, end * sizeof(uint64_t))
        cdef uint64_t* words = <uint64_t*> PyBytes_AS_STRING(found)
        for at in range(end):
            if self.tokens[at].hash:
                words[count] = self.tokens[at].hash
                count += 1
        return found[: count * sizeof(uint64_t)]
