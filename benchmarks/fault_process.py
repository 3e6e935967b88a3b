"""Processes of crawls: started from one that has all libraries loaded, and found when left over."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self

ROOT = Path(__file__).parents[1]
LIMIT_S = 180.0  # of one run; then it hangs
GRACE_S = 10.0  # that processes may go on after their crawl has ended
ENVIRONMENT = {"SCRAPY_SETTINGS_MODULE": "spiders.settings", "PYTHONPATH": str(ROOT)}
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER


class Forked:
    """``scrapy`` in a process that has all libraries loaded; it is used like a Popen."""

    def __init__(self, words: list[str], output: Path) -> None:
        self._code: int | None = None
        self.pid = os.fork()
        if self.pid:
            return
        code = 1
        try:
            code = _execute(words, output)
        finally:
            os._exit(code)

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def wait(self, seconds: float = LIMIT_S) -> int:
        """Return the exit code. Raises subprocess.TimeoutExpired."""
        end = time.monotonic() + seconds
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("scrapy", seconds)
            time.sleep(0.02)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _execute(words: list[str], output: Path) -> int:
    from scrapy.cmdline import execute

    file = os.open(output, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.chdir(ROOT)
    os.environ.update(ENVIRONMENT)
    sys.modules["__main__"] = ModuleType("__main__")  # else worker processes import this program
    try:
        execute(["scrapy", *words])
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(bool(error.code))
    except Exception:  # noqa: BLE001, the child must not go on as the parent
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
    return 0


def adopt_orphans() -> None:
    """Become the parent of whatever the processes of this one leave behind. Of Linux."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def below(root: int) -> set[int]:
    """Return the processes that *root* has started, and those that they have, and so on."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                _, _, rest = (entry / "stat").read_text().rpartition(")")
                state, parent = rest.split()[:2]
                if state != "Z":
                    children.setdefault(int(parent), []).append(int(entry.name))
    found: set[int] = set()
    waiting = [root]
    while waiting:
        new = [pid for pid in children.get(waiting.pop(), ()) if pid not in found]
        found.update(new)
        waiting += new
    return found


def command_line(pid: int) -> str:
    """Return the command line of a process, empty when it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    return ""


def end_orphans(spare: set[int]) -> list[str]:
    """Return what goes on `GRACE_S` after a crawl, and end it."""
    end = time.monotonic() + GRACE_S
    while (left := below(os.getpid()) - spare) and time.monotonic() < end:
        time.sleep(0.05)
    names = [command_line(pid) for pid in left]
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return names


class Filler:
    """Takes all that is free on the disk of *folder*, until the context closes."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "filler"

    def __enter__(self) -> Self:
        size = 1 << 20
        with suppress(OSError), self._file.open("wb", buffering=0) as file:
            while size:
                try:
                    file.write(b"x" * size)
                except OSError:  # noqa: PERF203, twenty times
                    size //= 2
        return self

    def __exit__(self, *error: object) -> None:
        self._file.unlink(missing_ok=True)
