"""Archives with mixed pages of several hosts, and the output of ``webclean clean``."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

from spiders.demo.model import DemoPage
from tests.pages import article, listing
from tests.warcs import write_warc
from webclean_scrapy.commands.webclean import main

HOSTS = ("north.example", "south.example", "west.example:8080", "east.example")
_CHINESE = "今天早上海港有大雾，去岛上的渡轮晚点了两个小时。船长说下午天气会好起来，乘客可以改签。"
#: In every page of a host, in front of the article: siblings alone show that it is template.
_BANNER = "<p>" + "Our readers keep this paper alive and we thank them for it warmly. " * 4 + "</p>"
COPY = "http://east.example/news/77.html"  # of ORIGINAL, on another host
ORIGINAL = "http://north.example/news/100.html"
LIST = "http://south.example/"  # without text
FAILED = {"http://north.example/paper.html": "not_html", "http://south.example/blank.html": "empty"}


def url_of(host: str, number: int) -> str:
    return f"http://{host}/news/{number}.html"


def made_pages() -> list[dict[str, DemoPage]]:
    """Return the pages of three archives by address; each archive has pages of each host."""
    archives: list[dict[str, DemoPage]] = [{}, {}, {}]
    for place, host in enumerate(HOSTS):
        for number in range(6):
            html = article(place * 10 + number).replace("<p>", _BANNER + "<p>", 1)
            archives[number % 3][url_of(host, 100 + number)] = DemoPage(body=html.encode())
    chinese = article(1, paragraphs=[_CHINESE * 3] * 3).replace('<meta charset="utf-8">', "")
    lists = listing([url_of("south.example", number) for number in range(30)])
    archives[0] |= {
        "http://north.example/paper.html": DemoPage(body=b"%PDF-1.7\n" * 50),
        LIST: DemoPage(body=lists.encode()),
        "http://south.example/gone.html": DemoPage(body=b"<p>Gone.</p>", status=404),
        "http://south.example/a.pdf": DemoPage(body=b"%PDF", content_type="application/pdf"),
    }
    archives[2] |= {
        "http://south.example/blank.html": DemoPage(body=b" \n "),
        "http://east.example/cn/1.html": DemoPage(
            body=chinese.encode("gb2312"), content_type="text/html; charset=gb2312"
        ),
        COPY: DemoPage(body=article(0).encode()),
    }
    return archives


def write_archives(folder: Path) -> list[str]:
    """Write the archives into a new folder, and return their paths."""
    folder.mkdir()
    paths = [folder / f"{number}.warc.gz" for number in range(3)]
    for path, pages in zip(paths, made_pages(), strict=True):
        write_warc(path, "", pages)
    return [str(path) for path in paths]


def cleaned(paths: list[str]) -> dict[str, dict[str, Any]]:
    """Return the articles that ``webclean clean`` writes, by address."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()):
        main(["clean", *paths, "--json", "-s", "WEBCLEAN_FIELDS=all"])
    records = [json.loads(line) for line in shown.getvalue().splitlines()]
    return {record["url"]: record for record in records}
