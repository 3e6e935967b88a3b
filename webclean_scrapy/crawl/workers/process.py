"""Run tasks in a process, replaced when it dies or exceeds a time limit.

A thread of the crawl hands the tasks over and waits for the answers, so it is certain which task
a process died on, and nothing in the event loop waits for a process. Measured beside it, with a
process that was killed: pebble 5.2.3 left pages without an answer in 12 runs of 12;
`ProcessPoolExecutor` breaks for good and has no time limit. `multiprocessing.Process` runs the
script of the crawl in the new process, and one without ``if __name__ == "__main__"`` crawls again.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from multiprocessing import connection
from multiprocessing.pool import ExceptionWithTraceback  # type: ignore[attr-defined]
from queue import Empty, PriorityQueue
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.crawl.log_lines import safe_logger

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    Call = tuple[Callable[..., Any], tuple[Any, ...]]
    Task = tuple[Future[Any], Call]

logger = safe_logger(__name__)

START_S = 120.0  # a process has to start
START_TRIES = 2  # processes in a row that end while they start, until no other is started
EXIT_S = 2.0  # a process that was killed has to end
TASKS_A_THREAD = 50  # of the new process, see `_do_tasks`
URGENT, LAST = -1, 1  # priorities; that of other tasks is 0
DIED, TIMEOUT = "worker_died", "worker_timeout"  # reasons
REASON_TEXT = {DIED: "died", TIMEOUT: "took too long and was ended"}

#: What the new process runs: it imports from where this one does.
_MAIN = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from webclean_scrapy.crawl.workers.process import serve
serve(int(sys.argv[2]))
"""

_T = TypeVar("_T")


class WorkerFailedError(Exception):
    """The process died on this task or exceeded its time limit, by *reason*."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASON_TEXT[reason])
        self.reason = reason


class WorkerLostError(Exception):
    """No process can be started for the task."""


class WorkerProcess:
    """A process that first calls ``setup(*arguments)`` and then runs tasks.

    It is started for the first task. *timeout_s*: limit of a task, from when it is sent to it.
    """

    def __init__(self, setup: Callable[..., object], *arguments: Any, timeout_s: float) -> None:
        self._setup: Call = (setup, arguments)
        self._timeout_s = timeout_s
        self._tasks: PriorityQueue[tuple[int, int, Task | None]] = PriorityQueue()
        self._numbers = count()  # of tasks; equally urgent ones are done in their order
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Connection | None = None  # once the process has started
        self._failed_starts = 0  # in a row
        self._is_closing = False
        self._deadline = math.inf  # of the task that the process has, by ``time.monotonic()``
        self._thread = threading.Thread(target=self._run, name="webclean-worker", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process id, when it is ready for tasks."""
        process = self._process
        return process.pid if process is not None and self._channel is not None else None

    def submit(
        self, function: Callable[..., _T], *arguments: Any, urgent: bool = False
    ) -> Future[_T]:
        """Queue a task; *urgent* ones run first.

        The future raises what *function* raises, WorkerFailedError or WorkerLostError.
        """
        if self._is_closing:
            raise RuntimeError("the worker is closed")
        future: Future[_T] = Future()
        self._put(URGENT if urgent else 0, (future, (function, arguments)))
        if self._thread.ident is None:
            self._thread.start()
        return future

    def begin_close(self, last: Call | None) -> None:
        """Cancel the queued tasks and run *last*, unless the process has not started."""
        self._is_closing = True
        with suppress(Empty):
            while (task := self._tasks.get_nowait()[-1]) is not None:
                task[0].cancel()
        if self._channel is None:
            self._kill()  # what it would write it has read before
        elif last is not None:
            self._put(LAST, (Future(), last))
        self._put(LAST, None)

    def _put(self, priority: int, task: Task | None) -> None:
        self._tasks.put((priority, next(self._numbers), task))

    def finish_close(self, seconds: float) -> bool:
        """Return True if all was done in *seconds*; else kill the process."""
        if self._thread.ident is None:  # it was never started
            return True
        self._thread.join(max(0.0, seconds))
        if not self._thread.is_alive():
            return True
        self._kill()
        self._thread.join(EXIT_S)
        return False

    # In the thread.
    def _run(self) -> None:
        threading.Thread(target=self._watch, name="webclean-limit", daemon=True).start()
        while (task := self._tasks.get()[-1]) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._ask(call))
            except Exception as error:  # noqa: BLE001, whoever waits must get an answer
                future.set_exception(error)
        self._kill()  # it has answered all

    def _watch(self) -> None:
        """Kill the process at the deadline of its task, as writing to it may block."""
        while self._thread.is_alive():
            left = min(self._timeout_s, self._deadline - time.monotonic())
            if left <= 0 and self._process is not None:
                self._process.kill()
                left = self._timeout_s
            self._thread.join(left)

    def _ask(self, call: Call) -> Any:
        """Return the process's answer to *call*."""
        if self._channel is not None and self._process and self._process.poll() is not None:
            self._fail(DIED)  # between two tasks
        self._start()
        channel = self._channel  # `begin_close` may take it away
        if channel is None:
            raise WorkerLostError
        self._deadline = time.monotonic() + self._timeout_s
        try:
            channel.send(call)  # this too waits for a process that is stopped
            result, error = channel.recv()
        except (EOFError, OSError) as broken:
            raise self._fail(TIMEOUT if time.monotonic() >= self._deadline else DIED) from broken
        finally:
            self._deadline = math.inf
        if error is not None:
            raise error  # its cause is the traceback of the process, as text
        return result

    def _fail(self, reason: str) -> WorkerFailedError:
        """End the process and return the error."""
        if not self._is_closing:
            logger.warning("A worker process %s; another one takes its place", REASON_TEXT[reason])
        self._kill()
        return WorkerFailedError(reason)

    def _start(self) -> None:
        """Start a process and wait until it is ready, up to a time limit."""
        while self._channel is None and self._failed_starts < START_TRIES and not self._is_closing:
            self._failed_starts += 1
            try:
                self._channel = self._launch()
            except Exception as error:  # noqa: BLE001, a thread that ends here answers nobody
                logger.warning("A worker process did not start: %r", error)
            if self._channel is None:
                self._kill()
        if self._channel is not None:
            self._failed_starts = 0

    def _launch(self) -> Connection | None:
        """Start a process; return its pipe when it is ready, None if it ends before."""
        ours, theirs = connection.Pipe()
        with theirs:  # only the process has it then, so that we see its end
            self._process = _start_process(theirs.fileno())
        with suppress(EOFError, OSError):
            ours.send(self._setup)
            if ours.poll(0 if self._is_closing else START_S) and ours.recv():
                return ours
        return None

    def _kill(self) -> None:
        """Kill the process. Thread-safe."""
        self._channel = None
        process = self._process
        if process is not None:
            if process.stdin is not None:
                process.stdin.close()
            process.kill()
            with suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_S)


