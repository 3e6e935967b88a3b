"""Articles, versions, copies and removals in real databases, from real crawls."""

import json
import re
import sqlite3
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from itemadapter import ItemAdapter

from tests.crawling import Crawled, Crawls, PageSpider, spider_of
from tests.marks import nightly
from tests.pages import article, article_text, sentences
from tests.postgres_server import PASSWORD, USER, PostgresServer
from tests.server import SiteServer
from tests.waiting import wait_until
from webclean_scrapy.crawl import scrapy_private
from webclean_scrapy.errors import ConfigError, StoreError
from webclean_scrapy.export import database as database_module
from webclean_scrapy.export.database import MIGRATIONS, ArticleStore, article_rows
from webclean_scrapy.items import ArticleItem

Query = Callable[[str], list[Any]]
Database = tuple[str, Query]
COLUMNS = "url, headline, body, html, language, keywords, record"
FIELDS = "url headline articleBody articleBodyHtml inLanguage keywords webclean".split()
CAPTION = "</p><figure><img src=/a.png><figcaption>A boat. Photo: Ada</figcaption></figure></p>"
INDEX = "sqlite:///{}/index.db"
NO_INDEX = {"WEBCLEAN_DEDUP_ENABLED": False}
CRAWL = {"crawl": "c", "spider": "s", "started": "2026-01-01", "ended": None, "reason": None}
DOCUMENT = Path(__file__).parents[2] / "docs" / "database.md"


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """The address of an empty database, and a function that asks it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'news.db'}", sqlite(tmp_path / "news.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    server.query("DROP DATABASE IF EXISTS news")
    server.query("CREATE DATABASE news")
    return server.uri("news"), lambda statement: server.query(statement, "news")


def sqlite(file: Path) -> Query:
    def ask(statement: str) -> list[Any]:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            return connection.execute(statement).fetchall()

    return ask


def pages(count: int) -> dict[str, Any]:
    """Return articles, each with a caption that is removed from its body."""
    made = {f"/{number}.html": article(number) for number in range(1, count + 1)}
    return {path: page.replace("</p>", CAPTION, 1) for path, page in made.items()}


def crawl(
    crawls: Crawls, site: SiteServer, uri: str, settings: Any = None, spider: Any = PageSpider
) -> Crawled:
    given = {"WEBCLEAN_STORE": uri, **(settings or {})}
    return crawls.run(spider, given, urls=[site.url(path) for path in site.routes])


def test_rows_are_those_of_the_feed(crawls: Crawls, tmp_path: Path, database: Database) -> None:
    uri, ask = database
    feed = tmp_path / "feed.jsonl"
    with SiteServer(pages(3)) as site:
        settings = {"FEEDS": {str(feed): {"format": "jsonlines"}}, "CONCURRENT_REQUESTS": 3}
        crawled = crawl(crawls, site, uri, settings)
    items = sorted(map(json.loads, feed.read_text().splitlines()), key=lambda one: str(one["url"]))
    gone = [(item["url"], *one.values()) for item in items for one in item["webclean"]["removed"]]
    for item in items:
        del item["webclean"]["removed"]
    rows = ask(f"SELECT {COLUMNS} FROM articles ORDER BY url")  # noqa: S608
    plain = [
        [*row[:-2], *(one if uri[0] == "p" else json.loads(one) for one in row[-2:])]
        for row in rows
    ]
    assert plain == [[item[name] for name in FIELDS] for item in items]
    assert ask("SELECT url, what, why, units FROM removals ORDER BY url, number") == gone
    assert len(rows) == 3 <= len(gone)
    ((spider, reason, ended),) = ask("SELECT spider, reason, ended FROM crawls")
    assert (spider, reason, bool(ended)) == ("pages", "finished", True)
    stored = {name: count for name, count in crawled.ours().items() if "/store/" in name}
    assert stored == {"webclean/store/rows/articles": 3}


def test_own_classes_are_stored_with_the_record_of_their_page(
    crawls: Crawls, database: Database
) -> None:
    uri, ask = database

    @dataclass
    class Story:
        url: str
        title: str = ""
        text: str = ""
        author: str = ""

    spider = spider_of(lambda url: [Story(url, author="Ann Lee")])
    with SiteServer(pages(1)) as site:
        crawl(crawls, site, uri, spider=spider)
    asked = "record ->> 'kind', authors -> 0 ->> 'name', headline <> '', body <> ''"
    ((kind, name, *filled),) = ask(f"SELECT {asked} FROM articles")  # noqa: S608
    assert (kind, name, *map(bool, filled)) == ("article", "Ann Lee", True, True)


@pytest.mark.parametrize(("index", "versions"), [("", "all"), (INDEX, "all"), (INDEX, "last")])
def test_a_second_crawl_updates_and_keeps_the_version_before(
    crawls: Crawls, database: Database, tmp_path: Path, index: str, versions: str
) -> None:
    uri, ask = database
    settings = {"WEBCLEAN_DEDUP_URI": index.format(tmp_path), "WEBCLEAN_VERSIONS": versions}
    with SiteServer(pages(3)) as site:
        crawl(crawls, site, uri, settings)
        before = ask("SELECT url, 1, body FROM articles WHERE url LIKE '%/2.html'")
        edited = [*article_text(2), "Nothing was found.", "Nobody was hurt by it."]
        site.routes["/2.html"] = article(2, paragraphs=edited)
        del site.routes["/3.html"]
        second = crawl(crawls, site, uri, settings)
    assert ask("SELECT version FROM articles ORDER BY url") == [(1,), (2,), (1,)]
    kept = before if versions == "all" else []
    assert ask("SELECT url, version, body FROM versions") == kept
    assert second.stats.get("webclean/store/rows/versions", 0) == len(kept)
    changes = ask("SELECT record -> 'change' ->> 'added' FROM articles WHERE version = 2")
    assert [str(added) for (added,) in changes] == ["2" if index else "None"]
    assert ask("SELECT count(*) FROM crawls") == [(2,)]


def test_copies_name_their_original_and_the_documented_queries_work(
    crawls: Crawls, database: Database
) -> None:
    uri, ask = database
    with SiteServer({**pages(2), "/again.html": article(2), "/copy.html": article(1)}) as site:
        dropped = crawl(crawls, site, uri)
        kept = crawl(crawls, site, uri, {"WEBCLEAN_DEDUP_DUPLICATE": "keep"})
        copies = [("/again.html", "/2.html"), ("/copy.html", "/1.html")]
        expected = [tuple(map(site.url, pair)) for pair in copies]
    assert (len(dropped.items), len(kept.items)) == (2, 4)
    assert ask("SELECT url, original FROM copies WHERE similarity > 0.9 ORDER BY url") == expected
    queries = re.findall(r"```sql\n(.+?)```", DOCUMENT.read_text(), re.DOTALL)
    found = [ask(query) for query in queries if "parquet" not in query]
    assert [len(rows) for rows in found] == [4, 2, 0]


@pytest.mark.parametrize("returns", [True, False])
def test_nothing_is_lost_when_the_server_is_killed(
    crawls: Crawls, tmp_path: Path, caplog: pytest.LogCaptureFixture, returns: bool
) -> None:
    with PostgresServer() as server, SiteServer(pages(5)) as site:

        def start_after_the_warning() -> None:
            wait_until(outages)
            server.start()

        def outages() -> list[str]:
            said = [one for one in caplog.records if "WEBCLEAN_STORE" in one.getMessage()]
            return [one.levelname for one in said if one.levelname != "INFO"]

        helper = Thread(target=start_after_the_warning)

        class Killer(PageSpider):
            def parse(self, response: Any) -> Iterator[Any]:
                if response.url.endswith("/3.html"):
                    server.stop()
                    if returns:
                        helper.start()
                yield from super().parse(response)

        index = f"sqlite:///{tmp_path / 'index.db'}"
        limits = {"store_wait_s": 60.0 if returns else 0.5}
        settings = {"WEBCLEAN_LIMITS": limits, "WEBCLEAN_DEDUP_URI": index}
        crawled = crawl(crawls, site, server.uri(), settings, Killer)
        if returns:
            helper.join()
            assert (len(crawled.items), outages()) == (5, ["WARNING"])
        else:
            assert outages() == ["WARNING", "ERROR"]
            assert crawled.stats["finish_reason"] == "store_failed"
            server.start()
            assert server.query("SELECT count(*) FROM articles") == [(len(crawled.items),)]
            crawl(crawls, site, server.uri(), settings)
        assert server.query("SELECT count(*), max(version) FROM articles") == [(5, 1)]
        assert not any(secret in caplog.text for secret in (USER, PASSWORD))


def test_a_full_disk_ends_the_crawl_and_the_next_one_stores_the_rest(
    crawls: Crawls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up = database_module._set_up_sqlite

    def set_up_full(connection: Any, record: object) -> None:
        set_up(connection, record)
        connection.execute("PRAGMA max_page_count = 30")

    index = f"sqlite:///{tmp_path / 'index.db'}"
    settings = {"WEBCLEAN_LIMITS": {"store_wait_s": 0.2}, "WEBCLEAN_DEDUP_URI": index}
    uri = f"sqlite:///{tmp_path / 'news.db'}"
    with SiteServer(pages(30)) as site:
        with monkeypatch.context() as patch:
            patch.setattr(database_module, "_set_up_sqlite", set_up_full)
            first = crawl(crawls, site, uri, settings)
        second = crawl(crawls, site, uri, settings)
    assert first.stats["finish_reason"] == "store_failed"
    assert 0 < len(first.items) < 30 == len(first.items) + len(second.items)
    assert sqlite(tmp_path / "news.db")("SELECT count(*) FROM articles") == [(30,)]


@pytest.mark.parametrize("module", ["scrapy", *nightly("webclean_scrapy")])
def test_a_crawl_that_cannot_store_its_articles_does_not_exit_with_0(
    tmp_path: Path, module: str
) -> None:
    def page(_: object) -> str:
        sqlite(tmp_path / "news.db")("DROP TABLE IF EXISTS articles")
        return article(1)

    with SiteServer({"/": page}) as site:
        source = f"""import scrapy
