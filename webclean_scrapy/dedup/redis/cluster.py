"""Connections to the node of a Redis cluster that has the keys of an index.

All keys of an index begin with its prefix as a hash tag, so they are in one slot and one node has
them: the script needs them together. A client of that node alone does it. RedisCluster of redis-py
would not: it refuses scripts in pipelines, and connects to every node.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from redis import Connection, ConnectionPool, Redis, SSLConnection, exceptions
from redis.crc import key_slot
from redis.exceptions import ClusterDownError

from webclean_scrapy.dedup.redis.address import Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from webclean_scrapy.dedup.redis.address import RedisAddress

# What one node says or does that another may not. (A wrong password is among them: it is the same
# for all, so the last one says it.)
TRY_ANOTHER = (exceptions.ConnectionError, exceptions.TimeoutError, ClusterDownError)


class SlotFinder:
    """Asks the nodes of a cluster who has a slot.

    Each time another one is asked first: one that is cut off from the others still gives its old
    answer. Nodes that the answers name are asked as well, so those of the URI may go.
    *options*: of connections to nodes.
    """

    def __init__(self, nodes: tuple[Node, ...], slot: int, options: dict[str, Any]) -> None:
        self._given, self._slot, self._options = nodes, slot, options
        self._known = list(nodes)
        self._lock = threading.Lock()

    def find(self) -> Node:
        """Return the node that has the slot. Raises: an error of redis-py."""
        with self._lock:
            error: Exception = ClusterDownError("no node of the cluster answers")
            for node in tuple(self._known):
                self._known = [*self._known[1:], self._known[0]]
                try:
                    return self._ask(node)
                except TRY_ANOTHER as failed:
                    error = failed
            raise error

    def _ask(self, node: Node) -> Node:
        client: Any = Redis(host=node.host, port=node.port, **self._options)
        try:
            # "CLUSTER SLOTS" as one word would come back as a dict
            ranges = client.execute_command("CLUSTER", "SLOTS")
        finally:
            client.connection_pool.disconnect()
        servers = [[_node(one, node) for one in servers] for _, _, *servers in ranges]
        self._remember([one for group in servers for one in group])
        for (first, last, *_), (primary, *_) in zip(ranges, servers, strict=True):
            if first <= self._slot <= last:
                return primary
        raise ClusterDownError(f"no node of the cluster has slot {self._slot}")

    def _remember(self, named: list[Node]) -> None:
        news = dict.fromkeys([*named, *self._given])
        self._known = [*(one for one in self._known if one in news),
                       *(one for one in news if one not in self._known)]  # fmt: skip


def _node(said: list[Any], asked: Node) -> Node:
    """Return a node as CLUSTER SLOTS names it; without a host it is who was asked."""
    host, port, *_ = said
    return Node(host.decode() if host else asked.host, int(port))


class _FindsItsNode(Connection):
    """A connection to the node that *find* returns when it connects."""

    def __init__(self, *, find: Callable[[], Node], **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]
        self._find = find

    def _connect(self) -> Any:
        self.host, self.port = self._find()
        return super()._connect()  # type: ignore[no-untyped-call]


class _FindsItsNodeByTls(_FindsItsNode, SSLConnection):
    """The same, encrypted."""


def connect_to_cluster(address: RedisAddress, options: dict[str, Any]) -> Redis:
    """Return a client of the node that has the keys of *address* at the time.

    *options*: of connections, but for host and port.
    """
    of_nodes = {**options, "ssl": True} if address.has_tls else options
    finder = SlotFinder(address.nodes, key_slot(address.header_key.encode()), of_nodes)
    kind = _FindsItsNodeByTls if address.has_tls else _FindsItsNode
    pool = ConnectionPool(connection_class=kind, find=finder.find, **options)
    return Redis(connection_pool=pool)
