"""Store articles in SQLite or PostgreSQL: tables, and writing of items.

All statements are plain SQL that both databases read; SQLAlchemy connects, and says which errors
are those of the server. docs/database.md describes the tables for those who query them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy.utils.serialize import ScrapyJSONEncoder

from webclean_scrapy import errors
from webclean_scrapy.file_modes import why_unwritable
from webclean_scrapy.items import ARTICLE_FIELDS, RECORD
from webclean_scrapy.safe_text import first_line, hide_login, hide_words, visible_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import Connection

CONNECT_S = 5  # seconds for a connection, and for another process to end its transaction
#: What a transaction begins with: those who write take turns, so that no version is lost.
_BEGIN = {
    "sqlite": ["BEGIN IMMEDIATE"],
    "postgresql": ["SET LOCAL statement_timeout = '30s'", "SELECT pg_advisory_xact_lock(7316401)"],
}

#: Fields of an item and their columns; JSON holds lists and objects.
_COLUMNS = {
    "headline": "headline", "articleBody": "body", "articleBodyHtml": "html",
    "canonicalUrl": "canonical_url", "description": "description",
    "datePublished": "date_published", "dateModified": "date_modified", "inLanguage": "language",
}  # fmt: skip
_JSON_COLUMNS = {
    "mainImage": "main_image", "images": "images", "authors": "authors", "keywords": "keywords",
    RECORD: "record", "extra": "extra",
}  # fmt: skip

#: The way from one version of the schema to the next, from an empty database on. What has been
#: released is never edited: a change is one more entry.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE webclean_schema (version INTEGER PRIMARY KEY)",
        "INSERT INTO webclean_schema VALUES (1)",
        """CREATE TABLE crawls (
            id TEXT PRIMARY KEY, spider TEXT NOT NULL,
            started {time} NOT NULL, ended {time}, reason TEXT)""",
        """CREATE TABLE articles (
            url TEXT PRIMARY KEY, headline TEXT, body TEXT, html TEXT, canonical_url TEXT,
            description TEXT, main_image {json}, images {json}, date_published TEXT,
            date_modified TEXT, authors {json}, language TEXT, keywords {json}, record {json},
            extra {json}, version INTEGER NOT NULL, first_seen {time} NOT NULL,
            changed {time} NOT NULL, last_seen {time} NOT NULL, crawl TEXT NOT NULL)""",
        "CREATE INDEX articles_first_seen ON articles (first_seen)",
        """CREATE TABLE versions (
            url TEXT NOT NULL REFERENCES articles (url) ON DELETE CASCADE,
            version INTEGER NOT NULL, headline TEXT, body TEXT, html TEXT, date_modified TEXT,
            changed {time} NOT NULL, crawl TEXT NOT NULL, PRIMARY KEY (url, version))""",
        """CREATE TABLE copies (
            url TEXT PRIMARY KEY, original TEXT NOT NULL, similarity {real} NOT NULL,
            first_seen {time} NOT NULL, last_seen {time} NOT NULL, crawl TEXT NOT NULL)""",
        "CREATE INDEX copies_original ON copies (original)",
        """CREATE TABLE removals (
            url TEXT NOT NULL REFERENCES articles (url) ON DELETE CASCADE,
            number INTEGER NOT NULL, what TEXT NOT NULL, why TEXT, units {real},
            PRIMARY KEY (url, number))""",
    ),
)
_TYPES = {
    "sqlite": {"time": "TEXT", "json": "TEXT", "real": "REAL"},
    "postgresql": {"time": "TIMESTAMPTZ", "json": "JSONB", "real": "DOUBLE PRECISION"},
}
_TABLES = frozenset({"crawls", "articles", "versions", "copies", "removals"})

_FILLED = ("url", *_COLUMNS.values(), *_JSON_COLUMNS.values())
_REPLACED = ", ".join(f"{name} = excluded.{name}" for name in _FILLED[1:])
_IS_NEW = "articles.body <> '' AND articles.body <> excluded.body"  # null is no new text
_CRAWL = """INSERT INTO crawls (id, spider, started, ended, reason)
    VALUES (:crawl, :spider, :started, :ended, :reason)
    ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, reason = excluded.reason"""
#: In the order in which they are sent. An item without a text, as of a page that could not be
#: cleaned this time, replaces none.
STATEMENTS = {
    "versions": """INSERT INTO versions
        SELECT url, version, headline, body, html, date_modified, changed, crawl FROM articles
        WHERE url = :url AND body <> '' AND :body <> '' AND body <> :body""",
    "articles": f"""INSERT INTO articles
        ({", ".join(_FILLED)}, version, first_seen, changed, last_seen, crawl)
        VALUES ({", ".join(":" + name for name in _FILLED)}, 1, :now, :now, :now, :crawl)
        ON CONFLICT (url) DO UPDATE SET {_REPLACED}, last_seen = excluded.last_seen,
        crawl = excluded.crawl, version = articles.version + CASE WHEN {_IS_NEW} THEN 1 ELSE 0 END,
        changed = CASE WHEN {_IS_NEW} THEN excluded.changed ELSE articles.changed END
        WHERE excluded.body <> '' OR COALESCE(articles.body, '') = ''""",  # noqa: S608
    "cleared": "DELETE FROM removals WHERE url = :url",
    "removals": """INSERT INTO removals (url, number, what, why, units)
        VALUES (:url, :number, :what, :why, :how_much)""",
    "copies": """INSERT INTO copies (url, original, similarity, first_seen, last_seen, crawl)
        VALUES (:url, :original, :similarity, :now, :now, :crawl) ON CONFLICT (url) DO UPDATE
        SET original = excluded.original, similarity = excluded.similarity,
        last_seen = excluded.last_seen""",
    "seen": "UPDATE articles SET last_seen = :now WHERE url = :url",
}  # fmt: skip
_OF_ROWS = frozenset({"22", "23", "54"})  # classes of SQLSTATE: the values are at fault
_NUL = re.compile(r"(\\\\)|\\u0000")  # in JSON; not behind an escaped backslash


class ArticleRows(NamedTuple):
    """The rows added by one item, for each of the `STATEMENTS`."""

    url: str = ""
    rows: Mapping[str, list[dict[str, Any]]] = {}


def article_rows(url: str, article: Mapping[str, Any], text: str) -> ArticleRows:
    """Return the rows of an article: fields, *text*, and the removals of its record."""
    record = dict(article.get(RECORD) or {})
    removed = record.pop("removed", ())
    extra = {name: one for name, one in article.items() if name not in ARTICLE_FIELDS}
    values = {**article, "articleBody": text or None, RECORD: record, "extra": extra}
    values["authors"] = _people(article.get("authors"))
    of_url = {"url": _as_text(url)}
    row = of_url | {column: _as_text(values.get(name)) for name, column in _COLUMNS.items()}
    row |= {column: _as_json(values.get(name)) for name, column in _JSON_COLUMNS.items()}
    original = record.get("duplicate_of") or record.get("replaces") or url
    rows = {"articles": [row], **copy_rows(url, original, record.get("similarity", 1.0)).rows}
    if text:
        told = ({name: one.get(name) for name in ("what", "why", "how_much")} for one in removed)
        rows["removals"] = [{**of_url, "number": n, **one} for n, one in enumerate(told, 1)]
        rows |= {"versions": [row], "cleared": [of_url]}
    return ArticleRows(url, rows)


def copy_rows(url: str, original: str, similarity: float) -> ArticleRows:
    """Return the row of a copy with its original, or a ``seen`` row for a repeated page.

    >>> copy_rows("http://a/1", "http://a/1", 1.0).rows
    {'seen': [{'url': 'http://a/1'}]}
    """
    row: dict[str, Any] = {"url": _as_text(url)}
    if url == original:
        return ArticleRows(url, {"seen": [row]})
    row |= {"original": _as_text(original), "similarity": similarity}
    return ArticleRows(url, {"copies": [row]})


def _people(authors: Any) -> Any:
    """Return authors as objects with a name, also those that a class holds as strings.

    >>> _people("Ann Lee"), _people([{"name": "Ann Lee"}, "Li Hong"])
    ([{'name': 'Ann Lee'}], [{'name': 'Ann Lee'}, {'name': 'Li Hong'}])
    """
    people = [authors] if isinstance(authors, str) else authors
    if not isinstance(people, list | tuple):
        return people
    return [{"name": one} if isinstance(one, str) else one for one in people]


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def _as_text(value: Any) -> str | None:
    """Return *value* as text for both databases: without NUL and lone surrogates."""
    if value is None:
        return None
    text = value if isinstance(value, str) else _json_of(value).strip('"')
    return text.replace("\0", "").encode(errors="replace").decode()


def _as_json(value: Any) -> str | None:
    if value is None:
        return None
    return _as_text(_NUL.sub(lambda found: found[1] or "", _json_of(value)))


def _json_of(value: Any) -> str:
    """Return *value* as JSON; fields invalid in JSON become text: NaN, bytes, deep ones."""
    if isinstance(value, dict):
        value = {str(name): _holdable(one) for name, one in value.items()}
    return json.dumps(_holdable(value), cls=ScrapyJSONEncoder, ensure_ascii=False)


def _holdable(value: Any) -> Any:
    with suppress(TypeError, ValueError, RecursionError):
        json.dumps(value, cls=ScrapyJSONEncoder, allow_nan=False)
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    with suppress(RecursionError):
        return str(value)
    return f"a {type(value).__name__} that is too deep"


class ArticleStore:
    """Writes entries into the database at *uri*, which is opened on the first call.

    Raises: ConfigError for an address that cannot be used, or a library that is missing.
    """

    def __init__(self, uri: str) -> None:
        try:
            from sqlalchemy import create_engine, event, make_url
            from sqlalchemy.exc import SQLAlchemyError
        except ImportError:
            raise errors.missing_library("a database of articles", "sqlalchemy") from None
        self.shown = hide_login(uri)
        self._dialect = re.split(r"[+:]", uri, maxsplit=1)[0]
        wrong = errors.ConfigError(
            "must be sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME, got "
            f"{visible_line(self.shown)}"
        )
        try:
            url = make_url(uri.replace("postgresql://", "postgresql+psycopg://"))
            is_sqlite = self._dialect == "sqlite"
            if self._dialect not in _TYPES or (is_sqlite and url.database in {None, ":memory:"}):
                raise wrong
            options = {"timeout" if is_sqlite else "connect_timeout": CONNECT_S}
            self._engine = create_engine(
                url, connect_args=options, hide_parameters=True, pool_size=1, max_overflow=0
            )
        except ImportError:
            raise errors.missing_library("a database in PostgreSQL", "psycopg[binary]") from None
        except (SQLAlchemyError, TypeError, ValueError):  # its words may hold the password
            raise wrong from None
        named = (str(url.query.get(one, "")) for one in ("user", "password", "sslpassword"))
        self._secrets = (url.username, url.password, *named)
        self.file = Path(url.database or "") if is_sqlite else None
        if is_sqlite:
            event.listen(self._engine, "connect", _set_up_sqlite)

    def open(self, *, migrates: bool = True) -> None:
        """Migrate the tables to the newest schema, or only check that it is possible.

        Raises: StoreUnavailableError; StoreSchemeError for tables that are not ours.
        """
        if self.file is not None and not migrates and not self.file.exists():
            if problem := why_unwritable(self.file):
                raise errors.StoreUnavailableError(problem)
            return
        try:
            with self._transaction() as connection:
                self._check_encoding(connection)
                version = self._version(connection)
                for step in chain.from_iterable(MIGRATIONS[version:] if migrates else ()):
                    connection.exec_driver_sql(step.format(**_TYPES[self._dialect]))
        finally:
            self.close()

    def write(self, entries: Iterable[ArticleRows], crawl: Mapping[str, Any]) -> Counter[str]:
        """Write entries in one transaction; return the number of rows changed per statement.

        *crawl*: values of its row. Raises: StoreUnavailableError when a later try may succeed;
        StoreError when the values of a row are refused.
        """
        from sqlalchemy import text

        values = {**crawl, "now": now()}
        changed = Counter[str]()
        with self._transaction() as connection:
            connection.execute(text(_CRAWL), values)
            for part in _without_repeats(entries):
                for name, statement in STATEMENTS.items():
                    rows = [values | row for one in part for row in one.rows.get(name, ())]
                    if rows:
                        changed[name] += connection.execute(text(statement), rows).rowcount
        return changed

    def close(self) -> None:
        """Close the connection; the next call opens a new one."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Open a transaction that excludes other writers; commit at the end.

        Errors of the library may show values and logins: ours replace them.
        """
        from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

        try:
            with self._engine.begin() as connection:
                for statement in _BEGIN[self._dialect]:
                    connection.exec_driver_sql(statement)
                yield connection
            return
        except SQLAlchemyError as error:
            cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
            state = str(getattr(cause, "sqlstate", None) or "")
            is_of_row = isinstance(error, DataError | IntegrityError) or state[:2] in _OF_ROWS
            made = errors.StoreError if is_of_row else errors.StoreUnavailableError
            said = visible_line(hide_words(first_line(cause), self._secrets))
        raise made(f"{self.shown}: {said}")

    def _check_encoding(self, connection: Connection) -> None:
        """Raise StoreSchemeError for a PostgreSQL encoding without all of Unicode."""
        if self._dialect == "postgresql":
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
            if encoding not in {"UTF8", b"UTF8"}:
                encoding = encoding if isinstance(encoding, str) else encoding.decode()
                why = f"the encoding {encoding}; create it with ENCODING 'UTF8' TEMPLATE template0"
                raise errors.StoreSchemeError(f"{self.shown} has {why}")

    def _version(self, connection: Connection) -> int:
        """Return the schema version, 0 without our tables. Raises: StoreSchemeError."""
        from sqlalchemy import inspect

        tables = inspect(connection).get_table_names()
        if "webclean_schema" in tables:
            asked = connection.exec_driver_sql("SELECT max(version) FROM webclean_schema")
            if (version := int(asked.scalar_one())) <= len(MIGRATIONS):
                return version
            why = f"tables of version {version}, and this webclean_scrapy is older; upgrade it"
        elif found := sorted(_TABLES.intersection(tables)):
            why = f"a table {found[0]} of others; use another database, or a schema of its own"
        else:
            return 0
        raise errors.StoreSchemeError(f"{self.shown} has {why}")


def _without_repeats(entries: Iterable[ArticleRows]) -> Iterator[list[ArticleRows]]:
    """Yield entries in batches without repeated addresses, so that versions see each other."""
    part: dict[str, ArticleRows] = {}
    for entry in entries:
        if entry.url in part:
            yield list(part.values())
            part = {}
        part[entry.url] = entry
    if part:
        yield list(part.values())


def _set_up_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where we say
    connection.execute("PRAGMA foreign_keys = ON")
