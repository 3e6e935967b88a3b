# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The search in a `PostingTable`, and what adds to it, in C.

Optional: `postings` takes it where it was built. A bucket is checked to lie in the table.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    WIDTH = 8  # slots of a bucket

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define PREFETCH(place) __builtin_prefetch(place)
    #else
    #define PREFETCH(place) ((void) (place))
    #endif
    """
    void PREFETCH(const void* place) noexcept


cdef class Buckets:
    """The slots of a table as it is now, in *buckets*; *half* of them at the begin of the round."""

    cdef uint64_t[::1] slots
    cdef uint64_t half, count

    def __init__(self, uint64_t[::1] slots, uint64_t half, uint64_t buckets):
        if not half <= buckets <= 2 * half or <uint64_t> slots.shape[0] < buckets * WIDTH:
            raise ValueError("the table has fewer slots")
        self.slots, self.half, self.count = slots, half, buckets

    cdef inline Py_ssize_t bucket_of(self, uint32_t code) noexcept:
        cdef uint64_t bucket = code & (2 * self.half - 1)
        return <Py_ssize_t> (bucket - self.half if bucket >= self.count else bucket)

    cdef int fetch(self, codes) except -1:
        """Let all buckets come from memory at once."""
        cdef uint32_t code
        for code in codes:
            PREFETCH(&self.slots[self.bucket_of(code) * WIDTH])
        return 0

    def find(self, codes, dict spilled):
        """Return the rows under each of *codes* that has any, and which buckets *spilled*."""
        cdef uint32_t code
        cdef Py_ssize_t bucket, at
        cdef uint64_t entry
        cdef dict rows = {}
        cdef set full = set()
        self.fetch(codes)
        for code in codes:
            bucket = self.bucket_of(code)
            for at in range(bucket * WIDTH, bucket * WIDTH + WIDTH):
                entry = self.slots[at]
                if entry >> 32 == code and <uint32_t> entry:  # a free slot looks like row 0 of code 0
                    rows.setdefault(code, []).append(<uint32_t> entry)
            if spilled and bucket in spilled:
                full.add(bucket)
        return rows, full

    def put(self, codes, uint32_t row):
        """Add *row* under each of *codes*; return (bucket, entry) of those that found no room."""
        cdef uint32_t code
        cdef Py_ssize_t bucket, at
        cdef list left = []
        self.fetch(codes)
        for code in codes:
            bucket = self.bucket_of(code)
            for at in range(bucket * WIDTH, bucket * WIDTH + WIDTH):
                if self.slots[at] == 0:
                    self.slots[at] = <uint64_t> code << 32 | row
                    break
            else:
                left.append((bucket, <uint64_t> code << 32 | row))
        return left
