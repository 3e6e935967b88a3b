"""Connect to a Redis server, alone, behind sentinels, or in a cluster.

    redis://[[user]:password@]host[:port][/database]?prefix=site&ttl=2592000&timeout=0.8
    redis+sentinel://[[user]:password@]host[:port][,host[:port]...]/service[/database]
    redis+cluster://[[user]:password@]host[:port][,host[:port]...]

Also "rediss:", "rediss+sentinel:" and "rediss+cluster:" (TLS), and "unix:". Other options, such as
``ssl_ca_certs``, are those of `redis.from_url`.

A connection finds its server when it connects: behind Sentinel it asks for the primary, in a
cluster for the node that has the keys. So who disconnects after a failure, and connects again,
follows a failover.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from webclean_scrapy.errors import ConfigError, StoreUnavailableError, missing_library
from webclean_scrapy.safe_text import hide_words

if TYPE_CHECKING:
    from collections.abc import Iterator

SENTINEL, CLUSTER = "+sentinel", "+cluster"  # behind "redis" or "rediss"
DEFAULT_PORTS = {"": 6379, SENTINEL: 26379, CLUSTER: 6379}
SCHEMES = ("unix", *(name + kind for name in ("redis", "rediss") for kind in DEFAULT_PORTS))
PREFIX, TIMEOUT_S = "webclean", 0.8  # when the URI does not say
SENTINEL_LOGIN = ("sentinel_username", "sentinel_password")
GUIDE = "docs/several-machines.md"
SECRETS = ("username", "password", "ssl_password", *SENTINEL_LOGIN)


def is_redis(uri: str | None) -> bool:
    """True if *uri* is that of a Redis server."""
    return (uri or "").partition(":")[0] in SCHEMES


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisAddress:
    """The address of a server, with the options of connection and store."""

    url: str = field(repr=False)  # for redis-py: one host, no options of ours; with the password
    shown: str  # the URI without login and options
    kind: str = ""  # or `SENTINEL`, `CLUSTER`
    nodes: tuple[tuple[str, int], ...] = ()  # host and port of sentinels, or nodes of the cluster
    service: str = ""  # what the sentinels call the server
    sentinel_login: tuple[str | None, str | None] = field(default=(None, None), repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)  # what no message may show
    prefix: str = PREFIX  # of all keys; a hash tag, so all are in one slot of a cluster
    ttl: int | None = None  # seconds that a page is kept; 0: for ever; None: the URI does not say
    timeout: float = TIMEOUT_S  # seconds to wait for a connection or an answer

    @classmethod
    def parse(cls, uri: str) -> RedisAddress:
        """Parse *uri*. Raises: ConfigError, which names the invalid part."""
        text, _, query = uri.partition("?")
        scheme, slashes, rest = text.partition("://")
        if not slashes or scheme not in SCHEMES or not uri.isprintable():
            raise ConfigError(f"a Redis URI is one line, begins with {', '.join(SCHEMES)} and ://")
        base, plus, name = scheme.partition("+")
        kind = plus + name
        authority, slash, path = rest.partition("/")
        login, at, hosts = authority.rpartition("@")
        nodes = _read_nodes(hosts, kind, is_whole="@" not in path + query and "#" not in text)
        options = dict(parse_qsl(query, keep_blank_values=True))
        prefix = options.pop("prefix", PREFIX)
        if not prefix or "{" in prefix or "}" in prefix:
            raise ConfigError(f"prefix of a Redis URI must have no braces, got {prefix!r}")
        ttl = options.pop("ttl", None)
        timeout = _read_number("timeout", options.pop("timeout", TIMEOUT_S), 0.001, 60)
        secrets = [unquote(word) for word in login.split(":", 1)]
        secrets += [options[name] for name in SECRETS if name in options]
        user, password = (
            options.pop(name, None) if kind == SENTINEL else None for name in SENTINEL_LOGIN
        )
        service, database = "", path
        if scheme != "unix":
            service, database = _read_path(path.strip("/"), kind)
        return cls(
            url=f"{base}://{login}{at}{hosts.partition(',')[0]}{slash}{database}"
            + (f"?{urlencode(options)}" if options else ""),
            shown=f"{scheme}://{hosts}{slash}{path}",
            kind=kind,
            nodes=nodes,
            service=service,
            sentinel_login=(user, password),
            secrets=tuple(filter(None, secrets)),
            prefix=prefix,
            ttl=None if ttl is None else int(_read_number("ttl", ttl, 0, 2**31)),
            timeout=timeout,
        )

    @property
    def key_start(self) -> str:
        """The prefix of every key of the store."""
        return f"{{{self.prefix}}}:"

    def __str__(self) -> str:
        """Return the address without user and password."""
        return f"{self.shown} (prefix {self.prefix!r})"


def _read_nodes(hosts: str, kind: str, *, is_whole: bool) -> tuple[tuple[str, int], ...]:
    """Return host and port of each host. Raises: ConfigError, without showing the URI."""
    try:
        parts = [urlsplit(f"//{host}") for host in hosts.split(",")]
        nodes = [(part.hostname or "localhost", part.port) for part in parts]
    except ValueError:
        is_whole = False
    if not is_whole or (len(nodes) > 1 and not kind):
        raise ConfigError(
            "invalid Redis URI, not shown as it may hold a password: the port must be a number,"
            " several hosts need redis+sentinel:// or redis+cluster://,"
            " and in a password /, ?, # and @ are written %2F, %3F, %23 and %40"
        ) from None
    return tuple((host, DEFAULT_PORTS[kind] if port is None else port) for host, port in nodes)


def _read_path(path: str, kind: str) -> tuple[str, str]:
    """Return the sentinels' service and the database. Raises: ConfigError."""
    service, _, database = path.partition("/") if kind == SENTINEL else ("", "", path)
    if kind == SENTINEL and not service:
        raise ConfigError(
            "redis+sentinel needs the name that the sentinels have for the server: "
            "redis+sentinel://HOST:26379,HOST:26379/SERVICE/0?prefix=NAME"
        )
    if not (database or "0").isdecimal() or (kind == CLUSTER and int(database or 0)):
        raise ConfigError("the database of a Redis URI must be a number (of a cluster 0), as in /0")
    return unquote(service), database


