"""Pages that are explained, for the tests of text and page: own texts."""

from functools import cache

from tests.pages import article
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.report.explain import Explanation, GivenPage, explain_page
from webclean_scrapy.report.explain_page import render_explanation

URL = "http://ostwick.example/news/{}.html"
CONFIG = CleanConfig()


def given(seed: int, html: str | None = None) -> GivenPage:
    """Return a page of the made-up site, with one link of its own to another."""
    html = html or article(seed, ["/news/north.html" if seed == 1 else "/news/south.html"])
    return GivenPage(URL.format(seed), html.encode(), URL.format(seed))


@cache
def explained(html: str | None = None, *, siblings: int = 1) -> Explanation:
    """Return the first page, or *html*, explained with *siblings* others."""
    others = [given(seed) for seed in range(2, 2 + siblings)]
    return explain_page(given(1, html), CONFIG, others, {"learned": siblings})


@cache
def rendered(html: str | None = None, *, siblings: int = 1) -> str:
    """Return the page of HTML that explains the first page, or *html*."""
    return render_explanation(explained(html, siblings=siblings))
