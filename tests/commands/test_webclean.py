from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.commands.running import run_python, webclean
from tests.pages import article, listing
from tests.server import SiteServer

if TYPE_CHECKING:
    from pathlib import Path

PATHS = [f"/news/{number}.html" for number in (11, 12, 13)]


def test_crawl_prints_json_lines_without_a_file(tmp_path: Path) -> None:
    routes = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    with SiteServer({"/": listing(PATHS), **routes}) as site:
        done = webclean("crawl", site.url("/"), "--max-pages", "5", cwd=tmp_path)
    assert [json.loads(line)["url"] for line in done.stdout.splitlines()]
    assert len(site.paths()) <= 6  # five pages and a sibling at most


def test_other_scrapy_commands_do_not_load_the_method(tmp_path: Path) -> None:
    code = (
        "import sys, webclean_scrapy.commands.webclean\n"
        "print(sorted(n for n in sys.modules if n.startswith('webclean_scrapy')))\n"
        "print([n for n in ('numpy', 'jieba', 'rjieba') if n in sys.modules])"
    )
    done = run_python(code, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        b"['webclean_scrapy', 'webclean_scrapy.commands', 'webclean_scrapy.commands.webclean']",
        b"[]",
    ]
