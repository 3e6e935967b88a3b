"""``doctor`` finds faults that are planted in settings, on the machine and on a server."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from tests.commands.running import call, webclean
from tests.redis_server import RedisServer
from webclean_scrapy.addon import COMPONENTS, Addon
from webclean_scrapy.commands.checks.examination import examine
from webclean_scrapy.commands.checks.machine import Machine
from webclean_scrapy.commands.checks.pipeline_source import fields_read, is_replacing
from webclean_scrapy.commands.checks.spider_checks import check_custom_settings
from webclean_scrapy.commands.checks.version_checks import check_versions
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.downloadermiddlewares.render import RenderMiddleware
from webclean_scrapy.downloadermiddlewares.shared_templates import SharedTemplatesMiddleware
from webclean_scrapy.downloadermiddlewares.sibling import SiblingMiddleware
from webclean_scrapy.pipelines.classify import ClassifyPipeline
from webclean_scrapy.pipelines.clean import CleanPipeline
from webclean_scrapy.pipelines.dedup import DedupPipeline
from webclean_scrapy.spidermiddlewares.attach import AttachPageMiddleware

if TYPE_CHECKING:
    from pathlib import Path

    from webclean_scrapy.commands.checks.finding import Finding

MACHINE = Machine(
    python=(3, 12), cpus=4, versions={"lxml": "6.0", "scrapy-playwright": "0.1", "redis": "5"},
    requirements=("lxml>=5.4", "scipy>=1; extra == 'all'", "zstd>=1; python_version < '3'"),
)  # fmt: skip
GOOD: dict[str, Any] = {
    "ADDONS": {"webclean_scrapy.Addon": 500}, "ROBOTSTXT_OBEY": True, "AUTOTHROTTLE_ENABLED": True,
    "USER_AGENT": "mybot (+https://me.example)",
}  # fmt: skip
AT = {component: position for _, component, position in COMPONENTS}
CLEAN = AT[CleanPipeline]


class Passes:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        return item


class Replaces:
    def process_item(self, item: Any) -> Any:
        return {**item, "seen": True}


class Stores:
    async def process_item(self, item: Any, spider: Any = None) -> Any:
        print(item["articleBody"])
        return item


class DeltaFetch:
    """Stands for the plugin of that name."""


def found(settings: dict[str, Any], **facts: Any) -> list[Finding]:
    return examine(Settings({**GOOD, **settings}), replace(MACHINE, **facts))


def test_a_good_project_has_no_findings() -> None:
    assert found({}) == []
    pipelines = {Passes: 1, Stores: AT[ClassifyPipeline] + 1, Replaces: AT[ClassifyPipeline] + 2}
    assert found({"ITEM_PIPELINES": pipelines}) == []
    feeds = {"a.csv": {"fields": ["url", "articleBody"]}, "b.jsonl": {"format": "jsonlines"},
             "%(time)s.json": {"format": "json"}, "s3://b/c.json": {}}  # fmt: skip
    assert found({"FEEDS": feeds, "JOBDIR": "job", "WEBCLEAN_WORKERS": 4}) == []


# Settings: what is said of them, in one finding that is wrong.
FAULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"WEBCLEAN_SIBLING_ENABLE": False}, ["WEBCLEAN_SIBLING_ENABLE is unknown", "_ENABLED"]),
    ({"WEBCLEAN_KEYWORDS": "many"}, ["WEBCLEAN_KEYWORDS must be", "default is 10"]),
    ({"WEBCLEAN_DEDUP_STOP_WORDS": "no/such"}, ["WEBCLEAN_DEDUP_STOP_WORDS", "no/such"]),
    ({"WEBCLEAN_CLASS_MODEL": "no/such.json"}, ["WEBCLEAN_CLASS_MODEL", "no/such.json"]),
    ({"WEBCLEAN_WORKERS": 9}, ["WEBCLEAN_WORKERS is 9", "4 processors", "to 3"]),
    ({"ADDONS": {}}, ["does not have the add-on", '"webclean_scrapy.Addon": 500']),
    ({"ADDONS": {Addon: None}}, ["turns the add-on off"]),
    (
        {"ADDONS": {"webclean_scrapy.Addon": 500, "webclean_scrapy.addon.Addon": 501}},
        ["2 times", "webclean_scrapy.addon.Addon", "keep one"],
    ),
    ({"ADDONS": {**GOOD["ADDONS"], "no.such.Addon": 1}}, ["no.such.Addon cannot be imported"]),
    ({"ITEM_PIPELINES": {"shop.NoSuch": 300}}, ["shop.NoSuch cannot be imported"]),
    ({"ITEM_PIPELINES": {DedupPipeline: None}}, ["DedupPipeline to None", "_DEDUP_ENABLED"]),
    ({"EXTENSIONS": {WebcleanService: None}}, ["WebcleanService to None"]),
    ({"DOWNLOADER_MIDDLEWARES": {SiblingMiddleware: None}}, ["SiblingMiddleware to None"]),
    (
        {"DOWNLOADER_MIDDLEWARES": {SiblingMiddleware: 595, SharedTemplatesMiddleware: 596}},
        ["SiblingMiddleware (595) is above RetryMiddleware (550)", "set it to 540"],
    ),
    (
        {"DOWNLOADER_MIDDLEWARES": {SharedTemplatesMiddleware: 530}},
        ["above SharedTemplatesMiddleware (530)", "set it to 540"],
    ),
    (
        {
            "DOWNLOADER_MIDDLEWARES": {RenderMiddleware: 800},
            "HTTPCACHE_ENABLED": True,
            "WEBCLEAN_RENDER": "all",
        },
        ["RenderMiddleware (800) is before HttpCacheMiddleware", "950"],
    ),
    (
        {"SPIDER_MIDDLEWARES": {Passes: 5}},
        ["Passes (5) is nearer to the engine", "a position above 10"],
    ),
    ({"SPIDER_MIDDLEWARES": {AttachPageMiddleware: 40}}, ["StartSpiderMiddleware (25)"]),
    (
        {"ITEM_PIPELINES": {DedupPipeline: CLEAN - 1}},
        [f"DedupPipeline ({CLEAN - 1}) is before CleanPipeline"],
    ),
    (
        {"ITEM_PIPELINES": {ClassifyPipeline: AT[DedupPipeline] - 1}},
        ["is before DedupPipeline", "remove both lines"],
    ),
    ({"ITEM_PIPELINES": {Passes: CLEAN}}, [f"Passes ({CLEAN}) has the position of CleanPipeline"]),
    ({"ITEM_PIPELINES": {Stores: 1}}, ["Stores (1) uses articleBody before", f"above {CLEAN}"]),
    ({"ITEM_PIPELINES": {Replaces: 1}}, ["Replaces (1) hands on other items", f"above {CLEAN}"]),
    (
        {"WEBCLEAN_RENDER": "all", "TWISTED_REACTOR": "twisted.internet.x"},
        ["TWISTED_REACTOR", "AsyncioSelectorReactor"],
    ),
    (
        {"SCHEDULER": "scrapy_redis.scheduler.Scheduler"},
        ["an index of its own", "WEBCLEAN_DEDUP_URI"],
    ),
    (
        {"SPIDER_MIDDLEWARES": {DeltaFetch: 100}, "DELTAFETCH_ENABLED": True},
        ["scrapy-deltafetch", "DELTAFETCH_ENABLED = False"],
    ),
    ({"JOBDIR": __file__}, ["JOBDIR", "is a file"]),
    ({"JOBDIR": f"{__file__}/job"}, ["JOBDIR", "cannot be made"]),
    ({"WEBCLEAN_DEDUP_URI": "sqlite:///no/such/i.db"}, ["there is no folder no/such"]),
    ({"WEBCLEAN_DEDUP_URI": "redis://127.0.0.1:9/0"}, ["not available", "start the server"]),
    ({"WEBCLEAN_DEDUP_URI": "redis://h/0?colour=red"}, ["unknown option 'colour'"]),
    ({"FEED_EXPORT_FIELDS": ["url", "headline"]}, ["FEED_EXPORT_FIELDS lacks articleBody"]),
    ({"FEEDS": {"a.csv": {"fields": {"url": "URL"}}}}, ["fields of FEEDS['a.csv'] lacks"]),
    ({"FEEDS": {"out/a.json": {}}}, ["appends", '"overwrite": True']),
]


@pytest.mark.parametrize(("settings", "said"), FAULTS)
def test_a_planted_fault_is_found_with_what_to_change(
    settings: dict[str, Any], said: list[str]
) -> None:
    (finding,) = found(settings)
    shown = f"{finding.what}; {finding.change}"
    assert [part for part in said if part not in shown] == []
    assert finding.level == "wrong"
    assert "\n" not in shown


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"ROBOTSTXT_OBEY": False}, "ROBOTSTXT_OBEY = True"),
        ({"AUTOTHROTTLE_ENABLED": False}, "AUTOTHROTTLE_ENABLED = True"),
        ({"USER_AGENT": "Scrapy/2.19 (+https://scrapy.org)"}, "USER_AGENT"),
        ({"WEBCLEAN_ENABLED": False}, "remove it to clean pages"),
        ({"HTTPCACHE_ENABLED": True, "HTTPCACHE_IGNORE_MISSING": True}, "fetch once"),
        (
            {"WEBCLEAN_RENDER": "all", "DOWNLOAD_HANDLERS": {"https": "scrapy_playwright.x.Y"}},
            "rendered twice",
        ),
    ],
)
def test_advice_is_no_fault(settings: dict[str, Any], said: str) -> None:
    (finding,) = found(settings)
    assert said in f"{finding.what}; {finding.change}"
    assert finding.level == "advice"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"python": (3, 9)}, "Python 3.9 runs; 3.10 or later is needed"),
        ({"versions": {}}, "lxml is not installed"),
        ({"versions": {"lxml": "5.3.1"}}, "lxml 5.3.1 is installed; lxml>=5.4 is needed"),
        ({"broken": {"lxml.etree": "ImportError: x.so"}}, "lxml is installed but does not load"),
    ],
)
def test_versions_that_do_not_do_are_found(facts: dict[str, Any], said: str) -> None:
    (finding,) = check_versions(replace(MACHINE, **facts))
    assert said in finding.what
    assert finding.change.startswith(("pip install ", "make an environment"))


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"versions": {"lxml": "6"}}, "scrapy-playwright is not installed"),
        ({"has_chromium": False}, "Playwright has no Chromium"),
    ],
)
def test_rendering_without_a_browser_is_found(facts: dict[str, Any], said: str) -> None:
    (finding,) = found({"WEBCLEAN_RENDER": "marked"}, **facts)
    assert said in finding.what
    assert "playwright install chromium" in finding.change
    elsewhere = {"WEBCLEAN_RENDER": "marked", "PLAYWRIGHT_CDP_URL": "http://h:9"}
    assert found(elsewhere, has_chromium=False) == []


def test_outside_of_a_project_only_what_is_there_is_looked_at() -> None:
    assert examine(Settings(), replace(MACHINE, in_project=False)) == []


def test_a_source_is_read_for_what_a_pipeline_does() -> None:
    class Rebinds:
        def process_item(self, item: Any, spider: Any) -> Any:
            item = dict(item)
            item["seen"] = True
            return item

    class Adapts:
        def process_item(self, item: Any, spider: Any) -> Any:
            item["seen"] = True
            if not item.webclean:
                raise ValueError
            return item

    class Other:
        def process_item(self, item: Any, spider: Any) -> Any:
            made = {}
            made.update(item)
            return made

    assert [is_replacing(one) for one in (Rebinds, Adapts, Other, Passes, Replaces, Stores)] == [
        True, False, True, False, True, False,
    ]  # fmt: skip
    assert [fields_read(one) for one in (Adapts, Stores, Passes)] == [
        ["webclean"], ["articleBody"], [],
    ]  # fmt: skip
    assert (fields_read(dict), is_replacing(type("Made", (), {"process_item": len}))) == ([], False)


def test_spiders_are_looked_at_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custom = {"WEBCLEAN_KEYWORD": 3, "WEBCLEAN_FAVOR": "both", "DOWNLOAD_DELAY": 1}
    unknown, bad = check_custom_settings("news", custom)
    assert unknown.what == "spider news: WEBCLEAN_KEYWORD is unknown and ignored"
    assert "spider news: WEBCLEAN_FAVOR must be one of" in bad.what

    (tmp_path / "broken_spiders.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(tmp_path)
    (finding,) = found({"SPIDER_MODULES": ["broken_spiders"]})
    assert "No module named 'no_such_module'" in finding.what


def test_the_policy_of_a_redis_server_is_looked_at_without_writing(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:
        settings = {"WEBCLEAN_DEDUP_URI": server.uri("doctor")}
        assert found(settings) == []
        server.client().config_set("maxmemory-policy", "allkeys-lru")
        (finding,) = found(settings)
        assert server.client().dbsize() == 0
    assert "maxmemory-policy allkeys-lru" in finding.what
    assert "noeviction" in finding.change


def test_a_missing_library_for_redis_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    changes = [one.change for one in found({"WEBCLEAN_DEDUP_URI": "redis://127.0.0.1:9/0"})]
    assert "pip install redis" in changes


SETTINGS = """
ADDONS = {}
ITEM_PIPELINES = {"parts.Stores": 1, "parts.NoSuch": 2}
DOWNLOADER_MIDDLEWARES = {"webclean_scrapy.downloadermiddlewares.sibling.SiblingMiddleware": 700}
SPIDER_MIDDLEWARES = {"parts.Near": 1}
FEEDS = {"articles.csv": {"format": "csv", "fields": ["url"]}}
JOBDIR = "parts.py"
ROBOTSTXT_OBEY = False
WEBCLEAN_KEYWORDS, WEBCLEAN_EXTRACTOR = 0, "magic"
WEBCLEAN_SIBLINGS = 1
"""
PARTS = """
class Near: pass
class Stores:
    def process_item(self, item):
        print(item["articleBody"])
        return item