def _read_number(name: str, text: str | float, low: float, high: float) -> float:
    """Return an option of the URI. Raises: ConfigError."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise ConfigError(f"{name} of a Redis URI must be a number up to {high}, got {text!r}")
    return number


class RedisClient:
    """Connects to *address* on first use, and again after each failure.

    *what*: what the user has there, such as "the fingerprint store". It does not retry: the caller
    decides what is worth waiting for.
    Raises: ConfigError when redis-py is not installed, or does not know an option of the URI.
    """

    def __init__(self, address: RedisAddress, what: str) -> None:
        self._address, self._what = address, what
        self._client: Any = None
        self._cluster: Any = None
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry

            # The options of a connection that the URI does not name by those of redis-py.
            self._limits: dict[str, Any] = {"retry": Retry(NoBackoff(), 0), "protocol": 2}
            self._limits["socket_timeout"] = address.timeout
            if not address.url.startswith("unix:"):
                self._limits["socket_connect_timeout"] = address.timeout
            redis.Redis.from_url(address.url, **self._limits).connection_pool.make_connection()
        except ImportError as error:
            raise missing_library("a Redis store", "redis") from error
        except (TypeError, ValueError) as error:  # of an option, whose value it does not show
            reason = hide_words(str(error), address.secrets)
            raise ConfigError(f"invalid option in a Redis URI: {reason}") from None

    @property
    def client(self) -> Any:
        """The client of redis-py. Raises: an error of redis-py if a cluster is unreachable."""
        if self._client is None:
            self._client = self._connect()
        return self._client

    def keys(self, start: str) -> Iterator[bytes]:
        """Yield the keys with prefix *start*. Cost: all keys of the database."""
        pattern = start.translate({ord(char): f"\\{char}" for char in "*?[]^\\"})
        yield from self.client.scan_iter(match=f"{pattern}*".encode(), count=1000)

    def _connect(self) -> Any:
        import redis

        library: Any = redis  # much of it has no types
        address = self._address
        if not address.kind:
            return library.Redis.from_url(address.url, **self._limits)
        options = {**self._limits, **library.connection.parse_url(address.url)}
        for name in ("host", "port", "connection_class"):
            options.pop(name, None)
        options["ssl"] = address.url.startswith("rediss:")
        if address.kind == SENTINEL:
            user, password = address.sentinel_login
            login = {"username": user, "password": password, "db": 0}
            sentinels = library.Sentinel(address.nodes, sentinel_kwargs={**options, **login})
            return sentinels.master_for(address.service, **options)
        # All keys are in one slot: a client of the node that has it can do transactions.
        options.pop("db", None)
        if self._cluster is None:
            nodes = [library.cluster.ClusterNode(host, port) for host, port in address.nodes]
            self._cluster = library.RedisCluster(startup_nodes=nodes, **options)
        else:  # it knows more nodes by now, in case those of the URI are gone
            self._cluster.nodes_manager.initialize()
        node = self._cluster.get_node_from_key(f"{address.key_start}header")
        return library.Redis(host=node.host, port=node.port, **options)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Convert errors of redis-py to StoreUnavailableError, and disconnect."""
        from redis.exceptions import NoPermissionError, RedisClusterException, RedisError

        try:
            yield
        except (RedisError, RedisClusterException, OSError) as error:
            self.disconnect()
            # A server repeats a command that it does not know, and names who may not run one.
            message = str(error)
            reason = hide_words(message, self._address.secrets)
            cause = error if reason == message else None
            if isinstance(error, NoPermissionError):
                reason += f"; {GUIDE} lists what the user needs"
            raise StoreUnavailableError(
                f"{self._what} {self._address} is not available: {reason}"
            ) from cause

    def info(self, section: str) -> dict[str, Any]:
        """Return the server's INFO; {} if the user may not read it."""
        from redis.exceptions import NoPermissionError

        with self.errors():
            try:
                found: dict[str, Any] = self.client.info(section)
            except NoPermissionError:
                return {}
            return found

    def disconnect(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.connection_pool.disconnect()  # client.close() leaves them open in 5.0
            self._client = None
