"""One line in ADDONS, in a project that exists: every kind of spider and item, and the commands."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from itemadapter import ItemAdapter

from tests.commands.running import run_python
from tests.crawling import Crawls
from tests.e2e import own_project
from tests.e2e.own_project import ITEMS, SPIDERS, AfterPipeline, BeforePipeline
from tests.pages import article, article_text, listing
from tests.server import Reply, SiteServer

PATHS = [f"/news/{name}.html" for name in ("one", "two", "copy", "refused")]
GZIP = "scrapy.extensions.postprocessing.GzipPlugin"
PIPELINES = {BeforePipeline: 100, AfterPipeline: 300}


def site_routes() -> dict[str, Any]:
    stories: dict[str, Any] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    stories["/news/copy.html"] = article(2, PATHS, paragraphs=article_text(1))
    return stories


@pytest.fixture
def site() -> Iterator[SiteServer]:
    with SiteServer(site_routes()) as server:
        urls = [server.url(path) for path in PATHS]
        server.routes["/"] = listing(PATHS)
        body = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
        sitemap = f'<?xml version="1.0"?><urlset>{body}</urlset>'.encode()
        server.routes["/sitemap.xml"] = Reply(sitemap, content_type="text/xml")
        yield server


@pytest.mark.parametrize(
    ("spider", "item"),
    list(zip(cycle(SPIDERS), ITEMS)),
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_every_kind_works_as_is(crawls: Crawls, site: SiteServer, spider: Any, item: str) -> None:
    crawled = crawls.run(spider, {"ITEM_PIPELINES": PIPELINES}, site=site.url("/"), item=item)
    assert crawled.errors == []
    bodies = [ItemAdapter(one)["articleBody"] for one in crawled.items]
    texts = ["\n".join(article_text(number)) for number in (0, 1)]
    assert len(bodies) == 2
    assert all(any(text in body for body in bodies) for text in texts)
    reasons = sorted(type(error).__name__ for _, error in crawled.dropped)
    assert reasons == ["DropItem", "NearDuplicate"]
    assert crawled.stats["test/BeforePipeline"] == [False] * 4
    assert crawled.stats["test/AfterPipeline"] == [True] * 3  # filled, and no copy
    assert set(site.paths()) - {"/", "/sitemap.xml"} == set(PATHS)
    assert len(site.paths()) == 5, "no page is asked for twice"


def project(folder: Path, *arguments: str) -> str:
    """Run a command of Scrapy in *folder*; return its output and log."""
    done = run_python("from scrapy.cmdline import execute; execute()", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr.decode()
    return (done.stdout + done.stderr).decode()


def test_a_new_project_writes_feeds_of_every_kind(tmp_path: Path, site: SiteServer) -> None:
    """The files of Scrapy's template with three lines changed, and the spiders above."""
    project(tmp_path, "startproject", "-s", "LOG_ENABLED=0", "news", ".")
    settings = tmp_path / "news" / "settings.py"
    lines = settings.read_text().replace("DOWNLOAD_DELAY = 1\n", "").replace("ADDONS = {}\n", "")
    exporter = 'FEED_EXPORTERS = {"csv": "webclean_scrapy.export.tables.ArticleCsvExporter"}'
    settings.write_text(f'{lines}ADDONS = {{"webclean_scrapy.Addon": 500}}\n{exporter}\n')
    source = Path(own_project.__file__).read_text(encoding="utf-8")
    (tmp_path / "news" / "spiders" / "kinds.py").write_text(source, encoding="utf-8")
    feeds = {
        "all.csv": {"format": "csv"},
        "packed.jsonl.gz": {"format": "jsonlines", "postprocessing": [GZIP]},
        "part-%(batch_id)d.jsonl": {"format": "jsonlines", "batch_item_count": 1},
    }
    given = f"site={site.url('/')}"
    log = project(tmp_path, "crawl", "plain", "-a", given, "-s", f"FEEDS={json.dumps(feeds)}")

    with (tmp_path / "all.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3
    assert json.loads(rows[0]["webclean"])["kind"] == "article"
    assert json.loads((tmp_path / "part-2.jsonl").read_text())["url"] == rows[1]["url"]
    with gzip.open(tmp_path / "packed.jsonl.gz") as file:
        assert len(file.readlines()) == 3
    summary = log.split("Articles of this crawl:")[1]
    for line in ("3  items exported", "1  near-duplicates dropped", "3  items in all.csv",
                 "1  items in part-1.jsonl"):  # fmt: skip
        assert f"{line}\n" in summary

    url = site.url(PATHS[0])
    parsed = project(tmp_path, "parse", "--pipelines", "--nocolour", "--spider=rules",
                     "-a", given, "-c", "parse_story", url)  # fmt: skip
    assert "'kind': 'article'" in parsed
