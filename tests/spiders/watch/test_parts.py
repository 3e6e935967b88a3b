"""Watched sites with articles in several pages, and with twins of articles."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import read_records
from tests.crawling import Crawled, Crawls, SitePages
from tests.parts import page, parts, shapes_alone, shapes_in_parts, text_of, together, twins
from tests.server import NOT_FOUND, Asked, Reply, Route, SiteServer, redirect
from tests.watched import Clock, Watch, rss

PATHS = ["/story", "/story?page=2", "/story?page=3"]

WatchLinks = Callable[..., tuple[Crawled, list[str]]]


@pytest.fixture
def watch_links(watch: Watch) -> WatchLinks:
    """Run a round of a site with *links* in its feed; return it, and the requested paths."""

    def run(site: SiteServer, links: Iterable[str]) -> tuple[Crawled, list[str]]:
        site.asked.clear()
        feed = '<link rel="alternate" type="application/rss+xml" href="/news.rss">'
        base = "" if site.url("").startswith("http://127.") else site.url("")  # of a proxy
        site.routes[f"{base}/"] = page("Ostwick Post", [], head=feed)
        urls = [link if "://" in link else site.url(link) for link in links]
        named = rss("", [(url, 1) for url in urls])
        body = named.replace("&", "&amp;").encode()
        site.routes[f"{base}/news.rss"] = Reply(body, content_type="application/rss+xml")
        done = watch(site.url("/"), settings={"WEBCLEAN_PARTS": True})
        assert not done.errors
        return done, site.paths()

    return run


@pytest.fixture
def exported(tmp_path: Path) -> Callable[[SiteServer], dict[str, dict[str, Any]]]:
    """Read the items of all rounds by path; each path once."""

    def read(site: SiteServer) -> dict[str, dict[str, Any]]:
        items = read_records(tmp_path / "out.jsonl")
        found = {item["url"].removeprefix(site.url("")): item for item in items}
        assert len(found) == len(items)
        return found

    return read


Exported = Callable[[SiteServer], dict[str, dict[str, Any]]]


def test_articles_in_parts_are_exported_once_and_whole(
    watch_links: WatchLinks, exported: Exported
) -> None:
    shapes = {**shapes_in_parts(), **shapes_alone()}
    routes, wanted, links = together(shapes.values())
    with SiteServer(routes) as site:
        _, paths = watch_links(site, links)
        items = exported(site)
        for name, shape in shapes.items():
            for path in {*shape.links} & shape.wanted.keys():
                assert items[path]["articleBody"].split("\n") == shape.wanted[path], name
                assert items[path]["webclean"]["parts"] == shape.parts, name
        assert {*items} == {*links} & {*wanted}
        assert len(paths) == len({*paths})
        assert watch_links(site, links)[0].items == []


@pytest.mark.parametrize("links", [PATHS[::-1], PATHS, PATHS[1:], PATHS[2:]])
def test_the_first_page_of_a_part_that_a_feed_names_is_asked_for(
    watch_links: WatchLinks, exported: Exported, links: list[str]
) -> None:
    shape = parts(61, PATHS)
    with SiteServer(shape.routes) as site:
        _, paths = watch_links(site, links)
        ((path, item),) = exported(site).items()
        assert (path, item["articleBody"].split("\n")) == ("/story", shape.wanted["/story"])
        assert all(paths.count(one) == 1 for one in PATHS)
        again, paths = watch_links(site, links)
        assert (again.items, [path for path in paths if "story" in path]) == ([], [])


def test_an_article_waits_a_day_for_a_part_that_does_not_answer(
    watch_links: WatchLinks, exported: Exported, clock: Clock
) -> None:
    shape, other = parts(62, PATHS), parts(63, [f"/other{path}" for path in PATHS])
    faulty = {PATHS[1]: Reply(b"", 500), "/other/story?page=3": Reply(b"", 500)}
    with SiteServer({**shape.routes, **other.routes, **faulty}) as site:
        links = ["/story", "/other/story"]
        assert watch_links(site, links)[0].items == []
        site.routes[PATHS[1]] = shape.routes[PATHS[1]]
        clock.go_on(60)
        watch_links(site, links)
        assert [*exported(site)] == ["/story"]
        for _ in range(4):
            clock.go_on(600)
            watch_links(site, links)
        items = exported(site)
        assert items["/story"]["articleBody"].split("\n") == shape.wanted["/story"]
        record = items["/other/story"]["webclean"]
        assert (record["parts"], record["parts_missing"]) == (2, 1)


@pytest.mark.parametrize("order", ["twin", "article", "both", "article first"])
def test_a_twin_gives_the_address_of_its_article_in_all_rounds(
    watch_links: WatchLinks, exported: Exported, order: str
) -> None:
    given = twins()
    routes = {path: route for one in given for path, route in one.routes.items()}
    first = [one.article if order.startswith("article") else one.twin for one in given]
    then = [one.twin if order.startswith("article") else one.article for one in given]
    with SiteServer(routes) as site:
        watch_links(site, [*first, *then] if order in {"both", "article first"} else first)
        _, paths = watch_links(site, [*first, *then])
        items = exported(site)
        assert {path: item["articleBody"].split("\n") for path, item in items.items()} == {
            one.article: one.text for one in given
        }
        if order == "twin":
            assert not {one.article for one in given}.intersection(paths)


def test_pages_that_name_a_page_of_another_text_are_exported(
    watch_links: WatchLinks, exported: Exported
) -> None:
    routes: dict[str, Route] = {}
    for number in range(6):
        head = '<link rel="canonical" href="/x/story-0-here">'
        path = f"/x/story-{number}-here"
        routes[path] = page(f"Tale {number} of the wall", text_of(640 + number), head=head)
    with SiteServer(routes) as site:
        watch_links(site, routes.copy())
        assert {*exported(site)} == {*routes} - {"/", "/news.rss"}


def test_twins_on_hosts_below_that_of_the_site(
    watch_links: WatchLinks, exported: Exported, monkeypatch: pytest.MonkeyPatch
) -> None:  # by a proxy on this machine, whose address all answers have
    head = '<link rel="canonical" href="http://www.site.example/{}">'
    site, other = SiteServer({}), "http://{}.site.example/{}"
    for number, host in enumerate(("m", "amp")):
        name = f"tale-{number}-of-a-mill"
        html = page(f"Tale {number} of the mill", text_of(660 + number), head=head.format(name))
        site.routes[other.format(host, name)] = site.routes[other.format("www", name)] = html
    with site:
        monkeypatch.setenv("http_proxy", site.url("/"))
        monkeypatch.setattr(site, "url", lambda path="/": f"http://www.site.example{path}")
        links = [path for path in site.routes if "www" not in path]
        watch_links(site, links)
    assert sorted(exported(site)) == ["/tale-0-of-a-mill", "/tale-1-of-a-mill"]


def test_an_article_whose_canonical_address_leads_back_to_it_is_exported_once(
    watch_links: WatchLinks, exported: Exported
) -> None:
    routes: dict[str, Route] = {}
    links: dict[str, list[str]] = {"/x/": [], "/old/": []}  # the latter are asked for at last
    for number in range(12):
        head = f'<link rel="canonical" href="/old/story-{number}-here">'
        path, old = f"/x/story-{number}-here", f"/old/story-{number}-here"
        routes[path] = page(f"Tale {number} of the tower", text_of(680 + number), head=head)
        routes[old] = redirect(path, 301)
        links["/x/"].append(path)
        links["/old/"].append(old)
    with SiteServer(routes) as site:
        watch_links(site, [*links["/x/"], *links["/old/"]])
        assert {*exported(site)} == {path for path in routes if path.startswith("/x/")}


def test_addresses_that_name_others_without_end_are_not_followed(
    watch_links: WatchLinks, exported: Exported, crawls: Crawls
) -> None:
    story = "/x/story-of-a-well"

    def chained(asked: Asked) -> Reply | str:
        path, _, number = asked.path.partition("?n=")
        if path != story or int(number or 0) > 30:  # or a fault would keep the test going
            return NOT_FOUND
        head = f'<link rel="canonical" href="{path}?n={int(number or 0) + 1}">'
        return page("The tale of the well", text_of(690), head=head)

    with SiteServer({story: chained}, chained) as site:
        assert len([path for path in watch_links(site, [story])[1] if path.startswith(story)]) == 2
        assert {*exported(site)} == {story}
        site.asked.clear()
        crawls.run(SitePages, {"WEBCLEAN_PARTS": True}, url=site.url(story))
        assert len([path for path in site.paths() if path.startswith(story)]) == 2
