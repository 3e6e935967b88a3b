"""河西新闻网: a Chinese GBK site with the markup of the 2000s, in two templates.

News and farming pages use wrappers, floats and inline styles; the education channel still has the
table layout before that, with the body as bare text between ``<br>``. Most pages name their charset
in the meta element alone, one channel declares gb2312 and uses characters outside it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, ClassVar

from spiders.demo.markup import BodyStyle, body_html, fill, links, number, pick
from spiders.demo.site import Listing, Site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spiders.demo.model import Article

_EDITORS = ("樊思雨、屠立", "柏青、樊思雨", "屠立、卫岚", "卫岚、柏青")

_STYLE = BodyStyle(
    paragraph="<p style='text-indent: 2em;'>\n\t　　{}</p>\n",
    heading="<p style='text-indent: 2em;'>\n\t　　<strong>{}</strong></p>\n",
    item="<p style='text-indent: 2em;'>\n\t　　{}</p>\n",
    items="{}",
    head_cell="<td align='center' bgcolor='#eeeeee'><b>{}</b></td>",
    cell="<td align='center'>{}</td>",
    table="<table width='96%' border='1' align='center'><tbody>\n{}</tbody></table>\n",
    figure="<p align='center'><img src='/static/photo.gif' width='560' border='0'></p>\n"
    "<p class='pictext' align='center' style='font-size: 12px;'>{}</p>\n",
    link="<a href='/hexi/c1031/index.html' target='_blank' class='hotword'>{}</a>",
)
_OLD_STYLE = BodyStyle(
    paragraph="　　{}<br>\n<br>\n",
    heading="　　<b>{}</b><br>\n<br>\n",
    figure="<center><img src='/static/photo.gif' vspace='4'><br>"
    "<font color='#666666' size='2'>{}</font></center><br>\n",
    link="<a href='/hexi/c1047/index.html'>{}</a>",
)

_PAGER_LINK = "<a href='{}'>{}</a> "
_TOP = """<div class="topbar"><div class="w1000 clearfix">
<form action="/internal/search" class="fl"><input type="text" name="q" value="请输入关键词">
<input type="submit" value="搜索"></form>
<div class="fr user"><span id="userNick">--</span> <a href="javascript:void(0);">登录</a><em>|</em>
<a href="javascript:void(0);">注册</a><em>|</em><a href="/nanwan/">南湾在线</a><em>|</em>
<a href="/">门户首页</a></div></div></div>
<div class="pd_nav w1000 white clear">{}<a href="/hexi/c2001/index.html">视频</a>
<a href="http://ads.example.invalid/hexi-mall">河西商城</a>
<a href="javascript:;">数字报</a><a href="javascript:;">评论</a><a href="javascript:;">图片</a>
<a href="javascript:;">理论</a><a href="javascript:;">专题</a></div>
"""
_FOOT = """<div class="footer"><div class="w1000">
<p><a href="javascript:;">关于我们</a> | <a href="javascript:;">报社招聘</a> |
<a href="javascript:;">广告服务</a> | <a href="javascript:;">合作加盟</a> |
<a href="javascript:;">供稿服务</a> | <a href="javascript:;">网站声明</a> |
<a href="javascript:;">网站律师</a> | <a href="javascript:;">信息保护</a> |
<a href="javascript:;">联系我们</a></p>
<p>违法和不良信息举报电话：0000-8812000　举报邮箱：jubao@hexi.invalid</p>
<p>互联网新闻信息服务许可证 HX-2019-0031　信息网络传播视听节目许可证 HX-0108077</p>
<p>河 西 新 闻 网 版 权 所 有，未 经 书 面 授 权 禁 止 使 用<br>
Copyright &copy; 2003-2026 by hexi.invalid. all rights reserved</p>
</div></div>
<script type="text/javascript">var _pv = 1;
document.write('<img src="/static/photo.gif">');</script>
</body></html>
"""
_HEAD = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" \
"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head>
<meta http-equiv="content-type" content="text/html; charset={}"/>
<title>{}--{}--河西新闻网</title>
{}<link rel="stylesheet" type="text/css" href="/static/site.css"/>
</head>
<body>
"""
_SIDE = """<div class="fr w300">
<div class="ad300"><a href="http://ads.example.invalid/seed"><img src="/static/photo.gif"></a></div>
<h2 class="title"><span>热点排行</span></h2>
<ul class="rank">
{}</ul>
<h2 class="title"><span>精彩图片</span></h2>
<ul class="pic_list">
{}</ul>
<h2 class="title"><span>专题推荐</span></h2>
<ul>
<li><a href="/hexi/2019/spring/index.html">春耕进行时：走进十二个乡镇的田间地头</a></li>
<li><a href="javascript:;">河西人家：用镜头记录一百个普通家庭的一天</a></li>
<li><a href="javascript:;">问政面对面：二十位局长在线答复市民留言</a></li>
</ul>
</div>
"""


