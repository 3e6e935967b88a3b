"""Faulty answers of sites for some rounds; no later right article is lost."""

import gzip
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha1
from itertools import count, pairwise
from typing import Any

import pytest

from tests.marks import nightly
from tests.pages import article, article_text, sentences
from tests.server import HTML, NOT_FOUND, Asked, Reply, Route, redirect
from tests.watched import Clock, Watch, WatchedSite, WatchedSites, list_page

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


@pytest.mark.parametrize("wrong", [*nightly(1), 5])
def test_nothing_is_lost_that_comes_right_within_two_days(
    watch: Watch, watched: WatchedSites, clock: Clock, wrong: int
) -> None:
    sites = {kind: watched().publish(3) for kind in [*FAULTS, *OF_SITES]}
    found = run_rounds(watch, clock, sites, wrong)
    lost = {
        kind: [url for url in site.wanted() if url not in found] for kind, site in sites.items()
    }
    assert {kind: urls for kind, urls in lost.items() if urls} == {}
    wanted = {url for site in sites.values() for url in site.wanted()}
    assert [url for url in found if url not in wanted] == []
    assert [url for url, times in found.items() if times > 1] == []


@pytest.mark.parametrize("broken", ["01010", *nightly("10000", "01000", "10101", "11110")])
def test_a_wall_is_known_by_its_pages_of_other_rounds(
    watch: Watch,
    watched: WatchedSites,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    broken: str,
) -> None:
    caplog.set_level("INFO")
    site = watched().publish(3)
    watch(site.home)
    site.publish(3)
    for minute, is_broken in zip(pairwise((0, *ROUNDS[:5])), broken, strict=True):
        clock.go_on(minute[1] - minute[0])
        fail(site, "consent")
        if is_broken == "1":
            site.routes[site.path(5)] = Reply(b"<h1>Oops</h1>", 500)
        caplog.clear()
        site.asked.clear()
        watch(site.home)
        counts = re.search(r"(\d+) new, (\d+) copies, (\d+) failed", caplog.text)
        assert counts
        asked = [path for path in site.paths() if path.endswith(".html")]
        assert sum(map(int, counts.groups())) <= len(asked)
    right = {
        site.url(site.path(number)): article_text(1000 * site.seed + number) for number in (3, 4, 5)
    }
    site.publish(0)
    items = []
    for _ in range(4):
        clock.go_on(1440)
        items += watch(site.home).items
    assert {
        item.url for item in items if all(text in item.articleBody for text in right[item.url])
    } == {*right}


@pytest.mark.parametrize("count", [1, 2])
def test_a_wall_that_two_sites_have_is_no_repost(
    watch: Watch, watched: WatchedSites, clock: Clock, count: int
) -> None:
    sites = {str(number): watched().publish(3) for number in range(2)}
    found = watch(*homes_of(sites)).items
    for site in sites.values():
        site.publish(count)
        fail(site, "consent")
    found += watch(*homes_of(sites)).items
    for site in sites.values():
        site.publish(0)
    for _ in range(3):
        clock.go_on(1440)
        found += watch(*homes_of(sites)).items
    assert sites_without(found, sites) == {}
    asked = Counter(path for site in sites.values() for path in site.paths() if "story" in path)
    assert max(asked.values()) <= 2


@pytest.mark.parametrize(
    ("kind", "count"),
    [("own words", 1), *nightly(("consent", 2), ("short consent", 2), ("to a log-in", 1))],
)
def test_a_wall_of_less_than_two_days_hides_nothing_from_rounds_of_every_four_hours(
    watch: Watch, watched: WatchedSites, clock: Clock, kind: str, count: int
) -> None:
    sites = {kind: watched().publish(3)}
    found = watch(*homes_of(sites)).items
    for hour in range(0, 72, 4):
        sites[kind].publish(0 if hour else count)
        if hour < 44:
            fail(sites[kind], kind)
        found += watch(*homes_of(sites)).items
        clock.go_on(240)
    assert sites_without(found, sites) == {}


@pytest.mark.parametrize("between", [None, 500, 503])
def test_a_wall_that_one_page_still_shows_is_known_by_its_text(
    watch: Watch, watched: WatchedSites, clock: Clock, between: int | None
) -> None:
    """A check of the browser comes by chance: others are right, or have failed otherwise."""
    sites = {"consent": watched().publish(3)}
    (site,) = sites.values()
    found = watch(site.home).items
    for shown, minutes in (((3, 4, 5), 60), ((5,), 120), ((4,), 360), ((), 1440)):
        site.publish(0 if site.count > 3 else 3)
        if between:
            error = Reply(b"<h1>Busy</h1>", between)
            site.routes |= {site.path(number): error for number in (3, 4, 5) if shown}
        walls = {site.path(number): FAULTS["consent"][0] for number in shown}
        site.routes |= walls
        found += watch(site.home).items
        clock.go_on(minutes)
    assert sites_without(found, sites) == {}
    assert [item.url for item in found if article_text(10**6)[0] in item.articleBody] == []


