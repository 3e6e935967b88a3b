"""Opens the SQLite file of a watch, with its tables, for one process at a time."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import CloseSpider

from webclean_scrapy.crawl.disk_guard import STATE_FAILED
from webclean_scrapy.errors import StoreError, StoreUnavailableError, visible_line

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = "3"
TABLES = """
CREATE TABLE watch_header (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sites (
    site INTEGER PRIMARY KEY, home TEXT UNIQUE NOT NULL, round INTEGER NOT NULL DEFAULT 0,
    leads_to TEXT NOT NULL DEFAULT '',  -- where the first page redirects to
    failing INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,  -- since, rounds
    wait_until INTEGER NOT NULL DEFAULT 0,
    began INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0,  -- first and last round
    articles INTEGER NOT NULL DEFAULT 0, low INTEGER NOT NULL DEFAULT 0,  -- of low confidence
    fruitful INTEGER NOT NULL DEFAULT 0,  -- rounds with new articles
    last_new INTEGER NOT NULL DEFAULT 0, latest TEXT NOT NULL DEFAULT ''  -- new in each
);
CREATE TABLE robots (host TEXT PRIMARY KEY, body BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    source INTEGER PRIMARY KEY, site INTEGER NOT NULL, url TEXT NOT NULL, kind TEXT NOT NULL,
    etag TEXT, modified TEXT,  -- validators
    dated INTEGER,  -- by the index that names it
    due INTEGER NOT NULL DEFAULT 0,  -- that date is newer than what was read
    asked REAL NOT NULL DEFAULT 0, hits REAL NOT NULL DEFAULT 0,  -- rounds, old ones count less
    asked_in INTEGER NOT NULL DEFAULT 0, hit_in INTEGER NOT NULL DEFAULT 0,  -- the last round
    read_day INTEGER NOT NULL DEFAULT 0,  -- when its whole content was last read
    failing INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,  -- since, in a row
    UNIQUE (site, url)
);
CREATE TABLE addresses (
    hash INTEGER PRIMARY KEY, site INTEGER NOT NULL, source INTEGER NOT NULL,
    status INTEGER NOT NULL, url TEXT NOT NULL,  -- without the home of its site
    day INTEGER NOT NULL,  -- when a list named it
    feed_date INTEGER, map_date INTEGER,  -- two clocks: they are never compared with each other
    since INTEGER NOT NULL DEFAULT 0,  -- the first request that gave no article
    due INTEGER NOT NULL DEFAULT 0,  -- it is not asked for before
    why TEXT,  -- it waits or was given up
    unchanged INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX unsettled ON addresses (site) WHERE status = 0
"""


class StateFailedError(StoreUnavailableError, CloseSpider):
    """The file cannot be read or written, such as on a full disk; a round ends with it."""

    def __init__(self, message: str) -> None:
        Exception.__init__(self, message)
        self.reason = STATE_FAILED


class StateFile:
    """The file *path*; its errors are ours, and end the round."""

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self.problem = ""  # the last one with the file
        with self._errors():
            with suppress(OSError):  # SQLite says what is wrong
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
        return str(self._one("SELECT value FROM watch_header WHERE name = ?", name, default=""))

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
        """Run one statement; return how many rows it has changed."""
        with self._transaction() as db:
            return db.execute(sql, values).rowcount

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._errors():
            return self._db.execute(sql, values).fetchall()

    def _one(self, sql: str, *values: object, default: object = None) -> object:
        return next((row[0] for row in self._rows(sql, *values)), default)

    def close(self) -> None:
        with self._errors():
            self._db.close()
