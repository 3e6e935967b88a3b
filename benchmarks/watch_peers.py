"""Other tools on the world of `watch_world`, a round a day, run as documented.

- one crawl a site and day with an index that lasts, the recipe "A crawl each day" of this project;
- trafilatura: `find_feed_urls` and `sitemap_search`, then each address that was never asked for;
- news-please, its RSS and its recursive crawler, with its defaults. ``NEWS_PLEASE`` names the
  program, in an environment of its own: it asks for many packages.
"""

from __future__ import annotations

import json
import os
import subprocess
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.watch import LIMIT_S, PLAIN, Exported, Outcome, Watch, read_records, start

if TYPE_CHECKING:
    from benchmarks.watch import Round
    from benchmarks.watch_world import World

_CRAWLERS = {"news-please RSS": "RssCrawler", "news-please recursive": "RecursiveCrawler"}
PEERS = ("webclean watch", "a crawl each day", "trafilatura", *_CRAWLERS)


def make_round(name: str, world: World, folder: Path) -> Round:
    """Return the round of a peer."""
    if name in _CRAWLERS:
        return NewsPlease(world, folder, _CRAWLERS[name])
    made: dict[str, Any] = dict(zip(PEERS, (Watch, DailyCrawl, Trafilatura), strict=False))
    round_: Round = made[name](world, folder)
    return round_


class DailyCrawl:
    """One crawl of each site, with one index of near-duplicates for all."""

    def __init__(self, world: World, folder: Path) -> None:
        self._world, self._folder = world, folder

    def __call__(self, day: int, hour: float) -> Outcome:
        code, found, feed = 0, [Exported("")][1:], self._folder / "today.jsonl"
        for home in self._world.homes:
            feed.unlink(missing_ok=True)
            index = ["-s", "WEBCLEAN_DEDUP_URI=sqlite:///news.db"]
            words = ["crawl", home, "-o", "today.jsonl", *index, *PLAIN]
            code |= start(self._world, self._folder, day, hour, words).wait(LIMIT_S)
            found += read_records(feed.read_bytes().splitlines() if feed.exists() else ())
        return Outcome(code, found)


class Trafilatura:
    """Feeds and sitemaps of each site, and a page for each new address."""

    def __init__(self, world: World, folder: Path) -> None:
        import urllib3

        downloads: Any = import_module("trafilatura.downloads")
        sitemaps: Any = import_module("trafilatura.sitemaps")
        pool: Any = urllib3.ProxyManager(world.server.url(""))  # it knows proxies of SOCKS only
        downloads.PROXY_URL, downloads.HTTP_POOL = world.server.url(""), pool
        sitemaps.is_live_page = lambda *_: True  # the server knows no HEAD
        self._world = world
        self._seen: set[str] = set()

    def __call__(self, day: int, hour: float) -> Outcome:
        peer = import_module("trafilatura")
        find_feed_urls = import_module("trafilatura.feeds").find_feed_urls
        sitemap_search = import_module("trafilatura.sitemaps").sitemap_search
        self._world.day, found = day, []
        for home in self._world.homes:
            named = {*find_feed_urls(home, sleep_time=0), *sitemap_search(home, sleep_time=0)}
            pages = ((url, peer.fetch_url(url)) for url in sorted(named - self._seen))
            found += [Exported(url) for url, page in pages if page and peer.extract(page, url=url)]
            self._seen |= named
        return Outcome(0, found)


class NewsPlease:
    """news-please, with one crawler per site; its output are JSON files."""

    def __init__(self, world: World, folder: Path, crawler: str) -> None:
        self._world, self._folder = world, folder
        self._files: set[Path] = set()
        program = Path(os.environ["NEWS_PLEASE"])
        config, own = folder / "config", next(program.parents[1].glob("lib/*/site-packages"))
        text = (own / "newsplease" / "config" / "config.cfg").read_text()
        config.mkdir()
        (config / "config.cfg").write_text(text.replace("~/news-please-repo/", f"{folder}/"))
        sites = [{"url": home, "crawler": crawler} for home in world.homes]
        (config / "sitelist.hjson").write_text(json.dumps({"base_urls": sites}))
        self._command = [str(program), "-c", f"{config}/", "-no-confirm"]

    def __call__(self, day: int, hour: float) -> Outcome:
        self._world.day = day
        environment = {**os.environ, "http_proxy": self._world.server.url("")}
        with (self._folder / "log").open("ab") as log:
            ran = subprocess.run(
                self._command, env=environment, stdout=log, stderr=log, timeout=LIMIT_S, check=False
            )
        new = {*self._folder.glob("data/**/*.json")} - self._files
        self._files |= new
        return Outcome(
            max(ran.returncode, 0), [*read_records(file.read_bytes() for file in sorted(new))]
        )