def test_an_article_that_others_had_shown_in_their_place_is_exported_within_two_days(
    watch: Watch, watched: WatchedSites, clock: Clock
) -> None:
    sites = {"mixed up": watched().publish(3)}
    (site,) = sites.values()
    found = watch(site.home).items
    site.publish(3)
    site.routes |= dict.fromkeys(map(site.path, (4, 5)), site.routes[site.path(3)])
    for minutes in (30, 120, 240, 1080, 1440):
        found += watch(site.home).items
        clock.go_on(minutes)
        site.publish(0)
    found += watch(site.home).items
    assert sites_without(found, sites) == {}
    assert len(found) == 6


def sites_without(found: list[Any], sites: dict[str, WatchedSite]) -> dict[str, list[str]]:
    """Return the addresses whose right text is not among the exported items, by site."""
    texts = {item.url: "" for item in found}
    for item in found:
        texts[item.url] += item.articleBody or ""
    missing = {
        kind: [
            url
            for number, url in enumerate(site.wanted())
            if not all(
                text in texts.get(url, "") for text in article_text(1000 * site.seed + number)
            )
        ]
        for kind, site in sites.items()
    }
    return {kind: urls for kind, urls in missing.items() if urls}


def homes_of(sites: dict[str, WatchedSite]) -> list[str]:
    return [site.home for site in sites.values()]


