"""Keep the state of watched sites in an SQLite file.

An address that a list names waits until its page is an article, which settles it; docs/watching.md
says when it is asked for again, and when it is given up.

What a list names is kept together with the validators of that list, in one transaction, and an
address is settled when its item is in the feed. So after a kill, whenever it comes, the next round
asks for what is not settled, and a list that answers "not modified" hides nothing.

An address is found by 63 bits of its hash, in a table that is its own index. One process uses a
file at a time; the lock ends with the process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webclean_scrapy.spiders.documents import FEED, PAGE
from webclean_scrapy.spiders.watch.rounds import (
    DUE,
    LOW,
    Address,
    QueuedPage,
    Source,
    Trouble,
    WatchedSite,
)  # fmt: skip
from webclean_scrapy.spiders.watch.state_file import StateFile
from webclean_scrapy.web_addresses import is_web, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from webclean_scrapy.spiders.documents import ListedPage

# The status of an address; from the second on it is settled.
WAITS, EXPORTED, NOT_ARTICLE, GIVEN_UP, LEFT_OUT = range(5)
HOUR_S, DAY_S = 3_600, 86_400
#: When the next requests follow after the first that gave nothing; a twentieth earlier will do.
STEPS_S = (HOUR_S // 2, 2 * HOUR_S, 6 * HOUR_S, DAY_S, 2 * DAY_S, 3 * DAY_S)
#: When a list that has named no article is looked at again: when its age has doubled.
LIST_STEPS_S = (6 * HOUR_S, *(days * DAY_S for days in (1, 2, 4, 8, 16, 32)))
TWO_DAYS_S = 2 * DAY_S - 2 * HOUR_S  # until a page of another kind is requested once more
UNCHANGED_S = HOUR_S // 2  # times 4 for each time that a newer date brought the old text
LONGEST_S = 30 * DAY_S  # a longer wait comes from a wrong clock
LOOKS_LIKE = "looks like "  # why an address waits that was answered, but with no article
A_LIST = f"{LOOKS_LIKE}a list of no articles"
TOGETHER = "other pages have its text"
MAX_SOURCES = 5_000  # of a site that are ever added: an index may name new ones without end
BEST = 2  # sources of a site that are asked in each round
DECAY = 0.9  # weight of a round beside the next one, in how often a source had something new
ROBOTS_S = DAY_S - HOUR_S  # so a daily round asks for robots.txt, and the next one does not
FORGET_DAYS = 90  # after which an address that no list names any more is forgotten
FIRST_ROUNDS = 24  # of a site without an article, in which its sources are looked for
NAMED_DAYS = 7  # how exactly it is noted when a list named an address
LATEST = 10  # rounds of which the number of new articles is kept
FORGET = (
    "DELETE FROM addresses WHERE status >= 1 AND day < ?1 AND day < coalesce(("
    "SELECT read_day FROM sources WHERE sources.source = addresses.source), ?2) - ?3"
)


class WatchState(StateFile):
    """The state in the file *path*, created if missing. *clock*: seconds since 1970.

    Raises: StoreUnavailableError when another process uses it or it cannot be opened; StoreError
    when it is a file of another program or version.
    """

    def __init__(self, path: str | Path, clock: Callable[[], float]) -> None:
        super().__init__(path)
        self._clock = clock

    @property
    def _now(self) -> int:
        return int(self._clock())

    @property
    def _today(self) -> int:
        return self._now // DAY_S

    # Sites.

    def begin_round(self, home: str) -> WatchedSite | None:
        """Begin the next round of the site *home*; None while it is left alone."""
        with self._transaction() as db:
            sql = "INSERT OR IGNORE INTO sites (site, home) VALUES (?, ?)"
            db.execute(sql, (site_number(home), home))
            columns = "site, home, round, leads_to, failing, wait_until, began"
            sql = f"SELECT {columns} FROM sites WHERE home = ?"  # noqa: S608, names of columns
            site = WatchedSite(*db.execute(sql, (home,)).fetchone())
            if self._now < site.wait_until <= self._now + DAY_S:
                return None
            sql = "SELECT count(*) FROM sources WHERE site = ? AND asked_in > ?"
            cut = self._value(sql, site.site, site.round) != 0
            return site._replace(round=site.round + 1, resumes_killed_round=cut)

    def end_round(self, site: WatchedSite, counts: Mapping[str, int], *, failed: bool) -> int:
        """Record the end of a round; return until when a *failed* site is left alone."""
        new, now = counts["new"], self._now
        failing = (site.failing or now) if failed else 0
        until = min(next_step(failing, now) or now + DAY_S, now + DAY_S) if failed else 0
        found = self._value("SELECT latest FROM sites WHERE site = ?", site.site, default="")
        latest = " ".join([*str(found).split(), str(new)][-LATEST:])
        self._change(
            "UPDATE sites SET round = ?1, failing = ?2, wait_until = max(?3, wait_until),"
            " latest = ?4, ended = ?5, failures = iif(?2, failures + 1, 0),"
            " articles = articles + ?6, low = low + ?7, fruitful = fruitful + (?6 > 0),"
            " last_new = iif(?6, ?5, last_new), began = iif(began = 0 AND (?6 OR"
            " ?1 >= ?9), ?5, began) WHERE site = ?8",
            site.round, failing, until, latest, now, new, counts[LOW], site.site, FIRST_ROUNDS,
        )  # fmt: skip
        return until

    def lead_to(self, site: WatchedSite, url: str) -> None:
        """Record the redirect target of a site's first page."""
        self._change("UPDATE sites SET leads_to = ? WHERE site = ?", url, site.site)

    def history(self, columns: str) -> list[tuple[Any, ...]]:
        """Return *columns* (SQL) of each site."""
        return self._rows(f"SELECT {columns} FROM sites ORDER BY home")  # noqa: S608

    def troubles(self, home: str) -> list[Trouble]:
        """Return the addresses of a site that failed and wait, then the ones given up."""
        sql = (
            "SELECT status, url, why, due FROM addresses WHERE site = ? AND why IS NOT NULL"
            " AND status IN (?, ?) ORDER BY status, since"
        )
        return [
            Trouble(status == GIVEN_UP, _whole(home, url), why, due)
            for status, url, why, due in self._rows(sql, site_number(home), WAITS, GIVEN_UP)
        ]

    def wait(self, site: WatchedSite, seconds: float) -> None:
        """Leave the site alone for some seconds."""
        until = int(self._clock() + seconds)
        self._change("UPDATE sites SET wait_until = ? WHERE site = ?", until, site.site)

    def robots(self, host: str) -> bytes | None:
        """Return the robots.txt of *host* if not older than `ROBOTS_S`."""
        sql = "SELECT CAST(body AS BLOB) FROM robots WHERE host = ? AND at > ? AND at <= ?"
        found = self._value(sql, host, self._now - ROBOTS_S, self._now)
        return found if isinstance(found, bytes) else None

    def set_robots(self, host: str, body: bytes) -> None:
        self._change("REPLACE INTO robots VALUES (?, ?, ?)", host, body, self._now)

    # Sources.

    def add_source(self, site: WatchedSite, url: str, kind: str, dated: int | None = None) -> bool:
        """Add or update a source; True if it must be requested: new, or changed."""
        changed = self._change(
            "UPDATE sources SET dated = ?3, due = 2 WHERE site = ?1 AND url = ?2"
            " AND dated IS NOT ?3 AND ?3 IS NOT NULL",
            site.site, url, dated,
        )  # fmt: skip
        added = self._change(
            "INSERT OR IGNORE INTO sources (source, site, url, kind, dated, due) SELECT"
            " coalesce(max(source), ?1 << 16) + 1, ?1, ?2, ?3, ?4, 2 FROM sources WHERE site = ?1"
            " HAVING coalesce(max(source), 0) < (?1 << 16) + ?5",
            site.site, url, kind, dated, MAX_SOURCES,
        )  # fmt: skip
        return bool(changed or added)

    def sources(self, site: WatchedSite) -> list[Source]:
        """Return the sources of a site in the order of requests.

        First those that were never read, then the two best, then those that have waited for too
        long for what they bring. Those that an index dates are asked when they are due, and a list
        other than the first page when it has named an article.
        """
        which = "site = ? AND (dated IS NULL OR due) AND (kind <> ? OR hits OR url = ?)"
        found = self._sources(which, site.site, PAGE, site.home)
        found.sort(key=lambda one: (-one.share, one.source))
        best = sum(one.due == DUE for one in found) or BEST
        return found[:best] + sorted(found[best:], key=lambda one: -one.chance(site.round))

    def source(self, site: WatchedSite, url: str) -> Source:
        """Return a source; its number is 0 if the site has too many to be kept."""
        found = self._sources("site = ? AND url = ?", site.site, url)
        return found[0] if found else Source(0, url, PAGE)

    def _sources(self, which: str, *values: object) -> list[Source]:
        columns = "source, url, kind, etag, modified, asked, hits, asked_in, due, failing"
        sql = f"SELECT {columns} FROM sources WHERE {which}"  # noqa: S608, our own words
        return [Source(*row) for row in self._rows(sql, *values)]

    def source_failed(self, source: Source) -> None:
        """Record a failed request; a source that failed for days is forgotten."""
        with self._transaction() as db:
            db.execute(
                "UPDATE sources SET failures = failures + 1, asked = asked + 1,"
                " failing = iif(failing, failing, ?) WHERE source = ?",
                (self._now, source.source),
            )
            sql = "DELETE FROM sources WHERE source = ? AND hits = 0 AND failing < ?"
            db.execute(sql, (source.source, self._now - STEPS_S[-1]))

    def note_source(
        self,
        site: WatchedSite,
        source: Source,
        entries: Iterable[ListedPage] = (),
        validators: tuple[str | None, str | None] | None = None,
    ) -> list[QueuedPage]:
        """Record the pages a source lists and its ETag/Last-Modified; None after a 304.

        Returns those that are new, or newer than what was exported, or left by a killed round.
        """
        with self._transaction() as db:
            new = [
                found for entry in entries if (found := self._record_address(site, source, entry))
            ]
            days_ago = self._now - STEPS_S[-1]
            db.execute(
                "UPDATE sources SET asked = asked * ?1 + 1, hits = hits * ?1, asked_in = ?2,"
                " due = ifnull(?5 AND dated > ?6, 0), failing = 0, failures = 0, kind = ?4"
                " WHERE source = ?3",
                (DECAY, site.round, source.source, source.kind, not new, days_ago),
            )
            if validators is not None:
                sql = "UPDATE sources SET etag = ?, modified = ?, read_day = ? WHERE source = ?"
                db.execute(sql, (*validators, self._today, source.source))
        return new

    def _record_address(
        self, site: WatchedSite, source: Source, entry: ListedPage
    ) -> QueuedPage | None:
        """Record a listed address; return it if its page is to be requested."""
        db, number, day = self._db, address_hash(entry.url), self._today
        if (entry.dated or 0) > self._now + DAY_S:  # no later date would be newer
            entry = entry._replace(dated=None)
        column = "feed_date" if source.kind == FEED else "map_date"
        sql = f"SELECT status, {column}, day, due FROM addresses WHERE hash = ?"  # noqa: S608
        known = db.execute(sql, (number,)).fetchone()
        waiting = QueuedPage(number, entry.url)
        if known is None:
            row = (number, site.site, source.source, WAITS, self._short(site, entry.url), day)
            columns = f"hash, site, source, status, url, day, {column}"
            sql = f"INSERT INTO addresses ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
            db.execute(sql, (*row, entry.dated))
            return waiting
        status, dated, named, due = known
        if named < day - NAMED_DAYS:
            db.execute("UPDATE addresses SET day = ? WHERE hash = ?", (day, number))
        is_due = due <= self._now or due > self._now + LONGEST_S
        if entry.dated is None or entry.dated <= (dated or 0):
            return waiting if site.resumes_killed_round and status == WAITS and is_due else None
        db.execute(f"UPDATE addresses SET {column} = ? WHERE hash = ?", (entry.dated, number))  # noqa: S608
        if status in {WAITS, NOT_ARTICLE} or dated is None:
            return None
        sql = "UPDATE addresses SET status = ?, since = 0, why = NULL, url = ? WHERE hash = ?"
        db.execute(sql, (WAITS, self._short(site, entry.url), number))
        return waiting if is_due else None

    @staticmethod
    def _short(site: WatchedSite, url: str) -> str:
        rest = url.removeprefix(site.home)
        return url if not rest or is_web(rest) else rest

    # Addresses.

    def waiting(self, site: WatchedSite, limit: int, since: float = 0.0) -> list[QueuedPage]:
        """Return at most *limit* addresses to request now (0: all), the latest first.

        Those that gave nothing before come last. Those that are dated before *since* are settled:
        they are left out until they are newer.
        """
        with self._transaction() as db:
            db.execute(
                "UPDATE addresses SET status = ?1 WHERE site = ?2 AND status = 0"
                " AND coalesce(max(feed_date, map_date), feed_date, map_date, ?3) < ?3",
                (LEFT_OUT, site.site, int(since)),
            )
            sql = (
                "SELECT hash, url, since, coalesce(feed_date, map_date) FROM addresses"
                " WHERE site = ?1 AND status = 0 AND (due <= ?2 OR due > ?3)"
                " ORDER BY since, coalesce(feed_date, map_date, 0) DESC LIMIT ?4"
            )
            now = self._now
            rows = db.execute(sql, (site.site, now, now + LONGEST_S, limit or -1)).fetchall()
        return [
            QueuedPage(number, _whole(site.home, url), since=first, dated=dated)
            for number, url, first, dated in rows
        ]

    def move(self, site: WatchedSite, page: QueuedPage, url: str) -> QueuedPage:
        """Return the page at *url*, the redirect target of *page*, with its listed dates."""
        moved = page._replace(hash=address_hash(url), url=url)
        columns = "site, source, status, day, feed_date, map_date, since"
        self._change(
            f"INSERT OR IGNORE INTO addresses (hash, url, {columns})"  # noqa: S608, our own words
            f" SELECT ?, ?, {columns} FROM addresses WHERE hash = ?",
            moved.hash, self._short(site, url), page.hash,
        )  # fmt: skip
        return moved

    def begin_page(self, number: int) -> None:
        """Record that a page is requested."""
        sql = "UPDATE addresses SET since = ? WHERE hash = ? AND since = 0"
        self._change(sql, self._now, number)

    def end_page(
        self, number: int, status: int, round_: int = 0, *, is_unchanged: bool = False
    ) -> None:
        """Settle an address; an exported one is credited to its source in *round_*.

        *is_unchanged*: it had a newer date and the text that was exported before.
        """
        times = self.address(number).unchanged + 1 if is_unchanged else 0
        due = self._now + min(UNCHANGED_S * 4 ** min(times, 9), LONGEST_S) if times else 0
        self._put(number, status, due, times=times)
        self.credit(number, round_)

    def credit(self, number: int, round_: int) -> None:
        """Count that the source of an address has brought something new in *round_*."""
        self._change(
            "UPDATE sources SET hits = hits + 1, hit_in = ?1 WHERE hit_in < ?1 AND source ="
            " (SELECT source FROM addresses WHERE hash = ?2)",
            round_, number,
        )  # fmt: skip

    def page_failed(self, number: int, why: str, least: int = 0, settled: int = WAITS) -> None:
        """Schedule the next attempt at a page, in at least *least* seconds, or give up.

        With *settled*, it becomes that as soon as it says *why* for the second time.
        """
        one, now = self.address(number), self._now
        first = one.first(now)
        due = next_step(first, now)
        if due and (settled == WAITS or one.why != why):
            due = max(due, now + least)
            self._put(number, WAITS, due, why=why, since=first, times=one.unchanged)
        elif settled in {WAITS, GIVEN_UP}:  # a newer date may ask again, but not in each round
            self._put(number, GIVEN_UP, now + STEPS_S[-1], why=why, since=first)
        else:
            self.end_page(number, settled)

    def list_waits(self, number: int) -> None:
        """Schedule the next look at a list that has named no article, or settle it.

        One that also failed in other ways has the time of what fails.
        """
        one, now = self.address(number), self._now
        first, steps = one.first(now), LIST_STEPS_S if one.why in {"", A_LIST} else STEPS_S
        if due := next_step(first, now, steps):
            self._put(number, WAITS, due, why=one.why or A_LIST, since=first)
        else:
            self.end_page(number, NOT_ARTICLE)

    def asks_again(self, page: QueuedPage) -> bool:
        """True if a page without an article now is requested again."""
        return next_step(page.since or self._now, self._now) > 0

    def address(self, number: int) -> Address:
        """Return the state of an address."""
        columns = "status, since, ifnull(why, ''), day, unchanged, notice"
        sql = f"SELECT {columns} FROM addresses WHERE hash = ?"  # noqa: S608, names of columns
        return next((Address(*row) for row in self._rows(sql, number)), Address())

    def set_notice(self, number: int, text: int) -> None:
        """Record the hash of a text that other pages of the site have, too."""
        self._change("UPDATE addresses SET notice = ? WHERE hash = ?", text, number)

    def waiting_for(self, site: WatchedSite, why: str) -> list[int]:
        """Return the hashes of the addresses of a site that wait because of *why*."""
        sql = "SELECT hash FROM addresses WHERE site = ? AND status = 0 AND why = ?"
        return [number for (number,) in self._rows(sql, site.site, why)]

    def is_recent(self, number: int) -> bool:
        """True if an address was first listed within the last days."""
        return self._today - self.address(number).day <= STEPS_S[-1] // DAY_S

    def _put(
        self, number: int, status: int, due: int, *, why: str = "", since: int = 0, times: int = 0
    ) -> None:
        self._change(
            "UPDATE addresses SET status = ?, due = ?, why = nullif(?, ''), since = ?,"
            " unchanged = ? WHERE hash = ?",
            status, due, why, since, times, number,
        )  # fmt: skip

    def forget(self) -> int:
        """Delete settled addresses not listed for long, once a day; return their number.

        Whether a list names them is known only of lists that were read since.
        """
        if self._header("forgot") == str(self._today):
            return 0
        with self._transaction() as db:
            db.execute("REPLACE INTO watch_header VALUES ('forgot', ?)", (str(self._today),))
            days = self._today - FORGET_DAYS, self._today, NAMED_DAYS
            return db.execute(FORGET, days).rowcount


def next_step(first: int, now: int, steps: tuple[int, ...] = STEPS_S) -> int:
    """Return the time of the next attempt after failures since *first*; 0: given up."""
    times = (first + step - step // 20 for step in steps)
    return next((at for at in times if at > now), 0)


def _whole(home: str, url: str) -> str:
    return url if is_web(url) else home + url


def address_hash(url: str) -> int:
    """Return the key of an address: 63 bits, equal with any scheme, ``www.`` and last slash."""
    name = url.partition("://")[2].removeprefix("www.").rstrip("/")
    return number_of(name, 8) >> 1


def site_number(home: str) -> int:
    """Return the stable number of a site, 47 bits; its sources have 16 more."""
    return number_of(home, 6) >> 1
