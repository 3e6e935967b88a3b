"""Run tasks in a process, replaced when it dies or exceeds a time limit.

A thread of the crawl hands the tasks over and waits for the answers, so it is certain which task
a process died on, and nothing in the event loop waits for a process. Measured beside it, with a
process that was killed: pebble 5.2.3 left pages without an answer in 12 runs of 12;
`ProcessPoolExecutor` breaks for good and has no time limit. `multiprocessing.Process` runs the
script of the crawl in the new process, and one without ``if __name__ == "__main__"`` crawls again.
"""

from __future__ import annotations

import faulthandler
import gc
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import count
from multiprocessing.pool import ExceptionWithTraceback  # type: ignore[attr-defined]
from pathlib import Path
from queue import Empty, PriorityQueue, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import WebcleanError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from typing_extensions import Self

    Call = tuple[Callable[..., Any], tuple[Any, ...]]
    Task = tuple[Future[Any], Call]

logger = safe_logger(__name__)

START_S = 120.0  # a process has to start
START_TRIES = 2  # processes in a row that end while they start, until no other is started
LOOKS = 20  # at the clock, during the time limit of a task, once a second at least
EXIT_S = 2.0  # a process that was killed has to end
TASKS_A_THREAD = 50  # of the new process, see `_do_tasks`
URGENT, LAST = -1, 1  # priorities; that of other tasks is 0
DIED, TIMEOUT, STOPPED = "worker_died", "worker_timeout", "worker_stopped"  # reasons
ERROR, FAILING_HOST = "worker_error", "failing_host"
REASON_TEXT = {
    DIED: "died", TIMEOUT: "took too long and was ended", STOPPED: "was stopped",
    ERROR: "failed",
    FAILING_HOST: "died or took too long on several pages of the host",
}  # fmt: skip

_SERVE = "from webclean_scrapy.crawl.workers.process import serve; serve({!r})"
ORPHAN_S = 5.0  # that a process lives longer than its task may take, if nobody is left to end it

_T = TypeVar("_T")


class WorkerFailedError(Exception):
    """The process did not answer this task, by *reason*."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASON_TEXT[reason])
        self.reason = reason

    __reduce__ = WebcleanError.__reduce__


class WorkerLostError(Exception):
    """No process can be started for the task."""


def python_command(code: str, *arguments: str) -> list[str]:
    """Return the command that runs *code* in this interpreter, importing from where this one does.

    ``python -c`` and ``-m`` look for modules in the current folder first, which may hold files of
    others: a ``json.py`` there would be run. ``-P`` against it came with Python 3.11.
    """
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}", *arguments]


class _Fork:
    """A copy of this process that runs tasks; has what `WorkerProcess` uses of ``Popen``."""

    def __init__(self, seconds: float) -> None:
        (calls, given), (taken, answers) = os.pipe(), os.pipe()
        try:
            self.pid = os.fork()
        except OSError:
            for number in (calls, given, taken, answers):
                os.close(number)
            raise
        if not self.pid:
            try:
                gc.freeze()  # what is collected would close files whose numbers are used anew
                os.dup2(calls, 0)
                os.dup2(answers, 1)
                os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # locks, and pipes of other workers
                serve(seconds)
            except BaseException:  # noqa: BLE001, what this process does next is not the copy's
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(calls)
        os.close(answers)
        self.stdin, self.stdout = os.fdopen(given, "wb"), os.fdopen(taken, "rb")
        self._is_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the pipes and wait for the end."""
        with suppress(OSError), self.stdout, self.stdin:
            pass
        self.poll(0)

    def poll(self, options: int = os.WNOHANG) -> int | None:
        """Return None as long as it runs."""
        if not self._is_over and os.waitpid(self.pid, options) != (0, 0):
            self._is_over = True
        return 0 if self._is_over else None

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


