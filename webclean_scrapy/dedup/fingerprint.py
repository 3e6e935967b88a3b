"""The fingerprint of a page: what is kept of it to compare it with others."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from webclean_scrapy.errors import StoreSchemeError

_HEAD = struct.Struct("<QIBBBx")  # exact hash, size, flags, codes, numbers
_COMPLETE = 2  # flag
_LIST = 0x5BD1E995  # any number: what is made with it meets nothing that is made without
NO_LIMIT = 0x10000  # above every rank: the sample is all the page has


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """The fingerprint of a page. Two of the same `DedupConfig.scheme` can be compared."""

    exact: int  # 64-bit hash of the words; 0: there are none
    codes: tuple[int, ...]  # 32 bits each, rising rank
    ranks: tuple[int, ...]  # 16 bits each, on a logarithmic scale
    size: int = 0  # keywords of the page
    complete: bool = True  # *codes* are all codes of the page, not a sample
    places: tuple[int, ...] = ()  # contexts of numbers, 32 bits each, sorted; may repeat
    values: tuple[int, ...] = ()  # the number in each place, 16 bits of its hash

    @property
    def limit(self) -> int:
        """The rank up to which every code of the page is in the sample."""
        return NO_LIMIT if self.complete else self.ranks[-1]

    def of_list(self) -> Fingerprint:
        """Return the fingerprint of a page that lists others: only such pages are its copies.

        A list repeats the texts of its articles. Were it compared with them, the article that comes
        after its list would be taken for a copy and be lost.
        """
        exact = self.exact ^ _LIST if self.exact else 0
        return replace(self, exact=exact, codes=tuple(code ^ _LIST for code in self.codes))

    def pack(self) -> bytes:
        """Return the fingerprint as little-endian bytes, at most 16 + 6 * (codes + numbers)."""
        codes, numbers = len(self.codes), len(self.places)
        flags = self.complete * _COMPLETE
        return _HEAD.pack(self.exact, self.size, flags, codes, numbers) + struct.pack(
            f"<{codes}I{codes}H{numbers}I{numbers}H",
            *self.codes, *self.ranks, *self.places, *self.values,
        )  # fmt: skip

    @classmethod
    def unpack(cls, data: bytes) -> Fingerprint:
        """Return the fingerprint that `pack` wrote into *data*. Raises: StoreSchemeError."""
        try:
            exact, size, flags, codes, numbers = _HEAD.unpack_from(data)
            parts = struct.unpack(f"<{codes}I{codes}H{numbers}I{numbers}H", data[_HEAD.size :])
        except (struct.error, TypeError) as error:  # TypeError: the file holds another type
            raise StoreSchemeError(f"damaged fingerprint in the store: {error}") from error
        if not codes and not flags & _COMPLETE:
            raise StoreSchemeError("damaged fingerprint in the store: a sample without codes")
        a, b, c = 2 * codes, 2 * codes + numbers, 2 * (codes + numbers)
        return cls(
            exact=exact, size=size, codes=parts[:codes], ranks=parts[codes:a], places=parts[a:b],
            values=parts[b:c], complete=bool(flags & _COMPLETE),
        )  # fmt: skip
