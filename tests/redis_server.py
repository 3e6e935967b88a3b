"""A real Redis server for a test: on a free port, nothing written to disk."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from typing_extensions import Self

PROGRAM = "redis-server"
START_S = 10.0  # it takes a few hundredths of a second


class RedisServer:
    """Starts the program and ends it; can be stopped and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        if shutil.which(PROGRAM) is None:
            pytest.skip(f"{PROGRAM} is not installed; sh tests/services.sh says how")
        pytest.importorskip("redis")
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def uri(self, prefix: str, **options: Any) -> str:
        """Return the URI of a store on this server."""
        parts = "".join(f"&{name}={value}" for name, value in options.items())
        return f"redis://127.0.0.1:{self.port}/0?prefix={prefix}{parts}"

    def client(self) -> Any:
        """Return a client of redis-py, to look at the server or to change its settings."""
        import redis

        return redis.Redis(port=self.port, protocol=2)

    def start(self) -> None:
        """Start the server, empty, and wait until it answers."""
        self._process = subprocess.Popen(
            [PROGRAM, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder),
             "--save", "", "--appendonly", "no", "--repl-diskless-load", "swapdb"],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise RuntimeError(f"{PROGRAM} does not answer on port {self.port}")

    def stop(self) -> None:
        """End the server at once; what it held is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """Let the server take connections and answer nothing."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """End what `hang` began."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
