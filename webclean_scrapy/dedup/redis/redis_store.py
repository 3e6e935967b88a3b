"""Fingerprints on a Redis server that several crawls share: one script, one round trip a page.

The server decides (check_and_add.lua), so of two crawls that bring the same page at once exactly
one is told that it is new. A batch of pages goes in one round trip; each page is atomic by itself.

A pending entry counts for its run as long as its *writer*, this store, is taken to be alive:
until `LEASE_S` after its last write, or until `close`. So a run may be many processes, and what a
killed one never exported blocks nothing. Who brings a page again under its own key, because the
answer was lost on the way, meets only the own entry, which is no duplicate of itself.
"""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from webclean_scrapy.dedup.comparison import Overlap
from webclean_scrapy.dedup.redis.client import RedisAddress, connect, server_errors
from webclean_scrapy.dedup.stores import Match
from webclean_scrapy.errors import StoreSchemeError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint

LAYOUT = "1"  # of the keys and values in the server
LEASE_S = 60  # a writer that wrote nothing for so long may be dead
PIPELINED = 50  # commands sent before their answers are read
CONFIRMED = bytes(8)  # in place of a run
HEADER_GONE, DAMAGED = "WEBCLEAN header", "WEBCLEAN damaged"
DECIDING = (
    "indexed", "probes", "votes", "max_pages_per_code", "max_candidates", "min_codes",
    "min_jaccard", "min_containment", "whole_page_jaccard", "whole_page_containment",
    "number_places", "number_share", "update_contained", "update_new",
)  # fmt: skip


