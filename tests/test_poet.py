"""scrapy-poet hands a cleaned article to a callback that asks for one."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from scrapy.http import Request, Response
from scrapy.settings import Settings

from tests.crawling import Crawls, PageSpider
from tests.pages import article, article_text
from tests.server import Reply
from webclean_scrapy import Addon
from webclean_scrapy.poet import CleanedArticle

PAGE, SIBLING = "/news/11.html", "/news/12.html"
ROUTES = {PAGE: article(1, [SIBLING]), SIBLING: article(2, [PAGE])}
ADDONS = {"webclean_scrapy.Addon": 500, "scrapy_poet.Addon": 300}


class Asking(PageSpider):
    webclean_items: Any = None

    async def start(self) -> AsyncIterator[Request]:
        for url in self.start_urls:
            yield Request(url, self.parse_article)

    def parse_article(self, response: Response, article: CleanedArticle) -> Iterator[Any]:
        yield article
        yield {"title": article.headline}


class Declared(Asking):
    webclean_items = True

    def parse_article(self, response: Response, article: CleanedArticle) -> Iterator[Any]:
        yield article


@pytest.mark.parametrize("spider", [Asking, Declared])
def test_a_callback_gets_the_article_cleaned_once(crawls: Crawls, spider: type[PageSpider]) -> None:
    crawled, site = crawls.visit(ROUTES, [PAGE], {"ADDONS": ADDONS}, spider=spider)
    assert site.paths() == [PAGE, SIBLING]
    assert crawled.errors == []
    (item,) = (each for each in crawled.items if isinstance(each, CleanedArticle))
    assert "\n".join(article_text(1)) in (item.articleBody or "")
    assert item.webclean["sibling_url"].endswith(SIBLING)
    others = [each for each in crawled.items if each is not item]
    assert others in ([], [{"title": item.headline}])
    assert crawled.ours()["webclean/clean/pages"] == 1
    assert crawled.sibling() == {"requested": 1, "learned": 1}


@pytest.mark.parametrize(
    ("page", "record"),
    [
        (Reply(b"%PDF-1.7 ...", content_type="application/pdf"), {}),
        (Reply(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj" * 40), {"error": "not_html"}),
        ("<html><p>Nothing.</p></html>", {"is_article": False}),
    ],
    ids=["pdf", "pdf as html", "no article"],
)
def test_of_other_pages_it_gets_the_rest(crawls: Crawls, page: Any, record: dict[str, Any]) -> None:
    given: list[CleanedArticle] = []

    class Keeping(Asking):
        def parse_article(self, response: Response, article: CleanedArticle) -> Iterator[Any]:
            given.append(article)
            yield from ()

    settings = {"ADDONS": ADDONS, "WEBCLEAN_DROP_NON_ARTICLES": True}
    _, site = crawls.visit({PAGE: page}, settings=settings, spider=Keeping)
    assert [one.url for one in given] == [site.url(PAGE)]
    assert given[0].articleBody is None
    assert given[0].webclean.items() >= record.items()


def test_a_provider_that_the_project_has_placed_stays() -> None:
    path = "webclean_scrapy.poet.CleanedArticleProvider"
    settings = Settings({"SCRAPY_POET_PROVIDERS": {path: 7}})
    Addon().update_settings(settings)
    assert settings.getdict("SCRAPY_POET_PROVIDERS") == {path: 7}
