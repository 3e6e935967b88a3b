"""Open the SQLite file of a watch, with its tables, for one process at a time."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import CloseSpider

from webclean_scrapy.crawl.disk_guard import STATE_FAILED
from webclean_scrapy.errors import StoreError, StoreUnavailableError
from webclean_scrapy.safe_text import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = "4"
TABLES = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")


def index_beside(state: Path) -> Path:
    """Return the file for fingerprints of exported pages, beside a state file."""
    return state.with_name(f"{state.stem}-dedup.db")


class StateFailedError(StoreUnavailableError, CloseSpider):
    """The file cannot be read or written, for example on a full disk; it ends the round."""

    def __init__(self, message: str) -> None:
        Exception.__init__(self, message)
        self.reason = STATE_FAILED


class StateFile:
    """The state file *path*, with sqlite errors raised as ours."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self.problem = ""  # the last one with the file
        with self._errors():
            with suppress(OSError):  # SQLite raises a clearer error
                Path(path).touch(0o600)
            self._db = sqlite3.connect(path, timeout=1.0, isolation_level=None)
            try:
                self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=NORMAL")
                with self._transaction():
                    self._check_header()
            except BaseException:
                self._db.close()
                raise

    def _check_header(self) -> None:
        names = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}
        if not names:
            for statement in TABLES.split(";\n"):
                self._db.execute(statement)
            self._db.execute("INSERT INTO watch_header VALUES ('schema', ?)", (SCHEMA,))
        elif "watch_header" not in names:
            raise StoreError(f"{self._path} is an SQLite file of another program; use another file")
        if self._header("schema") != SCHEMA:
            raise StoreError(f"{self._path} is of another version; use another file")

    def _header(self, name: str) -> str:
        return str(self._value("SELECT value FROM watch_header WHERE name = ?", name, default=""))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError, OverflowError) as error:  # of changed bytes, too
            why = visible_line(error)
            if "locked" in why:
                why = "another command watches with this file; wait until it has ended"
            self.problem = f"{self._path}: {why}"
            raise StateFailedError(self.problem) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _change(self, sql: str, *values: object) -> int:
        with self._transaction() as db:
            return db.execute(sql, values).rowcount

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._errors():
            return self._db.execute(sql, values).fetchall()

    def _value(self, sql: str, *values: object, default: object = None) -> object:
        return next((row[0] for row in self._rows(sql, *values)), default)

    def close(self) -> None:
        with self._errors():
            self._db.close()
