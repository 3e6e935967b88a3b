import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.running import ROOT, Start


@pytest.fixture
def scrapy_process() -> Iterator[Start]:
    """Start ``scrapy`` with the repository's settings; kill running ones at the end."""
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
