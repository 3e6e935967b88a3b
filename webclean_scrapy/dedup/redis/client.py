"""The URI of a Redis store and the connection to it: the one module that imports redis-py.

    redis://[[user]:password@]host[:port][/database]?prefix=site&ttl=2592000&timeout=0.8

Also "rediss:" (TLS) and "unix:". Options of redis-py that are allowed: `PASSED_ON` and
``ssl_...``.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from webclean_scrapy.errors import ConfigError, StoreUnavailableError, missing_library
from webclean_scrapy.messages import hide_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redis import Redis

SCHEMES = ("redis", "rediss", "unix")
PREFIX, TIMEOUT_S = "webclean", 0.8  # when the URI does not say
PASSED_ON = ("db", "username", "password", "client_name")  # to redis-py


def is_redis(uri: str | None) -> bool:
    """Whether *uri* names a Redis server."""
    return (uri or "").partition(":")[0] in SCHEMES


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisAddress:
    """Where the server is, and the options of the connection and of the store."""

    url: str = field(repr=False)  # for redis-py, without our own options; with the password
    prefix: str = PREFIX  # of all keys; a hash tag, so all are in one slot of a cluster
    ttl: int | None = None  # seconds that a page is kept; 0: for ever; None: the URI does not say
    timeout: float = TIMEOUT_S  # seconds to wait for a connection or an answer

    @classmethod
    def parse(cls, uri: str) -> RedisAddress:
        """Return the address that *uri* names. Raises: ConfigError, which names the wrong part."""
        place, _, query = uri.partition("?")
        _check_login(place, query)
        if not place.isprintable():
            raise ConfigError("a Redis URI has no line breaks or other control characters")
        options = dict(parse_qsl(query, keep_blank_values=True))
        prefix = options.pop("prefix", PREFIX)
        if not prefix or not prefix.isprintable() or "{" in prefix or "}" in prefix:
            raise ConfigError(f"prefix of a Redis URI must be printable, no braces; got {prefix!r}")
        ttl = _number(options, "ttl", 0) if "ttl" in options else None
        timeout = _number(options, "timeout", TIMEOUT_S)
        if ttl is not None and not (0 <= ttl <= 2**31 and ttl.is_integer()):
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
        seconds = None if ttl is None else int(ttl)
        return cls(url=url, prefix=prefix, ttl=seconds, timeout=timeout)

    @property
    def key_start(self) -> str:
        """What every key of the store begins with."""
        return f"{{{self.prefix}}}:"

    @property
    def header_key(self) -> str:
        """The key that describes the store."""
        return f"{self.key_start}header"

    def __str__(self) -> str:
        """Return the address without user and password."""
        scheme, _, place = self.url.partition("?")[0].partition("://")
        return f"{scheme}://{place.rpartition('@')[2]} (prefix {self.prefix!r})"


def connect(address: RedisAddress) -> Redis:
    """Return a client, which connects when it is first used, and again after each failure.

    It does not retry: the caller decides what is worth waiting for.
    Raises: ConfigError when redis-py is not installed or does not understand the URL.
    """
    try:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        raise missing_library("a Redis store", "redis") from error
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
        raise ConfigError(f"invalid Redis URI {address}: {error}") from None


@contextmanager
def server_errors(client: Redis, what: str) -> Iterator[None]:
    """Turn errors of redis-py into StoreUnavailableError; its connections are not used again."""
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as error:
        disconnect(client)
        options = client.connection_pool.connection_kwargs
        login = (options.get("password"), options.get("username"))
        said = _said(error)
        reason = hide_words(said, login)  # a server repeats a command that it does not know
        cause = error if reason == said else None
        raise StoreUnavailableError(f"{what} is not available: {reason}") from cause


def _said(error: Exception) -> str:
    """Return what *error* says, in words that name the cause."""
    said = str(error).partition(" script: ")[0]  # then comes the place in our script
    return "Authentication required." if "unauthenticated" in said else said


def disconnect(client: Redis) -> None:
    """Close the connections of *client*, which connects again when it is next used."""
    client.connection_pool.disconnect()  # client.close() leaves them open in redis-py 5.0


def lacks_script(answer: object, unknown_store: str) -> bool:
    """Whether *answer* is an error of a server that forgot a script, or was emptied.

    *unknown_store*: what the script answers where the server does not know the store.
    """
    from redis.exceptions import NoScriptError, ResponseError

    if isinstance(answer, NoScriptError):
        return True
    return isinstance(answer, ResponseError) and unknown_store in str(answer)


def _check_login(place: str, query: str) -> None:
    """Raise ConfigError for a password that ends the address; no part of it may be shown."""
    try:
        is_whole = "@" in place.partition("://")[2].partition("/")[0] or "@" not in place + query
        urlsplit(place).port  # noqa: B018, it is checked when it is read
    except ValueError:
        is_whole = False
    if not is_whole:
        raise ConfigError(
            "invalid Redis URI, not shown as it may hold a password: the port must be a number, and"
            " in a password /, ?, # and @ are written %2F, %3F, %23 and %40"
        ) from None


def _number(options: dict[str, str], name: str, default: float) -> float:
    text = options.pop(name, str(default))
    try:
        return float(text)
    except ValueError:
        raise ConfigError(f"{name} of a Redis URI must be a number, got {text!r}") from None
