"""Where an SQLite store keeps its postings (code -> rows): in memory, or in its file.

In memory a page writes four pages of the file instead of forty, and a code is found without a
search in the file, at 340 bytes for each page kept in every process that has the file open. The
file then holds the codes of each entry: postings are read from these when it is opened, in about
10 us for each page kept. What other processes write is read before a search, if there is any.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webclean_scrapy.dedup.stores.postings import PostingTable
from webclean_scrapy.errors import StoreSchemeError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from webclean_scrapy.dedup.stores.entry import Entry

IN_MEMORY_TABLES = """
ALTER TABLE entries ADD COLUMN codes BLOB;  -- 32 bits each, little-endian, NULL: none
CREATE TABLE changes (  -- of entries that were there before
    number INTEGER PRIMARY KEY, row INTEGER NOT NULL, old BLOB NOT NULL
);
CREATE INDEX entries_cluster ON entries (cluster) WHERE cluster <> row;
"""
IN_FILE_TABLES = """
CREATE INDEX entries_cluster ON entries (cluster);
CREATE TABLE postings (
    code INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (code, row)
) WITHOUT ROWID;
"""
INSERT = """
INSERT INTO entries (row, key, cluster, run, data, added, codes)
SELECT new, :key, coalesce(nullif(:cluster, 0), new), :run, :data, :added, :codes FROM (
    SELECT coalesce(
        nullif(:row, 0), 1 + (SELECT seq FROM sqlite_sequence WHERE name = 'entries'), 1
    ) AS new
)
"""
CHANGES_KEPT = 10_000  # a process that has missed more of them reads everything again
MOST_ROWS = 0xFFFFFFFF
_AT_ONCE = 10_000  # entries that are read into memory


class Change(NamedTuple):
    """What a transaction has changed so far, and how to undo it."""

    old: bytes  # codes that the row loses
    new: bytes  # codes that it gets
    row: int
    last_row: int  # of the table before
    last_number: int  # of a change before


class SqlitePostings(ABC):
    """The postings of the entries in *db*. What is written is so in the transaction of the caller.

    Every method raises sqlite3.Error.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @abstractmethod
    def find(self, codes: Sequence[int]) -> dict[int, list[int]]:
        """Return the rows of each of *codes* that has any, in any order."""

    @abstractmethod
    def insert(self, entry: Entry, codes: Sequence[int]) -> None:
        """Write *entry*, indexed under *codes*. Row and cluster 0: it gets new ones."""

    @abstractmethod
    def discard(self, codes: Sequence[int], row: int) -> None:
        """Remove the entry in *row*, which is still there, from those of *codes* that it has."""

    @abstractmethod
    def begin(self) -> None:
        """Prepare for a transaction."""

    @abstractmethod
    def catch_up(self) -> None:
        """Read what other processes have written since the last time."""

    @abstractmethod
    def undo(self) -> None:
        """Forget what was written since `begin`: the transaction was rolled back."""


class PostingsInFile(SqlitePostings):
    """A table of the file: 17 places of it for each page kept, and little memory."""

    def find(self, codes: Sequence[int]) -> dict[int, list[int]]:
        placeholders = ",".join("?" * len(codes))
        rows: dict[int, list[int]] = {}
        sql = f"SELECT code, row FROM postings WHERE code IN ({placeholders})"  # noqa: S608
        for code, row in self._db.execute(sql, codes):
            rows.setdefault(code, []).append(row)
        return rows

    def insert(self, entry: Entry, codes: Sequence[int]) -> None:
        row = self._db.execute(
            "INSERT INTO entries (row, key, cluster, run, data, added) VALUES (?, ?, ?, ?, ?, ?)",
            (entry.row or None, *entry[1:]),
        ).lastrowid
        if not entry.cluster:
            self._db.execute("UPDATE entries SET cluster = row WHERE row = ?", (row,))
        self._db.executemany(
            "INSERT OR IGNORE INTO postings VALUES (?, ?)", [(code, row) for code in codes]
        )

    def discard(self, codes: Sequence[int], row: int) -> None:
        self._db.executemany(
            "DELETE FROM postings WHERE code = ? AND row = ?", [(code, row) for code in codes]
        )

    def begin(self) -> None:
        return  # the table is part of the transaction

    def catch_up(self) -> None:
        return

    def undo(self) -> None:
        return


