"""What a URI of a Redis store says, and the connection that it names.

    redis://[[user]:password@]host[:port][/database]?prefix=site&ttl=2592000&timeout=0.8

Also "rediss:" (TLS) and "unix:". Of redis-py's own options those of `PASSED_ON` and ``ssl_...``
are understood.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from webclean_scrapy.errors import ConfigError, StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redis import Redis

SCHEMES = ("redis", "rediss", "unix")
PREFIX, TTL_S, TIMEOUT_S = "webclean", 0, 0.8  # when the URI does not say
PASSED_ON = ("db", "username", "password", "client_name")  # to redis-py
INSTALL = "install the extra: pip install 'webclean-scrapy[redis]'"


def is_redis(uri: str | None) -> bool:
    """Whether *uri* names a Redis server."""
    return (uri or "").partition(":")[0] in SCHEMES


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisAddress:
    """Where the store is and how it is spoken to."""

    url: str  # for redis-py, without our own options
    prefix: str = PREFIX  # of all keys, which stand in one slot of a cluster
    ttl: int = TTL_S  # seconds that a page is remembered; 0: for ever
    timeout: float = TIMEOUT_S  # seconds that a connection or an answer may take

    @classmethod
    def parse(cls, uri: str) -> RedisAddress:
        """Return the address that *uri* names. Raises: ConfigError, naming what is wrong."""
        place, _, query = uri.partition("?")
        options = dict(parse_qsl(query, keep_blank_values=True))
        prefix = options.pop("prefix", PREFIX)
        if not prefix or not prefix.isprintable() or "{" in prefix or "}" in prefix:
            raise ConfigError(f"prefix of a Redis URI must be printable, no braces; got {prefix!r}")
        ttl = _number(options, "ttl", TTL_S)
        timeout = _number(options, "timeout", TIMEOUT_S)
        if ttl < 0 or ttl != int(ttl) or ttl > 2**31:
            raise ConfigError(f"ttl of a Redis URI must be 0 to {2**31} whole seconds, got {ttl:g}")
        if not 0 < timeout <= 60:
            raise ConfigError(
                f"timeout of a Redis URI must be above 0 and at most 60 seconds, got {timeout:g}"
            )
        for name in options:
            if name not in PASSED_ON and not name.startswith("ssl_"):
                known = ", ".join(("prefix", "ttl", "timeout", *PASSED_ON, "ssl_..."))
                raise ConfigError(f"unknown option {name!r} in a Redis URI; known: {known}")
        url = f"{place}?{urlencode(options)}" if options else place
        return cls(url=url, prefix=prefix, ttl=int(ttl), timeout=timeout)

    @property
    def header_key(self) -> str:
        """The key that describes the store; every other begins like it, in its hash slot."""
        return f"{{{self.prefix}}}:header"

    def __str__(self) -> str:
        """Return what people need to find the store; no password."""
        parts = urlsplit(self.url)
        place = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{place}{parts.path} (prefix {self.prefix!r})"


def connect(address: RedisAddress) -> Redis:
    """Return a client, which connects when it is first used, and again after each failure.

    It never tries twice: who calls knows better what is worth waiting for.
    Raises: ConfigError when redis-py is not installed or does not understand the URL.
    """
    try:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        raise ConfigError(f"a Redis store needs redis-py; {INSTALL}") from error
    options: dict[str, Any] = {
        "socket_timeout": address.timeout,
        "socket_connect_timeout": address.timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
    }
    if address.url.startswith("unix:"):
        del options["socket_connect_timeout"]
    try:
        return redis.Redis.from_url(address.url, **options)
    except (ValueError, TypeError) as error:
        raise ConfigError(f"invalid Redis URI {address}: {error}") from error


@contextmanager
def server_errors(client: Redis, what: str) -> Iterator[None]:
    """Turn what redis-py raises into StoreUnavailableError; the connections are not used again."""
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as error:
        client.connection_pool.disconnect()
        raise StoreUnavailableError(f"{what} is not available: {error}") from error


def _number(options: dict[str, str], name: str, default: float) -> float:
    text = options.pop(name, str(default))
    try:
        return float(text)
    except ValueError:
        raise ConfigError(f"{name} of a Redis URI must be a number, got {text!r}") from None
