"""Faults of processes, disks and clocks. Each function does one to a crawl and lets it finish."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from benchmarks.fault_process import LIMIT_S, Filler
from benchmarks.fault_scene import CopiesSite, Crawl, Scene

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DISK_KB = 8_000  # of the small disk
_MOUNT, _UMOUNT = "/bin/mount", "/bin/umount"
_FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"


def undisturbed(scene: Scene) -> None:
    """Nothing happens: what the others are compared with."""
    scene.finish(scene.start())


def kill_crawl(scene: Scene) -> None:
    """The crawl is killed and started again with the same command."""
    crawl = scene.start_and_wait()
    crawl.kill()
    scene.finish(crawl)


def kill_crawl_with_worker(scene: Scene) -> None:
    """The same, with a worker process that must end too."""
    scene.settings["WEBCLEAN_WORKERS"] = 1
    kill_crawl(scene)


def kill_three_times(scene: Scene) -> None:
    """The crawl is killed three times in a row, the last time perhaps when it has just begun."""
    scene.moments = (1, 60)
    for _ in range(3):
        crawl = scene.start_and_wait()
        crawl.kill()
        crawl.wait()
    scene.finish()


def kill_stopped(scene: Scene) -> None:
    """The crawl is stopped (SIGTERM), resumed, and killed then."""
    crawl = scene.start_and_wait()
    crawl.process.send_signal(signal.SIGTERM)
    crawl.wait()
    scene.moments = (5, 40)
    kill_crawl(scene)


def kill_one_of_two_workers(scene: Scene) -> None:
    """One of two workers that share the pages of a host is killed."""
    kill_worker(scene, workers=2)


def kill_worker(scene: Scene, *, workers: int = 1) -> None:
    """The worker process is killed while it has a page, or waits for one."""
    scene.settings["WEBCLEAN_WORKERS"] = workers
    crawl = scene.start_and_wait()
    _kill_one(scene, crawl, "worker_process")
    scene.finish(crawl)


def kill_chromium(scene: Scene) -> None:
    """The browser is killed while it renders."""
    _kill_of_browser(scene, "--remote-debugging")


def kill_driver(scene: Scene) -> None:
    """The process that controls the browser is killed."""
    _kill_of_browser(scene, "run-driver")


def _kill_of_browser(scene: Scene, word: str) -> None:
    """Kill the process of the browser that has *word* in its command line."""
    _render(scene)
    crawl = scene.start()
    _wait_for_browser(scene, crawl)
    _kill_one(scene, crawl, word)
    scene.finish(crawl)


def kill_parent(scene: Scene) -> None:
    """A crawl with a worker and a browser is killed: both must end."""
    _render(scene)
    scene.settings["WEBCLEAN_WORKERS"] = 1
    crawl = scene.start()
    _wait_for_browser(scene, crawl)
    crawl.kill()
    crawl.wait()
    del scene.settings["WEBCLEAN_RENDER"]
    scene.finish()


def full_disk_job(scene: Scene) -> None:
    """The disk of JOBDIR (queue, index, templates) is full in mid-crawl, and free again later."""
    with small_disk(scene) as disk:
        scene.job = disk / "job"
        crawl = scene.start_and_wait()
        with Filler(disk):
            crawl.wait()
        scene.finish()


def full_disk_for_a_while(scene: Scene) -> None:
    """The disk of JOBDIR is full for two seconds."""
    with small_disk(scene) as disk:
        scene.job = disk / "job"
        crawl = scene.start_and_wait()
        with Filler(disk):
            time.sleep(2)
        scene.finish(crawl)


def full_disk_index(scene: Scene) -> None:
    """The disk of the index alone is full in mid-crawl."""
    with small_disk(scene) as disk:
        scene.settings["WEBCLEAN_DEDUP_URI"] = f"sqlite:///{disk / 'pages.db'}"
        crawl = scene.start_and_wait()
        with Filler(disk):
            crawl.wait()
        scene.finish()


def full_disk_feed(scene: Scene) -> None:
    """The disk of the feed is full in mid-crawl; the next run has place."""
    with small_disk(scene) as disk:
        feed = scene.feed = disk / "feed.jsonl"
        crawl = scene.start_and_wait()
        with Filler(disk):
            crawl.wait()
        scene.finish()
        scene.feed = scene.folder / "feed.jsonl"
        shutil.copy(feed, scene.feed)


def read_only_job(scene: Scene) -> None:
    """JOBDIR is on a disk that cannot be written to: the crawl does not start."""
    scene.job.mkdir()
    subprocess.run([_MOUNT, "--bind", scene.job, scene.job], check=True)
    try:
        subprocess.run([_MOUNT, "-o", "remount,ro,bind", scene.job], check=True)
        refused(scene)
    finally:
        subprocess.run([_UMOUNT, scene.job], check=True)
    scene.finish()


def foreign_job(scene: Scene) -> None:
    """JOBDIR belongs to another user: the crawl does not start."""
    scene.job.mkdir(mode=0o755)
    scene.folder.chmod(0o777)
    scene.prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    refused(scene)
    scene.prefix = []
    scene.finish()


def clock_back(scene: Scene) -> None:
    """The clock is set back by an hour, a day or ten years in mid-crawl."""
    stamp = scene.folder / "clock"
    stamp.write_text("+0")
    scene.environment = {
        "LD_PRELOAD": _FAKETIME, "FAKETIME_TIMESTAMP_FILE": str(stamp), "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
    }  # fmt: skip
    scene.settings["WEBCLEAN_DEDUP_EXPIRE_DAYS"] = 30
    crawl = scene.start_and_wait()
    stamp.write_text(scene.dice.choice(["-1h", "-1d", "-10y"]))
    scene.finish(crawl)


def refused(scene: Scene) -> None:
    """Note whether ``webclean crawl`` refuses to start, in one line, before its first request."""
    before = scene.server.total
    run = scene.start_command().wait()
    scene.runs.pop()
    lines = [line for line in run.log.splitlines() if line.strip()]
    scene.notes["refused"] += bool(run.code) and scene.server.total == before
    scene.notes["in one line"] += len(lines) == 1
    scene.notes[f"exit code {run.code}"] += 1
    for line in lines[-1:]:
        scene.notes[f"says: {line.replace(str(scene.folder), '...')}"] += 1


@contextmanager
def small_disk(scene: Scene) -> Iterator[Path]:
    """Mount a small disk in the memory."""
    disk = scene.folder / "disk"
    disk.mkdir()
    size = f"size={DISK_KB}k"
    scene.settings["WEBCLEAN_LIMITS"] = {"min_free_mb": DISK_KB / 4000}
    subprocess.run([_MOUNT, "-t", "tmpfs", "-o", size, "none", disk], check=True)
    try:
        yield disk
    finally:
        subprocess.run([_UMOUNT, "-l", disk], check=True)


def _render(scene: Scene) -> None:
    program = shutil.which("chromium")
    options = f'{{"executable_path": "{program}", "args": ["--no-sandbox"]}}'
    scene.settings |= {
        "WEBCLEAN_RENDER": "all", "PLAYWRIGHT_LAUNCH_OPTIONS": options,
    }  # fmt: skip
    scene.site = CopiesSite(16)
    scene.moments = (1, 10)


def _wait_for_browser(scene: Scene, crawl: Crawl) -> None:
    end = time.monotonic() + LIMIT_S
    while crawl.is_running and not crawl.descendants("--remote-debugging"):
        assert time.monotonic() < end, "the browser does not start"
        time.sleep(0.02)
    scene.wait_for_moment(crawl)


def _kill_one(scene: Scene, crawl: Crawl, word: str) -> None:
    for pid in crawl.descendants(word)[:1]:
        scene.notes["killed"] += 1
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
