"""Faulty tasks of a worker, in a module that loads little: each process imports it."""

import os
import time
from typing import Any

from webclean_scrapy.crawl.workers import tasks

SLOW_START_S = 6
start = tasks.start  # before a test replaces it


def start_slowly(*arguments: Any) -> None:
    """Take the place of a worker's start."""
    time.sleep(SLOW_START_S)
    start(*arguments)


def die(*arguments: object, **_: object) -> dict[str, Any]:
    """Take the place of a worker's function, and kill its process."""
    os._exit(1)
