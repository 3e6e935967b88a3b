"""Keeps the state of the watched sites on a Redis server, so that several processes share them.

A process takes some hosts at a time, each for one round of its sites. The rows of a host are read
into a database in memory, on which `WatchState` works as on its file. They are written every few
seconds, and when the round of the host is over, all at once: what is on the server is the state of
one moment. What a kill takes away is asked for again; what is in the feed is then known as a copy.

A process has a number and a lease, which each of its transactions renews. It takes a host that has
no holder, or one without a lease, by entering its number there. Only the holder writes a host,
which each transaction makes sure of. So the hosts of a killed process go to others.

Keys behind the prefix:
    watch:header  version of the tables
    watch:processes  how many there have been
    watch:lease:NUMBER  a process that runs: when it wrote last, in seconds since 1970
    watch:host:HOST  hash: holder; done, when its last round ended; rows as compressed JSON
"""

from __future__ import annotations

import json
import random
import time
import zlib
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from scrapy.utils.asyncio import create_looping_call

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pending import Waiters, wait_for_result
from webclean_scrapy.crawl.watch_state import (
    FORGET,
    MEMORY,
    SCHEMA,
    WatchState,
    site_number,
)
from webclean_scrapy.dedup.redis.redis_store import LEASE_S as FINGERPRINTS_LEASE_S
from webclean_scrapy.dedup.redis.server import RedisAddress, RedisClient, is_redis
from webclean_scrapy.errors import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable
    from concurrent.futures import Future

    Tables = dict[str, list[list[Any]]]

logger = safe_logger(__name__)

LEASE_S = FINGERPRINTS_LEASE_S + 5  # what a killed process left pending counts no more then
TICK_S = 0.5  # from one transaction to the next
SAVE_S = 5.0  # from one look for changed rows to the next
SAVE_SHARE = 20  # or so many times what that took
LOOKED_AT = 100  # hosts that are asked for at once
TABLES = ("sites", "sources", "addresses", "robots")


class Found(NamedTuple):
    """The answer to a request for hosts: which this process got, and why not the others."""

    taken: dict[str, bytes | None]  # and their rows
    done: list[str]  # in the meantime, by another process
    signs: dict[str, bytes]  # those of other processes, and when these wrote last


NOTHING = Found({}, [], {})


