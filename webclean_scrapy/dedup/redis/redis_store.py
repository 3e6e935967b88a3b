"""Fingerprints on a Redis server that several crawls share: one script, one round trip a page.

The server decides (check_and_add.lua), so of two crawls that add the same page at once, exactly one
gets the answer that it is new. A batch goes in one round trip; each page is atomic by itself.

A pending entry counts for its run while its *writer*, this store, holds its lease: until `LEASE_S`
after its last write, or until `close`. So a run may have many processes, and pages that a killed
process did not export block nothing. A page may be sent again when its answer was lost: it is no
duplicate of its own entry.
"""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from webclean_scrapy.dedup.comparison import Overlap
from webclean_scrapy.dedup.config import name_differences
from webclean_scrapy.dedup.fingerprint_methods import scheme_of
from webclean_scrapy.dedup.match import Match
from webclean_scrapy.dedup.redis.address import RedisAddress
from webclean_scrapy.dedup.redis.client import (
    connect,
    disconnect,
    leave_old_primary,
    must_open_again,
    server_errors,
    server_info,
)
from webclean_scrapy.errors import StoreSchemeError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.fingerprint import Fingerprint

LAYOUT = "1"  # of the keys and values in the server
LEASE_S = 60  # seconds after its last write that a writer counts as running
PIPELINED = 50  # commands sent before their answers are read
ASK_EVERY = 16  # questions after which sentinels are asked who is the primary
CONFIRMED = bytes(8)  # in place of a run
NO_STORE, DAMAGED = "WEBCLEAN header", "WEBCLEAN damaged"
DECIDING = (  # options of `DedupConfig` that the script needs
    "indexed", "probes", "votes", "max_pages_per_code", "max_candidates", "min_codes",
    "min_jaccard", "min_containment", "whole_page_jaccard", "whole_page_containment",
    "number_places", "number_share", "update_contained", "update_longer",
)  # fmt: skip