class HexiSite(Site):
    """The GBK site."""

    key = "hexi"
    language = "zh"
    name = "河西新闻网"
    encoding = "gbk"
    sections: ClassVar[Mapping[str, str]] = {
        "c1024": "本地要闻",
        "c1031": "农业水利",
        "c1047": "教育文化",
    }

    def path_of(self, article: Article) -> str:
        day = article.date[:10].split("-")
        serial = number(article.key, 10200, 89900)
        return f"/hexi/{day[0]}/{day[1]}{day[2]}/{article.section}-{serial}.html"

    def list_path(self, section: str, page: int = 1) -> str:
        if not section:
            return "/hexi/"
        return f"/hexi/{section}/index{'' if page == 1 else page}.html"

    def content_type(self, path: str) -> str:
        return "text/html; charset=GBK" if "/c1031" in path else "text/html"

    def article_html(self, article: Article) -> str:
        if article.section == "c1047":
            return self._old_article(article)
        charset = "gb2312" if article.section == "c1024" else "GBK"
        meta = f"<meta name='publishdate' content='{article.date[:10]}'/>\n"
        if article.author:
            meta += f"<meta name='author' content='{article.author}'/>\n"
        head = fill(_HEAD, charset, escape(article.title), self.sections[article.section], meta)
        side = fill(_SIDE, links(self.hot(10)), links(self.related(article, 4, skip=7)))
        return "".join([
            head,
            fill(_TOP, links(self.section_links(), "<a href='{}'>{}</a>\n")),
            self._crumbs(article),
            "<div class='w1000 clearfix p2j_con02'><div class='fl text_con_left'>\n",
            self._text_column(article),
            "</div>\n",
            side,
            "</div>\n",
            _FOOT,
        ])  # fmt: skip

    def _crumbs(self, article: Article) -> str:
        section = self.sections[article.section]
        return (
            "<div class='path w1000 clearfix'><span id='rwb_navpath'><a href='/hexi/' "
            f"class='clink'>河西新闻网</a>&gt;&gt;<a href='{self.list_path(article.section)}' "
            f"class='clink'>{section}</a></span></div>\n"
        )

    def _text_column(self, article: Article) -> str:
        year, month, day = article.date[:10].split("-")
        printer = f"/internal/print/{number(article.key, 10200, 89900)}.html"
        source = article.source or self.name
        byline = f"<p class='author'>{article.author}</p>" if article.author else ""
        return f"""<div class="text_c">
<h4 class="pre"></h4><h1>{escape(article.title)}</h1><h4 class="sub"></h4>{byline}
<div class="box01"><div class="fl">{year}年{month}月{day}日{article.date[11:]} &nbsp; 来源：<a
 href="http://paper.example.invalid/">{source}</a></div>
<div class="fr"><a href="{printer}">打印</a> <a href="javascript:;">网摘</a>
<a href="javascript:;">纠错</a> <a href="javascript:;">分享</a> 字号 <a href="javascript:;">大</a>
<a href="javascript:;">小</a></div></div>
<div class="box_con" id="rwb_zw">
{self._body(article)}<div class="zdfy clearfix"></div>
<center><table border="0" align="center"><tbody><tr></tr></tbody></table></center>
<div class="edit clearfix">(责编：{pick(article.key, _EDITORS)})</div>
</div>
<div class="ad_none"><p class="paper_num">分享让更多人看到</p></div>
</div>
<div class="message clearfix"><h3>推荐阅读</h3><ul class="list_14 clearfix">
{links(self.related(article, 6, skip=3))}</ul></div>
<div class="copyright_note">凡注明“来源：河西新闻网”的作品，版权均属河西新闻网，转载时须注明
来源。</div>
"""

    def _body(self, article: Article) -> str:
        box = (
            "<table class='inner_rel' align='right' width='240'><tbody><tr><td>"
            "<strong>相关阅读</strong><br>\n"
            + links(self.related(article, 3), "·<a href='{}' target='_blank'>{}</a><br>\n")
            + "</td></tr></tbody></table>\n"
        )
        banner = (
            "<p style='text-indent: 2em;'>　　<a href='http://ads.example.invalid/bank'>"
            "河西惠民贷，三分钟到账，点击申请</a></p>\n"
        )
        inserts = {2: box}
        if pick(article.key, ("ad", "none")) == "ad":
            inserts[3] = banner
        cited = f"<p style='text-indent: 2em;'>\n\t　　原标题：{article.original}</p>\n"
        before = cited if article.original else ""
        return before + body_html(article.blocks, _STYLE, inserts)

    def _old_article(self, article: Article) -> str:
        head = fill(_HEAD, "gb2312", escape(article.title), self.sections[article.section], "")
        year, month, day = article.date[:10].split("-")
        author = f"　作者：{article.author}" if article.author else ""
        row = "<tr><td height='22'>·<a href='{}'>{}</a></td></tr>\n"
        return f"""{head}{fill(_TOP, links(self.section_links(), "<a href='{}'>{}</a>"))}
<table width="960" border="0" align="center" cellpadding="0"><tr>
<td width="210" valign="top" bgcolor="#f4f8fb"><table width="100%">
<tr><td class="lm">本周热读</td></tr>
{links(self.hot(8), row)}<tr><td class="lm">友情链接</td></tr>
<tr><td><a href="/harbour/">港湾纪事（英文）</a> <a href="/gangdao/">港島日報</a></td></tr>
</table></td>
<td valign="top"><table width="96%" align="center"><tr><td class="dh"><a href="/hexi/">首页</a> &gt;
<a href="{self.list_path(article.section)}">{self.sections[article.section]}</a> &gt; 正文</td></tr>
<tr><td align="center" class="bt"><font size="5"><b>{escape(article.title)}</b></font></td></tr>
<tr><td align="center" class="ly">{year}-{month}-{day} {article.date[11:]}　来源：{article.source}
{author}</td></tr>
<tr><td class="zw" id="zoom" style="font-size: 14px; line-height: 26px;">
{body_html(article.blocks, _OLD_STYLE)}
<div align="right">（责任编辑：{pick(article.key, _EDITORS)}）</div></td></tr>
<tr><td><table width="100%"><tr><td><b>相关新闻</b></td></tr>
{links(self.related(article, 5), row)}</table></td></tr>
<tr><td align="center">【<a href="javascript:window.print()">打印</a>】
【<a href="javascript:window.close()">关闭</a>】</td></tr></table></td></tr></table>
{_FOOT}"""

    def list_html(self, listing: Listing) -> str:
        entries = "".join(
            fill("<li><a href='{}'>{}</a> <em>[{}]</em></li>\n", *self.entry(a), a.date[:10])
            for a in listing.articles
        )
        head = fill(_HEAD, "GBK", listing.heading, "列表", "")
        return "".join([
            head,
            fill(_TOP, links(self.section_links(), "<a href='{}'>{}</a>\n")),
            "<div class='w1000 clearfix'><div class='fl w655'>",
            f"<h2 class='lm'>{listing.heading}</h2>\n<ul class='list_16 mt10'>\n{entries}</ul>\n",
            self._pager(listing),
            "</div>\n",
            fill(_SIDE, links(self.hot(10)), ""),
            "</div>\n",
            _FOOT,
        ])  # fmt: skip

    def _pager(self, listing: Listing) -> str:
        numbers = range(1, listing.pages + 1)
        pages = [(self.list_path(listing.section, n), str(n)) for n in numbers]
        return f"<div class='page_n clearfix'>{links(pages, _PAGER_LINK)}</div>\n"
