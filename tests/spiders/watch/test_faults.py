"""Faulty answers of sites for some rounds; no later right article is lost."""

import gzip
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha1
from itertools import count, pairwise
from pathlib import Path

import pytest

from tests.crawling import Crawls
from tests.pages import article, article_text, sentences
from tests.server import HTML, NOT_FOUND, Asked, Reply, Route, redirect
from tests.spiders.watch.test_rounds import SETTINGS
from tests.watched import Clock, WatchedSite, list_page
from webclean_scrapy.spiders import WatchSpider

ROUNDS = (0, 30, 60, 360, 1440, 2880)  # minutes after the new articles were listed
LETTERS = str.maketrans("0123456789", "ghijklmnop")
COOKIE = {"Set-Cookie": "a=b"}
visits = count(10**6)


def page(title: str, *texts: str) -> str:
    paragraphs = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{paragraphs}</body></html>"
    )


def checking(asked: Asked) -> str:
    number = f"{next(visits):x}9"
    return page("Just a moment", "Checking your browser before you go on.", f"Visit {number}")


def by_name(asked: Asked) -> str:
    return page(
        f"Loading {asked.path}", f"The text of {asked.path} is on its way.", "Wait a little."
    )


def to_its_own_error(asked: Asked) -> Reply:
    return redirect(f"/sorry?{asked.path}")


def there_and_back(asked: Asked) -> Reply:
    path, sign, _ = asked.path.partition("?")
    return redirect(path if sign else f"{path}?again")


def further(asked: Asked) -> Reply:
    path, _, number = asked.path.partition("?n=")
    return redirect(f"{path}?n={int(number or 0) + 1}")


