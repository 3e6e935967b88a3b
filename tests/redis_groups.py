"""Several Redis servers for a test: a primary with a replica and sentinels, or a cluster.

Nothing fails over by itself: time limits are so long that a busy machine does not reach them. A
test says when, and waits until it is done.
"""

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from typing_extensions import Self

from tests.redis_server import RedisServer, free_port
from tests.waiting import wait_until

NEVER_MS = 600_000
SERVICE = "mymaster"
SLOTS = 16_384


class SentinelServer(RedisServer):
    """A sentinel of *primary*.

    When *quorum* of them had no answer for *down_ms*, they fail over by themselves.
    """

    def __init__(
        self, folder: Path, primary: RedisServer, *, down_ms: int = NEVER_MS, quorum: int = 1
    ) -> None:
        super().__init__(folder)
        self._primary, self._down_ms, self._quorum = primary, down_ms, quorum

    def launch(self) -> None:
        path = self._folder / f"sentinel-{self.port}.conf"
        if not path.exists():  # it writes there what it knows
            path.write_text(
                f"port {self.port}\nbind 127.0.0.1\ndir {self._folder}\n"
                f"sentinel monitor {SERVICE} 127.0.0.1 {self._primary.port} {self._quorum}\n"
                f"sentinel down-after-milliseconds {SERVICE} {self._down_ms}\n"
                f"sentinel failover-timeout {SERVICE} {max(6_000, self._down_ms)}\n"
            )
        self._run(str(path), "--sentinel")


class ReplicaPair:
    """A primary and its replica, the first two of *servers*."""

    servers: list[Any]

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def primary(self) -> Any:
        return self.servers[0]

    @property
    def replica(self) -> Any:
        return self.servers[1]

    def wait_for_replica(self) -> None:
        """Wait until the replica has all that the primary has."""
        wait_until(lambda: _follows(self.replica, self.primary))


class SentinelGroup(ReplicaPair):
    """A primary, a replica, and sentinels that watch them."""

    def __init__(self, folder: Path, *, sentinels: int = 1, down_ms: int = NEVER_MS) -> None:
        super().__init__()
        self._folder, self._count, self._down_ms = folder, sentinels, down_ms
        self.servers: list[RedisServer] = []  # the primary first
        self.sentinels: list[SentinelServer] = []

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.servers = [stack.enter_context(RedisServer(self._folder)) for _ in range(2)]
            first, second = self.servers
            with second.client() as client:
                client.replicaof("127.0.0.1", first.port)
            wait_until(lambda: _follows(second, first))  # sentinels ask for replicas each 10 s
            self.sentinels = [
                stack.enter_context(
                    SentinelServer(
                        self._folder, first, down_ms=self._down_ms, quorum=self._count // 2 + 1
                    )
                )
                for _ in range(self._count)
            ]
            wait_until(self.is_whole)
            self._stack = stack.pop_all()
        return self

    def uri(self, prefix: str, **options: Any) -> str:
        """Return the URI of a store on the primary."""
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in self.sentinels)
        parts = "".join(f"&{name}={value}" for name, value in options.items())
        return f"redis+sentinel://{hosts}/{SERVICE}/0?prefix={prefix}{parts}"

    def is_whole(self) -> bool:
        """Whether the replica has the data and the sentinels know both, and each other."""
        said = [_masters(one) for one in self.sentinels]
        return _follows(self.replica, self.primary) and all(
            master["port"] == str(self.primary.port)
            and master["flags"] == "master"
            and master["num-slaves"] == "1"
            and master["num-other-sentinels"] == str(len(said) - 1)
            for master in said
        )

    def fail_over(self) -> None:
        """Make the replica the primary."""
        from redis.exceptions import ResponseError

        def is_accepted() -> bool:
            with suppress(ResponseError), self.sentinels[0].client() as client:
                client.execute_command("SENTINEL", "FAILOVER", SERVICE)
                return True
            return False  # it has not heard of the replica for a while

        wait_until(is_accepted)
        self.servers.reverse()
        wait_until(lambda: _masters(self.sentinels[0])["port"] == str(self.primary.port))

    def demote(self) -> None:
        """Let the old primary follow the new one: Sentinel does so some ten seconds later."""
        with self.replica.client() as client:
            client.replicaof("127.0.0.1", self.primary.port)

    def look(self) -> None:
        """Note who is the primary, if they may have failed over by themselves."""
        if _masters(self.sentinels[0])["port"] != str(self.primary.port):
            self.servers.reverse()

    def heal(self) -> None:
        """Start servers that were killed, and wait until all is well; they are emptied."""
        for server in (*self.servers, *self.sentinels):
            server.start()
        self.demote()
        with self.primary.client() as client:
            client.flushall()
        wait_until(self.is_whole)


def _masters(sentinel: RedisServer) -> dict[str, str]:
    """Return a sentinel's answer about the primary."""
    with sentinel.client(decode_responses=True) as client:
        (master,) = client.execute_command("SENTINEL", "MASTERS")
    return dict(zip(master[::2], master[1::2], strict=True))


