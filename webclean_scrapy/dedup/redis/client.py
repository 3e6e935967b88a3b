"""The connection to a Redis server, by the classes of redis-py for each kind of address.

A connection finds its server when it connects: behind Sentinel it asks for the primary, in a
cluster for the node that has the keys. So who disconnects after a failure, and connects again,
follows a failover.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from webclean_scrapy.dedup.redis.address import CLUSTER, SENTINEL
from webclean_scrapy.errors import ConfigError, StoreUnavailableError, hide_words, missing_library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.dedup.redis.address import RedisAddress

GUIDE = "docs/several-machines.md"


class RedisClient:
    """Connects to *address* when it is first used, and again after each failure.

    *what*: what the user has there, such as "the fingerprint store". It does not retry: the caller
    decides what is worth waiting for.
    Raises: ConfigError when redis-py is not installed, or does not know an option of the URI.
    """

    def __init__(self, address: RedisAddress, what: str) -> None:
        self._address, self._what = address, what
        self._client: Any = None
        self._cluster: Any = None
        try:
            self._options = _options(address)
            import redis

            redis.Redis(**self._options).connection_pool.make_connection()
        except ImportError as error:
            raise missing_library("a Redis store", "redis") from error
        except (TypeError, ValueError) as error:  # of an option, whose value it does not show
            reason = hide_words(str(error), address.secrets)
            raise ConfigError(f"invalid option in a Redis URI: {reason}") from None

    @property
    def client(self) -> Any:
        """The client of redis-py. Raises: an error of redis-py, of a cluster that is away."""
        if self._client is None:
            self._client = self._connect()
        return self._client

    def _connect(self) -> Any:
        import redis

        library: Any = redis  # much of it has no types
        address, options = self._address, self._options
        if address.kind == SENTINEL:
            user, password = address.sentinel_login
            login = {"username": user, "password": password, "db": 0}
            sentinels = library.Sentinel(address.nodes, sentinel_kwargs={**options, **login})
            return sentinels.master_for(address.service, **options)
        if address.kind != CLUSTER:
            return library.Redis.from_url(address.url, **_timeouts(address))
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
        """Turn errors of redis-py into StoreUnavailableError, and disconnect."""
        from redis.exceptions import NoPermissionError, RedisClusterException, RedisError

        try:
            yield
        except (RedisError, RedisClusterException, OSError) as error:
            self.disconnect()
            # a server repeats a command that it does not know, and names the user who may not run
            # one
            message = str(error)
            reason = hide_words(message, self._address.secrets)
            cause = error if reason == message else None
            if isinstance(error, NoPermissionError):
                reason += f"; {GUIDE} lists what the user needs"
            raise StoreUnavailableError(
                f"{self._what} {self._address} is not available: {reason}"
            ) from cause

    def info(self, section: str) -> dict[str, Any]:
        """Return what the server says about itself; nothing to a user who may not ask."""
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


def _timeouts(address: RedisAddress) -> dict[str, Any]:
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    limits = {"socket_timeout": address.timeout, "socket_connect_timeout": address.timeout}
    if address.url.startswith("unix:"):
        del limits["socket_connect_timeout"]
    return {**limits, "retry": Retry(NoBackoff(), 0), "protocol": 2}


def _options(address: RedisAddress) -> dict[str, Any]:
    """Return the options of a connection, but for its host and port."""
    from redis import connection

    parse_url: Any = connection.parse_url  # has no types
    options: dict[str, Any] = {**_timeouts(address), **parse_url(address.url)}
    for name in ("host", "port", "path", "connection_class"):
        options.pop(name, None)
    if address.url.startswith("rediss:"):
        options["ssl"] = True
    return options
