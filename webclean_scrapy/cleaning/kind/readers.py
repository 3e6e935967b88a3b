"""Choose the reader of a page that is no article by the kind of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body.evidence import evidence_of_any_page
from webclean_scrapy.cleaning.kind.page_kind import FORUM, LISTING, PRODUCT, SERVICE
from webclean_scrapy.cleaning.units.entries import read_entries
from webclean_scrapy.cleaning.units.products import find_beside_product, read_product, read_service
from webclean_scrapy.cleaning.units.threads import read_posts

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body

_READERS = {
    FORUM: read_posts,
    LISTING: read_entries,
    PRODUCT: read_product,
    SERVICE: read_service,
}


def evidence_of_kind(evidence: Evidence, kind: str) -> Evidence:
    """Return the evidence for a page of a *kind* that is not an article. Cost: O(rows)."""
    return evidence_of_any_page(evidence, find_beside_product(evidence) if kind == PRODUCT else ())


def read_units(evidence: Evidence, body: Body, kind: str) -> Body:
    """Return the *body* as the page's units say that it is, for a *kind* that consists of them."""
    read = _READERS.get(kind)
    return read(evidence, body) if read else body