class SharedWatchState(WatchState):
    """The state on the server of *uri* (see `dedup.redis.server`). *clock*: seconds since 1970.

    Raises: ConfigError for a wrong URI; StoreUnavailableError when the server does not answer;
    StoreError when the state there is of another version.
    """

    def __init__(self, uri: str, clock: Callable[[], float]) -> None:
        address = RedisAddress.parse(uri)
        self._server = RedisClient(address, "the state of the watch at")
        self._start = f"{address.key_start}watch:"
        self._began = self._answered = clock()
        self._failed = 0.0
        self._held: dict[str, set[str]] = {}  # first pages of sites, by host
        self._unsaved: dict[str, tuple[Tables, bool | None]] = {}  # by host; None: it is kept
        self._save_at, self._changes = 0.0, 0
        self._stamps: dict[str, int] = {}  # of what was written of a host
        self._at_work = 0  # rounds
        self._beginning: list[str] = []  # sites that are not open yet
        self._loop: Any = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="webclean-watch")
        self._writing: Future[None] = self._thread.submit(lambda: None)
        with self._server.errors():
            client = self._server.client
            client.set(f"{self._start}header", SCHEMA, nx=True)
            if client.mget(f"{self._start}header") != [SCHEMA.encode()]:
                raise StoreError(
                    f"the state at {address} is of another version; use another prefix"
                )
            self._number = str(client.incr(f"{self._start}processes")).encode()
            client.set(self._lease(self._number), clock(), ex=LEASE_S)
        super().__init__(MEMORY, clock)
        self._db.execute("CREATE INDEX of_site ON addresses (site)")

    def _host(self, host: str) -> str:
        return f"{self._start}host:{host}"

    def _lease(self, number: bytes) -> str:
        return f"{self._start}lease:{number.decode()}"

    async def shares(
        self, homes: Iterable[str], most: int, advance: Callable[[], tuple[int, set[str]]]
    ) -> AsyncIterator[list[str]]:
        """Yield the sites of the hosts that this process takes, until all have had a round.

        *most*: hosts at once; *advance*: ends the rounds that are over, returns how many others are
        at work, and which sites are open. What a living process holds is left to it; for the hosts
        of one that was killed, it waits.
        """
        hosts: dict[str, list[str]] = {}
        for home in homes:
            hosts.setdefault(_host_of(home), []).append(home)
        shuffled = random.sample([*hosts], len(hosts))  # else all would ask for the same ones
        waiting = {host: hosts[host] for host in shuffled}
        last_signs: dict[str, bytes] = {}
        bell = Waiters()
        self._loop = create_looping_call(self._tick, advance)
        self._loop.start(TICK_S)
        while self._at_work or waiting:
            room = most - self._at_work
            found = await self._ask([*islice(waiting, LOOKED_AT)], room) if room > 0 else NOTHING
            for host, rows in found.taken.items():
                self._beginning = waiting.pop(host)
                self._held[host] = {*self._beginning, *self._load(host, rows)}
                self._at_work += 1
                yield self._beginning
            self._beginning = []
            for host in found.done:
                del waiting[host]
            for host, sign in found.signs.items():
                waiting[host] = waiting.pop(host)  # to the end
                if not self._at_work and last_signs.setdefault(host, sign) != sign:
                    del waiting[host]
            if not found.taken and not found.done:
                await bell.wait_for_notify(None, TICK_S)

    async def _ask(self, wanted: list[str], most: int) -> Found:
        """Take at most so many of the hosts that are *wanted*. Raises: StoreUnavailableError."""
        try:
            return await wait_for_result(self._thread.submit(self._take, wanted, most))
        except StoreUnavailableError:
            if self._clock() - self._answered > LEASE_S:
                raise
            return NOTHING

    def _tick(self, advance: Callable[[], tuple[int, set[str]]]) -> None:
        """Write what has changed, unless that is still being done."""
        if not self._writing.done():
            return
        if error := self._writing.exception():
            if self._answered >= self._failed:
                logger.warning("No other site is begun until the server answers: %s", error)
            self._failed = self._clock()
        else:
            self._answered = self._clock()
            self._unsaved.clear()
        self._at_work, open_homes = advance()
        self._dump({*open_homes, *self._beginning})
        self._writing = self._thread.submit(self._write)

    def close(self, *, is_whole: bool = False) -> None:
        """Write the rest, and give up what is held. Raises: StoreError."""
        try:
            if self._loop is not None and self._loop.running:
                self._loop.stop()
            wait([self._writing])
            for host in [*self._held]:
                self._release(host, is_over=is_whole)
            self._thread.submit(self._write).result()
            with self._server.errors():
                self._server.client.delete(self._lease(self._number))
        finally:
            self._thread.shutdown()
            self._server.disconnect()
            super().close()

    # The database in memory.

    def history(self, columns: str) -> list[tuple[Any, ...]]:
        """Return *columns* of each site, as it was last written, in SQL."""
        with self._server.errors():
            for key in self._server.keys(self._host("")):
                self._load(key.decode(), self._server.client.hget(key, "rows"))
        return super().history(columns)

    def _load(self, host: str, packed: bytes | None) -> list[str]:
        """Add the rows of a host; return the first pages of its sites."""
        try:
            tables: Tables = json.loads(zlib.decompress(packed)) if packed else {}
        except (ValueError, zlib.error) as error:
            raise StoreError(f"the state of {host} on the server is damaged: {error}") from error
        with self._transaction() as db:
            for name, rows in tables.items():
                marks = ",".join("?" * len(rows[0]))
                sql = "INSERT OR IGNORE INTO {} VALUES ({})"
                db.executemany(sql.format(name, marks), rows)
        return [row[1] for row in tables.get("sites", ())]

    def _where(self, host: str) -> dict[str, tuple[str, list[Any]]]:
        """Return, for each table, the end of a query for the rows of a host, and its values."""
        sites = [site_number(home) for home in self._held[host]]
        of_sites = f"WHERE site IN ({','.join('?' * len(sites))})"
        found: dict[str, tuple[str, list[Any]]] = dict.fromkeys(TABLES, (of_sites, sites))
        found["robots"] = "WHERE host IN (?, ?)", [host, f"www.{host}"]
        return found

    def _dump(self, open_homes: set[str]) -> None:
        """Note the rows of hosts that are to be written; release those without an open round."""
        for host, homes in [*self._held.items()]:
            if not homes & open_homes:
                self._release(host, is_over=True)
        began = time.monotonic()
        if began >= self._save_at and self._db.total_changes != self._changes:
            for host in self._held:
                tables = self._tables(host)
                stamp = hash(tuple(map(tuple, tables.values())))
                if self._stamps.get(host) != stamp:
                    self._stamps[host] = stamp
                    self._unsaved[host] = tables, None
            took = time.monotonic() - began
            self._save_at = began + max(SAVE_S, SAVE_SHARE * took)
            self._changes = self._db.total_changes

    def _tables(self, host: str) -> Tables:
        query = "SELECT * FROM {} {}"
        found = {
            name: self._db.execute(query.format(name, where), values).fetchall()
            for name, (where, values) in self._where(host).items()
        }
        return {name: rows for name, rows in found.items() if rows}

    def _release(self, host: str, *, is_over: bool) -> None:
        """Forget what is old, and give up a host."""
        tables = self._where(host)
        with self._transaction() as db:
            where, sites = tables["addresses"]
            db.execute(f"{FORGET} AND {where.removeprefix('WHERE')}", (*self._forget_days, *sites))
            self._unsaved[host] = self._tables(host), is_over
            for name, (where, values) in tables.items():
                db.execute("DELETE FROM {} {}".format(name, where), values)  # noqa: UP032, S608
        del self._held[host]
        self._stamps.pop(host, None)

    # In the thread.

    def _heads(self, pipe: Any, hosts: list[str]) -> dict[str, list[bytes | None]]:
        """Watch hosts; return the holder of each, and when its last round ended."""
        if hosts:
            pipe.watch(*map(self._host, hosts))
        asked = self._server.client.pipeline(transaction=False)
        for host in hosts:
            asked.hmget(self._host(host), "holder", "done")
        return dict(zip(hosts, asked.execute(), strict=True))

    def _write(self) -> None:
        """Write the rows of the hosts that are still held, and renew the lease."""
        now = self._clock()
        with self._server.errors(), self._server.client.pipeline() as pipe:
            heads = self._heads(pipe, [*self._unsaved])
            pipe.multi()
            for host, (tables, is_over) in self._unsaved.items():
                if heads[host][0] != self._number:
                    continue
                rows = zlib.compress(json.dumps(tables, default=_as_text).encode())
                pipe.hset(self._host(host), "rows", rows)
                if is_over is not None:
                    pipe.hdel(self._host(host), "holder")
                if is_over:
                    pipe.hset(self._host(host), "done", now)
            pipe.set(self._lease(self._number), now, ex=LEASE_S)
            pipe.execute()

    def _take(self, wanted: list[str], most: int) -> Found:
        from redis.exceptions import WatchError

        taken: dict[str, bytes | None] = {}
        done: list[str] = []
        signs: dict[str, bytes] = {}
        with self._server.errors(), self._server.client.pipeline() as pipe:
            heads = self._heads(pipe, wanted)
            holders = {holder for holder, _ in heads.values() if holder} - {self._number}
            leases = {one: self._server.client.mget(self._lease(one))[0] for one in holders}
            for host, (holder, at) in heads.items():
                if at and float(at) > self._began:
                    done.append(host)
                elif holder and (sign := leases.get(holder)):
                    signs[host] = sign
            free = [host for host in wanted if host not in signs and host not in done][:most]
            pipe.multi()
            for host in free:
                pipe.hset(self._host(host), "holder", self._number)
                pipe.hget(self._host(host), "rows")
            with suppress(WatchError):  # another process was faster
                taken = dict(zip(free, pipe.execute()[1::2], strict=True))
        return Found(taken, done, signs)


def open_state(state: str, clock: Callable[[], float]) -> WatchState:
    """Return the state in a file or at the URI of a Redis server."""
    return SharedWatchState(state, clock) if is_redis(state) else WatchState(state, clock)


def _host_of(url: str) -> str:
    """Return the host of a site and its port: what one process asks at a time."""
    return urlsplit(url).netloc.lower().removeprefix("www.")


def _as_text(body: bytes) -> str:
    return body.decode("utf-8", "replace")
