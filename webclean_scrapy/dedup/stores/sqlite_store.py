"""Fingerprints in one SQLite file that several processes may use at once.

Write-ahead log with synchronous NORMAL: what was acknowledged survives the death of the process
(not always a power cut). Check-and-add is one BEGIN IMMEDIATE transaction, so of two processes
that add the same page one waits and then finds it.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, cast

from webclean_scrapy.dedup.config import IN_MEMORY, name_differences
from webclean_scrapy.dedup.fingerprint_methods import scheme_of
from webclean_scrapy.dedup.stores.entry import Entry
from webclean_scrapy.dedup.stores.local_store import LocalStore
from webclean_scrapy.dedup.stores.sqlite_postings import (
    IN_FILE_TABLES,
    IN_MEMORY_TABLES,
    PostingsInFile,
    PostingsInMemory,
)
from webclean_scrapy.errors import StoreBusyError, StoreSchemeError, StoreUnavailableError
from webclean_scrapy.file_modes import make_private
from webclean_scrapy.messages import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.stores.local_store import Clock
    from webclean_scrapy.dedup.stores.sqlite_postings import SqlitePostings

TABLES = """
CREATE TABLE webclean_header (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    row INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, as it names the cluster too
    key TEXT NOT NULL UNIQUE,
    cluster INTEGER NOT NULL,
    run TEXT,   -- NULL: confirmed
    data BLOB,  -- NULL: a copy of another page of the cluster
    added INTEGER  -- seconds of the clock, NULL: not known
);
"""
ENTRY = "SELECT row, key, cluster, run, data, added FROM entries"
# The index of clusters may leave out their founders.
MEMBERS = f"""
{ENTRY} WHERE row = ?1 AND cluster = ?1 UNION ALL {ENTRY} WHERE cluster = ?1 AND cluster <> row
ORDER BY row
"""
WAIT_S = 30.0  # for another process to end its transaction, which takes a millisecond
CACHE_KIB = 65536
LOG_PAGES = 8000  # of 4 KiB; each checkpoint waits for the disk
POSTINGS = "postings"  # field of the header; files without it have the table


class SqliteStore(LocalStore):
    """A `Store` in the file *path*, which is created if it does not exist.

    Raises: StoreUnavailableError when the file cannot be opened or is no database;
    StoreSchemeError when it holds anything but fingerprints made with *config*.
    """

    def __init__(self, path: str, config: DedupConfig, clock: Clock | None = None) -> None:
        super().__init__(config, clock)
        self._path = path
        if path != ":memory:":
            with suppress(OSError):  # SQLite says what is wrong
                make_private(path)  # its log and its shared memory get the same permissions
        with self._errors():
            self._db = sqlite3.connect(
                path, timeout=WAIT_S, isolation_level=None, check_same_thread=False
            )
        try:
            with self._errors():
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=NORMAL")
                self._db.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
                self._db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
                with self._transaction():
                    in_memory = self._check_header(scheme_of(config))
                    self._prepare_expiry()
                kind = PostingsInMemory if in_memory else PostingsInFile
                self._index: SqlitePostings = kind(self._db)
        except BaseException:
            self._db.close()
            raise

    def _check_header(self, wanted: dict[str, str]) -> bool:
        """Create the tables if there are none; return whether the postings are kept in memory."""
        names = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}
        if not names:
            in_memory = self._config.postings == IN_MEMORY
            if in_memory:
                wanted = {**wanted, POSTINGS: IN_MEMORY}
            tables = TABLES + (IN_MEMORY_TABLES if in_memory else IN_FILE_TABLES)
            for statement in tables.split(";"):
                self._db.execute(statement)
            self._db.executemany("INSERT INTO webclean_header VALUES (?, ?)", wanted.items())
            return in_memory
        if "webclean_header" not in names:
            raise StoreSchemeError(
                f"{self._path} is an SQLite file of another program; use another file"
            )
        stored = dict(self._db.execute("SELECT name, value FROM webclean_header"))
        if in_memory := stored.get(POSTINGS) == IN_MEMORY:
            del stored[POSTINGS]
        if stored != wanted:
            differences = name_differences(stored, wanted)
            raise StoreSchemeError(
                f"{self._path} was created with other settings: {differences}; "
                "use the same settings or another file, or delete this one to start again"
            )
        return in_memory

    def _prepare_expiry(self) -> None:
        """Give files of older versions the column; count the age of undated entries from now on.

        A file whose entries never expire needs no index.
        """
        columns = [column[1] for column in self._db.execute("PRAGMA table_info(entries)")]
        if "added" not in columns:
            self._db.execute("ALTER TABLE entries ADD COLUMN added INTEGER")
        if self._config.expire_s:
            self._db.execute("CREATE INDEX IF NOT EXISTS entries_added ON entries (added)")
            self._db.execute("UPDATE entries SET added = ? WHERE added IS NULL", (self._now(),))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the second: of a damaged file
            is_busy = isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
            kind = StoreBusyError if is_busy else StoreUnavailableError
            raise kind(
                f"the fingerprint store {self._path} is not available: {visible_line(error)}"
            ) from error

    def wait_at_most(self, seconds: float) -> None:
        with self._lock, self._errors():
            self._db.execute(f"PRAGMA busy_timeout={int(1000 * seconds)}")

    def reconnect(self) -> None:
        with self._lock, self._writing():
            pass  # whoever may begin a transaction can write

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # SQLite may have rolled back itself
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._index.begin()
        try:
            with self._transaction():
                self._index.catch_up()
                yield
        except BaseException:
            self._index.undo()
            raise

    def _postings(self, codes: Sequence[int]) -> dict[int, list[int]]:
        with self._errors():
            return self._index.find(codes)

    def _entry(self, row: int) -> Entry | None:
        return self._first(f"{ENTRY} WHERE row = ?", row)

    def _entry_of(self, key: str) -> Entry | None:
        return self._first(f"{ENTRY} WHERE key = ?", key)

    def _first(self, sql: str, value: object) -> Entry | None:
        with self._errors():
            fields = self._db.execute(sql, (value,)).fetchone()
        return _read_entry(fields) if fields else None

    def _insert(self, entry: Entry, codes: Sequence[int]) -> None:
        self._index.insert(entry, codes)

    def _delete(self, entry: Entry) -> None:
        if entry.data is not None:
            self._index.discard(self._possible_codes(entry.data), entry.row)
        self._db.execute("DELETE FROM entries WHERE row = ?", (entry.row,))

    def _added_until(self, time: int, count: int) -> list[Entry]:
        sql = f"{ENTRY} WHERE added <= ? ORDER BY added LIMIT ?"
        return [_read_entry(fields) for fields in self._db.execute(sql, (time, count))]

    def _cluster(self, cluster: int) -> list[Entry]:
        with self._errors():
            rows = self._db.execute(MEMBERS, (cluster,))
            return [_read_entry(fields) for fields in rows]

    def _move_cluster(self, old: int, new: int) -> None:
        for members in ("row = ?2 AND cluster = ?2", "cluster = ?2 AND cluster <> row"):
            self._db.execute(f"UPDATE entries SET cluster = ?1 WHERE {members}", (new, old))  # noqa: S608

    def _confirm(self, entry: Entry) -> None:
        self._db.execute("UPDATE entries SET run = NULL WHERE row = ?", (entry.row,))

    def clusters(self) -> Iterator[tuple[str, ...]]:
        with self._lock, self._errors():
            groups = self._db.execute(
                "SELECT DISTINCT cluster FROM entries WHERE cluster <> row ORDER BY cluster"
            ).fetchall()
        for (cluster,) in groups:
            with self._lock:
                members = self._cluster(cluster)
            if len(members) > 1:  # still, as others may write between two groups
                yield tuple(entry.key for entry in members)

    def __len__(self) -> int:
        with self._lock, self._errors():
            count: int = self._db.execute("SELECT count(*) FROM entries").fetchone()[0]
            return count

    def close(self) -> None:
        with self._lock, self._errors():
            self._db.close()


def _read_entry(fields: Sequence[object]) -> Entry:
    """Return a row of the table of entries. Raises: StoreSchemeError when it is damaged.

    A column of SQLite holds values of any type.
    """
    row, key, cluster, run, data, added = fields
    if (
        isinstance(key, str)
        and isinstance(cluster, int)
        and isinstance(run, str | None)
        and isinstance(data, bytes | None)
        and isinstance(added, int | None)
    ):
        return Entry(cast("int", row), key, cluster, run, data, added)
    raise StoreSchemeError(f"damaged entry in the store, in row {row}")