class RedisStore:
    """A `Store` under one prefix of a Redis server, at *uri* (see `redis_address`).

    Raises: ConfigError for a URI that says nothing; StoreUnavailableError when the server does not
    answer; StoreSchemeError when the prefix holds something else.
    """

    def __init__(self, uri: str, config: DedupConfig) -> None:
        self.comparisons = 0
        self.address = RedisAddress.parse(uri)
        self._client = connect(self.address)
        self._script = _script_of(config, self.address.ttl)
        self._sha = hashlib.sha1(self._script).hexdigest()
        self._header = {**config.scheme(), "layout": LAYOUT}
        told = "\n".join(f"{name}={value}" for name, value in sorted(self._header.items()))
        self._digest = hashlib.blake2b(told.encode(), digest_size=8).hexdigest()
        self._lock = threading.Lock()
        self._writer = 0
        self._open()

    def find(self, new: Fingerprint, *, key: str | None = None, run: str | None) -> Match | None:
        del key  # nobody asks for a page of its own and changes nothing
        return self._match(self._do("find", run, new.pack()))

    def check_and_add(self, key: str, new: Fingerprint, *, run: str | None) -> Match | None:
        return self._match(self._do("check_and_add", run, new.pack(), _bytes(key), LEASE_S))

    def check_and_add_many(
        self, pages: Sequence[tuple[str, Fingerprint]], *, run: str | None
    ) -> list[Match | None]:
        """Return what `check_and_add` returns for each page, in one round trip for `PIPELINED`."""
        calls = [(run, new.pack(), _bytes(key), LEASE_S) for key, new in pages]
        return [self._match(found) for found in self._do_all("check_and_add", calls)]

    def confirm(self, keys: Iterable[str]) -> int:
        names = [_bytes(key) for key in keys]
        calls = [(None, *names[at : at + 1000]) for at in range(0, len(names), 1000)]
        return sum(self._do_all("confirm", calls))

    def remove(self, key: str) -> bool:
        return bool(self._do("remove", None, _bytes(key)))

    def clusters(self) -> Iterator[tuple[str, ...]]:
        """Yield each group. Cost: one look at every key of the database."""
        start = self.address.header_key.removesuffix("header") + "g:"
        pattern = start.translate({ord(char): f"\\{char}" for char in "*?[]^\\"}) + "*"
        with self._errors():
            names = set(self._client.scan_iter(match=pattern.encode(), count=1000))
        founders = sorted(int(name.rpartition(b":")[2]) for name in names)
        for at in range(0, len(founders), PIPELINED):
            calls = [(None, founder) for founder in founders[at : at + PIPELINED]]
            for keys in self._do_all("cluster", calls):
                if len(keys) > 1:
                    yield tuple(key.decode("utf-8", "surrogatepass") for key in keys)

    def __len__(self) -> int:
        return int(self._do("count", None))

    def advice(self) -> list[str]:
        """Return a sentence for each setting of the server that may lose pages."""
        with self._errors():
            memory = self._client.info("memory")
        policy = memory.get("maxmemory_policy", "noeviction")
        if policy == "noeviction":
            return []
        limit = memory.get("maxmemory_human", "?") if memory.get("maxmemory") else "no limit yet"
        told = (
            f"the Redis server has maxmemory-policy {policy} (maxmemory: {limit}): it may evict "
            "fingerprints, and their duplicates are not detected; set it to noeviction"
        )
        return [told]

    def renew(self) -> None:
        """Connect anew and look whether the store is still the one that was opened.

        Raises: StoreUnavailableError, StoreSchemeError.
        """
        self._client.connection_pool.disconnect()
        self._open()

    def close(self) -> None:
        """Give up the pending entries of this store, and the connections."""
        writer = self.address.header_key.removesuffix("header") + f"w:{self._writer}"
        try:
            with self._errors():
                self._client.delete(writer)
        except StoreUnavailableError:
            pass  # the lease runs out by itself
        finally:
            self._client.connection_pool.disconnect()  # close() leaves them open in redis-py 5.0

    # Talking to the server.
    def _open(self) -> None:
        fields = [part for pair in self._header.items() for part in pair]
        with self._errors():
            self._client.script_load(self._script)
            self._writer, flat = self._client.evalsha(
                self._sha, 1, self.address.header_key,
                "open", self._digest, CONFIRMED, self._writer, LEASE_S, *fields,
            )  # fmt: skip
        texts = [part.decode() for part in flat]
        found = dict(zip(texts[::2], texts[1::2], strict=True))
        found.pop("digest", None)
        if found != self._header:
            raise StoreSchemeError(self._difference(found))

    def _difference(self, found: dict[str, str]) -> str:
        wanted = self._header
        differing = sorted(n for n in {*found, *wanted} if found.get(n) != wanted.get(n))
        told = ", ".join(f"{n} {found.get(n)} (now {wanted.get(n)})" for n in differing)
        return (
            f"the store {self.address} was created with other settings: {told}; "
            "use the same settings or another prefix, or delete its keys to start again"
        )

    def _do(self, step: str, run: str | None, *arguments: bytes | int) -> Any:
        return self._do_all(step, [(run, *arguments)])[0]

    def _do_all(self, step: str, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the answer to each call, a run and the arguments of *step*, in order."""
        answers: list[Any] = []
        for at in range(0, len(calls), PIPELINED):
            some = calls[at : at + PIPELINED]
            with self._errors():
                found = self._send(step, some)
                if again := [n for n, answer in enumerate(found) if self._is_forgotten(answer)]:
                    self._open()  # the server was emptied or started anew
                    for n, answer in zip(
                        again, self._send(step, [some[n] for n in again]), strict=True
                    ):
                        found[n] = answer
                for answer in found:
                    if isinstance(answer, Exception):
                        raise answer
            answers += found
        return answers

    def _send(self, step: str, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        pipe = self._client.pipeline(transaction=False)
        for run, *arguments in calls:
            mark = _mark(run)
            pipe.evalsha(
                self._sha, 1, self.address.header_key,
                step, self._digest, mark, self._writer, *arguments,
            )  # fmt: skip
        return pipe.execute(raise_on_error=False)

    @staticmethod
    def _is_forgotten(answer: object) -> bool:
        from redis.exceptions import NoScriptError, ResponseError

        if isinstance(answer, NoScriptError):
            return True
        return isinstance(answer, ResponseError) and HEADER_GONE in str(answer)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn what redis-py raises into our errors; the connections are not used again."""
        try:
            with server_errors(self._client, f"the fingerprint store {self.address}"):
                yield
        except StoreUnavailableError as error:
            if DAMAGED in str(error):
                raise StoreSchemeError(
                    f"damaged fingerprint in the store {self.address}"
                ) from error
            if "WRONGTYPE" in str(error):
                raise StoreSchemeError(
                    f"keys of {self.address} belong to another program; use another prefix"
                ) from error
            raise

    def _match(self, found: list[Any]) -> Match | None:
        with self._lock:
            self.comparisons += found[0]
        if len(found) == 1:
            return None
        _, key, verdict, *codes = found
        overlap = Overlap(*codes)
        return Match(
            key=key.decode("utf-8", "surrogatepass"),
            similarity=round(max(overlap.jaccard, overlap.containment), 4),
            verdict=verdict.decode(),
        )


def _script_of(config: DedupConfig, ttl: int) -> bytes:
    """Return the script with the options that decide in front."""
    options = {name: getattr(config, name) for name in DECIDING}
    lines = [f"{name} = {value!r}" for name, value in options.items()]
    lines += [f"updates = {config.updates!r}", f"ttl = {ttl}"]
    text = files("webclean_scrapy.dedup.redis").joinpath("check_and_add.lua").read_bytes()
    return f"local CONFIG = {{{', '.join(lines)}}}\n".encode() + text


def _mark(run: str | None) -> bytes:
    """Return eight bytes for the name of a run."""
    return hashlib.blake2b(run.encode(), digest_size=8).digest() if run is not None else CONFIRMED


def _bytes(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")
