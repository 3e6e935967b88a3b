"""Failovers of the Redis server that holds the index. Each function does one to a crawl.

Sentinels and nodes of a cluster notice by themselves that a server is gone. Afterwards the site is
crawled again, as another run: what that one exports the index did not know.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.redis_groups import Cluster, SentinelGroup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.fault_scene import Crawl, Scene

DOWN_MS = 2_000  # without an answer, until a server counts as gone
AWAY = re.compile(r"'webclean/dedup/failed/\w+': (\d+)")
WARNING = "Items are not de-duplicated"


def sentinel_failover(scene: Scene) -> None:
    """The primary is killed, and three sentinels make the replica the primary."""
    with _behind_sentinels(scene) as group:
        crawl = _start_and_wait(scene, group)
        group.primary.stop()
        _finish(scene, crawl)


def sentinel_planned_failover(scene: Scene) -> None:
    """A sentinel is told to make the replica the primary; the old one runs on for a while."""
    with _behind_sentinels(scene) as group:
        crawl = _start_and_wait(scene, group)
        group.fail_over()
        _finish(scene, crawl)


def cluster_failover(scene: Scene) -> None:
    """The node that has the index is killed, and its replica is elected."""
    with _on_cluster(scene) as group:
        crawl = _start_and_wait(scene, group)
        group.primary.stop()
        _finish(scene, crawl)


def cluster_planned_failover(scene: Scene) -> None:
    """The replica of the node that has the index takes its place, at the wish of both."""
    with _on_cluster(scene) as group:
        crawl = _start_and_wait(scene, group)
        group.replica.said("FAILOVER")
        _finish(scene, crawl)


def cluster_other_node_killed(scene: Scene) -> None:
    """A node is killed that has nothing of the index, and that the URI names first."""
    with _on_cluster(scene) as group:
        scene.settings["WEBCLEAN_DEDUP_URI"] = group.uri(seeds=2)
        with group.primary.client() as client:  # else no node takes writes
            client.config_set("cluster-require-full-coverage", "no")
        crawl = _start_and_wait(scene, group)
        group.nodes[2].stop()
        _finish(scene, crawl)


@contextmanager
def _behind_sentinels(scene: Scene) -> Iterator[SentinelGroup]:
    with SentinelGroup(_folder(scene), sentinels=3, down_ms=DOWN_MS) as group:
        scene.spare |= {one.pid for one in (*group.servers, *group.sentinels)}
        _slow_down(scene, group.uri("site"))
        yield group


@contextmanager
def _on_cluster(scene: Scene) -> Iterator[Cluster]:
    with Cluster(_folder(scene), "site", timeout_ms=DOWN_MS) as group:
        scene.spare |= {one.pid for one in group.nodes}
        _slow_down(scene, group.uri())
        yield group


def _folder(scene: Scene) -> Path:
    folder = scene.folder / "redis"
    folder.mkdir()
    return folder


def _slow_down(scene: Scene, uri: str) -> None:
    """Let a crawl of *scene* use the index at *uri*, and take longer than a failover."""
    scene.settings |= {"WEBCLEAN_DEDUP_URI": uri, "DOWNLOAD_DELAY": 0.15}


def _start_and_wait(scene: Scene, group: SentinelGroup | Cluster) -> Crawl:
    """Start a crawl; return it when the index has some of its pages, not all."""
    crawl = scene.start()
    row = f"{{site}}:e:{scene.dice.randrange(5, 25)}"
    is_there = False
    while crawl.is_running and not is_there:
        group.look()
        with group.primary.client() as client:
            is_there = client.exists(row)
        time.sleep(0.01)
    scene.notes["in mid-crawl"] += crawl.is_running
    return crawl


def _finish(scene: Scene, crawl: Crawl) -> None:
    """Let the crawl end, then crawl the site again and note what is exported once more."""
    scene.finish(crawl)
    log = "".join(run.log for run in scene.runs)
    scene.notes["warnings"] += log.count(WARNING)
    scene.notes["recovered"] += log.count("'webclean/dedup/recovered'")
    scene.notes["calls that failed"] += sum(map(int, AWAY.findall(log)))
    feed, job = scene.feed, scene.job
    scene.feed, scene.job = scene.folder / "again.jsonl", scene.folder / "job-again"
    scene.settings.pop("DOWNLOAD_DELAY")
    scene.start().wait()
    if scene.feed.exists():
        scene.notes["exported again"] += len(scene.feed.read_text().splitlines())
    scene.feed, scene.job = feed, job
