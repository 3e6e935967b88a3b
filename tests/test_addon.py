import gc
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings

from tests.commands.running import printed_by, run_python
from tests.crawling import Crawls
from tests.pages import article
from webclean_scrapy.addon import COMPONENTS, Addon
from webclean_scrapy.export.tables import NEW_EXPORTERS
from webclean_scrapy.pipelines.classify import ClassifyPipeline
from webclean_scrapy.pipelines.clean import CleanPipeline
from webclean_scrapy.pipelines.dedup import DedupPipeline
from webclean_scrapy.pipelines.store import StorePipeline


def updated(**settings: Any) -> Settings:
    made = Settings(settings)
    Addon().update_settings(made)
    return made


def test_positions_of_the_user_stay_as_they_are() -> None:
    path = "webclean_scrapy.pipelines.clean.CleanPipeline"
    settings = updated(ITEM_PIPELINES={path: 50, DedupPipeline: None})
    assert settings.getdict("ITEM_PIPELINES") == {
        path: 50, DedupPipeline: None, ClassifyPipeline: 280, StorePipeline: 1000,
    }  # fmt: skip
    assert CleanPipeline not in settings.getdict("ITEM_PIPELINES")


def test_what_belongs_to_the_project_stays_as_it_is() -> None:
    settings = updated()
    untouched = Settings()
    names = set(untouched) - {name for name, _, _ in COMPONENTS} - {
        "SCRAPY_POET_PROVIDERS", "FEED_EXPORTERS", "LOG_FORMATTER",
    }  # fmt: skip
    assert {name: settings[name] for name in names} == {name: untouched[name] for name in names}
    assert gc.get_freeze_count() == 0
    loggers = [logging.getLogger(name) for name in ("", "asyncio", "twisted", "scrapy")]
    assert [one.filters for one in loggers] == [[], [], [], []]


def test_items_are_logged_in_one_line_unless_the_project_has_its_own_way() -> None:
    assert updated()["LOG_FORMATTER"].endswith(".ShortLogFormatter")
    assert updated(LOG_FORMATTER="news.Formatter")["LOG_FORMATTER"] == "news.Formatter"


def test_exporters_are_added_for_formats_that_neither_scrapy_nor_the_project_has() -> None:
    own = {"parquet": "news.ParquetExporter", "csv": "news.CsvExporter"}
    assert updated().getdict("FEED_EXPORTERS") == NEW_EXPORTERS
    added = {name: path for name, path in NEW_EXPORTERS.items() if name != "parquet"}
    assert updated(FEED_EXPORTERS=own).getdict("FEED_EXPORTERS") == {**own, **added}
    base = updated(FEED_EXPORTERS_BASE={"parquet": "scrapy.Parquet"})
    assert base.getdict("FEED_EXPORTERS") == added


