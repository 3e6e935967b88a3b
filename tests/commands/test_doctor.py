"""``doctor`` finds faults that are planted in settings, on the machine and on a server."""

from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from tests.commands.running import Shell, webclean
from tests.redis_server import RedisServer
from webclean_scrapy.addon import Addon
from webclean_scrapy.commands import doctor
from webclean_scrapy.commands.doctor import Finding, examine
from webclean_scrapy.pipelines.dedup import DedupPipeline

GOOD: dict[str, Any] = {"ADDONS": {"webclean_scrapy.Addon": 500}}


class Passes:
    def process_item(self, item: Any, spider: Any = None) -> Any:
        return item


def findings_of(settings: dict[str, Any]) -> list[Finding]:
    return examine(Settings({**GOOD, **settings}), in_project=True, cpus=4)


def test_a_good_project_has_no_findings() -> None:
    assert findings_of({}) == examine(Settings(), in_project=False, cpus=4) == []
    images = "scrapy.pipelines.images.ImagesPipeline"
    assert findings_of({"ITEM_PIPELINES": {Passes: 700, images: 1}}) == []
    assert findings_of({"ITEM_PIPELINES": {Passes: 700, DedupPipeline: 900}}) == []
    assert findings_of({"JOBDIR": "job", "WEBCLEAN_WORKERS": 4}) == []


# Settings: what is said of them, in one finding that is wrong.
FAULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"WEBCLEAN_SIBLING_ENABLE": False}, ["WEBCLEAN_SIBLING_ENABLE is unknown", "_ENABLED"]),
    (
        {"WEBCLEAN_PAPERS": {"decay_t": 0.05}},
        ['WEBCLEAN_PAPERS["decay_t"]', "EXTRACTOR to 'decay'"],
    ),
    ({"WEBCLEAN_KEYWORDS": "many"}, ["WEBCLEAN_KEYWORDS must be", "default is 10"]),
    ({"WEBCLEAN_CLASS_MODEL": "no/such.json"}, ["WEBCLEAN_CLASS_MODEL", "no/such.json"]),
    ({"WEBCLEAN_WORKERS": 9}, ["WEBCLEAN_WORKERS is 9", "4 processors", "to 3"]),
    ({"ADDONS": {}}, ["does not have the add-on", '"webclean_scrapy.Addon": 500']),
    ({"ADDONS": {Addon: None}}, ["does not have the add-on"]),
    ({"ADDONS": {**GOOD["ADDONS"], "no.such.Addon": 1}}, ["cannot be imported", "'no'"]),
    ({"ITEM_PIPELINES": {"shop.NoSuch": 300}}, ["cannot be imported", "'shop'"]),
    (
        {"WEBCLEAN_RENDER": "all", "TWISTED_REACTOR": "twisted.internet.x"},
        ["TWISTED_REACTOR", "AsyncioSelectorReactor"],
    ),
    ({"ITEM_PIPELINES": {Passes: 100}}, ["Passes has 100", "without a text", "above 250"]),
    ({"ITEM_PIPELINES": {Passes: 200}}, ["Passes has 200", "copies", "above 250"]),
    ({"JOBDIR": __file__}, ["JOBDIR", "is a file"]),
    ({"WEBCLEAN_DEDUP_URI": "sqlite:///no/such/i.db"}, ["no/such is missing"]),
    ({"WEBCLEAN_DEDUP_URI": "redis://127.0.0.1:9/0"}, ["not available", "start the server"]),
    ({"WEBCLEAN_DEDUP_URI": "redis://h/0?colour=red"}, ["colour", "WEBCLEAN_DEDUP_URI"]),
]


@pytest.mark.parametrize(("settings", "said"), FAULTS)
def test_planted_faults_are_found_with_a_change(settings: dict[str, Any], said: list[str]) -> None:
    (finding,) = findings_of(settings)
    shown = f"{finding.what}; {finding.change}"
    assert [part for part in said if part not in shown] == []
    assert "\n" not in shown


@pytest.mark.parametrize(
    ("installed", "said"),
    [("", "lxml is not installed"), ("5.3.1", "lxml 5.3.1; lxml>=5.4 is needed")],
)
def test_old_versions_are_found(monkeypatch: pytest.MonkeyPatch, installed: str, said: str) -> None:
    needed = ["lxml>=5.4", "scipy>=1; extra == 'all'", "zstd>=1; python_version < '3'"]
    monkeypatch.setattr(metadata, "requires", lambda _: needed)
    monkeypatch.setattr(doctor, "_version", lambda _: installed)
    (finding,) = doctor.check_versions()
    assert said in finding.what
    assert finding.change == "pip install -U 'lxml>=5.4'"


def test_the_policy_of_a_redis_server_is_looked_at_without_writing(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as server:
        settings = {"WEBCLEAN_DEDUP_URI": server.uri("doctor")}
        assert findings_of(settings) == []
        server.client().config_set("maxmemory-policy", "allkeys-lru")
        (finding,) = findings_of(settings)
        assert server.client().dbsize() == 0
    assert "maxmemory-policy allkeys-lru" in finding.what
    assert "noeviction" in finding.change


def test_findings_of_a_project_are_lines(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = its_settings\n")
    (tmp_path / "its_settings.py").write_text("ADDONS = {}\nWEBCLEAN_EXTRACTOR = 'magic'\n")
    done = webclean("doctor", cwd=tmp_path)
    assert done.returncode == 1, done.stderr.decode()
    versions, machine, first, second, last = done.stdout.decode().splitlines()
    assert "scrapy 2" in versions
    assert "in a project" in machine
    assert (first.partition(":")[0], last) == ("add-on", "2 wrong")
    assert "WEBCLEAN_EXTRACTOR must be" in second


def test_it_is_read_by_people_too(shell: Shell) -> None:
    good = shell("doctor")
    assert (good.code, good.err) == (0, "")
    assert good.out.endswith("0 wrong\n")
    bad = shell("doctor", "-s", "WEBCLEAN_KEYWORDS=101")
    assert bad.code == 1
    assert "WEBCLEAN_KEYWORDS must be" in bad.out


SPIDERS = """
import scrapy

class Shop(scrapy.Spider):
    name = "shop"

class News(scrapy.Spider):
    name = "news"
    custom_settings = {"WEBCLEAN_FAVOR": "recal"}
"""


def test_the_settings_of_spiders_are_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = its_settings\n")
    (tmp_path / "its_settings.py").write_text(f"ADDONS = {GOOD['ADDONS']}\nSPIDER_MODULES = ['sp']")
    (tmp_path / "sp.py").write_text(SPIDERS)

    every, shop, none = (
        webclean("doctor", *words, cwd=tmp_path, PYTHONPATH=str(tmp_path))
        for words in ((), ("shop",), ("nobody",))
    )
    assert b"settings of spider news: WEBCLEAN_FAVOR must be" in every.stdout
    assert every.stdout.endswith(b"\n1 wrong\n")
    assert shop.stdout.endswith(b"\n0 wrong\n")
    assert none.returncode == 2
    assert b"spiders: news, shop" in none.stderr