class News(scrapy.Spider):
    name, start_urls = "news", ["{site.url("/")}"]
    custom_settings = {{"ADDONS": {{"webclean_scrapy.Addon": 500}}}}
    def parse(self, response):
        yield {{"url": response.url}}"""
        (tmp_path / "news.py").write_text(source)
        what = ["runspider", "news.py"] if module == "scrapy" else ["crawl", site.url("/")]
        given = "WEBCLEAN_STORE=sqlite:///news.db", 'WEBCLEAN_LIMITS={"store_wait_s": 0}'
        options = [part for one in given for part in ("-s", one)]
        command = [sys.executable, "-m", module, *what, *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "WEBCLEAN_STORE" in done.stderr
    assert "Traceback" not in done.stderr


def test_hostile_text_is_stored_and_an_empty_page_replaces_none(database: Database) -> None:
    uri, ask = database
    store = ArticleStore(uri)
    store.open()
    odd = 'a\0b\ud800 "\\u0000"'
    url = "http://a/'); DROP TABLE articles; --"
    for texts in ([odd], [None], ["two", "3"]):
        items = [ArticleItem(url=url, articleBody=text, webclean={odd: odd}) for text in texts]
        rows = (article_rows(url, ItemAdapter(one), one.articleBody or "") for one in items)
        store.write(rows, CRAWL)
    store.close()
    assert ask("SELECT body, version FROM articles") == [("3", 3)]
    assert ask("SELECT body FROM versions ORDER BY version") == [('ab? "\\u0000"',), ("two",)]


def test_own_fields_that_json_cannot_hold_are_text_in_both_databases(database: Database) -> None:
    uri, ask = database
    store = ArticleStore(uri)
    store.open()
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    item = {"url": "http://a/", "rate": float("nan"), "raw": b"\xff1", "deep": deep, "seen": {1}}
    item |= {"headline": "A", "webclean": {"confidence": float("inf")}, "keywords": [b"x"]}
    entry = article_rows("http://a/", ItemAdapter(item), "text")
    store.write([entry], CRAWL)
    store.close()
    ((extra,),) = ask("SELECT extra FROM articles")
    found = json.loads(extra) if isinstance(extra, str) else extra
    assert (found["rate"], found["raw"], found["seen"]) == ("nan", "\ufffd1", [1])
    assert isinstance(found["deep"], str)


def test_whatever_a_write_raises_counts_as_lost(
    crawls: Crawls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(*_: object) -> None:
        raise UnicodeEncodeError("latin-1", "\u2014", 0, 1, "not in range")

    monkeypatch.setattr(ArticleStore, "write", write)
    monkeypatch.setattr(scrapy_private, "_ends_with_this_crawl", lambda: True)
    with SiteServer(pages(2)) as site:
        crawled = crawl(crawls, site, f"sqlite:///{tmp_path / 'news.db'}", NO_INDEX)
    assert (crawled.items, crawled.stats["webclean/store/failed/UnicodeEncodeError"]) == ([], 3)
    assert crawls.crawler.spider is None  # the command ends with an error


def test_a_server_of_another_encoding_is_refused_at_the_start(postgres: PostgresServer) -> None:
    create = "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
    psycopg = pytest.importorskip("psycopg")
    with closing(
        psycopg.connect(postgres.uri().replace("+psycopg", ""), autocommit=True)
    ) as server:
        server.execute(create)
    for migrates in (False, True):
        with pytest.raises(StoreError, match="LATIN1"):
            ArticleStore(postgres.uri("latin")).open(migrates=migrates)


def test_one_refused_row_loses_no_other(crawls: Crawls, postgres: PostgresServer) -> None:
    long = "".join(sentences(2, 300))  # longer than a key may be
    spider = spider_of(lambda url: [{"url": f"{url}#{long}"}, {"url": url}])
    with SiteServer(pages(2)) as site:
        crawled = crawl(crawls, site, postgres.uri(), NO_INDEX, spider)
        assert sorted(one["url"] for one in crawled.items) == list(map(site.url, site.routes))
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.stats["webclean/store/failed/StoreError"] == 2


def test_tables_of_others_and_of_later_versions_are_refused(database: Database) -> None:
    uri, ask = database
    ask("CREATE TABLE copies (mine INTEGER)")
    for migrates in (False, True):
        with pytest.raises(StoreError, match="copies"):
            ArticleStore(uri).open(migrates=migrates)
    ask("DROP TABLE copies")
    ArticleStore(uri).open()
    ArticleStore(uri).open()
    assert ask("SELECT version FROM webclean_schema") == [(len(MIGRATIONS),)]
    ask("UPDATE webclean_schema SET version = version + 1")
    with pytest.raises(StoreError, match="older"):
        ArticleStore(uri).open()


LOGIN = f"{USER}:{PASSWORD}"
WRONG = (
    "news.db", "sqlite://", "sqlite:///:memory:", "sqlite:///missing/folder/news.db",
    f"mysql://{LOGIN}@127.0.0.1/news", f"postgresql://{LOGIN}@[::1/news",
    f"postgresql+psycopg://{LOGIN}@127.0.0.1:9/news", f"postgresql+none://{LOGIN}@127.0.0.1/news",
    f"postgresql+psycopg://127.0.0.1:9/news?user={USER}&password={PASSWORD}", "wrong password",
)  # fmt: skip


@pytest.mark.parametrize("uri", WRONG)
def test_a_database_that_cannot_be_used_stops_the_start_and_no_login_is_shown(
    crawls: Crawls, postgres: PostgresServer, uri: str
) -> None:
    uri = postgres.uri(login=f"{LOGIN}-wrong") if " " in uri else uri
    with pytest.raises(ConfigError) as caught:
        crawls.run(PageSpider, {"WEBCLEAN_STORE": uri}, urls=[])
    said = str(caught.value)
    assert said.startswith("WEBCLEAN_STORE: ")
    assert "\n" not in said
    shown = "".join(traceback.format_exception(caught.value))
    assert not any(secret in shown for secret in (USER, PASSWORD))
