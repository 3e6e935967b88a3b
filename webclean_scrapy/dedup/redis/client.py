"""The connection to a Redis server: `connect` returns one kind of client for every address.

A connection finds its server when it connects: behind Sentinel it asks for the primary, in a
cluster for the node that has the keys (`cluster`). So who closes connections after a failure, and
connects again, follows a failover.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from webclean_scrapy.dedup.redis.address import CLUSTER, SENTINEL
from webclean_scrapy.errors import StoreUnavailableError, missing_library
from webclean_scrapy.messages import hide_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redis import Redis

    from webclean_scrapy.dedup.redis.address import RedisAddress

FORBIDDEN = "WEBCLEAN forbidden:"  # what the script answers, and the commands
GUIDE = "docs/several-machines.md"


def connect(address: RedisAddress) -> Redis:
    """Return a client, which connects when it is first used, and again after each failure.

    It does not retry: the caller decides what is worth waiting for.
    Raises: ConfigError when redis-py is not installed.
    """
    try:
        import redis
    except ImportError as error:
        raise missing_library("a Redis store", "redis") from error
    options = _options(address)
    if address.kind == SENTINEL:
        return _behind_sentinels(address, options)
    if address.kind == CLUSTER:
        from webclean_scrapy.dedup.redis.cluster import connect_to_cluster

        return connect_to_cluster(address, options)
    return redis.Redis.from_url(address.url, **options)


def _options(address: RedisAddress) -> dict[str, Any]:
    """Return the options of a connection, but for its host and port."""
    from redis import connection
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    parse_url: Any = connection.parse_url  # has no types
    options: dict[str, Any] = {
        "socket_timeout": address.timeout,
        "socket_connect_timeout": address.timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        **parse_url(address.url),
    }
    for name in ("host", "port", "path", "connection_class"):
        options.pop(name, None)
    if address.url.startswith("unix:"):
        del options["socket_connect_timeout"]
    if address.has_tls:  # as redis-py does since its version 6
        checks = options.get("ssl_cert_reqs") != "none"
        options.setdefault("ssl_check_hostname", checks)
    return options


def _behind_sentinels(address: RedisAddress, options: dict[str, Any]) -> Redis:
    """Return a client of the server that is the primary at the time."""
    from redis import sentinel

    if address.has_tls:
        options["ssl"] = True
    user, password = address.sentinel_login
    own = {**options, "db": 0, "username": user, "password": password}
    sentinel_class: Any = sentinel.Sentinel  # has no types
    sentinels = sentinel_class(address.nodes, sentinel_kwargs=own)
    client: Redis = sentinels.master_for(address.service, **options)
    return client


@contextmanager
def server_errors(client: Redis, address: RedisAddress, what: str) -> Iterator[None]:
    """Turn errors of redis-py into StoreUnavailableError; its connections are not used again.

    *what*: what the user has there, such as "the fingerprint store".
    """
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as error:
        disconnect(client)
        said = _said(error)
        # a server repeats a command that it does not know, and names the user who may not run one
        reason = hide_words(said, address.secrets)
        cause = error if reason == said else None
        raise StoreUnavailableError(f"{what} {address} is not available: {reason}") from cause


def _said(error: Exception) -> str:
    """Return what *error* says, in words that name the cause."""
    from redis.exceptions import NoPermissionError

    said = str(error).partition(" script: ")[0]  # then comes the place in our script
    if "unauthenticated" in said:
        return "Authentication required."
    if FORBIDDEN in said:
        said = f"its user may not run{said.partition(FORBIDDEN)[2]} on its keys"
    elif not isinstance(error, NoPermissionError):
        return said
    return f"{said}; {GUIDE} lists what the user needs"


def server_info(client: Redis, section: str) -> dict[str, Any]:
    """Return what the server says about itself; nothing to a user who may not ask."""
    from redis.exceptions import NoPermissionError

    try:
        found: dict[str, Any] = client.info(section)
    except NoPermissionError:
        return {}
    return found


def disconnect(client: Redis) -> None:
    """Close the connections of *client*, which connects again when it is next used."""
    client.connection_pool.disconnect()  # client.close() leaves them open in redis-py 5.0


def leave_old_primary(client: Redis) -> None:
    """Connect to another primary if the sentinels have named one since.

    The old one may still run, and takes writes until it is told that it is a replica.
    """
    from redis.exceptions import RedisError

    ask = getattr(client.connection_pool, "get_master_address", None)
    if ask is not None:
        with suppress(RedisError):  # without sentinels the server goes on
            ask()  # the pool closes its connections if it is another one


def must_open_again(answer: object, unknown_store: str) -> bool:
    """Whether *answer* is that of a server that forgot a script, was emptied, or lost the slot.

    *unknown_store*: what the script answers where the server does not know the store.
    """
    from redis.exceptions import MovedError, NoScriptError, ResponseError

    if isinstance(answer, (NoScriptError, MovedError)):
        return True
    if not isinstance(answer, ResponseError):
        return False
    return unknown_store in str(answer) or str(answer).startswith("MOVED ")  # redis-py 5
