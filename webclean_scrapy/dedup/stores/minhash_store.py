"""MinHashes in the memory of this process, looked up in datasketch's own index of bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from webclean_scrapy.dedup.minhash import PERMUTATIONS, THRESHOLD, load_datasketch
from webclean_scrapy.dedup.stores.memory_store import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint
    from webclean_scrapy.dedup.stores.entry import Entry


class MinHashStore(MemoryStore):
    """A `Store` for the method "minhash"."""

    def __init__(self, config: DedupConfig) -> None:
        super().__init__(config)
        self._library = load_datasketch()
        self._bands = self._library.MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)

    def _look_up(self, new: Fingerprint) -> dict[int, list[int]]:
        del new
        return {}

    def _candidates(self, new: Fingerprint, postings: dict[int, list[int]]) -> list[int]:
        del postings
        return sorted(self._bands.query(self._to_datasketch(new))) if new.codes else []

    def _insert(self, entry: Entry, codes: Sequence[int]) -> None:
        del codes
        super()._insert(entry, ())
        if entry.data is not None and entry.fingerprint.codes:
            self._bands.insert(self._rows[entry.key], self._to_datasketch(entry.fingerprint))

    def _delete(self, entry: Entry) -> None:
        if entry.row in self._bands:
            self._bands.remove(entry.row)
        super()._delete(entry)

    def _to_datasketch(self, fingerprint: Fingerprint) -> Any:
        minhash = self._library.MinHash(num_perm=PERMUTATIONS)
        minhash.hashvalues = np.array(fingerprint.codes, minhash.hashvalues.dtype)
        return minhash