def _start_process(handle: int) -> subprocess.Popen[bytes]:
    """Start a process with *handle*; its standard input stays open while this one lives."""
    inherited: dict[str, Any] = {"pass_fds": (handle,)}
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, True)
        startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        inherited = {"startupinfo": startup}
    return subprocess.Popen(  # noqa: S603, this interpreter and our own code
        [sys.executable, "-c", _MAIN, json.dumps(sys.path), str(handle)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        **inherited,
    )


def close_all(workers: list[tuple[WorkerProcess, Call | None]], seconds: float) -> int:
    """Close all workers after their last tasks; return the number killed after *seconds*."""
    for worker, last in workers:
        worker.begin_close(last)
    end = time.monotonic() + seconds
    return sum(not worker.finish_close(end - time.monotonic()) for worker, _ in workers)


# In the new process.
def serve(handle: int) -> None:
    """Run tasks, in the process: ignore Ctrl-C, and end with the parent process."""
    for number in {signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)}:
        signal.signal(number, signal.SIG_IGN)  # SIGHUP: the terminal is closed
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if sys.platform == "win32":
        channel = connection.PipeConnection(handle)
    else:
        channel = connection.Connection(handle)
    function, arguments = channel.recv()
    function(*arguments)
    channel.send(True)
    has_ended = threading.Event()
    while not has_ended.is_set():
        thread = threading.Thread(target=_do_tasks, args=(channel, has_ended))
        thread.start()
        thread.join()


def _do_tasks(channel: Connection, has_ended: threading.Event) -> None:
    """Run tasks in a thread of their own.

    libxml2 keeps each name of a tag or an attribute that it has met as long as the thread that met
    it lives. Some sites make names up (``data-v-3f2a91c0``), so a long crawl would fill the memory.
    """
    with suppress(EOFError, OSError):
        for _ in range(TASKS_A_THREAD):
            function, arguments = channel.recv()
            answer: tuple[Any, object]
            try:
                answer = function(*arguments), None
            except Exception as error:  # noqa: BLE001, raised again in the process of the crawl
                answer = None, ExceptionWithTraceback(error, error.__traceback__)
            try:
                channel.send(answer)
            except (TypeError, AttributeError, ValueError) as error:  # it cannot be pickled
                channel.send((None, RuntimeError(f"no answer: {error!r}")))
        return
    has_ended.set()


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # returns when that process ends, however it does
    os._exit(1)
