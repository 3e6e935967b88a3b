"""The portal is the same everywhere, whole, reachable, and as messy as it claims."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

import pytest
from lxml import html

from spiders.demo import build_portal
from spiders.demo.build import make_sites

if TYPE_CHECKING:
    from collections.abc import Callable

    from spiders.demo import DemoPage, Portal

_DIGEST = """
import hashlib
from spiders.demo import build_portal
digest = hashlib.sha256()
for path, page in sorted(build_portal().pages.items()):
    digest.update(repr((path, page.content_type, page.status)).encode() + page.body)
print(digest.hexdigest())
"""


def digest_of(portal: Portal) -> str:
    digest = hashlib.sha256()
    for path, page in sorted(portal.pages.items()):
        digest.update(repr((path, page.content_type, page.status)).encode() + page.body)
    return digest.hexdigest()


def test_two_builds_have_the_same_bytes_and_the_same_order(portal: Portal) -> None:
    again = build_portal()
    assert list(again.pages.items()) == list(portal.pages.items())
    assert list(again.articles.items()) == list(portal.articles.items())


@pytest.mark.parametrize("seed", ["1", "4242"])
def test_another_process_with_another_hash_seed_builds_the_same_bytes(
    portal: Portal, seed: str
) -> None:
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", _DIGEST], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == digest_of(portal)


def test_every_link_inside_leads_to_a_page_or_to_a_known_hole(
    portal: Portal, page_links: Callable[[Portal, str], set[str]]
) -> None:
    known = set(portal.pages) | portal.missing_paths
    lost = {link for path in portal.pages for link in page_links(portal, path)} - known
    assert not lost


def test_every_page_is_reached_from_the_front_page_by_links_that_robots_allow(
    portal: Portal, page_links: Callable[[Portal, str], set[str]]
) -> None:
    seen, waiting = {"/"}, ["/"]
    while waiting:
        path = waiting.pop()
        if path not in portal.pages or path in portal.forbidden_paths:
            continue
        new = page_links(portal, path) - seen
        seen |= new
        waiting += new
    wanted = set(portal.articles) | portal.list_paths | portal.other_paths | portal.missing_paths
    assert wanted - seen == {"/robots.txt"}
    assert portal.forbidden_paths & seen, "nothing tempts a crawler that ignores robots.txt"


def test_every_article_stands_once_in_the_lists_of_its_section() -> None:
    for site in make_sites():
        listed = [a.key for listing in site.listings() if listing.section for a in listing.articles]
        assert sorted(listed) == sorted(article.key for article in site.articles)
        assert any(listing.page > 1 for listing in site.listings()), site.key


def test_robots_closes_exactly_the_forbidden_pages(portal: Portal) -> None:
    rules = RobotFileParser()
    rules.parse(portal.pages["/robots.txt"].body.decode().splitlines())
    closed = {path for path in portal.pages if not rules.can_fetch("any", path)}
    assert closed == portal.forbidden_paths


def test_every_page_is_of_exactly_one_kind(portal: Portal) -> None:
    kinds = [set(portal.articles), portal.list_paths, portal.other_paths, portal.forbidden_paths]
    assert sum(map(len, kinds)) == len(portal.pages) == len(set().union(*kinds))
    assert not portal.missing_paths & set(portal.pages)


def test_every_article_has_siblings_of_its_site_among_its_links(
    portal: Portal, page_links: Callable[[Portal, str], set[str]]
) -> None:
    for path in portal.articles:
        site = path.split("/")[1]
        linked = page_links(portal, path) & set(portal.articles) - {path}
        assert sum(link.split("/")[1] == site for link in linked) >= 5, path


def test_hexi_pages_are_gbk_whatever_they_declare(portal: Portal) -> None:
    pages = {path: page for path, page in portal.pages.items() if path.startswith("/hexi/")}
    assert len(pages) > 20
    for page in pages.values():
        page.body.decode("gbk")
        with pytest.raises(UnicodeDecodeError):
            page.body.decode("utf-8")
    assert any(page.content_type == "text/html" for page in pages.values())
    declared_too_small = [page for page in pages.values() if b"charset=gb2312" in page.body]
    outside = [page for page in declared_too_small if not _fits(page, "gb2312")]
    assert outside, "no page breaks the charset it declares"


def _fits(page: DemoPage, encoding: str) -> bool:
    try:
        page.body.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def test_pages_lead_out_of_the_site_and_to_files_that_are_not_html(
    portal: Portal, page_text: Callable[[DemoPage], str]
) -> None:
    hosts: set[str] = set()
    for path in portal.articles:
        document = html.fromstring(page_text(portal.pages[path]))
        hosts |= {urlsplit(link).hostname or "" for link in document.xpath("//a/@href")}
    assert {host for host in hosts if host} <= {"ads.example.invalid", "paper.example.invalid"}
    types = {page.content_type.split(";")[0] for page in portal.pages.values()}
    assert {"application/pdf", "application/json", "image/gif", "text/html"} <= types
    assert portal.pages["/static/tide-table.pdf"].body.startswith(b"%PDF-")


def test_some_pages_carry_metadata_and_some_carry_none(portal: Portal) -> None:
    bodies = {path: portal.pages[path].body for path in portal.articles}
    structured = {path for path, body in bodies.items() if b"application/ld+json" in body}
    bare = {path for path, body in bodies.items() if b"<meta" not in body}
    assert len(structured) > 20
    assert len(bare) > 10
    assert {path.split("/")[1] for path in bare} == {"fieldnotes"}
