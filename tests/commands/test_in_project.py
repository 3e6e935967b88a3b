"""Commands inside a Scrapy project: settings they use, and parts they ignore."""

import json
from pathlib import Path

import pytest

from tests.commands.running import webclean
from tests.marks import nightly
from tests.pages import article
from tests.server import SiteServer

SETTINGS = """
import pathlib
SPIDER_MODULES = []
HERE = pathlib.Path(__file__).parent
FEEDS = {str(HERE / "articles.jsonl"): {"format": "jsonlines", "overwrite": True}}
ITEM_PIPELINES = {"shop.Writes": 900}
EXTENSIONS = {"shop.Writes": 1}
SPIDER_MIDDLEWARES = {"shop.Writes": 1}
ADDONS = {"shop.AddonThatWrites": 1, "webclean_scrapy.Addon": 500}
JOBDIR = str(HERE / "job")
HTTPCACHE_ENABLED, HTTPCACHE_DIR = True, str(HERE / "cache")
LOG_FILE = str(HERE / "crawl.log")
USER_AGENT = "shop/1.0"
WEBCLEAN_KEYWORDS = 3
WEBCLEAN_DEDUP_URI = "sqlite:///" + str(HERE / "index.db")
"""
SHOP = """
import pathlib
class Writes:
    def __init__(self):
        pathlib.Path(__file__).with_name("written").touch()
    def process_item(self, item, spider=None):
        return item
class AddonThatWrites(Writes):
    def update_settings(self, settings):
        pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with yesterday's result, whose components leave a file when they run."""
    for name, content in {
        "scrapy.cfg": "[settings]\ndefault = shop_settings\n",
        "shop_settings.py": SETTINGS,
        "shop.py": SHOP,
        "articles.jsonl": "of yesterday\n",
    }.items():
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.mark.parametrize("command", ["clean", *nightly("explain")])
def test_what_shows_a_page_touches_nothing_of_the_project(project: Path, command: str) -> None:
    before = sorted(path.name for path in project.iterdir())
    with SiteServer({"/news/11.html": article(1)}) as site:
        done = webclean(
            command, site.url("/news/11.html"), "--json", cwd=project, PYTHONDONTWRITEBYTECODE="1"
        )
        agents = {asked.headers["user-agent"] for asked in site.asked}

    assert done.returncode == 0, done.stderr.decode()
    assert command == "explain" or json.loads(done.stdout)["articleBody"]
    assert agents == {"shop/1.0"}
    assert (project / "articles.jsonl").read_text() == "of yesterday\n"
    assert sorted(path.name for path in project.iterdir()) == before
