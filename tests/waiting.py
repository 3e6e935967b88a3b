"""Helpers that wait for an event of a test, without fixed delays."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable

import pytest

from spiders.demo import DemoPage, build_portal
from spiders.demo.server import PageServer

PATIENCE_S = 300.0  # only guards against what never comes
# Less than pytest's own limit, which would not say where a crawl hangs. With seven times as much
# work as the machine can do a crawl took 90 s.
HANGS_S = 400.0


def wait_until(is_so: Callable[[], object]) -> None:
    """Return when *is_so* holds; fail if it never does."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.01)


def log_of(crawl: subprocess.Popen[str]) -> str:
    """Return the log of *crawl*, a process group, at its end; a hanging one is shown.

    All its processes then write the stacks of their threads (``PYTHONFAULTHANDLER``).
    """
    try:
        return crawl.communicate(timeout=HANGS_S)[1]
    except subprocess.TimeoutExpired:
        os.killpg(crawl.pid, signal.SIGABRT)
        pytest.fail(f"the crawl hangs\n{crawl.communicate()[1]}")


class HeldServer(PageServer):
    """Serves the demo portal; after *count* requests all but robots.txt wait until `go_on`.

    So a crawl is certainly under way when it is stopped.
    """

    def __init__(self, count: int) -> None:
        self.portal = build_portal()
        self._count_before = count
        self._open = threading.Event()
        super().__init__(self._find)

    @property
    def is_holding(self) -> bool:
        """Whether a request waits."""
        return self.total > self._count_before

    def go_on(self) -> None:
        self._open.set()

    def hold_after(self, count: int) -> None:
        """Let requests wait again, after *count* of all."""
        self._count_before = count
        self._open.clear()

    def _find(self, path: str) -> DemoPage | None:
        if self.is_holding and path != "/robots.txt":
            self._open.wait()
        return self.portal.pages.get(path)
