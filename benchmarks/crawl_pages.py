"""The pages crawled by `crawl_cost`: labelled ones, or the demo portal.

    python -m benchmarks.crawl_pages JSON

serves the pages that the `PageChoice` in JSON names until the process is killed, and prints its
URL. The paths are at ``/paths``, one a line.
"""

from __future__ import annotations

import json
import string
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data import load_sets
from benchmarks.made_pages import make_page
from benchmarks.place_cost import PLACES, group_by_place
from spiders.demo.model import DemoPage
from spiders.demo.server import PageServer

PATHS = "/paths"
SERVED_S = 4 * 3600  # at most
LARGE = (300_000, 1_000_000, 2_000_000, 5_000_000)  # bytes; a page of each is one of the large
SMALL = 60_000
LARGE_EVERY = 25  # pages


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChoice:
    """Selects the crawled pages: *count* at even distances of labelled ones, or of the demo."""

    count: int
    large: bool = False  # some pages of the demo portal are made ones of megabytes
    data: str | None = None  # folder of labelled sets
    sets: tuple[str, ...] = ()  # of these alone
    one_site: bool = False  # made pages of one template in place of these


def read_bodies(choice: PageChoice) -> dict[str, bytes]:
    """Return the pages by path."""
    if choice.one_site:
        paths = (f"/{_letters(0)}/{number}.html" for number in range(choice.count))
        return {path: make_page(SMALL, at).encode() for at, path in enumerate(paths)}
    sets = load_sets(Path(choice.data) if choice.data else None, choice.sets or None)
    labelled = [page for pages in sets.values() for page in pages.values()]
    step = max(1, len(labelled) // choice.count)
    sites: dict[str, str] = {}  # a name of letters for each: numbers in a path are not its shape
    bodies = {}
    for number, page in enumerate(labelled[::step][: choice.count]):
        site = sites.setdefault(page.site, _letters(len(sites)))
        bodies[f"/{site}/{number}.html"] = page.html
    if choice.large and choice.data is None:
        for place, path in enumerate([*bodies][LARGE_EVERY // 2 :: LARGE_EVERY]):
            bodies[path] = make_page(LARGE[place % len(LARGE)], place).encode()
    return bodies


def _letters(number: int) -> str:
    return "site-" + "".join(string.ascii_lowercase[number // 26**at % 26] for at in range(3))


def serve(choice: PageChoice) -> None:
    """Serve the pages until the process is killed; print the URL, then a sentence about them."""
    bodies = read_bodies(choice)
    pages = {
        path: DemoPage(body=body, content_type="text/html")  # they say in which charset they are
        for path, body in bodies.items()
    }
    pages[PATHS] = DemoPage(body="\n".join(bodies).encode(), content_type="text/plain")
    with PageServer(pages.get) as server:
        print(server.url(""), flush=True)
        kb = sum(map(len, bodies.values())) // 1000 // len(bodies)
        groups = zip(PLACES, group_by_place(bodies), strict=True)
        places = ", ".join(f"{len(group)} of place {place}" for place, group in groups)
        print(f"{len(bodies)} pages of {kb} kB, in their sites {places}", flush=True)
        time.sleep(SERVED_S)


if __name__ == "__main__":
    serve(PageChoice(**json.loads(sys.argv[1])))
