"""Store fingerprints in memory, or in an SQLite file shared by several processes.

Write-ahead log with synchronous NORMAL: what was acknowledged survives the death of the process
(not always a power cut). Check-and-add is one BEGIN IMMEDIATE transaction, so of two processes
that add the same page one waits and then finds it.

A pending entry counts while its *writer*, an open store, locks a file of its own beside this one:
the system ends the lock with the process. It is SQLite's lock, which no forked process inherits.
"""

from __future__ import annotations

import glob
import sqlite3
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy import errors
from webclean_scrapy.dedup.config import check_header
from webclean_scrapy.dedup.fingerprint_methods import scheme_of
from webclean_scrapy.dedup.stores.store import IndexEntry, Store, utf8
from webclean_scrapy.safe_text import visible_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.stores.store import Clock, Pages

_T = TypeVar("_T")

TABLES = """
CREATE TABLE webclean_header (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    row INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, as it names the cluster too
    key TEXT NOT NULL UNIQUE,
    cluster INTEGER,  -- NULL: its own row
    run TEXT,   -- NULL: confirmed
    data BLOB,  -- NULL: a copy of another page of the cluster
    added INTEGER,  -- seconds of the clock, NULL: not known
    writer INTEGER NOT NULL  -- of a pending page
);
CREATE INDEX members ON entries (cluster) WHERE cluster IS NOT NULL;
CREATE TABLE writers (number INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE TABLE codes (code INTEGER, row INTEGER, PRIMARY KEY (code, row)) WITHOUT ROWID
"""
ENTRY = "SELECT row, key, ifnull(cluster, row), run, data, added, writer FROM entries"
MEMBERS = f"""
{ENTRY} WHERE row = ?1 AND cluster IS NULL UNION ALL {ENTRY} WHERE cluster = ?1 ORDER BY row
"""
MEMORY = ":memory:"
WAIT_S = 10.0  # for another process to end its transaction, which takes a millisecond
CREATORS = 20  # of a file, at once: SQLite itself fails when two turn the log on
EXPIRED_AT_ONCE = 4  # entries that are removed for each page added, so that none waits for many
CACHE_KIB = 65536
LOG_PAGES = 8000  # of 4 KiB; each checkpoint waits for the disk
IN_FILE = ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")  # a step, and how it ends
# In memory all is one transaction: a commit costs the more, the larger the database is.
IN_MEMORY = ("SAVEPOINT step", "RELEASE step", "ROLLBACK TO step")


