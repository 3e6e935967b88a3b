"""The portal is the same everywhere, whole, reachable, and as messy as it claims."""

import re
from urllib.parse import urljoin

from lxml import html

from spiders.demo import DemoPage, Portal
from tests.commands.running import printed_by

_DIGEST = """
import hashlib
from spiders.demo import build_portal
digest = hashlib.sha256()
for path, page in sorted(build_portal().pages.items()):
    digest.update(repr((path, page.content_type, page.status)).encode() + page.body)
print(digest.hexdigest())
"""


def page_text(page: DemoPage) -> str:
    """Return its HTML, whichever of the two encodings it is in."""
    try:
        return page.body.decode("utf-8")
    except UnicodeDecodeError:
        return page.body.decode("gbk")


def page_links(portal: Portal, path: str) -> set[str]:
    """Return the paths in the portal that it links, pictures and style sheets included."""
    page = portal.pages[path]
    if not page.content_type.startswith("text/html"):
        return set()
    document = html.fromstring(page_text(page))
    links = (
        urljoin(path, link) for link in document.xpath("//a/@href | //img/@src | //link/@href")
    )
    return {link for link in links if not re.match(r"[a-z]+:|#", link) and "#" not in link}


def test_another_process_with_another_hash_seed_builds_the_same_bytes() -> None:
    assert len({printed_by(_DIGEST, PYTHONHASHSEED=seed) for seed in ("1", "4242")}) == 1


def test_every_link_inside_leads_to_a_page_or_to_a_known_hole(portal: Portal) -> None:
    known = set(portal.pages) | portal.missing_paths
    lost = {link for path in portal.pages for link in page_links(portal, path)} - known
    assert not lost


def test_every_page_is_reached_from_the_first_by_links_that_robots_allow(portal: Portal) -> None:
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