class WorkerProcess:
    """A process that first calls ``setup(*arguments)`` and then runs tasks.

    It is started for the first task, or by `fork`. *timeout_s*: limit of a task, from when it is
    sent to it.
    """

    def __init__(self, setup: Callable[..., object], *arguments: Any, timeout_s: float) -> None:
        self._setup: Call = (setup, arguments)
        self._timeout_s = timeout_s
        self._tasks: PriorityQueue[tuple[int, int, Task | None]] = PriorityQueue()
        self._numbers = count()  # of tasks; equally urgent ones are done in their order
        self._process: subprocess.Popen[bytes] | _Fork | None = None
        self._is_ready = False  # for tasks
        self._failed_starts = 0  # in a row
        self._is_closing = False
        self._limit = math.inf  # of ``time.monotonic()``, for the exchange that runs
        self._limit_lock = threading.Lock()  # so that only an exchange that is over it is ended
        #: The call that is being answered, and since when, of ``time.monotonic()``.
        self.runs: tuple[Call, float] | None = None
        self._is_done = threading.Event()  # with all tasks
        self._thread = threading.Thread(target=self._run, name="webclean-worker", daemon=True)
        self._watcher = threading.Thread(target=self._watch, name="webclean-limit", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process id, when it is ready for tasks."""
        process = self._process
        return process.pid if process is not None and self._is_ready else None

    @property
    def is_started(self) -> bool:
        """True once it was given a task."""
        return self._thread.ident is not None

    def fork(self) -> Self:
        """Start the process as a copy of this one, which saves it the imports; only on Linux.

        To be called while no other thread runs: its locks would stay closed in the copy.
        """
        if sys.platform == "linux":
            with suppress(OSError):  # of too many processes: the first task tries again
                self._process = _Fork(self._timeout_s + ORPHAN_S)
        return self

    @property
    def waiting(self) -> int:
        """The number of queued tasks."""
        return self._tasks.qsize()

    def submit(
        self, function: Callable[..., _T], *arguments: Any, urgent: bool = False
    ) -> Future[_T]:
        """Queue a task; *urgent* ones run first.

        The future raises what *function* raises, WorkerFailedError or WorkerLostError.
        """
        future: Future[_T] = Future()
        if self._is_closing:
            future.set_exception(WorkerFailedError(STOPPED))
            return future
        if not self.is_started:
            try:
                self._watcher.start()
                self._thread.start()
            except RuntimeError:  # the system has no room for a thread
                future.set_exception(WorkerLostError())
                return future
        self._put(URGENT if urgent else 0, (future, (function, arguments)))
        return future

    def begin_close(self, last: Call | None) -> None:
        """Fail the queued tasks and run *last*, unless the process has not started."""
        self._is_closing = True
        self.fail_queued(STOPPED, lambda _: True)
        if not self._is_ready:
            self._kill()  # what it would write it has read before
        elif last is not None:
            self._put(LAST, (Future(), last))
        self._put(LAST, None)

    def fail_queued(self, reason: str, is_chosen: Callable[[Call], bool]) -> None:
        """Let the queued tasks with *chosen* calls raise WorkerFailedError."""
        queued = []
        with suppress(Empty):
            while True:
                queued.append(self._tasks.get_nowait())
        for entry in queued:
            if (task := entry[-1]) is None or not is_chosen(task[1]):
                self._tasks.put(entry)
            elif task[0].set_running_or_notify_cancel():
                task[0].set_exception(WorkerFailedError(reason))

    def _put(self, priority: int, task: Task | None) -> None:
        self._tasks.put((priority, next(self._numbers), task))

    def finish_close(self, seconds: float) -> bool:
        """Return True if all was done in *seconds*; else kill the process."""
        if not self.is_started:
            return True
        self._thread.join(max(0.0, seconds))
        if not self._thread.is_alive():
            return True
        self._kill()
        self._thread.join(EXIT_S)
        return False

    # In the thread.
    def _run(self) -> None:
        while (task := self._tasks.get()[-1]) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._ask(call))
            except Exception as error:  # noqa: BLE001, whoever waits must get an answer
                future.set_exception(error)
            self.runs = None
        self._is_done.set()
        self._kill()  # it has answered all

    def _watch(self) -> None:
        """Kill the process when an exchange exceeds its limit, in a thread of its own.

        A timer for each exchange would cost as much as the exchange.
        """
        while not self._is_done.wait(min(1.0, self._timeout_s / LOOKS)):
            with self._limit_lock:
                if time.monotonic() >= self._limit and self._process is not None:
                    self._process.kill()

    def _ask(self, call: Call) -> Any:
        """Return the process's answer to *call*, from a second process if it cannot be read.

        What is left of such an answer in the pipe would be taken for the next one.
        """
        packed, is_again = pickle.dumps(call), False
        while True:
            if self._is_ready and self._process and self._process.poll() is not None:
                self._fail(DIED)  # between two tasks
            self._start()
            if not self._is_ready:
                raise WorkerFailedError(STOPPED) if self._is_closing else WorkerLostError
            self.runs = call, time.monotonic()
            end = time.monotonic() + self._timeout_s
            try:
                result, error = self._exchange(packed, self._timeout_s)
            except Exception as broken:  # whatever the bytes of an answer raise
                failed = self._fail(TIMEOUT if time.monotonic() >= end else DIED)
                is_end = isinstance(broken, (EOFError, OSError)) or failed.reason == TIMEOUT
                if is_end or is_again:
                    raise failed from broken
                is_again = True
                continue
            if error is not None:
                raise error  # its cause is the traceback of the process, as text
            return result

    def _exchange(self, packed: bytes, seconds: float) -> tuple[Any, Exception | None]:
        """Send a call; return its result, or its error. Kill the process after *seconds*."""
        process: Any = self._process
        self._limit = time.monotonic() + seconds
        try:
            process.stdin.write(packed)  # this too waits for a process that is stopped
            process.stdin.flush()
            answer: tuple[Any, Exception | None] = pickle.load(process.stdout)  # noqa: S301, ours
        finally:
            with self._limit_lock:
                self._limit = math.inf
        return answer

    def _fail(self, reason: str) -> WorkerFailedError:
        if self._is_closing:
            reason = STOPPED
        else:
            logger.warning("A worker process %s; another one takes its place", REASON_TEXT[reason])
        self._kill()
        return WorkerFailedError(reason)

    def _start(self) -> None:
        while not self._is_ready and self._failed_starts < START_TRIES and not self._is_closing:
            self._failed_starts += 1
            try:
                self._process = self._process or subprocess.Popen(  # noqa: S603, our own code
                    python_command(_SERVE.format(self._timeout_s + ORPHAN_S)),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
                if not self._is_closing:
                    self._is_ready, _ = self._exchange(pickle.dumps(self._setup), START_S)
            except Exception as error:  # noqa: BLE001, who waits is told of a lost worker
                if not isinstance(error, EOFError):  # else it has said itself why it ended
                    logger.warning("A worker process did not start: %r", error)
            if not self._is_ready:
                self._kill()
        if self._is_ready:
            self._failed_starts = 0

    def _kill(self) -> None:
        """Kill the process. Thread-safe."""
        self._is_ready = False
        ended, self._process = self._process, None
        if ended is not None:
            with suppress(OSError), ended as process:  # what it has not read is lost
                process.kill()


def close_all(workers: list[tuple[WorkerProcess, Call | None]], seconds: float) -> int:
    """Close all workers after their last tasks; return the number killed after *seconds*."""
    for worker, last in workers:
        worker.begin_close(last)
    end = time.monotonic() + seconds
    return sum(not worker.finish_close(end - time.monotonic()) for worker, _ in workers)


# In the new process.
def serve(seconds: float) -> None:
    """Run tasks, in the process; only the end of the parent process ends it.

    One that is in the middle of a task sees that only where the task lets other threads run, as a
    pattern does not; so it ends itself when a task takes longer than *seconds*.

    A signal to the whole group leaves it the page in its hands: Ctrl-C, the end of a terminal
    (SIGHUP), of a service (SIGTERM).
    """
    for name in {"SIGINT", "SIGTERM", "SIGHUP"} & {*dir(signal)}:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing is printed into them
    calls: SimpleQueue[Call] = SimpleQueue()
    threading.Thread(target=_read_calls, args=(calls,), daemon=True).start()
    function, arguments = calls.get()
    function(*arguments)
    _answer(answers, (True, None))
    nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115, as long as the process
    watch = partial(faulthandler.dump_traceback_later, seconds, exit=True, file=nowhere)
    while True:
        thread = threading.Thread(target=_do_tasks, args=(calls, answers, watch))
        thread.start()
        thread.join()


def _read_calls(calls: SimpleQueue[Call]) -> None:
    """Queue the calls received; end the process with its parent, however that ends."""
    try:
        source = os.fdopen(0, "rb")  # the stdin of a copy may hold what its parent has read
        while True:
            calls.put(pickle.load(source))  # noqa: S301, our own
    finally:
        os._exit(1)


def _do_tasks(calls: SimpleQueue[Call], answers: IO[bytes], watch: Callable[[], object]) -> None:
    """Run tasks in a thread of their own.

    libxml2 keeps each name of a tag or an attribute that it has met as long as the thread that met
    it lives. Some sites make names up (``data-v-3f2a91c0``), so a long crawl would fill the memory.
    """
    for _ in range(TASKS_A_THREAD):
        function, arguments = calls.get()
        answer: tuple[Any, object]
        try:
            watch()
            answer = function(*arguments), None
        except Exception as error:  # noqa: BLE001, raised again in the process of the crawl
            answer = None, ExceptionWithTraceback(error, error.__traceback__)
        except BaseException as error:  # noqa: BLE001, the thread would end without an answer
            answer = None, RuntimeError(f"no answer: {error!r}")
        try:
            _answer(answers, answer)
        except Exception as error:  # noqa: BLE001, whatever keeps it from being packed
            _answer(answers, (None, RuntimeError(f"no answer: {error!r}")))
        faulthandler.cancel_dump_traceback_later()


def _answer(answers: IO[bytes], answer: tuple[Any, object]) -> None:
    answers.write(pickle.dumps(answer))  # it is packed in whole before any of it is sent
    answers.flush()
