"""Pages that are explained, for the tests of text and page: own texts."""

from __future__ import annotations

from functools import cache

from tests.pages import article
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.report.explain import Explanation, GivenPage, explain_page
from webclean_scrapy.report.explain_page import render_explanation

URL = "http://ostwick.example/news/{}.html"
CONFIG = CleanConfig()

CHINESE = """<!DOCTYPE html><html lang="zh"><head><meta charset="utf-8">
<title>渡轮在大雾中停航三小时 - 海港日报</title></head><body>
<ul class="nav"><li><a href="/">首页</a></li><li><a href="/n/">新闻</a></li></ul>
<div class="text"><h1>渡轮在大雾中停航三小时</h1>
<p>今天早上海港有大雾，去岛上的渡轮晚点了三个小时，码头上的旅客排到了街口，有人带着早饭来等。</p>
<p>船长说，雾里看不见航标，只能听钟声，所以宁可等到雾散，也不愿意冒险开船，这是老规矩。</p>
<p>中午以后雾慢慢散开，第一班船在十二点半离港，船上坐满了人，晚上的班次也照常开出。</p></div>
<div class="foot">版权所有 海港日报</div></body></html>"""
NO_BODY = "<html><body><nav><a href='/'>Home</a> <a href='/news/'>News</a></nav></body></html>"


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
