"""南湾在线: a modern Chinese UTF-8 portal with unrelated blocks in its article column.

Open Graph and JSON-LD on most pages, a card of related news and an app prompt inside the body's
container, captions in the paragraph of their picture, statements and editor lines at its end,
recommendations with teasers and comments behind it, a long side column.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, ClassVar

from spiders.demo.markup import BodyStyle, body_html, fill, links, number, pick, readers_comments
from spiders.demo.model import DemoPage
from spiders.demo.site import Listing, Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spiders.demo.model import Article

_EDITORS = ("宋知了_NW2201", "毕小海_NW3107", "苗青禾_NW1188", "詹渡_NW4520")

_STYLE = BodyStyle(
    paragraph="<p>{}</p>\n",
    heading="<p><strong>{}</strong></p>\n",
    items="<ul class='post_ul'>\n{}</ul>\n",
    item="<li><p>{}</p></li>\n",
    table="<div class='post_table'><table><tbody>\n{}</tbody></table></div>\n",
    head_cell="<td><strong>{}</strong></td>",
    code="<pre class='code-snippet'><code>{}</code></pre>\n",
    figure="<p class='f_center'><img src='/static/photo.gif' data-src='/static/photo.gif'><br>"
    "<span class='img_desc'>{}</span><br></p>\n",
    link="<a href='/nanwan/society/'>{}</a>",
)
_TOP = """<body>
<div class="N-nav-top"><div class="N-nav-in"><a class="logo" href="/nanwan/">南湾在线</a>
<div class="N-nav-select"><span>应用</span><ul><li><a href="javascript:;">南湾新闻客户端</a></li>
<li><a href="javascript:;">南湾公交</a></li><li><a href="javascript:;">南湾天气</a></li></ul></div>
<ul class="N-nav-list">{}
<li><a href="/nanwan/live/">直播</a></li><li><a href="/hexi/">河西</a></li>
<li><a href="/gangdao/">港島</a></li><li><a href="/">首页</a></li>
<li><a href="http://ads.example.invalid/game">游戏</a></li></ul>
<div class="N-nav-user"><a href="/nanwan/user/login.html">登录</a></div></div></div>
"""
_FOOT = """<div class="N-nav-footer"><div class="N-footer-link">
<a href="javascript:;">About NANWAN</a> - <a href="javascript:;">公司简介</a> -
<a href="javascript:;">联系方法</a> - <a href="javascript:;">招聘信息</a> -
<a href="javascript:;">客户服务</a> - <a href="javascript:;">隐私政策</a> -
<a href="javascript:;">不良信息举报 Complaint Center</a> - <a href="javascript:;">侵权投诉</a></div>
<div class="N-footer-copyright">南湾在线版权所有 &copy;2011-2026</div></div>
<script>window.__nw = {"t": 1};</script>
</body></html>
"""
_HEAD = """<!DOCTYPE HTML>
<html lang="zh-CN"><head>
<meta http-equiv="X-UA-Compatible" content="IE=edge"><meta charset="utf-8">
<title>{}_南湾在线</title>
{}<link rel="stylesheet" href="/static/site.css">
</head>
"""
_APP = """<div class="app_guide"><div class="qr"><img src="/static/photo.gif"></div>
<p>打开“南湾在线”客户端，查看更多精彩内容</p></div>
"""
_STATEMENT = """<div class="post_statement"><span class="bg"></span>
<p>特别声明：以上内容仅代表作者本人的观点或立场，不代表南湾在线的观点或立场。如因作品内容、
版权或其他问题需要同本网联系的，请于作品发表后的三十日内与我们取得联系。</p></div>
"""
_LOGIN = """<div class="login_box"><h1>登录南湾在线</h1>
<form action="/internal/search" method="post"><label>手机号</label><input name="phone">
<label>验证码</label><input name="code"><button>登录</button></form>
<p><a href="/nanwan/">返回首页</a></p></div>
"""
_HOT = "<li><em>热</em><a href='{}'>{}</a></li>\n"
_CARD = """<div class="rec_item clearfix"><a href="{}" class="rec_img">
<img src="/static/photo.gif"></a>
<div class="rec_r"><h4><a href="{}">{}</a></h4><p class="rec_digest">{}</p>
<span class="rec_num">{}跟贴</span></div></div>
"""
_COMMENT = "<div class='tie-item'><a class='tie-name'>{}</a><p class='tie-content'>{}</p></div>\n"
_COMMENTS = """<div class="tie-areas" id="post_comment_area"><h3>热门跟贴</h3>
{}<a href="/internal/comments">查看全部跟贴</a></div>
"""


class NanwanSite(Site):
    """The UTF-8 portal."""

    key = "nanwan"
    language = "zh"
    name = "南湾在线"
    sections: ClassVar[Mapping[str, str]] = {"society": "社会", "tech": "科技", "life": "生活"}

    def path_of(self, article: Article) -> str:
        serial = f"{number(article.key, 0x1A000000, 0x7FFFFFFF):X}"
        return f"/nanwan/a/{article.date[:10].replace('-', '')}/A{serial}.html"

    def list_path(self, section: str, page: int = 1) -> str:
        if not section:
            return "/nanwan/"
        return f"/nanwan/{section}/" + (f"index_{page}.html" if page > 1 else "")

    def other_pages(self) -> Iterator[tuple[str, DemoPage]]:
        html = self._head("登录", "") + self._top() + _LOGIN + _FOOT
        yield "/nanwan/user/login.html", DemoPage(body=html.encode())

    def article_html(self, article: Article) -> str:
        return "".join([
            self._head(escape(article.title), self._metadata(article)),
            self._top(),
            "<div class='container clearfix' id='container'>\n<div class='post_main'>\n",
            self._post(article),
            self._recommended(article),
            readers_comments(article.key, _COMMENT, _COMMENTS, "zh"),
            "</div>\n",
            self._side(article),
            "</div>\n",
            _FOOT,
        ])  # fmt: skip

    def _head(self, title: str, metadata: str) -> str:
        return fill(_HEAD, title, metadata)

    def _top(self) -> str:
        return fill(_TOP, links(self.section_links()))

    def _metadata(self, article: Article) -> str:
        if article.section == "life":
            return "<meta name='keywords' content='南湾,生活'>\n"
        data: dict[str, object] = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.title,
            "datePublished": f"{article.date}:00+08:00",
        }
        if article.author:
            data["author"] = {"@type": "Person", "name": article.author}
        return f"""<meta property="og:type" content="article">