"""


def test_ten_faults_of_one_project_are_found_at_once(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = its_settings\n")
    (tmp_path / "its_settings.py").write_text(SETTINGS)
    (tmp_path / "parts.py").write_text(PARTS)
    done = webclean("doctor", "--json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr.decode()
    report = json.loads(done.stdout)
    wrong = [one["what"] for one in report["findings"] if one["level"] == "wrong"]
    planted = [
        "WEBCLEAN_SIBLINGS is unknown", "WEBCLEAN_EXTRACTOR must be", "WEBCLEAN_KEYWORDS must be",
        "parts.NoSuch cannot be imported", "SiblingMiddleware (700)", "Near (1)", "Stores (1)",
        "JOBDIR parts.py is a file", "fields of FEEDS['articles.csv']", "the project does not",
    ]  # fmt: skip
    assert [name for name in planted if not any(name in what for what in wrong)] == []
    assert len(wrong) == len(planted) == 10
    assert any("ROBOTSTXT_OBEY" in one["what"] for one in report["findings"])
    assert report["versions"]["Scrapy"]
    assert report["in_project"] is True


def test_it_is_read_by_people_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    good = call(capsys, "doctor")
    assert (good.code, good.err) == (0, "")
    assert good.out.startswith("Python 3.")
    assert good.out.endswith("0 wrong, 0 advice\n")
    bad = call(capsys, "doctor", "-s", "WEBCLEAN_KEYWORDS=0")
    assert bad.code == 1
    assert "\nwrong: settings: WEBCLEAN_KEYWORDS must be a whole number" in bad.out
