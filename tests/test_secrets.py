"""The password of a store is in nothing that a crawl or a command prints, logs, counts or saves."""

import json
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ResponseError
from scrapy.settings import Settings

from tests.crawling import Crawls, PageSpider
from tests.pages import article
from tests.redis_server import RedisServer
from tests.server import SiteServer
from tests.toml_files import filled, read_toml
from webclean_scrapy import DuplicateIndex, stats
from webclean_scrapy.commands.doctor import examine
from webclean_scrapy.errors import StoreUnavailableError, WebcleanError
from webclean_scrapy.redis_server import RedisAddress, RedisClient
from webclean_scrapy.settings import WebcleanConfig

PIECES = ("zorrilla", "quixote")  # of the password, and the user
PASSWORD = "-".join(PIECES)
DEAD = "127.0.0.1:9"  # where nobody listens
ADDRESSES = read_toml(Path(__file__).with_name("store_addresses.toml"))
URIS = [filled(uri, {"PASSWORD": PASSWORD, "DEAD": DEAD}) for uri in ADDRESSES["secret"]]


def said_by(work: Callable[[], Any]) -> str:
    """Return the result of *work*, or the traceback of its error."""
    try:
        return repr(work())
    except (WebcleanError, ValueError) as error:
        return "".join(traceback.format_exception(error)) + repr(error)


@pytest.mark.parametrize("uri", URIS)
def test_no_error_and_no_repr_shows_a_password(uri: str) -> None:
    settings = Settings({"WEBCLEAN_DEDUP_URI": uri})
    both = settings.copy()
    both.set("FEEDS", {uri: {"format": "json", "fields": ["url"]}})
    said = [
        said_by(lambda: RedisAddress.parse(uri)),
        said_by(lambda: str(RedisAddress.parse(uri))),
        said_by(lambda: RedisClient(RedisAddress.parse(uri), "x").info("memory")),
        said_by(lambda: DuplicateIndex(uri).add("a", "text")),
        said_by(lambda: WebcleanConfig.from_settings(settings)),
        said_by(lambda: str(WebcleanConfig.from_settings(settings).dedup_options())),
        said_by(lambda: examine(both, in_project=False, cpus=2)),
    ]
    for text in said:
        shown = "\n".join(line for line in text.splitlines() if "tests/" not in line)
        assert not any(piece in shown for piece in PIECES), shown


def test_a_setting_of_a_wrong_type_is_not_shown_with_its_password() -> None:
    settings = Settings({"WEBCLEAN_DEDUP_URI": [f"redis://:{PASSWORD}@{DEAD}/0"]})
    assert PASSWORD not in said_by(lambda: WebcleanConfig.from_settings(settings))


def test_a_server_that_repeats_the_command_does_not_show_it() -> None:
    address = RedisAddress.parse(f"redis://zorrilla:{PASSWORD}@{DEAD}/0")
    server = RedisClient(address, "the store")

    def fail() -> None:
        with server.errors():
            raise ResponseError(f"unknown command 'AUTH', beginning with 'zorrilla' '{PASSWORD}'")

    said = said_by(fail)
    assert "the store redis://127.0.0.1:9/0 (prefix 'webclean') is not available: unknown" in said
    raised = said.partition("During handling")[2] or said
    assert not any(
        piece in line for line in raised.splitlines() for piece in PIECES if 'f"' not in line
    )
    with pytest.raises(StoreUnavailableError) as caught:
        fail()
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("works", [True, False])
def test_a_crawl_says_nothing_of_its_password(
    crawls: Crawls, tmp_path: Path, caplog: pytest.LogCaptureFixture, works: bool
) -> None:
    with RedisServer(tmp_path) as server, SiteServer({"/a.html": article(1)}) as site:
        server.client().config_set("requirepass", PASSWORD)
        login = f":{PASSWORD}" if works else f"zorrilla:{PASSWORD}-wrong"
        uri = server.uri("secrets").replace("://", f"://{login}@")
        settings = {"WEBCLEAN_DEDUP_URI": uri, "WEBCLEAN_DEDUP_ON_ERROR": "continue"}
        with caplog.at_level("DEBUG"):
            crawled = crawls.run(PageSpider, settings, urls=[site.url("/a.html")])
        assert len(crawled.items) == 1
        failed = any(name.startswith(stats.DEDUP_FAILED) for name in crawled.stats)
        assert failed is not works
        everything = caplog.text + repr(crawled) + json.dumps(crawled.stats, default=str)
        assert "Scraped from" in caplog.text
        assert not any(piece in everything for piece in PIECES)
        if works:
            assert DuplicateIndex(uri) is not None
