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

import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from webclean_scrapy.errors import ConfigError, StoreUnavailableError, missing_library
from webclean_scrapy.safe_text import hide_words

if TYPE_CHECKING:
    from collections.abc import Iterator

GUIDE = "docs/several-machines.md"
PREFIX, TIMEOUT_S = "webclean", 0.8  # when the URI does not say
SENTINEL_LOGIN = ("sentinel_username", "sentinel_password")
SECRETS = ("username", "password", "ssl_password", *SENTINEL_LOGIN)
_is_redis = re.compile(r"(unix|rediss?(\+sentinel|\+cluster)?):").match
_PORTS = {"sentinel": 26379, "cluster": 6379}
_LOGIN, _HOST = r"(?P<login>[^/?#@]*@)?", r"(?:\[[\da-f:.]+\]|[\w.-]*)(?::\d+)?"
_HOSTS = rf"(?P<hosts>{_HOST}(?:,{_HOST})*)"
#: A password with a slash, which redis-py would read as the end of the host, is in none of them.
_FORMS = [
    rf"rediss?://{_LOGIN}{_HOST}(/\d*)?",
    rf"unix://{_LOGIN}/[^?#@]+",
    rf"(?P<base>rediss?)\+(?P<kind>sentinel)://{_LOGIN}{_HOSTS}/(?P<service>[^/?#@]+)(?P<database>/\d*)?",
    rf"(?P<base>rediss?)\+(?P<kind>cluster)://{_LOGIN}{_HOSTS}(/0?)?",
]


def is_redis(uri: str | None) -> bool:
    """True if *uri* names a Redis server."""
    return bool(_is_redis(uri or ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisAddress:
    """The address of a server, with the options of connection and store."""

    url: str = field(repr=False)  # for redis-py: no hosts of *nodes*, no options of ours
    shown: str  # the URI without login and options
    kind: str = ""  # or "sentinel", "cluster"
    nodes: tuple[tuple[str, int], ...] = ()  # host and port of sentinels, or nodes of the cluster
    service: str = ""  # what the sentinels call the server
    sentinel_login: tuple[str | None, ...] = field(default=(None, None), repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)  # what no message may show
    prefix: str = PREFIX  # of all keys; a hash tag, so all are in one slot of a cluster
    ttl: int | None = None  # seconds that a page is kept; 0: for ever; None: the URI does not say
    timeout: float = TIMEOUT_S  # seconds to wait for a connection or an answer

    @classmethod
    def parse(cls, uri: str) -> RedisAddress:
        """Take *uri* apart for redis-py. Raises: ConfigError, which never shows a password."""
        is_clear = uri.isprintable() and "@" not in uri.partition("?")[2]
        text, _, query = uri.partition("?") if is_clear else ("", "", "")
        try:
            part = next(filter(None, (re.fullmatch(form, text) for form in _FORMS))).groupdict("")
            kind, options = part.get("kind", ""), dict(parse_qsl(query, keep_blank_values=True))
            hosts = [urlsplit(f"//{host}") for host in part["hosts"].split(",")] if kind else []
            nodes = tuple((one.hostname or "localhost", one.port or _PORTS[kind]) for one in hosts)
        except (StopIteration, ValueError):
            raise ConfigError(
                "invalid Redis URI, not shown as it may hold a password. It is one line of a form "
                f"in {GUIDE}: port and database (of a cluster 0) are numbers, several hosts need "
                "redis+sentinel://HOST,HOST/SERVICE or redis+cluster://HOST,HOST, and in a "
                "password /, ?, # and @ are written %2F, %3F, %23 and %40"
            ) from None
        login = part["login"]
        words = [*map(unquote, login[:-1].split(":", 1)), *map(options.get, SECRETS)]
        prefix = options.pop("prefix", PREFIX)
        if not prefix or "{" in prefix or "}" in prefix:
            raise ConfigError(f"prefix of a Redis URI must have no braces, got {prefix!r}")
        ttl, timeout = _number(options, "ttl", 0, 2**31), _number(options, "timeout", 0.001, 60)
        logins = tuple(options.pop(name, None) for name in SENTINEL_LOGIN if kind == "sentinel")
        url = f"{part['base']}://{login}{part.get('database', '')}" if kind else text
        return cls(
            url=f"{url}?{urlencode(options)}",
            shown=text.replace(login, "", 1),
            kind=kind,
            nodes=nodes,
            service=unquote(part.get("service", "")),
            sentinel_login=logins,
            secrets=tuple(filter(None, words)),
            prefix=prefix,
            ttl=None if ttl is None else int(ttl),
            timeout=timeout or TIMEOUT_S,
        )

    @property
    def key_start(self) -> str:
        """The prefix of every key of the store."""
        return f"{{{self.prefix}}}:"

    def __str__(self) -> str:
        """Return the address without user and password."""
        return f"{self.shown} (prefix {self.prefix!r})"


def _number(options: dict[str, str], name: str, low: float, high: float) -> float | None:
    """Take a number out of the options of a URI; None without it. Raises: ConfigError."""
    if (text := options.pop(name, None)) is None:
        return None
    with suppress(ValueError):
        if low <= (number := float(text)) <= high:
            return number
    raise ConfigError(f"{name} of a Redis URI must be a number up to {high}, got {text!r}")


class RedisClient:
    """Connects to *address* on first use, and again after each failure.

    *what*: what the user has there, such as "the fingerprint store". It does not retry: the caller
    decides what is worth waiting for.
    Raises: ConfigError when redis-py is not installed, or does not know an option of the URI.
    """

    def __init__(self, address: RedisAddress, what: str) -> None:
        self._address, self._what = address, what
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

    def keys(self, start: str) -> Iterator[bytes]:
        """Yield the keys with prefix *start*. Cost: all keys of the database."""
        pattern = start.translate({ord(char): f"\\{char}" for char in "*?[]^\\"})
        yield from self.client.scan_iter(match=f"{pattern}*".encode(), count=1000)

    @cached_property
    def client(self) -> Any:
        """The client of redis-py. Raises: an error of redis-py if a cluster is unreachable."""
        import redis

        library: Any = redis  # much of it has no types
        address = self._address
        if not address.kind:
            return library.Redis.from_url(address.url, **self._limits)
        options = {**self._limits, **library.connection.parse_url(address.url)}
        options["ssl"] = options.pop("connection_class", None) is not None
        if address.kind == "sentinel":
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

        with self.errors(), suppress(NoPermissionError):
            found: dict[str, Any] = self.client.info(section)
            return found
        return {}

    def disconnect(self) -> None:
        """Close the connections."""
        if (client := self.__dict__.pop("client", None)) is not None:
            client.connection_pool.disconnect()  # client.close() leaves them open in 5.0