class RedisStore:
    """A `Store` under one prefix of a Redis server, at *uri* (see `address`).

    Entries expire after the ``ttl`` of the URI; when it has none, after `expire_days`.
    Raises: ConfigError for a wrong URI; StoreUnavailableError when the server does not answer;
    StoreSchemeError when the prefix holds something else.
    """

    def __init__(self, uri: str, config: DedupConfig) -> None:
        self.comparisons = 0
        self.address = RedisAddress.parse(uri)
        self._client = connect(self.address)
        ttl = config.expire_s if self.address.ttl is None else self.address.ttl
        self._script = _script_of(config, ttl)
        self._sha = hashlib.sha1(self._script).hexdigest()
        self._header = {**scheme_of(config), "layout": LAYOUT}
        lines = "\n".join(f"{name}={value}" for name, value in sorted(self._header.items()))
        self._digest = hashlib.blake2b(lines.encode(), digest_size=8).hexdigest()
        self._lock = threading.Lock()
        self._writer = self._questions = 0
        self._open()

    def find(self, new: Fingerprint, *, run: str | None) -> Match | None:
        return self._match(self._run("find", run, new.pack()))

    def check_and_add(self, key: str, new: Fingerprint, *, run: str | None) -> Match | None:
        return self._match(self._run("check_and_add", run, new.pack(), _bytes(key), LEASE_S))

    def check_and_add_many(
        self, pages: Sequence[tuple[str, Fingerprint]], *, run: str | None
    ) -> list[Match | None]:
        """Return what `check_and_add` returns for each page, in one round trip for `PIPELINED`."""
        calls = [(run, new.pack(), _bytes(key), LEASE_S) for key, new in pages]
        return [self._match(answer) for answer in self._run_all("check_and_add", calls)]

    def confirm(self, keys: Iterable[str]) -> int:
        names = [_bytes(key) for key in keys]
        calls = [(None, *names[at : at + 1000]) for at in range(0, len(names), 1000)]
        return sum(self._run_all("confirm", calls))

    def remove(self, key: str) -> bool:
        return bool(self._run("remove", None, _bytes(key)))

    def clusters(self) -> Iterator[tuple[str, ...]]:
        """Yield each group. Cost: a scan of all keys of the database."""
        start = f"{self.address.key_start}g:"
        pattern = start.translate({ord(char): f"\\{char}" for char in "*?[]^\\"}) + "*"
        with self._errors():
            names = set(self._client.scan_iter(match=pattern.encode(), count=1000))
        founders = sorted(int(name.rpartition(b":")[2]) for name in names)
        for at in range(0, len(founders), PIPELINED):
            calls = [(None, founder) for founder in founders[at : at + PIPELINED]]
            for keys in self._run_all("cluster", calls):
                if len(keys) > 1:
                    yield tuple(key.decode("utf-8", "surrogatepass") for key in keys)

    def __len__(self) -> int:
        return int(self._run("count", None))

    def advice(self) -> list[str]:
        """Return a sentence for each setting of the server that may lose pages."""
        with self._errors():
            memory = server_info(self._client, "memory")
        policy = memory.get("maxmemory_policy", "noeviction")
        if policy == "noeviction":
            return []
        limit = memory.get("maxmemory_human", "?") if memory.get("maxmemory") else "no limit yet"
        advice = (
            f"the Redis server has maxmemory-policy {policy} (maxmemory: {limit}): it may evict "
            "fingerprints, and their duplicates are not detected; set it to noeviction"
        )
        return [advice]

    def wait_at_most(self, seconds: float) -> None:
        return  # the timeout of the URI holds

    def reconnect(self) -> None:
        disconnect(self._client)
        self._open()

    def close(self) -> None:
        """End the lease of this writer, so its pending entries no more count, and disconnect."""
        try:
            with self._errors():
                self._client.delete(f"{self.address.key_start}w:{self._writer}")
        except StoreUnavailableError:
            pass  # the lease ends by itself
        finally:
            disconnect(self._client)

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
        stored = dict(zip(texts[::2], texts[1::2], strict=True))
        stored.pop("digest", None)
        if stored != self._header:
            differences = name_differences(stored, self._header)
            raise StoreSchemeError(
                f"the store {self.address} was created with other settings: {differences}; "
                "use the same settings or another prefix, or delete its keys to start again"
            )

    def _run(self, step: str, run: str | None, *arguments: bytes | int) -> Any:
        return self._run_all(step, [(run, *arguments)])[0]

    def _run_all(self, step: str, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the answer to each call, a run and the arguments of *step*, in order."""
        answers: list[Any] = []
        for at in range(0, len(calls), PIPELINED):
            batch = calls[at : at + PIPELINED]
            with self._errors():
                some = self._send(step, batch)
                if lost := [n for n, one in enumerate(some) if must_open_again(one, NO_STORE)]:
                    self.reconnect()  # the server was emptied, restarted or replaced
                    again = self._send(step, [batch[n] for n in lost])
                    for n, answer in zip(lost, again, strict=True):
                        some[n] = answer
                for answer in some:
                    if isinstance(answer, Exception):
                        raise answer
            answers += some
        return answers

    def _send(self, step: str, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
        self._questions += 1
        if step == "confirm" or self._questions % ASK_EVERY == 0:
            leave_old_primary(self._client)
        pipe = self._client.pipeline(transaction=False)
        for run, *arguments in calls:
            pipe.evalsha(
                self._sha, 1, self.address.header_key,
                step, self._digest, _run_id(run), self._writer, *arguments,
            )  # fmt: skip
        return pipe.execute(raise_on_error=False)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn errors of redis-py and of the script into ours."""
        try:
            with server_errors(self._client, self.address, "the fingerprint store"):
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

    def _match(self, answer: list[Any]) -> Match | None:
        with self._lock:
            self.comparisons += answer[0]
        if len(answer) == 1:
            return None
        _, key, verdict, *codes = answer
        overlap = Overlap(*codes)
        return Match(
            key=key.decode("utf-8", "surrogatepass"),
            similarity=round(max(overlap.jaccard, overlap.containment), 4),
            verdict=verdict.decode(),
        )


def _script_of(config: DedupConfig, ttl: int) -> bytes:
    """Return the script, which begins with the options of the store."""
    options = {name: getattr(config, name) for name in DECIDING}
    lines = [f"{name} = {value!r}" for name, value in options.items()]
    lines += [f"updates = {config.updates!r}", f"ttl = {ttl}"]
    text = files("webclean_scrapy.dedup.redis").joinpath("check_and_add.lua").read_bytes()
    return f"local CONFIG = {{{', '.join(lines)}}}\n".encode() + text


def _run_id(run: str | None) -> bytes:
    """Return eight bytes for the name of a run."""
    return hashlib.blake2b(run.encode(), digest_size=8).digest() if run is not None else CONFIRMED


def _bytes(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")