def test_an_unknown_setting_is_warned_of_with_the_nearest(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        updated(WEBCLEAN_SIBLING_ENABLE=False, WEBCLEAN_ZZZ=1)
    near, far = [record.getMessage() for record in caplog.records]
    assert "WEBCLEAN_SIBLING_ENABLE " in near
    assert "WEBCLEAN_SIBLING_ENABLED" in near
    assert "WEBCLEAN_ZZZ" in far


@pytest.mark.parametrize(
    ("constant", "selector", "method"),
    [
        ("decay_t", "WEBCLEAN_EXTRACTOR", "decay"),
        ("lcs_close", "WEBCLEAN_EXTRACTOR", "lcs"),
        ("extractor_min_share", "WEBCLEAN_EXTRACTOR", "relevance"),
        ("dedup_keywords", "WEBCLEAN_DEDUP_METHOD", "feature-string"),
        ("dedup_minhash_jaccard", "WEBCLEAN_DEDUP_METHOD", "minhash"),
    ],
)
def test_a_constant_that_no_selected_method_reads_is_warned_of(
    constant: str, selector: str, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    papers = {"lcs_ts": 0.6, "link_block_dt": 5, constant: 0.5 if constant[6] != "k" else 9}
    with caplog.at_level(logging.WARNING):
        updated(WEBCLEAN_PAPERS=papers)
        (said,) = [record.getMessage() for record in caplog.records]
        updated(WEBCLEAN_PAPERS=papers, **{selector: method})
        assert len(caplog.records) == 1
    assert {f'WEBCLEAN_PAPERS["{constant}"]', selector, repr(method)} <= set(
        re.split(r"[ ;]", said)
    )


def test_the_whole_extension_can_be_switched_off(crawls: Crawls) -> None:
    with pytest.raises(NotConfigured, match=r"^$"):  # Scrapy warns of one with a text
        updated(WEBCLEAN_ENABLED=False)
    off = {"WEBCLEAN_ENABLED": False}
    crawled, site = crawls.visit({"/news/1.html": article(1)}, settings=off)
    assert crawled.items == [{"url": site.url("/news/1.html")}]
    assert crawled.ours() == {}


def test_without_the_service_the_other_components_stay_out_of_the_crawl(crawls: Crawls) -> None:
    from webclean_scrapy.crawl.service import WebcleanService

    without = {"EXTENSIONS": {WebcleanService: None}}
    crawled, site = crawls.visit({"/news/1.html": article(1)}, settings=without)
    assert crawled.items == [{"url": site.url("/news/1.html")}]


SPIDER = """
import scrapy

class Idle(scrapy.Spider):
    name = "idle"
    start_urls = ["http://127.0.0.1:9/"]
    custom_settings = {"ADDONS": {"webclean_scrapy.addon.Addon": 500}, %s}

    def parse(self, response):
        raise AssertionError("the crawl began")
"""


def run_idle(directory: Path, *arguments: str, custom: str = "") -> tuple[int, str]:
    """Return exit code and output of a crawl that should not start."""
    spider = directory / "idle.py"
    spider.write_text(SPIDER % custom)
    scrapy = "from scrapy.cmdline import execute; execute()"
    done = run_python(scrapy, "runspider", str(spider), *arguments, cwd=directory)
    return done.returncode, done.stderr.decode().strip()


IN_PROJECT = '-s ADDONS={"webclean_scrapy.addon.Addon":500} -s WEBCLEAN_KEYWORDS=many'


@pytest.mark.parametrize(
    ("options", "custom", "sentence"),
    [
        (IN_PROJECT, "", "WEBCLEAN_KEYWORDS must be a whole number from 0 to 100, got 'many'"),
        ("-L WARNING", '"WEBCLEAN_ENABLED": "perhaps"', "WEBCLEAN_ENABLED must be True or False"),
        ("-L WARNING", '"WEBCLEAN_KEYWORDS": "many"', "WEBCLEAN_KEYWORDS must be a whole number"),
        ("-L WARNING", '"WEBCLEAN_DEDUP_URI": "sqlite:////no/x.db"', "WEBCLEAN_DEDUP_URI: "),
    ],
)
def test_a_crawl_that_cannot_be_built_ends_with_one_sentence(
    tmp_path: Path, options: str, custom: str, sentence: str
) -> None:
    code, line = run_idle(tmp_path, *options.split(), custom=custom)
    assert sentence in line
    assert "\n" not in line
    assert code != 0


WRITER = """
import scrapy

class Writer(scrapy.Spider):
    name = "writer"
    custom_settings = {"ADDONS": {"webclean_scrapy.Addon": 500}}

    async def start(self):
        yield {"url": "http://a.example/", "title": "The bridge", "content": "It is open."}
"""


@pytest.mark.parametrize(("feed", "exported", "code"), [("o.jsonl", 1, 0), ("file/o.jsonl", 0, 1)])
def test_a_crawl_that_lost_an_item_ends_with_an_error(
    tmp_path: Path, feed: str, exported: int, code: int
) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "writer.py").write_text(WRITER)
    scrapy = "from scrapy.cmdline import execute; execute()"
    done = run_python(scrapy, "runspider", "writer.py", "-o", feed, cwd=tmp_path)
    assert done.returncode == code
    assert f" {exported}  items exported" in done.stderr.decode()


PROGRAM = """
from scrapy.crawler import AsyncCrawlerProcess
from idle import Idle

process = AsyncCrawlerProcess({"LOG_LEVEL": "CRITICAL"})
crawling = process.crawl(Idle)
process.start()
print(type(crawling.exception()).__name__)
"""


def test_a_program_goes_on_when_its_crawl_cannot_be_built(tmp_path: Path) -> None:
    run_idle(tmp_path, custom='"WEBCLEAN_KEYWORDS": "many"')  # writes the spider
    assert printed_by(PROGRAM, cwd=tmp_path) == "ConfigError"
