"""What every store of fingerprints can do.

A store does the whole of check-and-add, because each has its own way to make that atomic: a lock
(memory), a write transaction (SQLite), a script on the server (Redis).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.dedup.fingerprint import Fingerprint
    from webclean_scrapy.dedup.match import Match


class Store(Protocol):
    """Keeps fingerprints under keys; safe to share between threads.

    *run* names a crawl. An entry written with a run is *pending* until `confirm`: it matches pages
    of that run only. Entries written without one are confirmed.
    A page is not compared with what its own key holds, with one exception: a run that adds a
    confirmed page again. Then nothing is written unless the page is an update that is kept.
    With `updates="replace"` a confirmed update represents the older pages that it contains; they
    stay in the cluster as copies. While the update is pending both are found: the update by its own
    run, the older page by all others.
    Every method raises StoreUnavailableError when the store does not answer.
    """

    comparisons: int  # full comparisons of two fingerprints since the store was opened

    def find(self, new: Fingerprint, *, run: str | None) -> Match | None:
        """Return the entry that *new* is a copy or update of."""

    def check_and_add(self, key: str, new: Fingerprint, *, run: str | None) -> Match | None:
        """Return what `find` returns and remember *key*; nobody else writes in between."""

    def check_and_add_many(
        self, pages: Sequence[tuple[str, Fingerprint]], *, run: str | None
    ) -> list[Match | None]:
        """Return what `check_and_add` returns for each (key, fingerprint), in this order."""

    def confirm(self, keys: Iterable[str]) -> int:
        """Make pending entries count for every run; return how many were pending."""

    def remove(self, key: str) -> bool:
        """Remove *key*, and with a representative its copies; return whether it was there."""

    def clusters(self) -> Iterator[tuple[str, ...]]:
        """Yield the keys of each group of near-duplicates of two or more, the first kept first."""

    def advice(self) -> list[str]:
        """Return a sentence for each setting of the store that may lose pages."""

    def wait_at_most(self, seconds: float) -> None:
        """Limit how long each call from now on waits for a lock of another process.

        Then it raises StoreBusyError. Without effect on stores that no other process can lock.
        """

    def reconnect(self) -> None:
        """Check, after a failure, that the store answers again and is still the same.

        Raises: StoreUnavailableError, StoreSchemeError.
        """

    def __len__(self) -> int: ...

    def close(self) -> None: ...
