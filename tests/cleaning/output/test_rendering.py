import re
from collections.abc import Callable, Iterable
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import squeeze, table_of
from webclean_scrapy import clean
from webclean_scrapy.cleaning.output.html_output import KEPT_BLOCKS, KEPT_INLINES, render_html
from webclean_scrapy.cleaning.output.text_output import text_lines
from webclean_scrapy.cleaning.page.footnotes import NOTE
from webclean_scrapy.cleaning.page.removals import KeptRows, Removal, line_spans

URL = "http://example.com/a/b.html"
NO_BLOCKS = {"p", "pre", "h1", "h2", "h3", "h4", "h5", "h6"} | KEPT_INLINES
INSIDE = {
    "li": {"ul", "ol"}, "dt": {"dl"}, "dd": {"dl"}, "td": {"tr"}, "th": {"tr"},
    "tr": {"table", "thead", "tbody", "tfoot"}, "tbody": {"table"}, "thead": {"table"},
    "tfoot": {"table"}, "caption": {"table"}, "figcaption": {"figure"},
}  # fmt: skip
NO_TEXT = {"", "ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr", "blockquote", "figure"}
TAGS = (
    "div p span b i ul ol li dl dt dd table tr td th thead caption pre h2 blockquote figure "
    "figcaption section code unknown hr"
).split()
NESTED_LIST = "<ul><li>a</li><li>b<ul><li>c</li></ul><p>d</p></li></ul><p>e</p>"
LINK = '<a href="http://example.com/q?a=1&amp;b=2">'
WHOLE_TABLE = (
    "<table><caption>a</caption><tbody><tr><th>b</th><td></td>"
    '<td colspan="2">c</td></tr></tbody></table>'
)
KATEX = (
    "a <span class=katex><span><math><semantics><mi>x</mi><annotation encoding=application/x-tex>"
    "x_1</annotation></semantics></math></span><i>x1</i></span> b"
)
LONG = "9" * 5_000
LONG_CELL = "A pier and a quay. " * 20 + "End."
STREAMED = (
    "<p>a</p><template id=B:0></template><p>d</p>"
    "<div hidden id=S:0><p>b</p><template id=P:1></template></div><div hidden id=S:1>c</div>"
    """<script>$RC("B:0","S:0")</script><script>$RS('S:1', 'P:1')</script>"""
)
AROUND_ITS_PLACE = "<p>a</p><div hidden id=S>b<template id=B></template></div><script>$RC('B','S')"
TREES = st.recursive(
    st.text('ab<&"正 \n\u200b', max_size=5).map(escape)
    | st.sampled_from(["<br>", "<img src=x>", "<img>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split(' ')[0]}>",
        st.sampled_from([*TAGS, "a href=x", "a href=javascript:x", "a"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


def html_of(html: str, url: str | None = URL) -> str:
    kept_rows = KeptRows(table_of(html))
    return render_html(kept_rows, 0, len(kept_rows.table), url)


def render_text(kept_rows: KeptRows, lines: Iterable[int]) -> str:
    return "\n".join(text for _, text in text_lines(kept_rows, lines))


def text_of(html: str) -> str:
    kept_rows = KeptRows(table_of(html))
    return render_text(kept_rows, range(len(kept_rows.table.lines)))


class Checker(HTMLParser):
    """Reads HTML as it is written: every element closed, in the order of opening."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = [""]
        self.faults: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        above = self.open[-1]
        if above not in INSIDE.get(tag, {above}):
            self.faults.append(f"<{tag}> in <{above}>")
        if tag in KEPT_BLOCKS and above in NO_BLOCKS:
            self.faults.append(f"block <{tag}> in <{above}>")
        if tag in self.open and tag == "a":
            self.faults.append("a in a")
        if tag not in KEPT_BLOCKS | KEPT_INLINES | {"br", "img"}:
            self.faults.append(f"<{tag}>")
        if tag not in {"br", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if data.strip() and self.open[-1] in NO_TEXT:
            self.faults.append(f"text in <{self.open[-1]}>")


def check(html: str) -> str:
    """Return the text of *html*, which must be properly nested."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.faults == [], html
    assert checker.open == [""], html
    assert re.search(r"<(?!td|th)(\w+)(?: [^>]*)?></\1>", html) is None, html
    return squeeze("".join(checker.texts))


@pytest.mark.parametrize(
    ("html", "clean"),
    [
        ("", ""),
        ("<div><p> </p><ul><li></ul><b></b></div>", ""),
        ("loose<div>two</div>three", "<p>loose</p><p>two</p><p>three</p>"),
        ("<section><h2>Head</h2><p>Text", "<h2>Head</h2><p>Text</p>"),
        ("<p class=x style=y>a <b id=z>b</b> <i>c</i>d", "<p>a <b>b</b> <i>c</i>d</p>"),
        ("<p><b>a <b>b</b></b>", "<p><b>a b</b></p>"),
        ("<b>a<div>b</div></b>", "<p><b>a</b></p><p><b>b</b></p>"),
        ("<ul>a<li>b<ul><li>c</ul>d</ul>e", NESTED_LIST),
        ("<ul><div>a</div><li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<ol><p>a</p><p>b</p></ol>", "<ol><li><p>a</p><p>b</p></li></ol>"),
        ("<ul><li><div>a</div><div>b</div></ul>", "<ul><li>a<p>b</p></li></ul>"),
        ("<dl>a<dt>b<dd>c</dl>", "<dl><dd>a</dd><dt>b</dt><dd>c</dd></dl>"),
        ("<table><caption>a</caption><tbody><tr><th>b<td><td colspan=2 rowspan=x>c",
         WHOLE_TABLE),
        ("<table><tr><td>&nbsp;<td></tr><tr><td>a<td>b</table>",
         "<table><tr><td>a</td><td>b</td></tr></table>"),
        ("<figure>a<img src=x><figcaption>b</figcaption></figure>",
         '<figure><p>a<img src="http://example.com/a/x"></p><figcaption>b</figcaption></figure>'),
        ("<p>a<x><ul><li>b</ul></x>c</p>", "<p>a</p><ul><li>b</li></ul><p>c</p>"),
        ("<pre>\n  a\n    <b>b</b> &lt;\n</pre>", "<pre>  a\n    <b>b</b> &lt;</pre>"),
        ("<pre><div>  a</div><div> b</div></pre>", "<pre>  a\n b</pre>"),
        ("<pre><td></td><pre>a</pre></pre>", "<pre><code>a</code></pre>"),
        ("a<hr>b", "<p>a</p><p>b</p>"),
        ("<br>a<br><br>b", "<p>a</p><p>b</p>"),
        ("<p>　　你好。<br>　　再见。<br>是。</p>", "<p>你好。</p><p>再见。<br>是。</p>"),
        ("<p><b>a</b><br><b>b<br>c</b>", "<p><b>a</b><br><b>b<br>c</b></p>"),
        ("<a href='javascript:x()'>a</a> <a name=x>b</a>", "<p>a b</p>"),
        ("<base href=/site/><a href=x>a</a>",
         '<p><a href="http://example.com/site/x">a</a></p>'),
        ("<figure><b><img src=//h/p>a</b></figure>",
         '<figure><b><img src="http://h/p"></b><p><b>a</b></p></figure>'),
        ("<table><tr><td>a<li>b</li><td>c</table>",
         "<table><tr><td>a<p>b</p></td><td>c</td></tr></table>"),
        # a link around blocks is that of the first, or of the heading
        ("<a href='/q?a=1&b=2'>a<div>b</div><p>c <i>d</i></p></a>",
         f"<p>{LINK}a</a></p><p>b</p><p>c <i>d</i></p>"),
        ("<a href='/q?a=1&b=2'><div>a</div><h3>b</h3><p>c</p></a>",
         f"<p>a</p><h3>{LINK}b</a></h3><p>c</p>"),
        # pictures have absolute URLs and their alternative text
        ("<p><img src=p.jpg alt=' a  \"b\"\u200b<' class=x srcset=' '>",
         '<p><img src="http://example.com/a/p.jpg" alt="a &quot;b&quot;&lt;"></p>'),
        ("<figure><a href=x><img src=//h/p></a></figure>",
         '<figure><a href="http://example.com/a/x"><img src="http://h/p"></a></figure>'),
        ("<img src=data:image/gif;base64,AA>", ""),
        ("<img src=a.png width=16 height=16>a<img class=avatar src=b.png>", "<p>a</p>"),
        ("<img src=data:,AA alt=Pier><img alt=Pier><img src=/blank.gif alt=Pier>", ""),
        ("<img src=icons.png width=640 height=400>a<img src=icons.jpg width=90 height=60>",
         '<p><img src="http://example.com/a/icons.png">a</p>'),
        ("<img src=p.jpg alt='&amp;quot;a&amp;quot;'>",
         '<p><img src="http://example.com/a/p.jpg" alt="&quot;a&quot;"></p>'),
        ("<a href=/c?utm_source=x&p=1#d>a</a>", '<p><a href="http://example.com/c?p=1#d">a</a></p>'),
        ("<p>a<br><br>b</p>c<li>d<br><br>e</li>", "<p>a</p><p>b</p><p>c</p><p>d</p><p>e</p>"),
        ("<div class='highlight-python x'><div><pre><code>a</code></pre></div></div>",
         '<pre class="language-python"><code>a</code></pre>'),
        ("<pre><code class='language-C#'>a", '<pre class="language-c#"><code>a</code></pre>'),
        ("<ol start=4><li>a</ol>", '<ol start="4"><li>a</li></ol>'),
        ("<ol><li value=5>a<li>b</ol>", '<ol start="5"><li>a</li><li>b</li></ol>'),
        ("<ol start=3><li value=5>a</ol>", '<ol start="3"><li>a</li></ol>'),
        ("<ol><li>a<li value=5>b</ol>", "<ol><li>a</li><li>b</li></ol>"),
        ("<table><tr><td><h2>a</h2><td><table><tr><td>b<td>c</table></table>",
         "<h2>a</h2><table><tr><td>b</td><td>c</td></tr></table>"),
        ("<details><summary>a</summary>b</details>", "<p><strong>a</strong></p><p>b</p>"),
        # frames and players are links with their title; what is small or runs by itself is none
        ("a<iframe src=//v.example/1 title=' A  film'>x</iframe>b",
         '<p>a</p><p><a href="http://v.example/1">A film</a></p><p>b</p>'),
        ("a<video width=640 height=360>old<source src=/v.mp4></video>",
         '<p>a</p><p><a href="http://example.com/v.mp4">example.com</a></p>'),
        ("a<iframe src=//v.example/embed/1></iframe>",
         '<p>a</p><p><a href="http://v.example/embed/1">v.example</a></p>'),
        ("a<iframe src=//v.example/1 width=100% allowfullscreen></iframe>",
         '<p>a</p><p><a href="http://v.example/1">v.example</a></p>'),
        (f"a<iframe src=//v.example/embed/1#{LONG}></iframe>",
         '<p>a</p><p><a href="http://v.example/embed/1">v.example</a></p>'),
        ("a<iframe src=//v.example/like></iframe>", "<p>a</p>"),
        ("a<iframe src=//v.example/embed/1 width=1 height=1></iframe>", "<p>a</p>"),
        ("a<iframe src=//v.example title=x height=20></iframe>", "<p>a</p>"),
        ("a<iframe src=//v.example title=x style='display: none'></iframe>", "<p>a</p>"),
        ("a<iframe src=//v.example title=x name=commentFrame></iframe>", "<p>a</p>"),
        ("a<iframe src=//v.example/1 title=x class=social-embed></iframe>",
         '<p>a</p><p><a href="http://v.example/1">x</a></p>'),
        ("a<iframe src=//www.facebook.com/plugins/like.php title=x></iframe>", "<p>a</p>"),
        ("a<video src=/v.mp4 title=x autoplay></video>", "<p>a</p>"),
        ("a<audio controls src=/v.mp3></audio>b",
         '<p>a</p><p><a href="http://example.com/v.mp3">example.com</a></p><p>b</p>'),
        ("<p>a <b>b <strong>c</strong></b> <em><i>d</i></em></p>",
         "<p>a <b>b c</b> <em>d</em></p>"),
        # a picture that is loaded late, in a noscript or after it
        ("<p>a<img src=data:,AA alt=b><noscript><img src=b.jpg></noscript></p>",
         '<p>a<img src="http://example.com/a/b.jpg" alt="b"></p>'),
        ("<p>a<picture><source srcset='b.jpg 1x, c.jpg 2x'><img src=d.jpg></picture></p>",
         '<p>a<img src="http://example.com/a/c.jpg"></p>'),
        # a footnote and what refers to it lead to each other; contents and headings do, too
        ("a<sup id=r><a href=#n>[1]</a></sup><ol><li id=n>b <a href=#r>^</a></ol>",
         f'<p>a<sup><a href="#{NOTE}1">[1]</a></sup></p><ol><li id="{NOTE}1">b</li></ol>'),
        ("<a href=#n>2</a><p id=n>c", f'<p><a href="{URL}#n">2</a></p><p>c</p>'),
        ("<p><a id=t href=#s>1</a></p><div id=s><h2><a href=#t>Head</a></h2></div>",
         f'<p><a href="{URL}#s">1</a></p><h2>Head</h2>'),
        # a link in two pieces within a word, one that leads nowhere, one that shares the page
        (f"<p>{LINK}Kest</a>{LINK}<b>rel</b>s</a>{LINK} x</a>",
         f"<p>{LINK}Kest<b>rel</b>s</a> {LINK}x</a></p>"),
        (f"<p>{LINK}a</a><a href=/r>b</a>", f'<p>{LINK}a</a><a href="http://example.com/r">b</a></p>'),
        ("<p>Type: <a href='#'>large</a> <a href=#n>n</a>",
         f'<p>Type: large <a href="{URL}#n">n</a></p>'),
        ("<p>a<a href='https://www.facebook.com/sharer.php?u=x'><b><img src=f.png></b></a> b",
         "<p>a b</p>"),
        ("<p>a<a href='https://fb.com/pier'><img src=f.png></a> b",
         '<p>a<a href="https://fb.com/pier"><img src="http://example.com/a/f.png"></a> b</p>'),
        ("<p>a<img src=/i/grey-placeholder.png><img src=/i/loading_icon.gif> b", "<p>a b</p>"),
        ("<p>a<img src=/i/clear-day.png> b",
         '<p>a<img src="http://example.com/i/clear-day.png"> b</p>'),
        # an id of the page that looks like that of a footnote
        (f"<a href='#{NOTE}1\"><b>'>a</a><p id='{NOTE}1\"><b>'>c</p>",
         f'<p><a href="{URL}#{NOTE}1&quot;&gt;&lt;b&gt;">a</a></p><p>c</p>'),
        # a broken address, and sizes that Python refuses to read
        ("a<iframe src='https://b[c' title=c></iframe>",
         '<p>a</p><p><a href="https://b[c">c</a></p>'),
        (f"<iframe src=//b title=c width={LONG}></iframe><img src=a.png width={LONG}>",
         '<p><a href="http://b">c</a></p><p><img src="http://example.com/a/a.png"></p>'),
        # a blank at the end of what stands before a picture
        ("<p>a <b>b </b><img src=c.png> d",
         '<p>a <b>b</b> <img src="http://example.com/a/c.png"> d</p>'),
        # a picture in two sizes
        ("a<img src=b.jpg><img src=b-300x200.jpg>",
         '<p>a<img src="http://example.com/a/b.jpg"></p>'),
        # markup that hides text, or writes it twice
        ("<pre><span class=line>a</span><span class=line>b</span></pre>", "<pre>a\nb</pre>"),
        ("<h2><button>a?</button></h2><button>b</button>", "<h2>a?</h2>"),
        ("<h2>a<a href=#a>¶</a> <a class=headerlink href=#a>Link</a></h2>", "<h2>a</h2>"),
        ("<h2>a<a>Edit</a> <a href='javascript:;'>Listen</a></h2>", "<h2>a</h2>"),
        ("<h2>a <a name=n>b</a></h2><h3>c <a href=/d>d</a></h3>",
         '<h2>a b</h2><h3>c <a href="http://example.com/d">d</a></h3>'),
        ("<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>",
         "<pre>a\nb</pre>"),
        ("<table><tr><td class=gutter><pre>1\n2</pre><td><pre>a\nb</pre></table>",
         "<pre><code>a\nb</code></pre>"),
        ("<table><tr><th>a<th>b<tr><td><pre>c</pre><td>d</table>",
         "<table><tr><th>a</th><th>b</th></tr><tr><td><pre>c</pre></td><td>d</td></tr></table>"),
        ("<table><tr><td><h2>a</h2><td>b<tr><td><pre>c</pre><td>d</table>",
         "<h2>a</h2><p>b</p><pre>c</pre><p>d</p>"),
        # a table of one cell, of a line of long ones, or of texts with headings is layout
        ("<table><tr><td><p>a</p><h3>b</h3><ul><li>c</ul><tr><td><img src=d.gif></table>",
         '<p>a</p><h3>b</h3><ul><li>c</li></ul><p><img src="http://example.com/a/d.gif"></p>'),
        (f"<table><tr><td>a<tr><td>{LONG_CELL}</table>", f"<p>a</p><p>{LONG_CELL}</p>"),
        ("<table><tr><td><h3>a</h3>b<td>c<tr><td><h3>d</h3>e<td>f</table>",
         "<h3>a</h3><p>b</p><p>c</p><h3>d</h3><p>e</p><p>f</p>"),
        ("<table><tr><th colspan=2><h3>a</h3><tr><td>b<td>c<tr><td>d<td>e</table>",
         ('<table><tr><th colspan="2"><h3>a</h3></th></tr><tr><td>b</td><td>c</td></tr>'
         "<tr><td>d</td><td>e</td></tr></table>")),
        # cells cover no rows beyond their group
        (("<table><tbody><tr><td rowspan=0>a<td rowspan=9>b<tr><td rowspan=2>d</tbody>"
         "<tfoot><tr><td>e<td>f</table>"),
         ('<table><tbody><tr><td rowspan="2">a</td><td rowspan="2">b</td></tr>'
         '<tr><td rowspan="1">d</td></tr></tbody><tfoot><tr><td>e</td><td>f</td></tr>'
         "</tfoot></table>")),
        ("a <img class=avatar src=/x> b", "<p>a b</p>"),
        ("a <img src=/x> b<img src=/y>c <i><img src=/z></i>d",
         ('<p>a <img src="http://example.com/x"> b<img src="http://example.com/y">c '
         '<i><img src="http://example.com/z"></i>d</p>')),
        (KATEX,
         '<p>a <code class="language-math">x_1</code> b</p>'),
        (f"<div class=math-task>c<p>{KATEX}</p></div>",
         '<p>c</p><p>a <code class="language-math">x_1</code> b</p>'),
        (f"<div class=mathjax>{KATEX}</div>",
         '<p>a <code class="language-math">x_1</code> b</p>'),
        ("a<span class=MathJax>x</span><script type=math/tex>x^2</script>",
         '<p>a<code class="language-math">x^2</code></p>'),
        (STREAMED, "<p>a</p><p>b</p><p>c</p><p>d</p>"),
        (AROUND_ITS_PLACE, "<p>a</p><p>b</p>"),
    ],
)  # fmt: skip
def test_blocks_are_nested_properly(html: str, clean: str) -> None:
    assert html_of(html) == clean
    check(clean)


BOLD = "<p>{}前文很长，说了很多话。</p><p><b>码头的新船</b></p>{}<p>正文很长，说了很多话。</p>"
BOLD += "<p><b>船上的人</b></p><p>正文很长，说了很多话。</p>"


@pytest.mark.parametrize(
    ("html", "headings"),
    [
        (BOLD.format("", ""), ["码头的新船", "船上的人"]),
        (BOLD.format("", "<p><img src=a.jpg></p>"), ["码头的新船", "船上的人"]),
        (BOLD.format("<b>一个人</b>说：", ""), ["码头的新船", "船上的人"]),
        # one alone, beside true headings, sentences, above a list, links, and in English
        (BOLD.format("", "").replace("<b>船上的人</b>", "船上的人"), []),
        (BOLD.format("", "") + "<h3>更多</h3><p>正文。</p>", ["更多"]),
        (BOLD.format("", "").replace("船上的人", "船上的人。"), []),
        (BOLD.format("", "<ul><li>一</ul>"), []),
        (BOLD.format("", "").replace("船上的人", "<a href=/b>船上的人</a>"), []),
        (BOLD.format("", "") + "<p><b>完</b></p>", []),
        (BOLD.format("", "").replace("正文很长，说了很多话。", "A paragraph in English."), []),
    ],
)
def test_bold_lines_head_the_sections_of_east_asian_text_without_headings(
    html: str, headings: list[str]
) -> None:
    assert re.findall("<h[23]>(.*?)</h[23]>", html_of(html)) == headings


def test_a_heading_holds_no_paragraphs_but_their_lines() -> None:
    heading = "<h2><x><p>a</p><div>b</div></x></h2>"
    kept_rows = KeptRows(table_of(heading))
    assert kept_rows.table.tag[2] == "h2"
    assert html_of(heading) == "<h2>a<br>b</h2>"


def test_dead_rows_are_not_rendered() -> None:
    kept_rows = KeptRows(table_of("<ul><li>one <b>two</b> three<li>four</ul>"))
    bold = kept_rows.table.tag.index("b")
    kept_rows.remove([Removal("line", "test", ((bold, kept_rows.table.end[bold]),))])
    span = (0, len(kept_rows.table))
    assert render_html(kept_rows, *span, URL) == "<ul><li>one three</li><li>four</li></ul>"
    assert render_text(kept_rows, [0, 1]) == "one three\nfour"
    first = kept_rows.table.text.index("one")
    kept_rows.remove([Removal("line", "test", ((first, first + 1),))])
    assert render_html(kept_rows, *span, URL) == "<ul><li>three</li><li>four</li></ul>"
    kept_rows.remove([Removal("line", "test", (span,))])
    assert render_html(kept_rows, *span, URL) == ""
    assert render_text(kept_rows, [0, 1]) == ""


@pytest.mark.parametrize(("end", "shown"), [("", ""), (" 10<sup>6</sup>", " 10^6")])
def test_a_part_of_a_line_that_is_left_out_leaves_its_blank(end: str, shown: str) -> None:
    kept_rows = KeptRows(table_of(f"<p>one<b> two</b>three{end}</p>"))
    bold = kept_rows.table.tag.index("b")
    kept_rows.remove([Removal("line", "hidden", ((bold, kept_rows.table.end[bold]),))])
    assert render_html(kept_rows, 0, len(kept_rows.table), URL) == f"<p>one three{end}</p>"
    assert render_text(kept_rows, [0]) == f"one three{shown}"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one<p>two<br>three", "one\ntwo\nthree"),
        ("<table><tr><th>Year<th>Catch<tr><td>2024<td><p>12 t</p></table>after",
         "Year Catch\n2024 12 t\nafter"),
        ("<table><tr><td>a<br>b<td>c</table>", "a\nb\nc"),
        ("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", "a\nb c"),
        # a power is no part of the number before it; an ordinal, a mark and a note are none
        ("10<sup>6</sup> of <b>5 m<sup>2</sup></b>, 10<sup>−3</sup>, (a)<sup>n+1</sup>",
         "10^6 of 5 m^2, 10^−3, (a)^n+1"),
        ("the 2<sup>nd</sup>, XIX<sup>e</sup>, M<sup>me</sup>, Kar<sup>®</sup>, end.<sup>3</sup>",
         "the 2nd, XIXe, Mme, Kar®, end.3"),
        ("a<sup><a href=/x>1</a></sup>, <sup>2</sup>, e<sup>x</sup>, den<sup>x</sup>",
         "a1, 2, e^x, denx"),
        ("CO<sub>2</sub>, 101<sub>2</sub>, x<sub>max</sub>", "CO2, 101_2, xmax"),
    ],
)  # fmt: skip
def test_text_is_a_line_per_line_and_a_line_per_row_of_data(html: str, text: str) -> None:
    assert text_of(html) == text


def test_a_link_to_a_footnote_that_is_not_kept_leads_to_that_of_the_page() -> None:
    kept_rows = KeptRows(table_of("a<a id=r href=#n>1</a><p id=n>b <a href=#r>^</a></p>"))
    kept_rows.remove([Removal("line", "test", line_spans(kept_rows.table, [1]))])
    shown = render_html(kept_rows, 0, len(kept_rows.table), URL)
    assert shown == f'<p>a<a href="{URL}#n">1</a></p>'


def test_pictures_go_with_the_text_about_them_and_stay_beside_their_caption() -> None:
    kept_rows = KeptRows(
        table_of(
            "<p>one</p><figure><img src=a.jpg><figcaption>A pier</figcaption></figure>"
            "<div><img src=b.jpg><p>Another story</p></div>"
        )
    )
    texts = [kept_rows.table.text.index(text) for text in ("A pier", "Another story")]
    for at, why in zip(texts, ("caption", "teasers"), strict=True):
        kept_rows.remove([Removal("line", why, ((at, at + 1),))])
    assert render_html(kept_rows, 0, len(kept_rows.table), URL) == (
        '<p>one</p><figure><img src="http://example.com/a/a.jpg" title="A pier"></figure>'
    )


def test_the_lead_picture_is_that_of_the_head_which_stands_above_the_body() -> None:
    text = "<p>The harbour was closed for days, and nobody could say when it would open again.</p>"
    html = (
        "<link rel=canonical href=http://h.example/a/b><meta property=og:image content=/i/pier.jpg>"
        "<h1>The harbour is closed</h1><div><img src=/logo.png><img src=i/pier-800x600.webp></div>"
        f"<article>{text * 9}{{}}</article>"
    )
    lead = '<p><img src="http://h.example/a/i/pier-800x600.webp"></p><p>The harbour'
    assert clean(html.format("")).html.startswith(lead)
    assert clean(html.format("<img src=/c/pier.jpg>")).html.startswith("<p>The harbour")


@pytest.mark.parametrize(
    ("shown", "stays"),
    [
        (
            "<figure><a href=/z><img src=/i/pier.jpg></a><figcaption>A pier</figcaption></figure>",
            1,
        ),
        ("<div><img src=/i/pier.jpg width=640 height=400></div>", 1),
        ("<picture><source srcset='/i/pier.jpg 900w'><img width=900 height=600></picture>", 1),
        ("<div><img src=/i/company-logo-old.jpg width=640 height=400 alt=Logo></div>", 0),
        ("<figure class=author-photo><img src=/i/ada.jpg></figure>", 0),
        ("<p class=video-player><img src=/i/film.jpg width=640 height=400></p>", 0),
        ("<figure><img src=/i/ada.jpg width=90 height=60></figure>", 0),
        ("<div><img src=/i/ada.jpg width=400 height=400></div>", 0),
        ("<div><img src=/i/pier.jpg></div>", 0),
    ],
)
def test_a_large_picture_between_title_and_body_leads_without_a_name_in_the_head(
    shown: str, stays: int
) -> None:
    text = "<p>The harbour was closed for days, and nobody could say when it would open again.</p>"
    title = "<title>The harbour is closed</title>"
    heading, body = "<h1>The harbour is closed</h1>", f"<article>{text * 9}</article>"

    html = f"{title}{heading}<div class=top>{shown}</div>{body}"
    assert clean(html).html.count("<img") == stays
    assert "<img" not in clean(f"{title}<div>{shown}</div>{heading}{body}").html


@pytest.mark.parametrize(
    ("beside", "caption"),
    [
        ("<div class=pic><img src=a.jpg><span class=caption>© Ada</span></div>", "© Ada"),
        (
            "<li><img src=a.jpg><div class='photo-credit'><b>Ada</b> / Press</div></li>",
            "Ada / Press",
        ),
        ("<div><img src=a.jpg><p class=pic-title>A pier</p></div>", "A pier"),
        (
            "<figure><p><img src=/blank.png><img src=a.jpg><b>A</b></p><figcaption>B</figure>",
            "A B",
        ),
        ("<figure><p><img src=a.jpg><i>Ada</i></p><figcaption>Ada</figcaption></figure>", "Ada"),
        ("<figure><p><img src=a.jpg><i>Ada</i></p><img src=b.jpg><i>Bo</i></figure>", "Ada"),
        ("<div class=author-box><img src=a.jpg><p>Ada Venn writes.</p></div>", None),
        ("<aside><img src=a.jpg><p>A pier was built.</p></aside>", None),
        ("<div class=related-stories><a href=/b><img src=a.jpg></a><p>A pier.</p></div>", None),
        ("<div class=comment><img src=a.jpg><p>A pier!</p></div>", None),
        ("<div><img src=a.jpg><p>A pier was built.</p></div>", ""),
    ],
)
def test_a_picture_beside_removed_text_stays_with_its_caption_but_not_of_another_part(
    beside: str, caption: str | None
) -> None:
    kept_rows = KeptRows(table_of(f"<p>one</p>{beside}<p>two</p>"))
    lines = range(1, len(kept_rows.table.lines) - 1)
    kept_rows.remove([Removal("line", "credit", line_spans(kept_rows.table, lines))])

    html = render_html(kept_rows, 0, len(kept_rows.table), URL)
    assert ("<img" in html) is (caption is not None)
    assert not caption or f'title="{caption}"' in html


CAPTIONED = "<figure><img src=a.jpg><figcaption>Ada</figcaption></figure>"


@pytest.mark.parametrize(
    ("before", "shown", "behind", "stays"),
    [
        # above the text a link to another site, below it a link to any page; not to a picture
        ("", "<a href=http://b.example/><img src=i.png></a>", "<p>two</p>", 0),
        ("", "<a href=mailto:a@b.example><img src=i.png></a>", "<p>two</p>", 0),
        ("", "<a href=/one><img src=i.png></a>", "<p>two</p>", 1),
        ("<p>one</p>", "<a href=http://b.example/><img src=i.png></a>", "<p>two</p>", 1),
        ("<p>one</p>", "<p><a href=/b><img src=i.png alt=B></a></p>", "", 0),
        ("<p>one</p>", "<li><a href='javascript:f()'><img src=icon_a.gif alt=A></a></li>", "", 0),
        ("<p>one</p>", "<a href=/i/large.jpg?x=1><img src=i.png></a>", "", 1),
        ("<p>one</p>", "<a href=/b><img src=i.png width=640></a>", "", 1),
        ("<p>one</p>", "<a href=/b>Two <img src=i.png></a>", "", 1),
        # by its name, and in the slot or the link of an advertisement; shown on other sites alone
        ("<p>one</p>", "<img src=/i/btn_print.gif alt=Print>", "<p>two</p>", 0),
        ("<p>one</p>", "<div class=mpu-ad><p><img src=i.png></p></div>", "<p>two</p>", 0),
        ("<p>one</p>", "<div class=post-ad><p>a</p><img src=i.png></div>", "<p>two</p>", 1),
        ("<p>one</p>", "<a href=/advert-click/1><img src=i.png></a>", "<p>two</p>", 0),
        ("<p>one</p>", "<div style='display: none'><img src=i.png></div>", "<p>two</p>", 0),
    ],
)
def test_buttons_and_advertisements_are_no_pictures_of_the_text(
    before: str, shown: str, behind: str, stays: int
) -> None:
    assert html_of(f"{before}{shown}{behind}").count("<img") == stays


@pytest.mark.parametrize(
    ("before", "picture", "removed", "behind", "stays"),
    [
        ("one", "<img src=a.jpg>", "Zoom in", "<p>two</p>", True),
        ("one", "<img src=a.jpg>", "<a href=/b>Another story</a>", "<p>two</p>", False),
        ("one", CAPTIONED, "<a href=/b>Another story</a>", "<p>two</p>", True),
        ("one", "<img src=a.jpg>", "Our sponsor", "", False),
        ("", "<img src=a.jpg alt='The pier'>", "The pier.", "<p>two</p>", True),
        ("", "<img src=a.jpg alt='The pier'>", "Our sponsor", "<p>two</p>", False),
        ("", "<img src=a.jpg alt='The pier'>", "<a href=/b>The pier</a>", "<p>two</p>", False),
        ("one", "<img src=a.jpg alt='Follow us'>", "Follow us", "", False),
    ],
)
def test_a_picture_at_the_head_of_kept_text_or_amid_it_stays_without_the_text_beside_it(
    before: str, picture: str, removed: str, behind: str, *, stays: bool
) -> None:
    html = f"<p>{before}</p><div>{picture}<p>{removed}</p></div>{behind}"
    kept_rows = KeptRows(table_of(html))
    texts = kept_rows.table.lines.text
    lines = [line for line, text in enumerate(texts) if text not in {before, "Ada", "two"}]
    kept_rows.remove([Removal("line", "unlike the body", line_spans(kept_rows.table, lines))])
    captions = [line for line, text in enumerate(texts) if text == "Ada"]
    kept_rows.remove([Removal("line", "caption", line_spans(kept_rows.table, captions))])

    assert ("a.jpg" in render_html(kept_rows, 0, len(kept_rows.table), URL)) == stays


def beside_removed_text(count: int) -> KeptRows:
    kept_rows = KeptRows(table_of(f"<div>a<p>{'<img src=a alt=b>' * count}</p></div><p>c</p>"))
    kept_rows.remove([Removal("line", "credit", line_spans(kept_rows.table, [0]))])
    return kept_rows


def test_pictures_beside_removed_text_take_time_in_proportion() -> None:
    assert_linear(lambda kept: render_html(kept, 0, len(kept.table), URL), beside_removed_text, 900)


@given(TREES, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=4))
def test_clean_html_is_properly_nested_and_holds_the_text_that_is_left(
    html: str, cuts: list[tuple[int, int]]
) -> None:
    kept_rows = KeptRows(table_of(html))
    size = len(kept_rows.table)
    spans = tuple((min(at, size), min(at + length, size)) for at, length in cuts)
    kept_rows.remove([Removal("test", "cut", spans)])
    text = render_text(kept_rows, range(len(kept_rows.table.lines)))
    assert check(render_html(kept_rows, 0, size, URL)) == squeeze(text)


@given(TREES)
@example("<pre><p>&lt;<br><img src=x>&lt;</p></pre>")
def test_clean_html_is_clean_already(html: str) -> None:
    once = html_of(html)
    again = html_of(once)
    assert check(again) == check(once)
    assert html_of(again) == again


def test_hostile_nesting_does_not_blow_up() -> None:
    deep = "<blockquote><b><a href=x><ul>" * 480 + "text"
    assert check(html_of(deep)) == "text"
    many = "<b><i>" * 400 + "<p>x" * 2_000
    assert len(html_of(many)) < 100 * 2_000
    row = "<table><tr>" + "<td>x" * 5_000
    assert text_of(row).count(" ") == 4_999
    assert html_of(row).count("<td>") == 5_000


LONG_PAGES: dict[str, Callable[[int], str]] = {
    "links of a heading": lambda n: "<h2>a" + "<a href=#>#</a>" * n,
    "buttons": lambda n: "a" + "<button>" * (n // 10) + "<i>a</i>" * n,
    "numbers of lines": lambda n: "<pre>" + "<i class=ln>" * (n // 10) + "<u>1</u>" * n,
    "formulas": lambda n: "<script type=math/tex class=math></script>" * n,
    "pictures": lambda n: "a<div>" + "".join(f"<img src={number}.png>" for number in range(n)),
    "sources": lambda n: "a<picture>" + "<source srcset=a></source>" * n + "<img src=b>" * n,
    "captions": lambda n: "<figure><img src=a><figcaption>a</figcaption></figure>" * n,
    "open inlines": lambda n: "<b><i>" * (n // 20) + "<p>x" * n,
    "cells": lambda n: "<table><tr>" + "<td>x" * n,
}


@pytest.mark.parametrize("page", LONG_PAGES.values(), ids=LONG_PAGES)
def test_a_long_page_takes_time_in_proportion(page: Callable[[int], str]) -> None:
    assert_linear(html_of, page, 2_000)


@pytest.mark.parametrize(
    ("role", "is_table"), [("presentation", False), ("none", False), ("grid", True)]
)
def test_a_table_that_is_declared_to_be_layout_is_none(role: str, is_table: bool) -> None:
    table = table_of(f"<table role={role}><tr><td>one</td><td>two</td></tr></table>")
    html = render_html(KeptRows(table), 0, len(table), URL)

    assert ("<td>" in html) is is_table
