"""Store fingerprints on a Redis server shared by several crawls.

A batch of pages is one transaction. Its reads are watched and its writes wait for the end: WATCH,
MGET, then MULTI, SET ..., EXEC, which Redis refuses when another client has written to what was
read. Then all is read and decided again. So of two crawls that add the same page at once, exactly
one gets the answer that it is new.

Keys behind the prefix:
    header  JSON: scheme, version, parameters
    row, writer   numbers of the last row and the last writer
    k:HASH  row of a page, by the hash of its key
    e:ROW   a page: JSON of cluster, writer (0: confirmed), run and key; then a line break and the
            packed fingerprint (empty for a copy)
    c:CODE  rows of representatives with the code
    g:ROW   rows of a cluster of two or more, named after the row that founded it
    w:NUMBER  exists while a writer holds its lease

A pending entry counts for its run while its *writer*, a process, holds its lease: until `LEASE_S`
after its last write, or until `close`. So pages that a killed process did not export block nothing.
"""

from __future__ import annotations

import hashlib
import json
import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.dedup.config import check_header
from webclean_scrapy.dedup.fingerprint_methods import scheme_of
from webclean_scrapy.dedup.stores.store import IndexEntry, Store, utf8
from webclean_scrapy.errors import StoreSchemeError, StoreUnavailableError
from webclean_scrapy.redis_server import RedisAddress, RedisClient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.stores.store import Clock, Pages

LAYOUT = "3"  # of the keys and values in the server
LEASE_S = 60  # seconds after its last write that a writer counts as running
ROWS_AT_ONCE = 50  # numbers that are reserved in one request
MOST_TRIES = 100  # of a transaction; in each try of several writers one succeeds
_T = TypeVar("_T")