class SqliteStore(Store):
    """A `Store` in the file *path*, created if missing, or in `MEMORY`.

    *clock*: seconds since a fixed time, the same for all that open the store. When it goes back,
    entries stay for longer.
    Raises: ConfigError without a clock that `expire_days` needs; StoreUnavailableError when the
    file cannot be opened or is no database; StoreSchemeError when it holds anything but
    fingerprints made with *config*.
    """

    def __init__(self, path: str, config: DedupConfig, clock: Clock | None = None) -> None:
        if config.expire_s and clock is None:
            raise errors.ConfigError("expire_days needs a clock, such as clock=time.time")
        super().__init__(config, clock)
        self._path = path
        self._writer = 0  # in a file its number in the table of writers
        self._resolved = Path(path).resolve()  # by whichever name other processes open it
        self._writer_lock: sqlite3.Connection | None = None
        if path != MEMORY:
            with suppress(OSError):  # SQLite raises a clearer error
                Path(path).touch(0o600)  # its log and its shared memory get the same permissions
        with self._errors():
            self._db = sqlite3.connect(
                path, timeout=WAIT_S, isolation_level=None, check_same_thread=False
            )
            self._db.text_factory = partial(str, encoding="utf-8", errors="surrogatepass")
        try:
            with self._errors():
                self._begin_log()
                self._db.execute("PRAGMA synchronous=NORMAL")
                self._db.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
                self._db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
                if path == MEMORY:
                    self._db.execute("BEGIN")
            self._atomically(self._begin)
        except BaseException:
            self.close()
            raise

    def _begin_log(self) -> None:
        turn_on = "PRAGMA journal_mode=WAL"
        for _ in range(CREATORS):
            with suppress(sqlite3.OperationalError):
                self._db.execute(turn_on)
                return
            self._db.execute("BEGIN IMMEDIATE")  # this waits for others that create the file
            self._db.execute("COMMIT")
        self._db.execute(turn_on)

    def _begin(self) -> None:
        """Check the header; lock this writer's file before other processes can see it."""
        self._check_header(scheme_of(self._config))
        if self._path == MEMORY:
            return
        self._writer = self._db.execute("INSERT INTO writers DEFAULT VALUES").lastrowid or 0
        own = self._writer_file(self._writer)
        for path in own.parent.glob(glob.escape(self._writer_file("").name) + "*"):
            if not _is_locked(path):  # of a process that was killed
                path.unlink(missing_ok=True)
        own.touch(0o600)
        self._writer_lock = sqlite3.connect(own, isolation_level=None, check_same_thread=False)
        self._writer_lock.execute("PRAGMA journal_mode=OFF")  # else there are two files
        self._writer_lock.execute("BEGIN EXCLUSIVE")

    def _writer_file(self, writer: int | str) -> Path:
        return Path(f"{self._resolved}-writer-{writer}")

    def _check_header(self, wanted: dict[str, str]) -> None:
        names = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}
        if not names:
            for statement in TABLES.split(";\n"):
                self._db.execute(statement)
            self._db.executemany("INSERT INTO webclean_header VALUES (?, ?)", wanted.items())
        elif "webclean_header" not in names:
            raise errors.StoreSchemeError(
                f"{self._path} is an SQLite file of another program; use another file"
            )
        stored = dict(self._db.execute("SELECT name, value FROM webclean_header"))
        other = "another file, or delete this one"
        check_header(stored, wanted, place=self._path, other=other)
        if self._config.expire_s:  # entries that were undated get the date of today
            self._db.execute("CREATE INDEX IF NOT EXISTS entries_added ON entries (added)")
            self._db.execute("UPDATE entries SET added = ? WHERE added IS NULL", (self._now(),))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:  # the last: a damaged file
            is_busy = isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
            kind = errors.StoreBusyError if is_busy else errors.StoreUnavailableError
            raise kind(
                f"the fingerprint store {self._path} is not available: {visible_line(error)}"
            ) from error

    def _atomically(self, work: Callable[[], _T]) -> _T:
        begin, end, undo = IN_MEMORY if self._path == MEMORY else IN_FILE
        with self._lock, self._errors():
            self._db.execute(begin)
            try:
                done = work()
                self._db.execute(end)
            except BaseException:
                if self._db.in_transaction:  # SQLite may have rolled back itself
                    self._db.execute(undo)
                raise
            return done

    def _consistently(self, work: Callable[[], _T]) -> _T:
        with self._lock, self._errors():
            return work()

    def _postings(self, codes: Sequence[int]) -> dict[int, list[int]]:
        postings: dict[int, list[int]] = {}
        wanted = f"({','.join('?' * len(codes))})"
        sql = f"SELECT code, CAST(row AS INTEGER) FROM codes WHERE code IN {wanted}"  # noqa: S608, only "?"
        for code, row in self._db.execute(sql, codes):
            postings.setdefault(code, []).append(row)
        return postings

    def _entry(self, row: int) -> IndexEntry | None:
        return next(self._entries(f"{ENTRY} WHERE row = ?", row), None)

    def _entry_of(self, key: str) -> IndexEntry | None:
        return next(self._entries(f"{ENTRY} WHERE key = CAST(? AS TEXT)", utf8(key)), None)

    def _entries(self, sql: str, *values: object) -> Iterator[IndexEntry]:
        return map(_read_entry, self._db.execute(sql, values).fetchall())

    def _is_expired(self, entry: IndexEntry) -> bool:
        most = self._config.expire_s
        return bool(most) and entry.added is not None and entry.added + most <= (self._now() or 0)

    def _counts(self, entry: IndexEntry, key: str | None, run: str | None) -> bool:
        if self._is_expired(entry):
            return False
        if entry.run is None or entry.writer == self._writer:
            return super()._counts(entry, key, run)
        # Another crawl may fetch the same addresses: the key itself counts too.
        return run is not None and _is_locked(self._writer_file(entry.writer))

    def _prepare(self, pages: Pages) -> None:
        """Remove expired entries of *pages* and a few others; copies stay until they expire."""
        if not self._config.expire_s:
            return
        oldest = f"{ENTRY} WHERE added <= ? ORDER BY added LIMIT ?"
        until = (self._now() or 0) - self._config.expire_s
        count = EXPIRED_AT_ONCE * len(pages)
        own = [entry for key, _ in pages if (entry := self._entry_of(key))]
        for entry in (*filter(self._is_expired, own), *self._entries(oldest, until, count)):
            self._delete(entry)

    def _put(self, entry: IndexEntry, codes: Sequence[int] = ()) -> None:
        cluster = entry.cluster if entry.cluster != entry.row else None
        added = self._now() if entry.added is None else entry.added
        key, run = utf8(entry.key), None if entry.run is None else utf8(entry.run)
        cursor = self._db.execute(
            "REPLACE INTO entries VALUES (?, CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, ?, ?)",
            (entry.row or None, key, cluster or None, run, entry.data, added, self._writer),
        )
        pairs = [(code, cursor.lastrowid) for code in codes]
        self._db.executemany("INSERT OR IGNORE INTO codes VALUES (?, ?)", pairs)

    def _delete(self, entry: IndexEntry) -> None:
        if entry.data is not None:
            pairs = [(code, entry.row) for code in self._possible_codes(entry.data)]
            self._db.executemany("DELETE FROM codes WHERE code = ? AND row = ?", pairs)
        self._db.execute("DELETE FROM entries WHERE row = ?", (entry.row,))

    def _cluster(self, cluster: int) -> list[IndexEntry]:
        return [*self._entries(MEMBERS, cluster)]

    def _clusters(self) -> list[int]:
        sql = "SELECT DISTINCT cluster FROM entries WHERE cluster IS NOT NULL ORDER BY cluster"
        return self._consistently(lambda: [cluster for (cluster,) in self._db.execute(sql)])

    def __len__(self) -> int:
        sql = "SELECT count(*) FROM entries"
        return self._consistently(lambda: int(self._db.execute(sql).fetchone()[0]))

    def close(self) -> None:
        with self._lock, self._errors():
            self._db.close()
            if self._writer_lock:
                self._writer_lock.close()
                self._writer_file(self._writer).unlink(missing_ok=True)


def _is_locked(path: Path) -> bool:
    """True if a living writer has locked the file. Checks do not exclude each other."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", 0, uri=True)) as db:
            db.execute("SELECT name FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False


def _read_entry(fields: tuple[Any, ...]) -> IndexEntry:
    """Read a row of the table of entries. Raises: StoreSchemeError when it is damaged.

    A column of SQLite holds values of any type.
    """
    kinds = (int, str, int, str | None, bytes | None, int | None, int)
    if not all(map(isinstance, fields, kinds)):
        raise errors.StoreSchemeError(f"damaged entry in the store, in row {fields[0]!r}")
    return IndexEntry(*fields)
