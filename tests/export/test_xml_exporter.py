"""Articles as XML: valid for a parser, without "None" for missing values."""

import io

from lxml import etree
from scrapy.utils.misc import load_object
from zyte_common_items import Article, Author

from webclean_scrapy import ArticleItem
from webclean_scrapy.spiders.site_spider import CRAWL_SETTINGS


def test_a_missing_value_is_an_empty_element() -> None:
    file = io.BytesIO()
    writer = load_object(CRAWL_SETTINGS["FEED_EXPORTERS"]["xml"])(file)
    writer.start_exporting()
    record = {"fallback": None, "removed": [{"what": "line", "why": None}]}
    writer.export_item(ArticleItem(url="u:1", headline="A\x08 \ud800bridge", webclean=record))
    writer.export_item(Article(url="u:1", authors=[Author(name="Ada Vos")]))
    writer.finish_exporting()
    assert b">None<" not in file.getvalue()
    first, second = etree.fromstring(file.getvalue())
    assert (first.findtext("headline"), first.findtext("webclean/fallback")) == ("A bridge", "")
    assert second.findtext("authors/value/name") == "Ada Vos"
