import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def scrapy_process() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start ``scrapy`` with the repository's settings; what still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
        process = subprocess.Popen(
            # INFO: what a pipe holds before somebody reads it
            [sys.executable, "-m", "scrapy", *arguments, "-L", "INFO"],
            cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={
                **os.environ, "PYTHONPATH": path, "SCRAPY_SETTINGS_MODULE": "spiders.settings",
                "PYTHONFAULTHANDLER": "1",  # see tests.waiting
            },
            start_new_session=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def read_lines() -> Callable[[Path], list[dict[str, Any]]]:
    """Read a file of JSON lines."""

    def read(path: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    return read
