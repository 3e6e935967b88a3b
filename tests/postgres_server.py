"""A real PostgreSQL server for a test: on a free port, its data in a folder of its own."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import Self

from tests.redis_server import free_port

USER, PASSWORD = "zorrilla", "quixote"
DEBIAN = Path("/usr/lib/postgresql")  # its programs are in no PATH


class PostgresServer:
    """Starts the server and ends it; can be stopped and started again with the same data."""

    def __init__(self) -> None:
        found = shutil.which("initdb") or max(map(str, DEBIAN.glob("*/bin/initdb")), default="")
        if not found:
            pytest.skip("PostgreSQL is not installed; sh tests/services.sh says how")
        pytest.importorskip("psycopg")
        self._folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        secret = self._folder / "secret"
        secret.write_text(PASSWORD)
        self._as: dict[str, Any] = {"cwd": "/"}
        if os.getuid() == 0:  # as root it does not start
            owner = pwd.getpwnam("postgres")
            self._as |= {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
            for path in (self._folder, secret):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        data = str(self._folder / "data")
        login = f"--username={USER}", f"--pwfile={secret}", "--auth=scram-sha-256"
        command = [found, "-D", data, "--no-sync", "-E", "UTF8", *login]
        subprocess.run(command, check=True, capture_output=True, **self._as)
        self.port = free_port()
        options = f"port={self.port}", "listen_addresses=127.0.0.1", "fsync=off"
        self._command = [str(Path(found).with_name("postgres")), "-D", data, "-k", ""]
        self._command += [part for one in options for part in ("-c", one)]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def uri(self, name: str = "postgres", login: str = f"{USER}:{PASSWORD}") -> str:
        return f"postgresql+psycopg://{login}@127.0.0.1:{self.port}/{name}"

    def query(self, statement: str, name: str = "postgres") -> list[Any]:
        """Return the rows of a statement."""
        import psycopg

        address = self.uri(name).replace("+psycopg", "")
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        """Start the server and wait until it answers."""
        import psycopg

        none = subprocess.DEVNULL
        self._process = subprocess.Popen(self._command, stdout=none, stderr=none, **self._as)
        while self._process.poll() is None:
            with suppress(psycopg.OperationalError):
                self.query("SELECT 1")
                return
            time.sleep(0.05)
        raise AssertionError("PostgreSQL has ended")

    def stop(self) -> None:
        """End the server at once, with all connections; its data stay."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None