class PostingsInMemory(SqlitePostings):
    """A table in memory of the codes that the entries of the file hold."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__(db)
        self._table = PostingTable()
        self._version: int | None = None  # of the file, when the table was last made equal to it
        self._last_row = 0  # up to which entries are in the table
        self._last_change = 0
        self._written: list[Change] = []  # in this transaction

    def find(self, codes: Sequence[int]) -> dict[int, list[int]]:
        if not self._db.in_transaction:
            self.catch_up()
        return self._table.get_all(codes)

    def insert(self, entry: Entry, codes: Sequence[int]) -> None:
        packed = np.array(codes, "<u4").tobytes() if codes else b""
        fields = {**entry._asdict(), "codes": packed or None}
        row = self._db.execute(INSERT, fields).lastrowid
        if row is not None and codes:
            _check_row(row)
            self._note(b"", packed, row)
            if entry.row:  # others may have read beyond it
                self._log(b"", row)
            self._table.add(codes, row)
            self._last_row = max(self._last_row, row)

    def discard(self, codes: Sequence[int], row: int) -> None:
        del codes
        found = self._db.execute("SELECT codes FROM entries WHERE row = ?", (row,)).fetchone()
        if found is None or found[0] is None:
            return
        old = _checked(found[0])
        self._note(old, b"", row)
        self._log(old, row)
        self._table.discard(_unpack(old), row)

    def _note(self, old: bytes, new: bytes, row: int) -> None:
        self._written.append(Change(old, new, row, self._last_row, self._last_change))

    def _log(self, old: bytes, row: int) -> None:
        number = self._db.execute(
            "INSERT INTO changes (row, old) VALUES (?, ?)", (row, old)
        ).lastrowid
        self._db.execute("DELETE FROM changes WHERE number <= ? - ?", (number, CHANGES_KEPT))
        self._last_change += 1

    def begin(self) -> None:
        self._written.clear()

    def undo(self) -> None:
        for change in reversed(self._written):
            self._table.discard(_unpack(change.new), change.row)
            self._table.add(_unpack(change.old), change.row)
            self._last_row, self._last_change = change.last_row, change.last_number
        self._written.clear()

    def catch_up(self) -> None:
        (version,) = self._db.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return
        changes = self._db.execute(
            "SELECT number, row, old FROM changes WHERE number > ?", (self._last_change,)
        ).fetchall()
        if changes and changes[0][0] != self._last_change + 1:  # some are no longer there
            self._table, self._last_row = PostingTable(), 0
        else:
            for _, row, old in changes:
                _check_row(row)
                self._change(row, _checked(old))
        self._last_change = changes[-1][0] if changes else self._last_change
        self._read_new()
        self._version = version

    def _change(self, row: int, old: bytes) -> None:
        """Take *row*, which had the codes *old*, as it is now; new rows are read with others."""
        if row > self._last_row:
            return
        self._table.discard(_unpack(old), row)
        sql = "SELECT codes FROM entries WHERE row = ? AND codes IS NOT NULL"
        for (codes,) in self._db.execute(sql, (row,)):
            now = _unpack(_checked(codes))
            self._table.discard(now, row)  # an earlier change of the same row has added them
            self._table.add(now, row)

    def _read_new(self) -> None:
        sql = "SELECT row, codes FROM entries WHERE row > ? AND codes IS NOT NULL ORDER BY row"
        found = self._db.execute(sql, (self._last_row,))
        while entries := found.fetchmany(_AT_ONCE):
            rows = np.array([row for row, _ in entries], np.uint64)
            counts = [len(_checked(codes)) // 4 for _, codes in entries]
            codes = np.frombuffer(b"".join(codes for _, codes in entries), "<u4")
            self._table.add_all(codes.astype(np.uint64), rows.repeat(counts))
            self._last_row = entries[-1][0]


def _checked(codes: object) -> bytes:
    """Return *codes* as they are. Raises: StoreSchemeError, as a column holds any type."""
    if isinstance(codes, bytes) and len(codes) % 4 == 0:
        return codes
    raise StoreSchemeError("damaged codes of an entry in the store")


def _check_row(row: object) -> None:
    """Raise StoreSchemeError unless *row* can be in a `PostingTable`."""
    if not (isinstance(row, int) and 0 < row <= MOST_ROWS):
        raise StoreSchemeError(f"damaged number of a row in the store: {row!r:.40}")


def _unpack(codes: bytes) -> list[int]:
    found: list[int] = np.frombuffer(codes, "<u4").tolist()
    return found
