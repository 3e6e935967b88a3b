"""What runs in a worker process: it does the tasks that `worker_process` sends."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from contextvars import copy_context
from multiprocessing import connection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from webclean_scrapy.crawl.worker_process import Call

TASKS_A_THREAD = 50


def serve(handle: int) -> None:
    """Do tasks, in the process: it ignores Ctrl-C, and ends when the process of the crawl ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    channel = _open_channel(handle)
    function, arguments = channel.recv()
    function(*arguments)
    channel.send(True)
    context = copy_context()  # with what *function* has set
    has_ended = threading.Event()
    while not has_ended.is_set():
        thread = threading.Thread(target=context.run, args=(_do_tasks, channel, has_ended))
        thread.start()
        thread.join()


def _do_tasks(channel: Connection, has_ended: threading.Event) -> None:
    """Do some tasks, in a thread of their own.

    libxml2 keeps each name of a tag or an attribute that it has met as long as the thread that met
    it lives. Some sites make names up (``data-v-3f2a91c0``), so a long crawl would fill the memory.
    """
    with suppress(EOFError, OSError):
        for _ in range(TASKS_A_THREAD):
            if (message := channel.recv()) is None:
                break
            answer = _answer(*message)
            try:
                channel.send(answer)
            except (TypeError, AttributeError, ValueError) as error:  # it cannot be pickled
                channel.send((None, RuntimeError(f"no answer: {error!r}"), repr(answer)))
        else:
            return
    has_ended.set()


def _open_channel(handle: int) -> Connection:
    if sys.platform == "win32":
        return connection.PipeConnection(handle)
    return connection.Connection(handle)


def _answer(notes: list[Call], call: Call) -> tuple[Any, Exception | None, str]:
    """Make the calls of *notes*, then *call*, and return what came of that."""
    function, arguments = call
    try:
        for note, values in notes:
            note(*values)
        return function(*arguments), None, ""
    except Exception as error:  # noqa: BLE001, raised again in the process of the crawl
        trace = traceback.format_exc()
        return None, error.with_traceback(None), trace


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # returns when that process ends, however it does
    os._exit(1)
