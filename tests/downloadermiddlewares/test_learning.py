"""Lessons of a crawl from useless siblings, and costs paid only once."""

import pytest

from tests.crawling import Crawled, Crawls
from tests.pages import article, listing
from tests.server import Reply, Route, redirect
from webclean_scrapy.crawl.siblings.sibling_search import MAX_TRIES

PAGE, SIBLING = "/news/11.html", "/news/12.html"


def test_links_like_one_that_was_refused_come_last(crawls: Crawls) -> None:
    old, new = "/n/2019/7{}.html", "/n/2024/8{}.html"
    links = [old.format(1), old.format(2), new.format(1)]
    routes: dict[str, Route] = {
        old.format(0): article(11, links),
        old.format(1): listing(["/"]),
        old.format(2): listing(["/"]),
        new.format(1): article(12),
    }
    crawled, site = crawls.visit(routes, [old.format(0)])

    assert crawled.items[0]["webclean"]["sibling_url"] == site.url(new.format(1))
    assert site.paths() == [old.format(0), old.format(1), new.format(1)]
    assert crawled.sibling() == {"requested": 2, "refused/not_article": 1, "learned": 1}


def sections(count: int, sibling: Route) -> dict[str, Route]:
    """Return pages of *count* URL patterns, each with a link to a *sibling* of its own."""
    routes: dict[str, Route] = {}
    for section in map(section_of, range(count)):
        routes[f"/{section}/11.html"] = listing([f"/{section}/12.html"])
        routes[f"/{section}/12.html"] = sibling
    return routes


def section_of(number: int) -> str:
    """Return a name without digits, as numbered names share one URL shape."""
    return "part" + "abcdefghij"[number // 10] + "abcdefghij"[number % 10]


def crawl_sections(
    crawls: Crawls, routes: dict[str, Route], **settings: float
) -> tuple[Crawled, list[str]]:
    """Crawl the first page of each section; return the crawl and the requested paths."""
    first = [path for path in routes if path.endswith("/11.html")]
    crawled, site = crawls.visit(routes, first, settings)
    return crawled, site.paths()


@pytest.mark.parametrize("status", [503, 429, 403])
def test_a_host_in_trouble_is_given_up(crawls: Crawls, status: int) -> None:
    crawled, paths = crawl_sections(crawls, sections(6, Reply(b"busy", status)))

    assert crawled.sibling() == {
        "requested": 3, f"refused/status_{status}": 3, "host_given_up": 3,
    }  # fmt: skip
    assert len(paths) == 6 + 3
    assert len(crawled.items) == 6


def test_a_response_ends_a_row_of_failures(crawls: Crawls) -> None:
    routes = sections(5, Reply(b"busy", 503))
    routes[f"/{section_of(2)}/12.html"] = Reply(b"none", 404)
    crawled, _ = crawl_sections(crawls, routes)

    assert crawled.sibling()["requested"] == 5
    assert "host_given_up" not in crawled.sibling()


def test_a_host_that_lets_requests_run_out_of_time_is_given_up(crawls: Crawls) -> None:
    slow = sections(5, Reply(wait=1.5))
    crawled, _ = crawl_sections(crawls, slow, WEBCLEAN_SIBLING_TIMEOUT_S=0.2)

    found = crawled.sibling()
    assert found["requested"] == 3
    assert found["host_given_up"] == 2
    assert len(crawled.items) == 5


def test_a_site_of_many_url_patterns_is_not_asked_for_each(crawls: Crawls) -> None:
    crawled, paths = crawl_sections(crawls, sections(40, listing(["/"])))

    # 10, and 1 for each 20 pages: the 11th page is the first to be turned away
    assert crawled.sibling() == {"requested": 12, "refused/not_article": 12, "host_spent": 28}
    assert len(paths) == 40 + 12


def test_pages_of_the_crawl_that_teach_nothing_are_tried_a_few_times(crawls: Crawls) -> None:
    routes = {f"/news/{n}.html": listing([f"/{section_of(n)}/"]) for n in range(11, 20)}
    crawled, _ = crawls.visit(routes)

    # the second page tries one, the third two, the fourth three: 6, each of which is a parse
    assert crawled.sibling() == {"met_refused/not_article": MAX_TRIES, "no_link": len(routes)}


def test_what_the_crawl_asks_for_itself_is_not_held_against_its_host(crawls: Crawls) -> None:
    crawled, site = crawls.visit(sections(14, listing(["/"])))

    assert sorted(site.paths()) == sorted(site.routes)
    found = crawled.sibling()
    assert (found["requested"], found["handed_over"]) == (14, 14)
    assert "host_spent" not in found


@pytest.mark.parametrize(
    ("answer", "outcome", "items"),
    [
        (article(12), {"learned": 1, "handed_over": 1}, 2),
        (Reply(b"<h1>Gone</h1>", 404), {"refused/status_404": 1, "handed_over": 1}, 1),
        (redirect("/sport/1.html"), {"refused/status_302": 1, "handed_over": 1, "no_link": 1}, 2),
        (Reply(b"busy", 503), {"refused/status_503": 1}, 1),
    ],
)
def test_the_crawl_is_given_what_a_sibling_request_brought(
    crawls: Crawls, answer: Route, outcome: dict[str, int], items: int
) -> None:
    routes = {PAGE: listing([SIBLING]), SIBLING: answer, "/sport/1.html": article(13)}
    if "learned" in outcome:
        routes[PAGE] = article(11, [SIBLING])
        outcome = {**outcome, "known": 1}
    crawled, site = crawls.visit(routes, [PAGE, SIBLING])

    asked_twice = "handed_over" not in outcome  # what is said in trouble is not kept
    assert site.paths().count(SIBLING) == 1 + asked_twice
    assert crawled.sibling() == {"requested": 1, **outcome}
    assert len(crawled.items) == items
