"""From the built wheel in an empty environment to a clean crawl, as a user would."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from spiders.demo import DemoServer, compare
from spiders.demo.compare import path_of_url
from tests.commands.running import read_records

ROOT = Path(__file__).parents[2]

SPIDER = """
import scrapy
from scrapy.linkextractors import LinkExtractor

class News(scrapy.Spider):
    name = "news"

    async def start(self):
        yield scrapy.Request(self.url)

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield {"url": response.url}
            for link in LinkExtractor(allow="//127.0.0.1:").extract_links(response):
                yield scrapy.Request(link.url)
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command in an environment that knows nothing of this repository."""
    clean = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "SCRAPY", "VIRTUAL"))
    }
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_wheel_and_one_line_in_a_new_project_clean_a_crawl(tmp_path: Path) -> None:
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"webclean_scrapy"}

    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    install: list[str | Path] = ["--python", python, "install", "-q", "--no-compile", wheel]
    run(sys.executable, "-m", "pip", *install, cwd=tmp_path)
    run(python, "-m", "scrapy", "startproject", "paper", cwd=tmp_path)
    project = tmp_path / "paper"
    settings = project / "paper" / "settings.py"
    with settings.open("a") as file:
        file.write('\nADDONS = {"webclean_scrapy.Addon": 500}\n')
    (project / "paper" / "spiders" / "news.py").write_text(SPIDER)

    with DemoServer() as server:
        arguments = ["-a", f"url={server.url()}", "-O", "out.jsonl", "-s", "DOWNLOAD_DELAY=0"]
        log = run(python, "-m", "scrapy", "crawl", "news", *arguments, cwd=project)
        records = read_records(project / "out.jsonl")
        result = compare(
            [r for r in records if r["webclean"]["is_article"]], server.portal.articles
        )
        section = [server.url("/harbour/science"), "--within", "/harbour/science"]
        run(python, "-m", "scrapy", "webclean", "crawl", *section, "-o", "more.jsonl", cwd=tmp_path)
        more = read_records(tmp_path / "more.jsonl")

    assert "'finish_reason': 'finished'" in log
    assert (result.missing, result.doubled, result.reposts_kept) == ((), (), ())
    assert result.body_share > 0.9
    texts = {path_of_url(record["url"]).removesuffix("/") for record in more}
    in_section = [path for path in server.portal.articles if path.startswith("/harbour/science/")]
    teasers = {path for path in in_section if server.portal.articles[path].repost_of in in_section}
    assert {*in_section} - teasers <= texts <= {*in_section}
