"""The URI of a Redis store: one server, the one that sentinels name, or a cluster.

    redis://[[user]:password@]host[:port][/database]?prefix=site&ttl=2592000&timeout=0.8
    redis+sentinel://[[user]:password@]host[:port][,host[:port]...]/service[/database]
    redis+cluster://[[user]:password@]host[:port][,host[:port]...]

Also "rediss:", "rediss+sentinel:" and "rediss+cluster:" (TLS), and "unix:". The forms with several
hosts are those of redis-sentinel-url and of limits. Options for redis-py: `PASSED_ON` and `TLS`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from webclean_scrapy.errors import ConfigError

SENTINEL, CLUSTER = "+sentinel", "+cluster"  # behind "redis" or "rediss"
DEFAULT_PORTS = {"": 6379, SENTINEL: 26379, CLUSTER: 6379}
SCHEMES = ("unix", *(name + kind for name in ("redis", "rediss") for kind in DEFAULT_PORTS))
PREFIX, TIMEOUT_S = "webclean", 0.8  # when the URI does not say
PASSED_ON = ("db", "username", "password", "client_name")
TLS: dict[str, tuple[str, ...]] = {  # the values that are allowed, if not all are
    "ssl_ca_certs": (), "ssl_ca_path": (), "ssl_certfile": (), "ssl_keyfile": (),
    "ssl_password": (),
    "ssl_cert_reqs": ("required", "optional", "none"), "ssl_check_hostname": ("true", "false"),
}  # fmt: skip
FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
SENTINEL_LOGIN = ("sentinel_username", "sentinel_password")
SECRETS = ("username", "password", "ssl_password", *SENTINEL_LOGIN)


class Node(NamedTuple):
    """Where a server or a sentinel listens."""

    host: str
    port: int


def is_redis(uri: str | None) -> bool:
    """Whether *uri* names a Redis server."""
    return (uri or "").partition(":")[0] in SCHEMES


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisAddress:
    """Where the server is, and the options of the connection and of the store."""

    url: str = field(repr=False)  # for redis-py: one host, no options of ours; with the password
    shown: str  # the URI without login and options
    kind: str = ""  # or `SENTINEL`, `CLUSTER`
    nodes: tuple[Node, ...] = ()  # those of the URI: sentinels, or nodes of the cluster
    service: str = ""  # what the sentinels call the server
    sentinel_login: tuple[str | None, str | None] = field(default=(None, None), repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)  # what no message may show
    prefix: str = PREFIX  # of all keys; a hash tag, so all are in one slot of a cluster
    ttl: int | None = None  # seconds that a page is kept; 0: for ever; None: the URI does not say
    timeout: float = TIMEOUT_S  # seconds to wait for a connection or an answer

    @classmethod
    def parse(cls, uri: str) -> RedisAddress:
        """Return the address that *uri* names. Raises: ConfigError, which names the wrong part."""
        text, _, query = uri.partition("?")
        place = _Place.read(text, query)
        options = dict(parse_qsl(query, keep_blank_values=True))
        prefix = options.pop("prefix", PREFIX)
        if not prefix or not prefix.isprintable() or "{" in prefix or "}" in prefix:
            raise ConfigError(f"prefix of a Redis URI must be printable, no braces; got {prefix!r}")
        ttl, timeout = _read_ttl(options), _read_timeout(options)
        _check_options(options, place)
        service, database = place.service_and_database()
        secrets = [unquote(word) for word in place.login.split(":", 1)]
        secrets += [options[name] for name in SECRETS if name in options]
        user, password = [options.pop(name, None) for name in SENTINEL_LOGIN]
        return cls(
            url=place.url(database, options),
            shown=f"{place.scheme}://{place.hosts}{place.path}",
            kind=place.kind,
            nodes=place.nodes(),
            service=service,
            sentinel_login=(user, password),
            secrets=tuple(word for word in secrets if word),
            prefix=prefix,
            ttl=ttl,
            timeout=timeout,
        )

    @property
    def key_start(self) -> str:
        """What every key of the store begins with."""
        return f"{{{self.prefix}}}:"

    @property
    def header_key(self) -> str:
        """The key that describes the store."""
        return f"{self.key_start}header"

    @property
    def has_tls(self) -> bool:
        """Whether connections are encrypted."""
        return self.url.startswith("rediss:")

    def __str__(self) -> str:
        """Return the address without user and password."""
        return f"{self.shown} (prefix {self.prefix!r})"


class _Place(NamedTuple):
    """The parts of a URI before its options."""

    scheme: str
    login: str  # as written, "user:password"
    hosts: str
    path: str

    @classmethod
    def read(cls, text: str, query: str) -> _Place:
        """Return the parts. Raises: ConfigError; for what may be a password, without showing it."""
        scheme, slashes, rest = text.partition("://")
        if not slashes or scheme not in SCHEMES:
            raise ConfigError(f"a Redis URI begins with {', '.join(SCHEMES)} and ://")
        authority, slash, path = rest.partition("/")
        login, _, hosts = authority.rpartition("@")
        place = cls(scheme, login, hosts, slash + path)
        try:
            is_whole = ("@" in authority or "@" not in text + query) and "#" not in text
            place.nodes()
        except ValueError:
            is_whole = False
        if not is_whole:
            raise ConfigError(
                "invalid Redis URI, not shown as it may hold a password: the port must be a number,"
                " and in a password /, ?, # and @ are written %2F, %3F, %23 and %40"
            ) from None
        if not text.isprintable():
            raise ConfigError("a Redis URI has no line breaks or other control characters")
        if "," in hosts and not place.kind:
            raise ConfigError(f"several hosts need {scheme}+sentinel:// or {scheme}+cluster://")
        if place.kind and not all(hosts.split(",")):
            raise ConfigError(f"{scheme} needs hosts with commas between them, got {hosts!r}")
        return place

    @property
    def kind(self) -> str:
        return self.scheme.removeprefix("rediss").removeprefix("redis").removeprefix("unix")

    def nodes(self) -> tuple[Node, ...]:
        """Return host and port of each host. Raises: ValueError."""
        listed = self.hosts.split(",") if self.kind else [self.hosts]
        nodes = []
        for host in listed:
            parts = urlsplit(f"//{host}")
            port = DEFAULT_PORTS[self.kind] if parts.port is None else parts.port
            nodes.append(Node(parts.hostname or "localhost", port))
        return tuple(nodes)

    def service_and_database(self) -> tuple[str, str]:
        """Return what the path names; "" for what it does not. Raises: ConfigError."""
        if self.scheme == "unix":
            return "", ""
        service, parts = "", self.path.strip("/").split("/")
        if self.kind == SENTINEL:
            service = unquote(parts.pop(0))
            if not service:
                raise ConfigError(
                    f"{self.scheme} needs the name that the sentinels have for the server: "
                    f"{self.scheme}://HOST:26379,HOST:26379/SERVICE/0?prefix=NAME"
                )
        database = parts[0] if parts else ""
        if len(parts) > 1 or not (database or "0").isdecimal():
            raise ConfigError("the database of a Redis URI must be a number, such as /0")
        if self.kind == CLUSTER and int(database or 0):
            raise ConfigError(f"{self.scheme}: a cluster has database 0 only")
        return service, database

    def url(self, database: str, options: dict[str, str]) -> str:
        """Return the URL of one server, for redis-py."""
        query = f"?{urlencode(options)}" if options else ""
        login = f"{self.login}@" if self.login else ""
        if not self.kind:
            return f"{self.scheme}://{login}{self.hosts}{self.path}{query}"
        host, path = self.hosts.partition(",")[0], f"/{database}" if database else ""
        return f"{self.scheme.removesuffix(self.kind)}://{login}{host}{path}{query}"


def _check_options(options: dict[str, str], place: _Place) -> None:
    """Raise ConfigError for an option that is unknown, or wrong, or of another kind of URI."""
    known = ["prefix", "ttl", "timeout", *PASSED_ON, *TLS]
    if place.kind == SENTINEL:
        known += SENTINEL_LOGIN
    for name, value in options.items():
        if name not in known:
            raise ConfigError(
                f"unknown option {name!r} in a {place.scheme} URI; known: {', '.join(known)}"
            )
        if name in TLS and not place.scheme.startswith("rediss"):
            raise ConfigError(f"{name} is an option of rediss:// (TLS), not of {place.scheme}://")
        if (choices := TLS.get(name)) and value.lower() not in choices:
            raise ConfigError(f"{name} of a Redis URI must be {' or '.join(choices)}")
        if name in FILES and not Path(value).is_file():
            raise ConfigError(f"{name} of a Redis URI: there is no file {value!r}")
    if not (options.get("db") or "0").isdecimal():
        raise ConfigError("db of a Redis URI must be a number")


def _read_ttl(options: dict[str, str]) -> int | None:
    if "ttl" not in options:
        return None
    ttl = _number("ttl", options.pop("ttl"))
    if not (0 <= ttl <= 2**31 and ttl.is_integer()):
        raise ConfigError(f"ttl of a Redis URI must be 0 to {2**31} whole seconds, got {ttl:g}")
    return int(ttl)


def _read_timeout(options: dict[str, str]) -> float:
    timeout = _number("timeout", options.pop("timeout", str(TIMEOUT_S)))
    if not 0 < timeout <= 60:
        raise ConfigError(
            f"timeout of a Redis URI must be above 0 and at most 60 seconds, got {timeout:g}"
        )
    return timeout


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigError(f"{name} of a Redis URI must be a number, got {text!r}") from None