class RedisStore(Store):
    """A `Store` under one prefix of a Redis server, at *uri* (see `server`).

    Entries expire after the ``ttl`` of the URI; when it has none, after `expire_days`.
    Raises: ConfigError for a wrong URI; StoreUnavailableError when the server does not answer;
    StoreSchemeError when the prefix holds something else.
    """

    def __init__(self, uri: str, config: DedupConfig, clock: Clock | None = None) -> None:
        super().__init__(config, clock)
        self.address = RedisAddress.parse(uri)
        self._ttl = (config.expire_s if self.address.ttl is None else self.address.ttl) or None
        self._server = RedisClient(self.address, "the fingerprint store")
        self._header = {**scheme_of(config), "layout": LAYOUT}
        self._pipe: Any = None  # of the transaction that runs
        self._read: dict[str, bytes | None] = {}  # what it has read and written
        self._written: dict[str, bytes | None] = {}
        self._created = ""  # when the store was, which tells it from one that replaced it
        self._rows: list[int] = []  # reserved for new pages
        self._writer = 0
        self.reconnect()

    # Transactions.
    def _atomically(self, work: Callable[[], _T]) -> _T:
        from redis.exceptions import MovedError, WatchError

        with self._lock, self._server.errors():
            for _ in range(MOST_TRIES):
                try:
                    return self._try(work)
                except WatchError:  # noqa: PERF203, another client was faster: all is read again
                    continue
                except MovedError:  # another node of the cluster has the keys now
                    self._server.disconnect()
        raise StoreUnavailableError(f"the fingerprint store {self.address} has too many writers")

    _consistently = _atomically

    def _try(self, work: Callable[[], _T]) -> _T:
        client = self._server.client
        with client.pipeline() as self._pipe:
            self._read, self._written = {}, {}
            self._check_header(client)
            done = work()
            if self._written:
                self._commit()
            return done

    def _check_header(self, client: Any) -> None:
        """Check the header; write it on an empty server."""
        packed = self._get("header")
        if packed is None:
            seconds, microseconds = client.time()
            new = {**self._header, "created": f"{seconds}.{microseconds:06}"}
            packed = json.dumps(new).encode()
            self._set("header", packed)
        stored: Any = None
        with suppress(ValueError):
            stored = json.loads(packed)
        if not isinstance(stored, dict):
            stored = {"header": packed}
        created = stored.pop("created", "")
        other = "another prefix, or delete its keys"
        check_header(stored, self._header, place=f"the store {self.address}", other=other)
        if created != self._created:
            self._created, self._rows = created, []
            self._writer = client.incr(self._key("writer"))

    def _commit(self) -> None:
        self._pipe.multi()
        for name, value in self._written.items():
            if value is None:
                self._pipe.delete(self._key(name))
            else:
                ttl = None if name == "header" else self._ttl
                self._pipe.set(self._key(name), value, ex=ttl)
        self._pipe.set(self._key(f"w:{self._writer}"), b"", ex=LEASE_S)
        self._pipe.execute()

    def _key(self, name: str) -> str:
        return self.address.key_start + name

    def _load(self, names: Iterable[str]) -> None:
        """Read missing keys in one request."""
        missing = [name for name in dict.fromkeys(names) if name not in self._read]
        if missing:
            keys = [self._key(name) for name in missing]
            self._pipe.watch(*keys)
            self._read.update(zip(missing, self._pipe.mget(keys), strict=True))

    def _get(self, name: str) -> bytes | None:
        self._load([name])
        return self._read[name]

    def _set(self, name: str, value: bytes | None) -> None:
        self._read[name] = self._written[name] = value

    def _prepare(self, pages: Pages) -> None:
        self._load(f"c:{code}" for _, new in pages for code in self._probes(new))
        names = [_key_name(key) for key, _ in pages]
        for _, new in pages:
            rows = self._candidates(new, self._postings(self._probes(new)))
            names += [f"e:{row}" for row in rows[: self._config.max_candidates]]
        self._load(names)

    # What a store keeps.
    def _postings(self, codes: Sequence[int]) -> dict[int, list[int]]:
        self._load(f"c:{code}" for code in codes)
        found = {code: self._rows_in(f"c:{code}") for code in codes}
        return {code: rows for code, rows in found.items() if rows}

    def _rows_in(self, name: str) -> list[int]:
        packed = self._get(name) or b""
        if len(packed) % 8:
            raise StoreSchemeError(f"damaged rows in the store {self.address}")
        return [*struct.unpack(f"<{len(packed) // 8}Q", packed)]

    def _set_rows(self, name: str, rows: Sequence[int]) -> None:
        self._set(name, struct.pack(f"<{len(rows)}Q", *rows) if rows else None)

    def _entry(self, row: int) -> IndexEntry | None:
        packed = self._get(f"e:{row}")
        if packed is None:
            return None
        head, _, data = packed.partition(b"\n")
        try:
            cluster, writer, run, key = json.loads(head)
        except (ValueError, TypeError) as error:
            raise StoreSchemeError(f"damaged entry in the store {self.address}") from error
        return IndexEntry(row, key, cluster, run, data or None, writer=writer)

    def _entry_of(self, key: str) -> IndexEntry | None:
        rows = self._rows_in(_key_name(key))
        entry = self._entry(rows[0]) if rows else None
        # A server that evicts may have forgotten the number of the last row and begun again.
        return entry if entry and entry.key == key else None

    def _counts(self, entry: IndexEntry, key: str | None, run: str | None) -> bool:
        if not super()._counts(entry, key, run):
            return False
        if entry.writer in (0, self._writer):
            return True
        lease = self._key(f"w:{entry.writer}")
        return bool(self._pipe.exists(lease))  # not watched: it is renewed

    def _put(self, entry: IndexEntry, codes: Sequence[int] = ()) -> None:
        row = entry.row or self._new_row()
        cluster, writer = entry.cluster or row, 0 if entry.run is None else self._writer
        head = json.dumps([cluster, writer, entry.run, entry.key]).encode()
        self._set(f"e:{row}", head + b"\n" + (entry.data or b""))
        self._set_rows(_key_name(entry.key), [row])
        if row != cluster or self._get(f"g:{cluster}"):
            others = self._rows_in(f"g:{cluster}") or [cluster]
            self._set_rows(f"g:{cluster}", sorted({*others, row}))
        for code in codes:
            self._set_rows(f"c:{code}", [*self._rows_in(f"c:{code}"), row])

    def _new_row(self) -> int:
        if not self._rows:  # a number that no transaction uses in the end is lost
            last = self._server.client.incrby(self._key("row"), ROWS_AT_ONCE)
            self._rows = [*range(last, last - ROWS_AT_ONCE, -1)]
        return self._rows.pop()

    def _delete(self, entry: IndexEntry) -> None:
        codes = self._possible_codes(entry.data) if entry.data else []
        self._load(f"c:{code}" for code in codes)
        for name in (*(f"c:{code}" for code in codes), f"g:{entry.cluster}"):
            rows = self._rows_in(name)
            if entry.row in rows:
                self._set_rows(name, [row for row in rows if row != entry.row])
        self._set(f"e:{entry.row}", None)
        self._set(_key_name(entry.key), None)

    def _cluster(self, cluster: int) -> list[IndexEntry]:
        rows = self._rows_in(f"g:{cluster}") or [cluster]
        self._load(f"e:{row}" for row in rows)
        entries = [entry for row in rows if (entry := self._entry(row))]
        return [entry for entry in entries if entry.cluster == cluster]

    # What needs no transaction.
    def _scan(self, kind: str) -> Iterator[int]:
        """Yield the rows with a key of *kind*. Cost: all keys of the database."""
        with self._server.errors():
            for name in self._server.keys(self._key(f"{kind}:")):
                yield int(name.rpartition(b":")[2])

    def _clusters(self) -> list[int]:
        return sorted({*self._scan("g")})

    def __len__(self) -> int:
        return len({*self._scan("e")})

    def advice(self) -> list[str]:
        """Warn if the server may evict fingerprints."""
        policy = self._server.info("memory").get("maxmemory_policy", "noeviction")
        advice = (
            f"the Redis server has maxmemory-policy {policy}: it may evict fingerprints, "
            "and their duplicates are not detected; set it to noeviction"
        )
        return [] if policy == "noeviction" else [advice]

    def reconnect(self) -> None:
        self._server.disconnect()
        self._atomically(lambda: self._set(f"w:{self._writer}", b""))  # it can be written to

    def close(self) -> None:
        """End this writer's lease, which removes its pending entries, and disconnect."""
        with suppress(StoreUnavailableError), self._server.errors():  # the lease ends by itself
            self._server.client.delete(self._key(f"w:{self._writer}"))
        self._server.disconnect()


def _key_name(key: str) -> str:
    return f"k:{hashlib.blake2b(utf8(key), digest_size=12).hexdigest()}"
