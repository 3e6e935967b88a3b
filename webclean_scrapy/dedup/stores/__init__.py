"""Where fingerprints are kept, and the one way to open any of them.

A store does the whole of check-and-add, because each has its own way to make that atomic: a lock
(memory), a write transaction (SQLite), a script on the server (Redis).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote

from webclean_scrapy.dedup.fingerprint_methods import check_store
from webclean_scrapy.dedup.redis.client import is_redis
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A page already known and what the new one is to it."""

    key: str  # of the page known
    similarity: float  # 0..1; 1.0 for equal texts
    verdict: str  # "duplicate" or "update"


class Store(Protocol):
    """Keeps fingerprints under keys; safe to share between threads.

    *run* names a crawl. An entry written with a run is *pending* until `confirm`: it matches pages
    of that run only. Entries written without one are confirmed.
    A page is no copy of what its own key holds, but for one case: a run that brings again what was
    confirmed before it. Then nothing is written unless it is an update that is remembered.
    With `updates="replace"` an update stands for the older pages it holds as soon as it is
    confirmed; they stay in the cluster as copies. Until then both stand there: for the update's
    run the newer one, for all others the older one.
    Every method raises StoreUnavailableError when the store does not answer.
    """

    comparisons: int  # full comparisons of two fingerprints since the store was opened

    def find(self, new: Fingerprint, *, key: str | None, run: str | None) -> Match | None:
        """Return the entry that *new* is a copy or update of."""

    def check_and_add(self, key: str, new: Fingerprint, *, run: str | None) -> Match | None:
        """Return what `find` returns and remember *key*, with nobody writing in between."""

    def check_and_add_many(
        self, pages: Sequence[tuple[str, Fingerprint]], *, run: str | None
    ) -> list[Match | None]:
        """Return what `check_and_add` returns for each (key, fingerprint), in this order."""

    def confirm(self, keys: Iterable[str]) -> int:
        """Make pending entries count for every run; return how many were pending."""

    def remove(self, key: str) -> bool:
        """Forget *key*, and with a representative its copies; return whether it was known."""

    def clusters(self) -> Iterator[tuple[str, ...]]:
        """Yield the keys of each group of near-duplicates of two or more, the first kept first."""

    def advice(self) -> list[str]:
        """Return a sentence for each thing about the store that may lose pages."""

    def renew(self) -> None:
        """Look, after a failure, whether the store answers again and is still the same."""

    def __len__(self) -> int: ...

    def close(self) -> None: ...


def open_store(uri: str | None, config: DedupConfig) -> Store:
    """Return the store that *uri* names: None or "memory:", "sqlite:///file.db", "redis://host".

    "sqlite:///pages.db" is relative to the working folder, "sqlite:////var/pages.db" is absolute.
    What may stand in a Redis URI is said in `redis_address`.
    Raises: ConfigError for a URI nobody knows or a store that the method does not work with;
    StoreUnavailableError; StoreSchemeError.
    """
    scheme, _, rest = (uri or "memory:").partition(":")
    if config.method == "minhash" and scheme == "memory":
        from webclean_scrapy.dedup.stores.minhash_store import MinHashStore

        return MinHashStore(config)
    if scheme == "memory":
        from webclean_scrapy.dedup.stores.memory_store import MemoryStore

        return MemoryStore(config)
    if scheme == "sqlite" and rest.startswith("///") and len(rest) > 3:
        check_store(config, "sqlite")
        from webclean_scrapy.dedup.stores.sqlite_store import SqliteStore

        return SqliteStore(unquote(rest[3:]), config)
    if is_redis(uri):
        check_store(config, "redis")
        from webclean_scrapy.dedup.redis.redis_store import RedisStore

        return RedisStore(str(uri), config)
    raise ConfigError(
        f"unknown store {uri!r}; use None (memory) or a URI like 'sqlite:///pages.db' or "
        "'redis://localhost:6379/0?prefix=site'"
    )
