"""港島日報: a site in traditional characters whose body is split over several containers.

Reading suggestions are between the containers, the editor line follows the last words, tags and a
copyright notice come after it. Some pages carry JSON-LD, the culture section carries nothing.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, ClassVar

from spiders.demo.markup import BodyStyle, body_html, fill, links, number, pick
from spiders.demo.site import Listing, Site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spiders.demo.model import Article

_EDITORS = ("郭雅筑", "温定國", "藍若溪")

_STYLE = BodyStyle(
    heading="<h3>{}</h3>\n",
    table="<table class='data'>\n{}</table>\n",
    figure="<div class='fullPic'><div class='wrap'><img src='/static/photo.gif'></div>"
    "<div class='picinfo'>{}</div></div>\n",
    link="<a href='/gangdao/list/local.aspx'>{}</a>",
)
_HEAD = """<!DOCTYPE html>
<html lang="zh-Hant"><head><meta charset="utf-8">
<title>{} | 港島日報</title>
{}<link rel="stylesheet" href="/static/site.css"></head>
<body id="body"><div id="siteWrap">
<header id="cnHeader"><div class="topLine"><div class="innerWrap">
<a href="/gangdao/" id="logo"><h2>港島日報</h2></a>
<form action="/internal/search" class="search"><input name="q"></form>
<a href="javascript:;">登入</a> <a href="javascript:;">訂閱電子報</a></div></div>
<nav id="mainNav"><ul class="main-menu">
<li><a href="/gangdao/">即時</a></li>
{}<li><a href="/gangdao/list/opinion.aspx">評論</a></li><li><a href="/nanwan/">南灣</a></li>
<li><a href="/hexi/">河西</a></li><li><a href="/">總覽</a></li>
<li><a href="javascript:;">影音</a></li><li><a href="javascript:;">專題</a></li></ul></nav></header>
"""
_FOOT = """<footer><div class="innerWrap"><ul><li><a href="javascript:;">關於我們</a></li>
<li><a href="javascript:;">聯絡我們</a></li><li><a href="javascript:;">徵才</a></li>
<li><a href="javascript:;">隱私權聲明</a></li><li><a href="javascript:;">著作權聲明</a></li>
<li><a href="javascript:;">廣告刊登</a></li></ul>
<p>港島日報社　服務電話：0000-7712　&copy; 2026 Gangdao Daily</p></div></footer>
</div></body></html>
"""
_MORE = """<div class="moreArticle"><h4>延伸閱讀</h4>
{}</div>
"""
_MORE_LINK = "<a class='moreArticle-link' href='{}'><span>{}</span></a>\n"
_APP = """<div class="dailyApp"><p>下載港島日報APP，每日新聞不漏接</p>
<a href="http://ads.example.invalid/app">iOS</a> <a href="http://ads.example.invalid/apk">Android</a>
</div>
"""
_COPYRIGHT = """<div class="paragraph bottomArticleBanner"><p>本網站之文字、圖片及影音，非經授權，
不得轉載、公開播送或公開傳輸及利用。</p></div>
"""
_RANK = "<li><a href='{}'><div class='listInfo'><h3><span>{}</span></h3></div></a></li>\n"


class GangdaoSite(Site):
    """The site in traditional characters."""

    key = "gangdao"
    language = "zh"
    name = "港島日報"
    page_size = 4
    sections: ClassVar[Mapping[str, str]] = {"local": "地方", "culture": "文化"}

    def path_of(self, article: Article) -> str:
        day = article.date[:10].replace("-", "")
        return f"/gangdao/news/{article.section}/{day}{number(article.key, 1000, 9999)}.aspx"

    def list_path(self, section: str, page: int = 1) -> str:
        if not section:
            return "/gangdao/"
        return f"/gangdao/list/{section}.aspx" + (f"?page={page}" if page > 1 else "")

    def article_html(self, article: Article) -> str:
        section = self.sections[article.section]
        half = (len(article.blocks) + 1) // 2
        parts = [
            f"<div class='paragraph'>\n{body_html(article.blocks[:half], _STYLE)}</div>\n",
            self._between(article),
            "<div class='paragraph'>\n",
            body_html(article.blocks[half:], _STYLE),
            self._last_line(article),
            "</div>\n",
        ]
        return f"""{self._head(escape(article.title), self._metadata(article))}<div class="wrapper">
<div class="floatWrap"><div class="breadcrumb"><a href="/gangdao/">首頁</a> /
<a href="{self.list_path(article.section)}">{section}</a></div>
<article class="article"><div class="centralContent"><h1><span>{escape(article.title)}</span></h1>
<div class="timeBox"><div class="updatetime"><span>{article.date.replace("T", " ")}</span>
<span>（{number(article.key, 2, 9)}分鐘閱讀）</span></div>
<div class="shareBar"><a href="javascript:;">臉書</a><a href="javascript:;">LINE</a>
<a href="javascript:;">複製連結</a></div></div>
{"".join(parts)}{_APP}{_COPYRIGHT}<div class="keywordTag"><a href="javascript:;">#{section}</a>
<a href="javascript:;">#港島</a></div></div></article>
<section class="recommend"><h2>你可能也想看</h2><ul>
{links(self.related(article, 4, skip=2), _RANK)}</ul></section></div>
{self._side()}</div>
{_FOOT}"""

    def _head(self, title: str, metadata: str) -> str:
        return fill(_HEAD, title, metadata, links(self.section_links()))

    def _metadata(self, article: Article) -> str:
        if article.section == "culture":
            return ""
        data: dict[str, object] = {
            "@context": "http://schema.org",
            "@type": "NewsArticle",
            "headline": article.title,
            "datePublished": f"{article.date}:00+08:00",
        }
        if article.author:
            data["author"] = {"@type": "Person", "name": article.author}
        text = json.dumps(data, ensure_ascii=False)
        return f"<script type='application/ld+json'>{text}</script>\n"

    def _between(self, article: Article) -> str:
        return fill(_MORE, links(self.related(article, 2), _MORE_LINK))

    def _last_line(self, article: Article) -> str:
        source = f"<p>稿件來源：{article.source}</p>\n" if article.source else ""
        month, day = article.date[5:7], article.date[8:10]
        return f"{source}<p>（編輯：{pick(article.key, _EDITORS)}）115{month}{day}</p>\n"

    def _side(self) -> str:
        return f"""<aside class="secondary"><div class="hotNews"><h2>熱門新聞</h2><ul>
{links(self.hot(8), _RANK)}</ul></div>
<div class="adBox"><a href="http://ads.example.invalid/tea">好茶到家 首購免運</a></div></aside>
"""

    def list_html(self, listing: Listing) -> str:
        entries = "".join(
            f"<li><a href='{self.path_of(a)}'><div class='listInfo'><h2><span>{escape(a.title)}"
            f"</span></h2><div class='date'>{a.date.replace('T', ' ')}</div></div></a></li>\n"
            for a in listing.articles
        )
        later = ""
        if listing.page < listing.pages:
            path = self.list_path(listing.section, listing.page + 1)
            later = f"<a class='viewBtn' href='{path}'>看更多內容</a>\n"
        return f"""{self._head(listing.heading, "")}<div class="wrapper"><div class="floatWrap">
<h1>{listing.heading}</h1><ul id="jsMainList" class="mainList">
{entries}</ul>{later}</div>
{self._side()}</div>
{_FOOT}"""
