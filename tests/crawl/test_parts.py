"""Articles in several pages are one item, twins give the article's address, and all else stays."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from itemadapter import ItemAdapter

from tests.crawling import Crawled, Crawls, SitePages
from tests.marks import nightly
from tests.pages import listing
from tests.parts import (
    counted,
    head_links,
    numbers,
    page,
    parts,
    shapes_alone,
    shapes_in_parts,
    text_of,
    together,
    twins,
)
from tests.server import Asked, Reply, Route, SiteServer, redirect

SETTINGS = {"WEBCLEAN_PARTS": True, "WEBCLEAN_DROP_NON_ARTICLES": True}
EIGHT = {"CONCURRENT_REQUESTS": 8}
WORKERS = {**EIGHT, "WEBCLEAN_WORKERS": 1}  # pages are here long before they are cleaned
TITLE = "The long way of the ferry to Dunmer"
PATHS = ["/story", "/story?page=2", "/story?page=3", "/story?page=4"]

Items = dict[str, dict[str, Any]]


def items_of(crawled: Crawled, site: SiteServer) -> Items:
    """Return the items by path; each path once."""
    assert not crawled.errors
    found = [ItemAdapter(item).asdict() for item in crawled.items]
    items = {item["url"].removeprefix(site.url("")): item for item in found}
    assert len(items) == len(found)
    return items


def texts(items: Items) -> dict[str, list[str]]:
    return {path: item["articleBody"].split("\n") for path, item in items.items()}


def request_counts(site: SiteServer, routes: dict[str, Route]) -> dict[str, int]:
    """Return the number of requests per page of *routes*, except single ones."""
    counts = Counter(site.paths())
    return {path: counts[path] for path in routes if path != "/" and counts[path] != 1}


@pytest.mark.parametrize(
    "settings", [*nightly({}), EIGHT, WORKERS], ids=["one", "eight", "workers"]
)
def test_an_article_in_parts_is_one_item_and_each_page_is_asked_for_once(
    crawls: Crawls, settings: dict[str, Any]
) -> None:
    shapes = shapes_in_parts()
    if settings == WORKERS:
        del shapes["view all"]  # the whole is an item before it is known to be a twin
    routes, wanted, links = together(shapes.values())
    crawled, site = crawls.follow({**routes, "/": listing(links)}, {**SETTINGS, **settings})
    items = items_of(crawled, site)
    assert texts(items) == wanted
    counts = {name: items[shape.links[0]]["webclean"]["parts"] for name, shape in shapes.items()}
    assert counts == {name: shape.parts for name, shape in shapes.items()}
    assert request_counts(site, routes) == {}


def test_the_parts_of_an_article_are_joined_in_a_project_too(crawls: Crawls) -> None:
    shapes = shapes_in_parts()
    routes, wanted, links = together(shapes.values())
    crawled, site = crawls.visit(routes, links, SETTINGS)
    assert texts(items_of(crawled, site)) == wanted
    of_whole = dict.fromkeys(("/k/story?page=2", "/k/story?page=3"), 0)
    assert request_counts(site, routes) == of_whole  # nobody needs them

    off, site = crawls.visit(routes, links, {**SETTINGS, "WEBCLEAN_PARTS": False})
    assert items_of(off, site).keys() == wanted.keys()
    assert sorted(site.paths()) == sorted(links)


def test_other_pages_with_such_addresses_stay_articles_of_their_own(crawls: Crawls) -> None:
    shapes = shapes_alone()
    routes, wanted, links = together(shapes.values())
    crawled, site = crawls.follow({**routes, "/": listing(links)}, SETTINGS)
    items = items_of(crawled, site)
    assert texts(items) == wanted
    assert {item["webclean"]["parts"] for item in items.values()} == {1}
    assert request_counts(site, routes) == {}
    assert max(Counter(site.paths()).values()) == 1
    no_other = {**SETTINGS, "WEBCLEAN_SIBLING_ENABLED": False}
    crawled, site = crawls.visit(routes, ["/story/2", "/story/3"], no_other)
    assert sorted(site.paths()) == ["/story/1", "/story/2", "/story/3"]


LATER = {
    "numbers": parts(50, PATHS),
    "next and previous in head": parts(50, PATHS, lambda *_: "", head=head_links),
}


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("settings", [{}, EIGHT], ids=["one", "eight"])
def test_a_part_that_is_met_before_the_first_page(
    crawls: Crawls, name: str, settings: dict[str, Any]
) -> None:
    shape = LATER[name]
    for links in (PATHS, PATHS[::-1]):  # the last is asked for first
        routes = {**shape.routes, "/": listing(links)}
        crawled, site = crawls.follow(routes, {**SETTINGS, **settings})
        assert texts(items_of(crawled, site)) == shape.wanted
        assert request_counts(site, shape.routes) == {}
    # Nobody asks for the first page, or later: whoever comes first has the article, once.
    for paths in (PATHS[1:], PATHS[:0:-1], PATHS[::-1]):
        alone = {**SETTINGS, **settings, "WEBCLEAN_DEDUP_ENABLED": False}
        crawled, site = crawls.visit(shape.routes, paths, alone)
        assert list(texts(items_of(crawled, site)).values()) == [shape.wanted["/story"]]
        assert request_counts(site, shape.routes) == {}


def test_no_text_is_lost_where_pages_cannot_be_joined(crawls: Crawls) -> None:
    many = parts(51, counted("/long/story", "/long/story?page={}", 23))
    broken = parts(52, counted("/broken/story", "/broken/story?page={}", 4))
    broken.routes["/broken/story?page=2"] = Reply(b"oops", 500)
    small = parts(53, counted("/small/story", "/small/story?page={}", 4))
    title = str(small.routes["/small/story"]).split("<h1>")[1].split("</h1>")[0]
    short = ["The view from the tower on a day without clouds, as the guide had promised it."]
    small.routes["/small/story?page=2"] = page(title, short, numbers(list(small.routes), 1))
    bare = parts(59, counted("/bare/story", "/bare/story?page={}", 2))
    bare.routes["/bare/story"] = page(TITLE, [], numbers(list(bare.routes), 0))
    bare.routes["/bare/story?page=2"] = page(TITLE, text_of(5901), numbers(list(bare.routes), 1))
    shapes = {"many": many, "broken": broken, "small": small, "bare": bare}
    routes, wanted, links = together(shapes.values())
    crawled, site = crawls.follow({**routes, "/": listing(links)}, SETTINGS)
    items = items_of(crawled, site)
    found = Counter(line for text in texts(items).values() for line in text)
    lost = {line for text in wanted.values() for line in text} - {*found}
    assert lost == {*text_of(5201), *text_of(5301), *text_of(5900)}  # of pages that have none
    assert max(found.values()) == 1
    assert items["/long/story"]["webclean"]["parts"] == 20
    assert items["/broken/story"]["webclean"]["parts_missing"] == 3
    assert crawled.counts("parts")["missing"] == 1


@pytest.mark.parametrize(
    ("answer", "missing"),
    [(Reply(b"", 500), True), (Reply(b"", 404), False), (redirect("https://b.example/"), False)],
    ids=["fault", "none", "away"],
)
def test_a_part_that_does_not_answer(crawls: Crawls, answer: Reply, missing: bool) -> None:
    shape = parts(54, PATHS)
    routes: dict[str, Route] = {**shape.routes, PATHS[1]: answer}
    crawled, site = crawls.visit(routes, PATHS[:1], SETTINGS)
    record = items_of(crawled, site)["/story"]["webclean"]
    assert bool(record.get("parts_missing")) is missing
    assert record["parts"] == 1

    tries: list[str] = []

    def once(request: Asked) -> Reply | str:
        tries.append(request.path)
        return Reply(b"", 500) if len(tries) == 1 else str(shape.routes[PATHS[1]])

    again = {**SETTINGS, "RETRY_ENABLED": True}
    crawled, site = crawls.visit({**routes, PATHS[1]: once}, PATHS[:1], again)
    assert texts(items_of(crawled, site)) == shape.wanted
    assert len(tries) == 2


def test_what_robots_txt_forbids_is_not_asked_for(crawls: Crawls) -> None:
    shape = parts(55, PATHS)
    robots = Reply(b"User-agent: *\nDisallow: /*?\n", content_type="text/plain")
    routes = {**shape.routes, "/robots.txt": robots}
    crawled, site = crawls.visit(routes, PATHS[:1], {**SETTINGS, "ROBOTSTXT_OBEY": True})
    assert "parts_missing" not in items_of(crawled, site)["/story"]["webclean"]
    assert site.paths() == PATHS[:1]
    assert crawled.counts("parts")["failed/IgnoreRequest"] == 1


def test_links_that_lead_to_no_part_are_followed_for_three_pages_in_a_row(crawls: Crawls) -> None:
    paths = [f"/a-tale-{word}-told" for word in "red blue green brown white".split()]
    routes: dict[str, Route] = {}
    for seed, path in enumerate(paths):
        links = "".join(f'<a href="{path}?cpage={n}">{n}</a>' for n in range(2, 9))
        routes[path] = page(f"Tale {seed} of the ferry", text_of(900 + seed), links)
        for n in range(2, 9):
            routes[f"{path}?cpage={n}"] = routes[path]
    crawled, site = crawls.visit(routes, paths, SETTINGS)
    assert sorted(items_of(crawled, site)) == sorted(paths)
    followed = sum("cpage=" in path for path in site.paths())
    assert followed in {3, 4}  # some pass side by side
    assert crawled.counts("parts")["not_asked"] == len(paths) - followed


def test_the_pages_of_comments_hide_no_parts(crawls: Crawls) -> None:
    def rows(paths: list[str], at: int) -> str:
        comments = "" if at else '<p><a href="/story?cpage=2">2</a> <a href="?cpage=3">3</a></p>'
        return comments + numbers(paths, at)

    shape = parts(56, PATHS, rows)
    first = str(shape.routes["/story"])
    routes: dict[str, Route] = {**shape.routes, "/story?cpage=2": first, "/story?cpage=3": first}
    crawled, site = crawls.visit(routes, PATHS[:1], SETTINGS)
    assert texts(items_of(crawled, site)) == shape.wanted


@pytest.mark.parametrize("order", ["twin", "article", "both", "article first"])
def test_a_twin_gives_the_item_of_its_article(crawls: Crawls, order: str) -> None:
    given = twins()
    routes = {path: route for one in given for path, route in one.routes.items()}
    both = [[one.twin, one.article] for one in given]
    chosen = {"twin": slice(1), "article": slice(1, 2), "both": slice(2)}.get(order)
    links = [link for pair in both for link in (pair[::-1] if chosen is None else pair[chosen])]
    for settings in ({}, EIGHT):
        crawled, site = crawls.follow({**routes, "/": listing(links)}, {**SETTINGS, **settings})
        assert texts(items_of(crawled, site)) == {one.article: one.text for one in given}
        assert not [path for path, count in request_counts(site, routes).items() if count > 1]


def named(number: int, to: str) -> str:
    head = f'<link rel="canonical" href="{to}">'
    return page(f"Report {number} of the sea wall", text_of(600 + number), head=head)


def test_a_page_that_names_no_page_of_its_text_stays_as_it_is(crawls: Crawls) -> None:
    targets = {
        "/x/home-page": "/",
        "/x/section-page": "/x/",
        "/x/other-page": "/x/section-page",
        "/x/dead-page": "/gone",
        "/x/faulty-page": "/fault",
        "/x/leads-back": "/x/back",
        "/x/foreign-page": "https://other.example/x",
        "/z/one-of-two": "/z/two-of-two",
        "/z/two-of-two": "/z/one-of-two",
        **{f"/y/same-{word}-page": "/y/one-page" for word in "red blue green white".split()},
        **{f"/v/{word}-page-here": f"/v/{word}-not-here" for word in "ab cd ef gh ij".split()},
    }
    routes: dict[str, Route] = {p: named(n, to) for n, (p, to) in enumerate(targets.items())}
    routes |= {"/fault": Reply(b"", 500), "/x/back": redirect("/x/leads-back")}
    routes |= {"/x/": listing(["/x/home-page"]), "/y/one-page": named(99, "/y/one-page")}
    wanted = {path: text_of(600 + n) for n, path in enumerate(targets)}
    crawled, site = crawls.follow({**routes, "/": listing([*targets, "/y/one-page"])}, SETTINGS)
    assert texts(items_of(crawled, site)) == {**wanted, "/y/one-page": text_of(699)}
    assert sum("not-here" in path for path in site.paths()) in {3, 4}  # some pass side by side


def test_no_text_is_lost_in_a_crawl_that_is_stopped_and_resumed(
    crawls: Crawls, tmp_path: Path
) -> None:
    shape, given = parts(57, PATHS), twins()[:2]
    routes = {**shape.routes, **{p: r for one in given for p, r in one.routes.items()}}
    links = [*PATHS, *(one.twin for one in given)]
    settings = {**SETTINGS, "JOBDIR": str(tmp_path / "job")}
    routes["/"] = listing(links)
    lines: list[str] = []
    wanted = {**shape.wanted, **{one.article: one.text for one in given}}
    with SiteServer(routes) as site:
        for _ in range(9):
            stop = {**settings, "CLOSESPIDER_ITEMCOUNT": 1}
            crawled = crawls.run(SitePages, stop, url=site.url("/"))
            for text in texts(items_of(crawled, site)).values():
                lines += text
            if crawled.stats["finish_reason"] == "finished":
                break
    assert {*lines} == {line for text in wanted.values() for line in text}


@pytest.mark.parametrize("settings", [{}, {"DOWNLOAD_DELAY": 0.5}, {"HTTPCACHE_ENABLED": True}])
def test_a_crawl_that_is_stopped_while_parts_are_fetched_ends(
    crawls: Crawls, tmp_path: Path, settings: dict[str, Any]
) -> None:
    long = parts(58, counted("/story", "/story?page={}", 12))
    routes = {**long.routes, "/alone": page("A tale of one page", text_of(5900))}
    stop = {**SETTINGS, **EIGHT, **settings, "CLOSESPIDER_ITEMCOUNT": 1}
    stop["HTTPCACHE_DIR"] = str(tmp_path)
    crawled, site = crawls.visit(routes, ["/story", "/alone"], stop)
    items = items_of(crawled, site)
    assert texts(items)["/alone"] == text_of(5900)
    record = items["/story"]["webclean"]
    assert record["parts"] + record.get("parts_missing", 0) in {12, 3}


def test_a_lead_that_links_the_whole_article_alone(crawls: Crawls) -> None:
    text = [*text_of(930), *text_of(931)]
    short = page(TITLE, text[:4]).replace("</h1>", '</h1><a href="?view=full">Read on</a>')
    with SiteServer({"/": listing(["/story"]), "/story": short}) as site:
        site.routes["/story?view=full"] = page(TITLE, text)
        found = items_of(crawls.run(SitePages, SETTINGS, url=site.url("/")), site)
    assert texts(found) == {"/story": text}
