"""Faults of the Redis server that holds the index. Each function does one to a crawl."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from benchmarks.fault_kinds import refused
from tests.redis_server import RedisServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.fault_scene import Scene

LOAD_S = 3.0  # that a server needs to read its data again
DEBUG = ("--enable-debug-command", "yes")
KEPT = ("--appendonly", "yes", "--appendfsync", "always")


@contextmanager
def redis(scene: Scene, *options: str, timeout: float = 0.8) -> Iterator[RedisServer]:
    """Run a server that the index of *scene* is on."""
    folder = scene.folder / f"redis{len(scene.spare)}"
    folder.mkdir()
    with RedisServer(folder, *options) as server:
        scene.spare.add(server.pid)
        scene.settings["WEBCLEAN_DEDUP_URI"] = server.uri("site", timeout=timeout)
        yield server


def redis_undisturbed(scene: Scene) -> None:
    """Nothing happens."""
    with redis(scene):
        scene.finish(scene.start())


def redis_killed_empty(scene: Scene) -> None:
    """The server is killed and comes back without its data."""
    with redis(scene) as server:
        _down_for_a_while(scene, server)


def redis_killed_kept(scene: Scene) -> None:
    """The server is killed and comes back with its data."""
    with redis(scene, *KEPT) as server:
        _down_for_a_while(scene, server)


def redis_gone(scene: Scene) -> None:
    """The server is killed and does not come back before the crawl ends; then it runs again."""
    with redis(scene, *KEPT) as server:
        crawl = scene.start_and_wait()
        server.stop()
        crawl.wait()
        _start(scene, server)
        scene.finish()


def redis_and_crawl_killed(scene: Scene) -> None:
    """Both are killed, and both come back: the server with its data."""
    with redis(scene, *KEPT) as server:
        crawl = scene.start_and_wait()
        server.stop()
        scene.pause(0, 1)
        crawl.kill()
        crawl.wait()
        _start(scene, server)
        scene.finish()


def redis_loading(scene: Scene) -> None:
    """The server is killed, and reads its data for seconds before it answers."""
    with redis(scene, *DEBUG, "--dbfilename", "dump.rdb") as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            delay = _delay_of_loading(client)
            client.save()
        server.stop()
        server.options = (*server.options, *delay)
        scene.notes["answered LOADING"] += _start(scene, server)
        scene.finish(crawl)


def redis_loading_at_start(scene: Scene) -> None:
    """The server reads its data when the crawl begins."""
    with redis(scene, *DEBUG, "--dbfilename", "dump.rdb") as server:
        with server.client() as client:
            delay = _delay_of_loading(client, 60)
            client.save()
        server.stop()
        before, server.options = server.options, (*server.options, *delay)
        server.launch()
        scene.spare.add(server.pid)
        refused(scene)
        server.stop()
        server.options = before
        _start(scene, server)
        scene.finish()


def redis_out_of_memory(scene: Scene) -> None:
    """The server refuses writes (maxmemory, noeviction), for the rest of the crawl."""
    with redis(scene) as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            client.config_set("maxmemory", "1mb")
        scene.finish(crawl)


def redis_short_of_memory(scene: Scene) -> None:
    """The server refuses writes for one to three seconds."""
    with redis(scene) as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            client.config_set("maxmemory", "1mb")
            scene.pause(1, 3)
            client.config_set("maxmemory", "0")
        scene.finish(crawl)


def redis_evicting(scene: Scene) -> None:
    """The server forgets what was used longest ago, from the middle of the crawl on."""
    with redis(scene, "--maxmemory-policy", "allkeys-lru") as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            used = client.info("memory")["used_memory"]
            client.config_set("maxmemory", used + 20_000)
        scene.finish(crawl)
        with server.client() as client:
            scene.notes["evicted keys"] += client.info("stats")["evicted_keys"]


def redis_wrong_password(scene: Scene) -> None:
    """The password is wrong when the crawl begins."""
    with redis(scene) as server:
        right = str(scene.settings["WEBCLEAN_DEDUP_URI"])
        with server.client() as client:
            client.config_set("requirepass", "right")
            scene.settings["WEBCLEAN_DEDUP_URI"] = right.replace("//", "//:wr0ng-secret@")
            refused(scene)
            scene.settings["WEBCLEAN_DEDUP_URI"] = right.replace("//", "//:right@")
            scene.finish()


def redis_password_changed(scene: Scene) -> None:
    """The server gets a password in mid-crawl, and every connection is cut."""
    with redis(scene) as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            client.config_set("requirepass", "other")
            client.client_kill_filter(_type="normal", skipme=True)
            scene.pause(1, 3)
            client.config_set("requirepass", "")
        scene.finish(crawl)


def redis_replica_at_start(scene: Scene) -> None:
    """The URI names a replica, which takes no writes."""
    with redis(scene) as first, redis(scene) as replica:
        with replica.client() as client:
            client.slaveof("127.0.0.1", first.port)
            _wait_for(lambda: client.info("replication")["master_link_status"] == "up")
        refused(scene)
        scene.settings["WEBCLEAN_DEDUP_URI"] = first.uri("site")
        scene.finish()


def redis_turned_replica(scene: Scene) -> None:
    """The server becomes a replica in mid-crawl, and the first one again after seconds."""
    with redis(scene) as other, redis(scene) as server:
        crawl = scene.start_and_wait()
        with server.client() as client, other.client() as beside:
            beside.slaveof("127.0.0.1", server.port)  # so that its data are not lost
            _wait_for(lambda: beside.info("replication")["master_link_status"] == "up")
            beside.slaveof("NO", "ONE")
            client.slaveof("127.0.0.1", other.port)
            scene.pause(1, 3)
            client.slaveof("NO", "ONE")
        scene.finish(crawl)


def redis_script_flush(scene: Scene) -> None:
    """The server forgets its scripts, some times in a row."""
    with redis(scene) as server:
        _often(scene, server, lambda client: client.script_flush())


def redis_flush(scene: Scene) -> None:
    """The server is emptied."""
    with redis(scene) as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            client.flushall()
        scene.finish(crawl)


def redis_connections_cut(scene: Scene) -> None:
    """The server cuts every connection (CLIENT KILL), some times in a row."""
    with redis(scene) as server:
        _often(scene, server, lambda client: client.client_kill_filter(_type="normal", skipme=True))


def redis_idle_timeout(scene: Scene) -> None:
    """The server cuts connections that were idle for a second (CONFIG SET timeout)."""
    scene.settings |= {"DOWNLOAD_DELAY": 0.1, "CONCURRENT_REQUESTS": 1}
    with redis(scene) as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            client.config_set("timeout", "1")
        crawl.process.send_signal(19)  # stopped: so its connection is idle
        scene.pause(2.5, 3.5)
        crawl.process.send_signal(18)
        scene.finish(crawl)


def redis_slow(scene: Scene) -> None:
    """The server answers nothing for one to three seconds (DEBUG SLEEP)."""
    with redis(scene, *DEBUG) as server:
        crawl = scene.start_and_wait()
        with server.client() as client:
            client.execute_command("DEBUG", "SLEEP", str(scene.dice.uniform(1, 3)))
        scene.finish(crawl)


def _down_for_a_while(scene: Scene, server: RedisServer) -> None:
    crawl = scene.start_and_wait()
    server.stop()
    scene.pause(0.2, 2)
    _start(scene, server)
    scene.finish(crawl)


def _start(scene: Scene, server: RedisServer) -> int:
    """Start *server* again; return whether it said that it was loading."""
    server.launch()
    scene.spare.add(server.pid)
    is_loading = _says_loading(server)
    server.start()
    return is_loading


def _says_loading(server: RedisServer) -> int:
    import redis as library
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    end = time.monotonic() + LOAD_S / 2
    while time.monotonic() < end:
        client = library.Redis(port=server.port, protocol=2, retry=Retry(NoBackoff(), 0))
        with suppress(library.RedisError), client:
            return int(client.info("persistence")["loading"])
        time.sleep(0.02)
    return 0


def _delay_of_loading(client: Any, seconds: float = LOAD_S) -> tuple[str, ...]:
    """Return options with which the server needs so long to read what it holds now."""
    for number in range(200):
        client.set(f"other:{number}", os.urandom(2_000))  # it answers after each
    each = int(1e6 * seconds / client.dbsize())  # microseconds
    return ("--key-load-delay", str(each), "--loading-process-events-interval-bytes", "1024")


def _often(scene: Scene, server: RedisServer, strike: Callable[[Any], object]) -> None:
    crawl = scene.start()
    scene.moments = (3, 15)
    with suppress(ConnectionError):
        for _ in range(3):
            scene.wait_for_moment(crawl)
            with server.client() as client:
                strike(client)
    scene.finish(crawl)


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