def _follows(replica: RedisServer, primary: RedisServer) -> bool:
    """Whether *replica* has all that *primary* has."""
    with primary.client() as client:
        said = client.info("replication")
    one = said.get("slave0", {})
    return (one.get("port"), one.get("state"), one.get("offset")) == (
        replica.port, "online", said["master_repl_offset"],
    )  # fmt: skip


class ClusterNode(RedisServer):
    """A node of a cluster, single until it meets others."""

    timeout_ms = 1_000  # short: it tells the others news within a quarter of it

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.bus = 0

    def launch(self) -> None:
        """Start the program, at first with another bus each time: it may be taken too."""
        self.bus = self.bus if self._had_port else free_port()
        self._run(
            *self._arguments(), "--cluster-enabled", "yes", "--cluster-port", str(self.bus),
            "--cluster-config-file", f"nodes-{self.port}.conf",
            "--cluster-node-timeout", str(self.timeout_ms),
            "--cluster-replica-validity-factor", "0",
            "--repl-ping-replica-period", "1",  # nobody names a replica that got nothing yet
        )  # fmt: skip

    def answer(self, *words: object) -> Any:
        """Return the answer to a command CLUSTER."""
        with self.client() as client:
            return client.execute_command("CLUSTER", *words)

    def owners(self, slot: int) -> list[int]:
        """Return the ports of the primary and the replicas of *slot*, as this node knows them."""
        for first, last, *servers in self.answer("SLOTS"):
            if first <= slot <= last:
                return [int(port) for _, port, *_ in servers]
        return []


class Cluster(ReplicaPair):
    """Three nodes, each with a third of the slots, and a replica of the one that has *prefix*."""

    def __init__(self, folder: Path, prefix: str, timeout_ms: int = NEVER_MS) -> None:
        from redis.crc import key_slot

        super().__init__()
        self._folder, self._timeout_ms, self.prefix = folder, timeout_ms, prefix
        self.slot: int = key_slot(prefix.encode())
        self.servers: list[ClusterNode] = []  # the one with the prefix, its replica, the others

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.servers = [stack.enter_context(ClusterNode(self._folder)) for _ in range(4)]
            self._meet()
            self._stack = stack.pop_all()
        return self

    def uri(self, *, seeds: int = 4, **options: Any) -> str:
        """Return the URI of a store with the prefix of the cluster; *seeds*: nodes in it."""
        hosts = ",".join(f"127.0.0.1:{one.port}" for one in self.servers[-seeds:])
        parts = "".join(f"&{name}={value}" for name, value in options.items())
        return f"redis+cluster://{hosts}/?prefix={self.prefix}{parts}"

    def _meet(self) -> None:
        primary, replica, *others = self.servers
        third = SLOTS // 3
        start = min(self.slot // third, 2)
        for epoch, node in enumerate((primary, *others)):
            part = (start + epoch) % 3
            last = SLOTS if part == 2 else (part + 1) * third
            node.answer("ADDSLOTSRANGE", part * third, last - 1)
            node.answer("SET-CONFIG-EPOCH", epoch + 1)
        for number, node in enumerate(self.servers):
            for other in self.servers[:number]:
                node.answer("MEET", "127.0.0.1", other.port, other.bus)
        name = primary.answer("MYID")
        wait_until(lambda: all(len(one.answer("SLOTS")) == 3 for one in self.servers))
        replica.answer("REPLICATE", name)
        wait_until(self.is_whole)
        for node in self.servers:
            node.timeout_ms = self._timeout_ms
            with node.client() as client:
                client.config_set("cluster-node-timeout", self._timeout_ms)

    def is_whole(self) -> bool:
        """Whether all nodes know who has the slot, and the replica has its data."""
        named = [self.primary.port, self.replica.port]
        return (
            _follows(self.replica, self.primary)
            and all(one.owners(self.slot) == named for one in self.servers)
            and all(b"cluster_state:ok" in one.answer("INFO") for one in self.servers)
        )

    def swap(self) -> None:
        """Make the replica the primary, at the wish of both."""
        self.replica.answer("FAILOVER")
        self._note_failover()
        wait_until(self.is_whole)

    def take_over(self) -> None:
        """Make the replica the primary, after the primary was killed."""
        self.replica.answer("FAILOVER", "TAKEOVER")
        self._note_failover()

    def _note_failover(self) -> None:
        self.servers[:2] = reversed(self.servers[:2])
        others = (self.primary, *self.servers[2:])
        wait_until(lambda: all(one.owners(self.slot)[:1] == [self.primary.port] for one in others))

    def look(self) -> None:
        """Note who is the primary, if they may have failed over by themselves."""
        if self.servers[-1].owners(self.slot)[0] != self.primary.port:
            self.servers[:2] = reversed(self.servers[:2])

    def heal(self) -> None:
        """Start nodes that were killed, and wait until all is well; the primary is emptied."""
        for node in self.servers:
            node.start()
        wait_until(self.is_whole)
        with self.primary.client() as client:
            client.flushall()
