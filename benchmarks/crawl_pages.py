"""The pages that the crawls of `crawl_cost` get: made ones like those of news, or labelled ones.

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
from typing import TYPE_CHECKING

from benchmarks.data import load_sets
from benchmarks.made_pages import make_page, make_real_page
from benchmarks.place_cost import PLACES, group_by_place
from spiders.demo.model import DemoPage
from spiders.demo.server import PageServer

if TYPE_CHECKING:
    from collections.abc import Iterator

PATHS = "/paths"
SERVED_S = 4 * 3600  # at most
LARGE = (300_000, 1_000_000, 2_000_000, 5_000_000)  # bytes; a page of each is one of the large
LARGE_EVERY = 25  # pages


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChoice:
    """Selects the crawled pages: *count* made ones, with or without large ones; or labelled."""

    count: int
    large: bool = False
    data: str | None = None  # folder of labelled sets, of which pages at even distances are taken
    sets: tuple[str, ...] = ()  # of these alone


def read_bodies(choice: PageChoice) -> dict[str, bytes]:
    """Return the pages by path."""
    if choice.data is None:
        bodies = {f"/news/{n}.html": make_real_page(n).encode() for n in range(choice.count)}
        return bodies | dict(_large_pages(choice.count)) if choice.large else bodies
    sets = load_sets(Path(choice.data), choice.sets or None)
    labelled = [page for pages in sets.values() for page in pages.values()]
    step = max(1, len(labelled) // choice.count)
    sites: dict[str, str] = {}  # a name of letters for each: numbers in a path are not its shape
    bodies = {}
    for number, page in enumerate(labelled[::step][: choice.count]):
        site = sites.setdefault(page.site, _letters(len(sites)))
        bodies[f"/{site}/{number}.html"] = page.html
    return bodies


def _large_pages(count: int) -> Iterator[tuple[str, bytes]]:
    """Yield the large ones among *count* made pages by path."""
    for place, number in enumerate(range(LARGE_EVERY // 2, count, LARGE_EVERY)):
        size = LARGE[place % len(LARGE)]
        yield f"/news/{number}.html", make_page(size, number + 1).encode()


def _letters(number: int) -> str:
    return "site-" + "".join(string.ascii_lowercase[number // 26**at % 26] for at in range(3))


def serve(choice: PageChoice) -> None:
    """Serve the pages until the process is killed; print the URL, then a sentence about them."""
    bodies = read_bodies(choice)
    # Labelled pages say themselves in which charset they are.
    kind = "text/html" if choice.data else "text/html; charset=utf-8"
    pages = {path: DemoPage(body=body, content_type=kind) for path, body in bodies.items()}
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