def cut_off(asked: Asked) -> Reply:
    """Return two thirds of the right page, without an error."""
    seed, number = asked.path.removeprefix("/story/").removesuffix(".html").split("-")
    whole = article(1000 * int(seed) + int(number)).encode()
    return Reply(whole[: 2 * len(whole) // 3])


def half_packed(asked: Asked) -> Reply:
    packed = gzip.compress(article(len(asked.path)).encode())
    return Reply(packed[: 2 * len(packed) // 3], headers={"Content-Encoding": "gzip"})


HALF = f"HTTP/1.1 200 OK\r\nContent-Type: {HTML}\r\nContent-Length: 9999\r\n\r\n<h1>"
REFRESH = '<meta http-equiv="refresh" content="0; url=/wait">'
#: What a site answers for an article: at its own addresses, and at others that it leads to.
FAULTS: dict[str, tuple[Route, dict[str, Route]]] = {
    "forbidden": (Reply(b"<h1>No</h1>", 403), {}),
    "gone": (Reply(b"<h1>Gone</h1>", 410), {}),
    "broken": (Reply(b"<h1>Oops</h1>", 500), {}),
    "hangs up": (Reply(raw=[b""]), {}),
    "half a page": (Reply(raw=[HALF.encode()]), {}),
    "plain text": (Reply(b"upstream connect error", content_type="text/plain"), {}),
    "json": (Reply(b'{"error": "busy"}', content_type="application/json"), {}),
    "to a log-in": (redirect("/login?from=here"), {"/login": page("Log in", "Name and password.")}),
    "to many errors": (to_its_own_error, {"/sorry": page("Sorry", "Come back later.")}),
    "to another host": (redirect("http://sso.example.invalid/"), {}),
    "refresh": (f"{REFRESH}<p>...</p>", {"/wait": page("Wait", "A queue.")}),
    "browser check": (checking, {}),
    "consent": (article(10**6), {}),
    "short consent": (page("Your privacy", *sentences(10**6, 5)), {}),
    "front page": (list_page(["/about.html", "/contact.html"]), {}),
    "own words": (by_name, {}),
    "blank": (" \n", {}),
    "loop of two": (there_and_back, {}),
    "ever on": (further, {}),
    "cut off": (cut_off, {}),
    "packed and cut off": (half_packed, {}),
}  # fmt: skip
OF_SITES = ("no feed", "no site", "all forbidden", "a wall for all")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def fail(site: WatchedSite, kind: str) -> None:
    """Let a site answer by its fault."""
    paths = {site.path(number): "" for number in range(3, site.count)}
    if kind in FAULTS:
        answer, others = FAULTS[kind]
        site.routes |= {**dict.fromkeys(paths, answer), **others}
        if kind == "ever on":
            site.other = further
        if kind == "loop of two":
            site.routes |= {f"{path}?again": answer for path in paths}
        if others:
            site.other = others.get("/login") or others.get("/sorry") or site.other
    elif kind == "no feed":
        site.routes["/news.rss"] = page("Not here", "A wall in place of the feed.")
    else:
        status = {"no site": 503, "all forbidden": 403, "a wall for all": 200}[kind]
        answer = Reply(page("Just a moment", "We check your browser.").encode(), status)
        site.routes = dict.fromkeys(site.routes, answer)


@pytest.mark.parametrize("wrong", [1, 2, 5])
def test_nothing_is_lost_that_comes_right_within_two_days(
    crawls: Crawls, clock: Clock, stack: ExitStack, tmp_path: Path, wrong: int
) -> None:
    sites = {
        kind: stack.enter_context(WatchedSite("rss", seed)).publish(3)
        for seed, kind in enumerate([*FAULTS, *OF_SITES], 1)
    }
    found = run_rounds(crawls, clock, sites, tmp_path, wrong)
    lost = {
        kind: [url for url in site.wanted() if url not in found] for kind, site in sites.items()
    }
    assert {kind: urls for kind, urls in lost.items() if urls} == {}
    wanted = {url for site in sites.values() for url in site.wanted()}
    assert [url for url in found if url not in wanted] == []
    assert [url for url, times in found.items() if times > 1] == []


def run_rounds(
    crawls: Crawls, clock: Clock, sites: dict[str, WatchedSite], folder: Path, wrong: int
) -> Counter[str]:
    """Return the number of exports per address, in rounds of which some fail."""
    found: Counter[str] = Counter()
    for number, minute in enumerate((-60, *ROUNDS)):
        clock.go_on(minute - (-60, -60, *ROUNDS)[number])
        for kind, site in sites.items():
            if number == 1:
                site.publish(3)
            if 1 <= number <= wrong:
                fail(site, kind)
            elif number:
                site.publish(0)
        own = {"WEBCLEAN_DEDUP_URI": f"sqlite:///{folder / 'index.db'}"}
        settings = {**SETTINGS, "RETRY_TIMES": 0, "CONCURRENT_REQUESTS": 32, **own}
        homes = " ".join(site.home for site in sites.values())
        state = str(folder / "watch.db")
        texts = {
            site.url(site.path(number)): article_text(1000 * site.seed + number)
            for site in sites.values()
            for number in range(6)
        }
        for item in crawls.run(WatchSpider, settings, sites=homes, state=state).items:
            is_right = all(text in item.articleBody for text in texts.get(item.url, "?"))
            found[item.url if is_right else f"{item.url}: {item.articleBody[:60]}"] += 1
    return found


def test_a_page_that_is_gone_for_good_costs_at_most_eight_requests(
    crawls: Crawls, clock: Clock, stack: ExitStack, tmp_path: Path
) -> None:
    sites = {
        kind: stack.enter_context(WatchedSite("rss", seed)).publish(3)
        for seed, kind in enumerate(FAULTS, 1)
    }
    run_rounds(crawls, clock, sites, tmp_path, 99)
    for _ in range(14):
        clock.go_on(1440)
        homes = " ".join(site.home for site in sites.values())
        crawls.run(WatchSpider, SETTINGS, sites=homes, state=str(tmp_path / "watch.db"))
    for kind, site in sites.items():
        asked = Counter(site.paths())
        dead = [asked[site.path(number)] for number in range(3, 6)]
        assert max(asked[path] for path in asked if path.startswith("/story/")) <= 8, (kind, asked)
        assert min(dead) >= 2, (kind, dead)


def to_other_words(asked: Asked) -> Reply:
    """Redirect to an address with only the first folder in common."""
    return redirect("/story/" + sha1(asked.path.encode()).hexdigest().translate(LETTERS))


def with_a_cookie(asked: Asked) -> Reply:
    return replace(further(asked), headers={**further(asked).headers, **COOKIE})


def in_a_circle_of_three(asked: Asked) -> Reply:
    path, _, number = asked.path.partition("?n=")
    return redirect({"": f"{path}?n=1", "1": f"{path}?n=2", "2": path}[number])


def in_a_circle(asked: Asked) -> Reply:
    return replace(there_and_back(asked), headers={**there_and_back(asked).headers, **COOKIE})


def refreshed(asked: Asked) -> str:
    place = further(asked).headers["Location"]
    return f'<meta http-equiv="refresh" content="0; url={place}"><p>On and on</p>'


@pytest.mark.parametrize(
    "route", [further, to_other_words, with_a_cookie, in_a_circle, in_a_circle_of_three, refreshed]
)
def test_redirects_without_end_cost_eight_requests(
    crawls: Crawls,
    clock: Clock,
    stack: ExitStack,
    tmp_path: Path,
    route: Callable[[Asked], Reply | str],
) -> None:
    site = stack.enter_context(WatchedSite("rss", 1)).publish(1)
    for minutes in (0, 30, 30, 300, 1080, *[1440] * 9):
        clock.go_on(minutes)
        site.routes = {path: route if "story" in path else one for path, one in site.routes.items()}
        site.other = lambda asked: route(asked) if "/story/" in asked.path else NOT_FOUND
        crawls.run(WatchSpider, SETTINGS, sites=site.home, state=str(tmp_path / "watch.db"))
    asked = [path for path in site.paths() if path.startswith("/story/")]
    assert asked.count(site.path(0)) >= 2
    assert len(asked) <= 8


@pytest.mark.parametrize("case", [(0, 5), (1, 0), (1, 1), (5, 0), (5, 1)])
def test_a_chain_that_ends_leads_to_its_article(
    crawls: Crawls, clock: Clock, stack: ExitStack, tmp_path: Path, case: tuple[int, int]
) -> None:
    """Five redirects are followed at first, one where they had no end before."""
    wrong, hops = case  # rounds that go wrong, and redirects to the article then
    site = stack.enter_context(WatchedSite("rss", 1)).publish(1)
    right = site.routes[site.path(0)]
    chain = [site.path(0), *(f"/hop-{number}.html" for number in range(hops))]
    found = []
    for number, minute in enumerate(ROUNDS):
        clock.go_on(minute - (0, *ROUNDS)[number])
        site.other = further
        site.routes[chain[-1]] = right
        site.routes |= {one: redirect(after) for one, after in pairwise(chain)}
        if number < wrong:
            site.routes[site.path(0)] = further
        state = str(tmp_path / "watch.db")
        found += crawls.run(WatchSpider, SETTINGS, sites=site.home, state=state).items
    assert len(found) == 1
