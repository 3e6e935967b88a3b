"""Pages for the yes-or-no line features; the lines with a feature are marked on the page."""

from tests.reading import PARAGRAPH, SENTENCE


def words(units: int) -> str:
    return ("word " * units)[: units - 1] + "x"


# By feature a page on which exactly the lines of elements marked data-yes have the feature.
YES_OR_NO = {
    "one": "<p data-yes>a</p><ul><li data-yes>b</ul><div data-yes>c</div>",
    "under 10": f"<p data-yes>{words(9)}</p><p>{words(10)}</p><p data-yes>码头开</p>",
    "under 25": f"<p>{words(9)}<p data-yes>{words(10)}<p data-yes>{words(24)}<p>{words(25)}",
    "under 60": f"<p>{words(24)}<p data-yes>{words(25)}<p data-yes>{words(59)}<p>{words(60)}",
    "under 150": f"<p>{words(59)}<p data-yes>{words(60)}<p data-yes>{words(149)}<p>{words(150)}",
    "over 400": f"<p>{words(399)}<p data-yes>{words(400)}<p data-yes>{'码头' * 67}",
    "link line": (
        "<p data-yes><a>all of it</a></p><p data-yes><a>most of</a> it</p>"
        "<p><a>half</a>half</p><p>none</p>"
    ),
    "paragraph": (
        f"<p data-yes>{SENTENCE}</p><p>Menu</p><p><a>{SENTENCE}</a></p>"
        f"<p data-yes>{words(80)}</p><p>{words(79)}</p><p data-yes>码头的裂缝已经修好了。</p>"
    ),
    "ends sentence": (
        "<p data-yes>It ends.</p><p data-yes>“Does it?”</p><p data-yes>完了。」</p><p>”</p>"
        "<p data-yes>Rain.”)</p><p>It. Does not</p><p>Nor this,</p><p data-yes>کشتی آمد۔</p>"
    ),
    "colon": "<p data-yes>He said:</p><p data-yes>他说：</p><p>a: b</p>",
    "date": (
        "<p data-yes>2026-03-02</p><p data-yes>2026年3月2日</p><p data-yes>Mar. 2</p>"
        f"<p data-yes>at 12:30</p><p>in 2026</p><p>{'A long line on 2026-03-02. ' * 9}</p>"
    ),
    "credit": (
        "<p data-yes>Photo by Ann Lee</p><p>The editor left.</p>"
        "<p>责任编辑：王小明</p>"  # excluded, so that no feature is read of it
        f"<p>Copyright {'goes on and on ' * 12}</p>"
    ),
    "prompt": (
        "<p data-yes>Subscribe to our newsletter</p><p data-yes>扫码关注公众号</p>"
        "<p data-yes>accept cookies</p><p data-yes>scan it: 扫码</p><p data-yes>« to a list</p>"
        "<p data-yes>more of them &gt;&gt; </p><p data-yes>all of them →</p>"
        "<p data-yes>&lt;&lt; the first</p><p>a &lt;&lt; b → cookiesheet</p>"
        f"<p>The pier is closed.</p><p>Newsletters {'go on and on ' * 12}</p>"
    ),
    "beside prompt": (
        f"<div><p data-yes>Fridays</p><p data-yes>Subscribe here</p></div><p>a</p>"
        f"<section><p>Subscribe here</p><p>{words(400)}</p></section>"
    ),
    "code": (
        '<p data-yes>{"a": 1}</p><p data-yes>var pier = 1;</p>'
        "<p data-yes>.pier { color: red }</p><p>The variable pier.</p>"
    ),
    "is title": "<h1 data-yes>Crack closes the pier</h1><p>A crack</p>",
    "repeats": "<p data-yes>Twice</p><p>Once</p><div data-yes>Twice</div>",
    "after image": (
        f"<img><p data-yes>A</p><p>B</p><div><img></div><p data-yes>{words(160)}"
        "</p>C<p data-yes><img>D</p><p>E <img> F</p><p>G</p><img>"
    ),
    "short after image": f"<img><p data-yes>A</p><p>B</p><img><p>{words(160)}</p>",
    "after end heading": (
        f"{PARAGRAPH}<div><h3 data-yes>Related</h3><p data-yes>A bridge</p></div>"
        "<p>Behind the box</p>"
    ),
    "p": "<p data-yes>a</p><div>b</div><p data-yes><b>c</b></p><li>d</li>",
    "li": "<ul><li data-yes>a</ul><dl><dt data-yes>b<dd data-yes>c</dl><p>d</p>",
    "heading": "<h1 data-yes>a</h1><h6 data-yes>b</h6><p>c</p><header>d</header>",
    "cell": "<table><tr><th data-yes>a<td data-yes>b<td><p>c</table>d",
    "box": (
        "<div data-yes>a</div><section data-yes>b</section><center data-yes>c</center>"
        "<article data-yes>d</article><p>e</p><aside>f</aside>"
    ),
    "quote": "<blockquote data-yes>a<p data-yes>b</p></blockquote><p>c</p>",
    "pre": "<pre data-yes>a</pre><p>b</p>",
    "figure": (
        "<figure data-yes>a</figure><figcaption data-yes>b</figcaption><p>c</p>"
        "<table><caption data-yes>d</caption><tr><td>e</table>"
    ),
    "named caption": (
        "<p class=img-caption data-yes>a</p><div class=pic_desc><p data-yes>b"
        "</p></div><p data-yes><i id=zhushi>c</i></p><p class=capital>d</p>"
    ),
    "hidden": (
        "<p hidden data-yes>a</p><div style='color:red; Display: none'><p data-yes>b"
        "</p></div><p style='display:block; float:none'>c</p>"
    ),
    "article": (
        "<article data-yes>a<p data-yes>b</p></article><main data-yes>c</main><section>d</section>"
    ),
    "aside": "<aside data-yes>a</aside><footer><p data-yes>b</p></footer><p>c</p>",
    "header": "<header data-yes>a<p data-yes>b</p></header><h1>c</h1>",
    "form": "<form data-yes>a<div data-yes>b</div></form><p>c</p>",
    "nav": "<nav data-yes>a<p data-yes>b</p></nav><ul><li>c</ul>",
    "marked body": (
        "<div itemprop=articleBody data-yes>a<p data-yes>b</p></div>"
        "<div role=main data-yes>c</div><div itemprop=author>d</div><div role=form>e</div>"
    ),
    "named body": (
        "<div class=article-content data-yes>a<p data-yes>b</p></div>"
        "<div class=related-content>c</div><div class=x>d</div>"
    ),
    "named other": (
        "<div class=sidebar data-yes>a<p data-yes>b</p></div>"
        "<div id=comments data-yes>c</div><div class=recommendable>d</div>"
    ),
    "in comments": (
        "<div id=comments data-yes>a<p data-yes>b</p></div><div class=pinglun data-yes>c</div>"
        "<div class=uncommented>d</div>"
    ),
    "in related": (
        "<div class=relatedposts data-yes>a<p data-yes>b</p></div>"
        "<div id=tuijian data-yes>c</div><div class=interrelated>d</div>"
    ),
    "near named body": (
        "<div class=content data-yes>a<ul><li data-yes>b<p>c</p></ul></div>"
        "<div class='content share'>d</div>"
    ),
    "near named other": (
        "<div class=related>a<ul><li data-yes>b</ul><ul><li><p>c</ul></div><p class=related>d</p>"
    ),
    "at named other": (
        "<div class=related data-yes>a<p>b</p></div>"
        "<p data-yes><span class=tags>c</span></p><p>d <span class=tags>e</span></p>"
    ),
    "after paragraph": f"{PARAGRAPH}<p data-yes>a</p><p>b</p>",
    "before paragraph": f"<p>a</p><p data-yes>b</p>{PARAGRAPH}",
    "before title": "<p data-yes>a</p><h1>Crack closes the pier</h1><p>b</p>",
    "after title": "<p>a</p><h1 data-yes>Crack closes the pier</h1>"
    + "<p data-yes>b</p>" * 29
    + "<p>c</p>",
    "caption wording": (
        "<p data-yes>刘通摄</p><p data-yes>（资料图）</p><p data-yes>▲ 活动现场</p>"
        "<p data-yes>Photo: A. Writer</p><p data-yes>图为启动仪式</p>"
        "<p data-yes>新华社 供图</p>"
        "<p>摄影是一门艺术</p><p>图书馆明天开放。</p><p>Photography is an art</p>"
    ),
    "bare after image": (
        "<img><p data-yes>The pier in May</p><p>Menu</p><img><p>The pier is shut.</p>"
        f"<img><h2>The pier</h2><img><p><a>The pier</a></p><img><p>{words(150)}</p>"
    ),
    "bare after caption": "<img><p>The pier in May</p><p data-yes>A. Writer</p><p>B. Writer</p>",
    "centred": (
        "<p align=center data-yes>a</p><p style='text-align: center' data-yes>b.</p>"
        "<div class=text-center><p data-yes>c</p></div><p align=left>d</p>"
        "<div align=center><div><div><p>e</p></div></div></div>"
    ),
    "centred and bare": (
        "<p align=center data-yes>The pier</p><p align=center>It is shut.</p><p>The fair</p>"
    ),
    "opens with link": (
        f"<p data-yes><a>Pier shut</a> {words(70)}</p><p>{words(70)} <a>Pier shut</a></p>"
        f"<p><a>{words(70)}</a></p><p><a>Pier</a> {words(9)}</p>"
    ),
    "stream": (
        f"<p>{words(60)}</p>"
        + "".join(
            f"<h3 data-yes><a href=/{n}>A pier {n} is shut for good</a></h3>"
            "<p data-yes>The boats lie still.</p>"
            for n in range(3)
        )
        + "<h3 data-yes><a href=/>The boats are up for sale</a></h3><p>The boats lie still.</p>"
    ),
    "stream text": (
        "<ul><li><div><a>A pier is shut for good</a></div><p data-yes>one</p>"
        "<li data-yes><a>B boats are up for sale</a> and nobody wants to have one"
        "<li><a>C children go to the fair</a> three</ul>"
        "<ol><li>one <a>A</a><li>two <a>B</a><li>three <a>C</a></ol>"
    ),
    "labelled link": (
        f"<p data-yes>Read also: <a>{words(40)}</a></p><p data-yes>相关阅读：<a>{words(60)}</a>"
        f"<p>Read also <a>{words(40)}</a></p><li>Web site: <a>{words(40)}</a></li>"
        f"<p>{words(41)}: <a>{words(60)}</a></p><p><a>More: {words(40)}</a></p>"
        f"<p data-yes>Read also: <a>{words(60)}</a> {words(22)}</p>"
        f"<p>Read also: <a>{words(60)}</a> {words(40)}</p>"
    ),
    "named author": (
        "<div class=author-box data-yes>a<p data-yes>b</p></div><p class=byline data-yes>c</p>"
        "<p class=biology>d</p><div class=coauthored>e</div>"
    ),
    "named sharing": (
        "<div class=share-bar data-yes>a</div><p id=social data-yes>b</p><p class=antisocial>c</p>"
    ),
    "named prompt": (
        "<div class=newsletter_box data-yes>a<p data-yes>b</p></div>"
        "<div class='x subscribeform' data-yes>c</div><div class=octave>d</div>"
    ),
    "leads on": (
        "<p data-yes><a>Read more: pier shut</a></p><p data-yes><a>相关阅读：码头</a></p>"
        "<p>Read more about it here.</p><p><a>Pier shut</a></p>"
    ),
    "post": (
        "<div class=c><p data-yes>Ann, 3 May 2024, 11:20</p><p data-yes>Rust.</p></div>"
        "<div class=c><p data-yes>Bob, 4 May 2024, 12:30</p><p data-yes>Salt.</p></div>"
        "<div class=b><p>5 May 2024</p><p>Pier.</p></div>"
    ),
    "post text": (
        f"<dl><dt>ann 03.05.2024<dd data-yes>{SENTENCE}<dt>bob 04.05.2024<dd data-yes>"
        f"{SENTENCE}</dl><p>05.05.2024</p><p>{SENTENCE}</p>"
    ),
    "below end heading": (
        f"<div><h3>Pier</h3><p>{SENTENCE}</p><h3 data-yes>Смотрите также</h3>"
        f"<p data-yes>{words(100)}</p><p data-yes>{SENTENCE}</p><h3>Walls</h3><p>x</p></div>"
    ),
    "before heading": (
        "<p data-yes>Home</p><p data-yes><a>News</a></p><h1>Crack closes the old pier</h1>x"
    ),
}
# The title of the page, where the feature looks at it.
TITLES = {
    "is title": "Crack closes the pier",
    "before title": "Crack closes the pier",
    "after title": "Crack closes the pier",
    "before heading": "Crack closes the old pier",
}
