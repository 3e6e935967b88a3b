"""A worker process: its results and its end."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path

import pytest

from tests.crawl.workers.faulty_tasks import (
    Unreadable,
    deep_list,
    opened_files,
    raise_error,
    unreadable_once,
)
from tests.waiting import wait_until
from webclean_scrapy.crawl.workers.process import WorkerFailedError, WorkerProcess, close_all

PATIENCE_S = 100  # only guards against what never comes


@pytest.fixture(params=["started", "forked"])
def worker(request: pytest.FixtureRequest) -> Iterator[WorkerProcess]:
    process = WorkerProcess(int, timeout_s=PATIENCE_S)
    yield process.fork() if request.param == "forked" else process
    close_all([(process, None)], PATIENCE_S)


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_a_task_raises_is_raised_here_and_the_next_one_is_done(worker: WorkerProcess) -> None:
    with pytest.raises(ValueError, match="invalid literal") as raised:
        worker.submit(int, "seven").result(PATIENCE_S)
    assert "Traceback (most" in str(raised.value.__cause__)
    with pytest.raises(RuntimeError, match=r"no answer: .*pickle"):
        worker.submit(threading.Lock).result(PATIENCE_S)
    with pytest.raises((TypeError, AttributeError), match="pickle"):
        worker.submit(id, threading.Lock()).result(PATIENCE_S)  # not sent
    for end in (KeyboardInterrupt, SystemExit):
        with pytest.raises(RuntimeError, match=f"no answer: {end.__name__}"):
            worker.submit(raise_error, end).result(PATIENCE_S)
    with pytest.raises(RuntimeError, match="no answer: RecursionError"):
        worker.submit(deep_list, 100_000).result(PATIENCE_S)
    assert worker.submit(int, "7").result(PATIENCE_S) == 7


def test_an_answer_that_cannot_be_read_is_asked_for_once_more_in_another_process(
    worker: WorkerProcess, tmp_path: Path
) -> None:
    """What is left of it in the pipe would be the answer to the next task."""
    first = worker.submit(os.getpid).result(PATIENCE_S)
    assert worker.submit(unreadable_once, tmp_path / "tried").result(PATIENCE_S) == "read"
    assert worker.submit(os.getpid).result(PATIENCE_S) != first
    with pytest.raises(WorkerFailedError, match="died"):
        worker.submit(Unreadable).result(PATIENCE_S)
    assert worker.submit(int, "7").result(PATIENCE_S) == 7


MODULES = "json pickle struct signal traceback logging selectors random threading queue numpy"


def test_no_module_of_the_current_folder_is_run_in_it(tmp_path: Path) -> None:
    for name in MODULES.split():
        (tmp_path / f"{name}.py").write_text("open('run', 'w')")
    program = tmp_path / "bin" / "crawl.py"
    program.parent.mkdir()
    program.write_text(NO_GUARD.replace("(int,", "(__import__('logging').getLogger,"))
    done = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "begins\nTrue\n"), done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_no_signal_to_all_processes_ends_it_but_a_close_does(
    worker: WorkerProcess, tmp_path: Path, name: str
) -> None:
    pid = worker.submit(os.getpid).result(PATIENCE_S)
    os.kill(pid, getattr(signal, name))
    assert worker.submit(os.getpid).result(PATIENCE_S) == pid == worker.pid
    assert close_all([(worker, (Path.touch, (tmp_path / "saved",)))], PATIENCE_S) == 0
    assert (tmp_path / "saved").exists()
    assert not exists(pid)
    with pytest.raises(WorkerFailedError, match="stopped"):
        worker.submit(int).result(PATIENCE_S)


def test_urgent_tasks_are_done_before_earlier_ones(worker: WorkerProcess, tmp_path: Path) -> None:
    done: list[str] = []
    os.mkfifo(tmp_path / "pipe")
    worker.submit(Path.read_bytes, tmp_path / "pipe")  # until it is written to, the others queue
    tasks = [
        worker.submit(str, name, urgent="urgent" in name)
        for name in ("one", "two", "urgent one", "urgent two")
    ]
    for task in tasks:
        task.add_done_callback(lambda task: done.append(task.result()))
    (tmp_path / "pipe").write_bytes(b"")
    wait(tasks, PATIENCE_S)
    assert done == ["urgent one", "urgent two", "one", "two"]


def test_the_time_limit_counts_for_a_task_that_a_stopped_process_does_not_read() -> None:
    size = 5_000_000  # more than a socket takes
    worker = WorkerProcess(int, timeout_s=5)
    pid = worker.submit(os.getpid).result(PATIENCE_S)
    os.kill(pid, signal.SIGSTOP)
    os.waitid(os.P_PID, pid, os.WSTOPPED)
    with pytest.raises(WorkerFailedError, match="too long"):
        worker.submit(len, bytes(size)).result(PATIENCE_S)
    assert worker.submit(len, bytes(size)).result(PATIENCE_S) == size
    assert close_all([(worker, None)], PATIENCE_S) == 0


NO_GUARD = """
import os
from webclean_scrapy.crawl.workers.process import WorkerProcess, close_all

print("begins", flush=True)
worker = WorkerProcess(int, timeout_s=1000)
print(worker.submit(os.getppid).result() == os.getpid())
close_all([(worker, None)], 100)
"""


def test_the_script_of_a_crawl_is_not_run_again_in_the_process(tmp_path: Path) -> None:
    """Such a script is in Scrapy's own docs; `multiprocessing` would crawl twice."""
    (tmp_path / "crawl.py").write_text(NO_GUARD)
    done = subprocess.run(
        [sys.executable, "crawl.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "begins\nTrue\n"), done.stderr


def test_no_process_is_started_before_there_is_a_task() -> None:
    idle = WorkerProcess(int, timeout_s=PATIENCE_S)
    assert idle.pid is None
    assert close_all([(idle, (int, ()))], 0) == 0
    assert idle.pid is None


@pytest.mark.skipif(sys.platform != "linux", reason="no copy of a process is made there")
def test_a_copy_of_this_process_keeps_none_of_its_files_and_ends_without_a_task(
    tmp_path: Path,
) -> None:
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = children.read_text()
    with (tmp_path / "lock").open("w"):
        worker, idle = (WorkerProcess(int, timeout_s=PATIENCE_S).fork() for _ in range(2))
        opened = worker.submit(opened_files).result(PATIENCE_S)
    assert not {str(tmp_path / "lock")} & opened
    assert close_all([(worker, None), (idle, None)], PATIENCE_S) == 0
    assert children.read_text() == before


ORPHAN = """
import os, re, time
from webclean_scrapy.crawl.workers.process import WorkerProcess

worker = WorkerProcess(int, timeout_s={}){}
print(worker.submit(os.getpid).result(), flush=True)
worker.submit({})
time.sleep(1000)
"""
HOLDS_ALL = "re.match, '(a|aa)+$', 'a' * 99 + 'b'"  # other threads do not run meanwhile


@pytest.mark.parametrize("begin", ["", ".fork()"])
@pytest.mark.parametrize(("seconds", "task"), [(1000, "time.sleep, 1000"), (2, HOLDS_ALL)])
def test_it_ends_with_a_parent_that_was_killed_in_the_middle_of_a_task(
    seconds: float, task: str, begin: str
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ORPHAN.format(seconds, begin, task)],
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        wait_until(lambda: not exists(pid))
