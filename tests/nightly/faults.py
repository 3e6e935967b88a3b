"""Fault injection: crawls whose processes are killed, disks fill up or Redis goes away.

Each fault is done to crawls of the demo portal at seeded moments. A crawl that it ends is started
again with the same command; then its feed is compared with what an undisturbed crawl exports. Of
Linux; a small disk is mounted, as root.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import table
from tests.nightly.fault_scene import Outcome, Scene, made_scene
from tests.redis_groups import Cluster, SentinelGroup
from tests.redis_server import RedisServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

KILLS = 3  # of one crawl
DISK_KB = 8_000  # of the small disk
DOWN_MS = 2_000  # without an answer, until a server of a group counts as gone
KEPT = ("--appendonly", "yes", "--appendfsync", "always")


def undisturbed(scene: Scene) -> None:
    """No fault: the reference for the others."""
    scene.finish(scene.start())


def kill_crawl(scene: Scene) -> None:
    """The crawl is killed and started again with the same command, some times."""
    for _ in range(KILLS):
        crawl = scene.start_and_wait()
        crawl.kill()
        scene.wait(crawl)
    scene.finish()


def kill_worker(scene: Scene) -> None:
    """The worker process is killed while it has a page, or waits for one."""
    crawl = scene.start_and_wait()
    children = Path(f"/proc/{crawl.pid}/task/{crawl.pid}/children").read_text().split()
    for pid in map(int, children[:1]):
        scene.notes["killed"] += 1
        with suppress(ProcessLookupError):
            os.kill(pid, 9)
    scene.finish(crawl)


def full_disk_job(scene: Scene) -> None:
    """The disk of JOBDIR (queue, index, templates) is full in mid-crawl, and free again later."""
    with _small_disk(scene) as disk:
        scene.job = disk / "job"
        crawl = scene.start_and_wait()
        with _filled(disk):
            scene.wait(crawl)
        scene.finish()


def full_disk_feed(scene: Scene) -> None:
    """The disk of the feed is full in mid-crawl; the next run has place."""
    with _small_disk(scene) as disk:
        feed = scene.feed = disk / "feed.jsonl"
        crawl = scene.start_and_wait()
        with _filled(disk):
            scene.wait(crawl)
        scene.finish()
        scene.feed = scene.folder / "feed.jsonl"
        shutil.copy(feed, scene.feed)


def redis_killed_kept(scene: Scene) -> None:
    """The server is killed and comes back with its data."""
    with _redis(scene, *KEPT) as server:
        _down_for_a_while(scene, server)


def redis_gone(scene: Scene) -> None:
    """The server is killed and does not come back before the crawl ends; then it runs again."""
    with _redis(scene, *KEPT) as server:
        crawl = scene.start_and_wait()
        server.stop()
        scene.wait(crawl)
        server.start()
        scene.finish()


def sentinel_failover(scene: Scene) -> None:
    """The primary is killed, and three sentinels make the replica the primary."""
    with SentinelGroup(_folder(scene), sentinels=3, down_ms=DOWN_MS) as group:
        _fail_over(scene, group, group.uri("site"))


def cluster_failover(scene: Scene) -> None:
    """The node that has the index is killed, and its replica is elected."""
    with Cluster(_folder(scene), "site", timeout_ms=DOWN_MS) as group:
        _fail_over(scene, group, group.uri())


def _fail_over(scene: Scene, group: Any, uri: str) -> None:
    """Kill the primary of a *group* in a crawl that takes longer than a failover."""
    scene.settings |= {"WEBCLEAN_DEDUP_URI": uri, "DOWNLOAD_DELAY": 0.15}
    crawl = scene.start_and_wait()
    group.look()
    group.primary.stop()
    scene.finish(crawl)


@contextmanager
def _redis(scene: Scene, *options: str) -> Iterator[RedisServer]:
    """Run a server that the index of *scene* is on."""
    with RedisServer(_folder(scene), *options) as server:
        scene.settings["WEBCLEAN_DEDUP_URI"] = server.uri("site", timeout=0.8)
        yield server


def _folder(scene: Scene) -> Path:
    folder = scene.folder / "redis"
    folder.mkdir()
    return folder


def _down_for_a_while(scene: Scene, server: RedisServer) -> None:
    crawl = scene.start_and_wait()
    server.stop()
    scene.pause(0.2, 2)
    server.start()
    scene.finish(crawl)


@contextmanager
def _small_disk(scene: Scene) -> Iterator[Path]:
    """Mount a small disk in the memory."""
    disk = scene.folder / "disk"
    disk.mkdir()
    scene.settings["WEBCLEAN_LIMITS"] = f'{{"min_free_mb": {DISK_KB / 4000}}}'
    size = f"size={DISK_KB}k"
    subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", size, "none", disk], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["/bin/umount", "-l", disk], check=True)


@contextmanager
def _filled(disk: Path) -> Iterator[None]:
    """Fill a disk until the context closes."""
    file = disk / "filler"
    with suppress(OSError), file.open("wb", buffering=0) as target:
        while target.write(b"x" * 1024):
            pass
    yield
    file.unlink(missing_ok=True)


FAULTS: Mapping[str, Callable[[Scene], None]] = {
    one.__name__: one
    for one in (
        undisturbed, kill_crawl, kill_worker, full_disk_job, full_disk_feed,
        redis_killed_kept, redis_gone,   sentinel_failover,
        cluster_failover,
    )
}  # fmt: skip


def measure_faults(
    names: Sequence[str], times: int, seed: int = 1
) -> Iterator[tuple[str, list[Outcome]]]:
    """Yield the outcome of each fault, *times* times."""
    for name in names or FAULTS:
        outcomes = []
        for number in range(times):
            with made_scene(random.Random(f"{seed} {name} {number}")) as scene:
                FAULTS[name](scene)
                outcomes.append(scene.judge())
        yield name, outcomes


def faults_section(measured: Mapping[str, list[Outcome]]) -> str:
    """Return the table, one row for each fault; its figures are sums."""
    rows = []
    for name, outcomes in measured.items():
        sums = [
            str(sum(len(getattr(one, kind)) for one in outcomes))
            for kind in ("lost", "doubled", "copies", "orphans")
        ]
        codes = " ".join(str(code) for one in outcomes for code in one.codes)
        notes = sum((one.notes for one in outcomes), type(outcomes[0].notes)())
        said = "; ".join(f"{what} {n}" for what, n in notes.items())
        rows.append([name, str(len(outcomes)), *sums, codes, said])
    head = ["fault", "times", "lost", "doubled", "copies passed", "orphans", "exit codes", "notes"]
    return table(head, rows)


def is_as_promised(outcomes: Sequence[Outcome]) -> bool:
    """Return whether nothing was lost or left running, and every run ended."""
    return not any(one.lost or one.orphans or None in one.codes for one in outcomes)
