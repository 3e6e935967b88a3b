"""A real Redis server for a test: on a free port, without persistence by default."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import Self

PROGRAM = "redis-server"
PORTS = range(10_000, 30_000)  # below those that systems give to connections and to port 0


class RedisServer:
    """Starts the program and ends it; can be stopped and started again on the same port.

    *options*: of the program, beside those that are given here.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        if shutil.which(PROGRAM) is None:
            pytest.skip(f"{PROGRAM} is not installed; sh tests/services.sh says how")
        pytest.importorskip("redis")
        self._folder, self._options = folder, options
        self._process: subprocess.Popen[bytes] | None = None
        self._had_port = False
        self.port = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def uri(self, prefix: str, **options: Any) -> str:
        """Return the URI of a store on this server."""
        parts = "".join(f"&{name}={value}" for name, value in options.items())
        return f"redis://127.0.0.1:{self.port}/0?prefix={prefix}{parts}"

    def client(self, **options: Any) -> Any:
        """Return a client of redis-py, to look at the server or to change its settings."""
        import redis

        return redis.Redis(port=self.port, protocol=2, **options)

    def start(self) -> None:
        """Start the server, empty, and wait until it answers.

        On the port it had before; a first start takes another one when somebody else was faster.
        """
        while not self._answers():
            if self._process is None or self._process.poll() is not None:
                if not self._had_port:
                    self.port = free_port()
                self.launch()
            time.sleep(0.01)
        self._had_port = True

    def launch(self) -> None:
        """Start the program, and do not wait."""
        self._run(*self._arguments(), *self._options)

    def _arguments(self) -> list[str]:
        return [
            "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder),
            "--save", "", "--appendonly", "no", "--repl-diskless-load", "swapdb",
            "--repl-diskless-sync-delay", "0",
        ]  # fmt: skip

    def _run(self, *arguments: str) -> None:
        self._process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL)

    def _answers(self) -> bool:
        """Whether it is our process that answers on the port, not somebody else's."""
        import redis

        if self._process is None:
            return False
        try:
            with self.client() as client:
                return bool(client.info("server")["process_id"] == self._process.pid)
        except redis.RedisError:
            return False

    def stop(self) -> None:
        """Kill the server; its data is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """Let the server take connections and answer nothing."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """End the pause begun by `hang`."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)


def free_port() -> int:
    """Return a free port."""
    while True:
        port = secrets.choice(PORTS)  # tests in other processes draw others
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