def run_rounds(
    watch: Watch, clock: Clock, sites: dict[str, WatchedSite], wrong: int
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
        settings = {"RETRY_TIMES": 0, "CONCURRENT_REQUESTS": 32}
        texts = {
            site.url(site.path(number)): article_text(1000 * site.seed + number)
            for site in sites.values()
            for number in range(6)
        }
        for item in watch(*homes_of(sites), settings=settings).items:
            is_right = all(text in item.articleBody for text in texts.get(item.url, "?"))
            found[item.url if is_right else f"{item.url}: {item.articleBody[:60]}"] += 1
    return found


@pytest.mark.nightly
def test_a_page_that_is_gone_for_good_costs_at_most_eight_requests(
    watch: Watch, watched: WatchedSites, clock: Clock
) -> None:
    sites = {kind: watched().publish(3) for kind in FAULTS}
    run_rounds(watch, clock, sites, 99)
    for _ in range(14):
        clock.go_on(1440)
        watch(*homes_of(sites))
    for kind, site in sites.items():
        asked = Counter(site.paths())
        dead = [asked[site.path(number)] for number in range(3, 6)]
        assert max(asked[path] for path in asked if path.startswith("/story/")) <= 8, (kind, asked)
        assert min(dead) >= 2, (kind, dead)


def links_of(title: str, *urls: str) -> str:
    return page(title, *(f'<a href="{url}">Words of {url}</a>' for url in urls))


def links_of_its_own(asked: Asked) -> str:
    return links_of("Not found", *(f"/other/{next(visits):x}.html" for _ in range(3)))


def tags(asked: Asked) -> str:
    return links_of(f"Tag {asked.path}", *(f"/tag/{name}/" for name in "abcdef"))


def search(asked: Asked) -> str:
    return links_of("You looked for", asked.path, f"/search?words={next(visits):x}")


def calendar(asked: Asked) -> str:
    month = int(asked.path.partition("?month=")[2] or 0)
    others = (f"/calendar?month={month + step}" for step in (-1, 1))
    return links_of(f"Month {asked.path}", *others) if abs(month) < 3 else "<p>No such month."


def elsewhere(asked: Asked) -> str:
    return links_of("Our friends", "http://a.invalid/b", "http://b.invalid/a", "/friends.html")


LISTS: dict[str, Route] = {
    "links of its own": links_of_its_own,
    "tags": tags,
    "search": search,
    "calendar": calendar,
    "own section": redirect("/section/"),
    "elsewhere": elsewhere,
    "error and list in turn": lambda asked: (
        links_of_its_own(asked) if next(visits) % 2 else NOT_FOUND
    ),
}


def other_pages(asked: Asked) -> str:
    for name, route in (("/calendar", calendar), ("/tag/", tags), ("/section/", tags)):
        if asked.path.startswith(name):
            return route(asked)
    return page("Not here", "There is nothing.")


@pytest.mark.parametrize("is_dated", [True, *nightly(False)])
def test_a_dead_page_that_names_links_of_its_own_costs_at_most_eight_requests(
    watch: Watch, watched: WatchedSites, clock: Clock, is_dated: bool
) -> None:
    """The sites have so few sources that each of them could be asked in each round."""
    sites = {kind: watched().publish(1 + is_dated) for kind in LISTS}
    for kind, site in sites.items():
        site.routes |= {"/": list_page(["/about.html", site.path(1)]), site.path(1): LISTS[kind]}
        site.other = other_pages
    for minutes in (0, 30, 60, 270, 360, 720, *[1440] * 7, *[4 * 1440] * 8):
        clock.go_on(minutes)
        watch(*homes_of(sites))
    asked = {kind: site.paths().count(site.path(1)) for kind, site in sites.items()}
    assert {kind: times for kind, times in asked.items() if not 2 <= times <= 8} == {}


@pytest.mark.parametrize("days", [2, *nightly(0, 6)])
def test_a_list_whose_first_articles_come_late_is_a_source_from_then_on(
    watch: Watch, watched: WatchedSites, clock: Clock, days: int
) -> None:
    """The first page links a section, and a section whose only link is another one."""
    sites = [watched().publish(6) for _ in range(2)]
    found: Counter[str] = Counter()
    for day in range(16):
        for site, name in zip(sites, ("/section/", "/world/"), strict=True):
            public = [site.path(number) for number in range(6) if 2 * number + days <= day]
            rows = links_of("A section", "/section/about.html", *public)
            site.routes |= {"/": list_page([name]), "/section/": rows}
            site.routes["/world/"] = links_of("Sections", "/section/")
        found.update(item.url for item in watch(*sites).items)
        clock.go_on(1440)
    assert found == Counter(url for site in sites for url in site.wanted()[: 1 + (15 - days) // 2])


def test_an_article_whose_address_named_links_in_one_round_is_exported(
    watch: Watch, watched: WatchedSites, clock: Clock
) -> None:
    site = watched().publish(1)
    right = site.routes[site.path(0)]
    site.routes |= {"/": list_page([site.path(0)]), "/news.rss": NOT_FOUND}
    found = []
    for minutes, route in ((0, links_of_its_own), (360, right)):
        clock.go_on(minutes)
        site.routes[site.path(0)] = route
        found += watch(site).items
    assert [item.url for item in found] == site.wanted()


def test_a_list_of_articles_that_are_too_old_is_a_source(
    watch: Watch, watched: WatchedSites, clock: Clock
) -> None:
    site = watched().publish(2)
    dated = '<meta property="article:published_time" content="2020-01-01"><title>'
    old = str(site.routes[site.path(0)]).replace("<title>", dated, 1)
    site.routes |= {"/": list_page(["/section/"]), site.path(0): old}
    found = []
    for number in (1, 2):
        site.routes["/section/"] = list_page(map(site.path, range(number)))
        found += watch(site, since="2026-01-01").items
        clock.go_on(30)
    assert [item.url for item in found] == site.wanted()[1:]


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
    "route",
    [
        further,
        in_a_circle,
        *nightly(to_other_words, with_a_cookie, in_a_circle_of_three, refreshed),
    ],
)
def test_redirects_without_end_cost_eight_requests(
    watch: Watch,
    watched: WatchedSites,
    clock: Clock,
    route: Callable[[Asked], Reply | str],
) -> None:
    site = watched().publish(1)
    for minutes in (0, 30, 30, 300, 1080, *[1440] * 9):
        clock.go_on(minutes)
        site.routes = {path: route if "story" in path else one for path, one in site.routes.items()}
        site.other = lambda asked: route(asked) if "/story/" in asked.path else NOT_FOUND
        watch(site.home)
    asked = [path for path in site.paths() if path.startswith("/story/")]
    assert asked.count(site.path(0)) >= 2
    assert len(asked) <= 8


@pytest.mark.parametrize("case", [(0, 5), (5, 1), *nightly(*[((1, 0),), ((1, 1),), ((5, 0),)])])
def test_a_chain_that_ends_leads_to_its_article(
    watch: Watch, watched: WatchedSites, clock: Clock, case: tuple[int, int]
) -> None:
    """Five redirects are followed at first, one where they had no end before."""
    wrong, hops = case  # rounds that go wrong, and redirects to the article then
    site = watched().publish(1)
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
        found += watch(site).items
    assert len(found) == 1
