"""A small news portal, generated: five sites, their templates, reposts, lists, and the gold.

    with DemoServer() as server:
        ...  # crawl server.url()
    result = compare(records, server.portal.articles)

All texts were written for it; people, places and events are made up.
"""

from spiders.demo.build import build_portal
from spiders.demo.compare import Comparison, compare
from spiders.demo.model import DemoPage, GoldArticle, Portal
from spiders.demo.server import DemoServer

__all__ = [
    "Comparison",
    "DemoPage",
    "DemoServer",
    "GoldArticle",
    "Portal",
    "build_portal",
    "compare",
]