<meta property="og:title" content="{escape(article.title)}">
<meta property="article:published_time" content="{article.date}:00+08:00">
<meta name="author" content="{article.author or self.name}">
<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>
"""

    def _post(self, article: Article) -> str:
        day, minute = article.date.split("T")
        section = self.sections[article.section]
        replies = number(article.key, 3, 2400)
        return f"""<div class="post_crumb"><a href="/nanwan/">南湾首页</a> &gt;
<a href="{self.list_path(article.section)}">{section}</a> &gt; 正文</div>
<h1 class="post_title">{escape(article.title)}</h1>
<div class="post_info">{day} {minute}:07　来源: <a href="javascript:;">{article.source}</a>
<a href="javascript:;" class="post_jubao">举报</a></div>
<div class="post_top_tie"><a class="post_top_tie_count">{replies}</a> 分享至
<ul class="post_share"><li><a href="javascript:;">微信</a></li><li><a href="javascript:;">微博</a>
</li></ul><div class="share_qr">用微信扫码二维码，分享至好友和朋友圈</div></div>
<div class="post_content"><div class="post_body" id="content">
{self._body(article)}</div>
{_STATEMENT}</div>
"""

    def _body(self, article: Article) -> str:
        card = "<div class='rel_card'><div class='rel_hd'>相关新闻</div><ul>\n"
        card += links(self.related(article, 2)) + "</ul></div>\n"
        advert = (
            "<div class='gg200x300'><a href='http://ads.example.invalid/car'>"
            "<img src='/static/photo.gif'><br>开春换新车，置换补贴立减八千</a></div>\n"
            "<!-- AD200x300_2 --><script>window.__gg = [2, 300];</script>\n"
        )
        start = (
            f"<p class='otitle'>（原标题：{article.original}）</p>\n" if article.original else ""
        )
        byline = f"<p>{article.source}记者 {article.author}</p>\n" if article.author else ""
        shown = pick(article.key, ("card", "both", "advert", "late"))
        inserts = {
            "card": {2: card},
            "both": {1: advert, 3: card},
            "advert": {2: advert},
            "late": {4: card},
        }[shown]
        editor = f"<p class='post_author'>本文来源：{article.source} 责任编辑： "
        editor += f"{pick(article.key, _EDITORS)}</p>\n"
        body = body_html(article.blocks, _STYLE, inserts)
        return start + body + (byline if shown == "both" else "") + _APP + editor

    def _recommended(self, article: Article) -> str:
        near = {path for path, _ in self.related(article, 5, skip=2)}
        cards = "".join(self._card(other) for other in self.articles if self.path_of(other) in near)
        return f"<div class='post_recommends'><h3>相关推荐</h3>\n{cards}</div>\n"

    def _card(self, article: Article) -> str:
        path = self.path_of(article)
        replies = str(number(article.key, 3, 2400))
        return fill(_CARD, path, path, escape(article.title), escape(article.teaser), replies)

    def _side(self, article: Article) -> str:
        return f"""<div class="post_side"><div class="side_hd"><h2>热点新闻</h2></div>
<ul class="side_hot">
{links(self.hot(10), _HOT)}</ul>
<div class="side_ad"><a href="http://ads.example.invalid/loan">低息周转，额度最高二十万</a></div>
<div class="side_hd"><h2>热门栏目</h2></div>
<ul>{links(self.section_links())}</ul>
<div class="side_hd"><h2>最新文章</h2></div>
<ul>
{links(self.related(article, 5, skip=6))}</ul></div>
"""

    def list_html(self, listing: Listing) -> str:
        cards = "".join(map(self._card, listing.articles))
        numbers = range(1, listing.pages + 1)
        pages = [(self.list_path(listing.section, n), f"第{n}页") for n in numbers]
        pager = "<div class='pages'>" + links(pages, "<a href='{}'>{}</a> ") + "</div>\n"
        return "".join([
            self._head(listing.heading, ""),
            self._top(),
            "<div class='container clearfix'><div class='index_main'>\n",
            f"<div class='hd'><h2>{listing.heading}</h2></div>\n{cards}",
            pager if listing.section else "",
            "</div>\n<div class='post_side'><h2>热点新闻</h2><ul class='side_hot'>\n",
            links(self.hot(10), _HOT),
            "</ul></div></div>\n",
            _FOOT,
        ])  # fmt: skip
