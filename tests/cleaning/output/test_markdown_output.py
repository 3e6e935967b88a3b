import re
from collections.abc import Callable
from html import escape, unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.growth import assert_linear
from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.page.footnotes import NOTE

# The constants of the package, by value: a change of one fails here.
MAX_DEPTH = 20

SPANS = (
    '<table><tr><td></td><th colspan="2">a</th><th>b</th></tr><tr><td rowspan="2">c</td>'
    "<td>1</td></tr><tr><td>2</td><td>3</td></tr></table>"
)
NOTES = (
    f'<p>a<sup><a href="#{NOTE}1">[a]</a></sup> b</p><ul><li id="{NOTE}1"><p>c</p><p>d</p></li>'
    f'<li>e</li></ul><p id="{NOTE}2">f</p>'
)
COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])

OVER_TWO_ROWS = (
    '<table><tr><td>a</td><td rowspan="2">b</td></tr><tr><td>c</td></tr>'
    "<tr><td>d</td><td>e</td></tr></table>"
)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("", ""),
        ("<h2>A\nhead</h2><p>one<br>two</p>", "## A head\n\none\\\ntwo"),
        # a heading is a line, and bold by itself
        ("<h2><b>A <i>head</i></b>, <strong>b</strong></h2>", "## A *head*, b"),
        ("<h2>The pier<br>of oak.<br>It holds<br>Nothing fell</h2>",
         "## The pier of oak. It holds / Nothing fell"),
        ("<p>2 * 3 [a] &lt;b&gt; c_d `e`</p>", "2 \\* 3 \\[a\\] \\<b> c_d \\`e\\`"),
        ("<p>9.30, C:\\U &amp; ~5 | 1_000</p>", "9.30, C:\\U & ~5 | 1_000"),
        ("<p># no head</p><p>1. no item</p>", "\\# no head\n\n1\\. no item"),
        ("<p>a<b> bold </b><em>it</em> <del>no</del></p>", "a **bold** *it* ~~no~~"),
        ('<p><a href="http://a.example/x y(1)">L</a></p>', "[L](http://a.example/x%20y%281%29)"),
        ("<p><a>L</a><b> </b></p>", "L"),
        ('<p><img src="p.jpg" alt="a [b]"></p>', "![a \\[b\\]](p.jpg)"),
        ("<p><code>a`b*</code></p>", "``a`b*``"),
        ("<pre>def f():\n    return '```'</pre>", "````\ndef f():\n    return '```'\n````"),
        ("<ul><li>a<ol><li>b</li><li>c</li></ol></li><li><p>d</p><p>e</p></li></ul><p>f</p>",
         "- a\n  1. b\n  2. c\n- d\n\n  e\n\nf"),
        ("<blockquote><p>a</p><ul><li>b</li></ul></blockquote>", "> a\n>\n> - b"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1 | 2</td></tr></table>",
         "| a | b |\n| --- | --- |\n| 1 \\| 2 |  |"),
        ("<table><caption>c</caption><tr><td><p>1</p><p>2</p></td></tr></table>",
         "c\n\n|  |\n| --- |\n| 1<br>2 |"),
        ("<table><tr><td>1</td></tr><tr><td>2</td></tr></table>", "|  |\n| --- |\n| 1 |\n| 2 |"),
        # a link within code, and code within a link
        ('<p><code>f(<a href="/g">g</a>)</code> <a href="/h"><code>h</code></a></p>',
         "`f(`[`g`](/g)`)` [`h`](/h)"),
        ('<p>See!<a href="/g">g</a> <code>a<b>b</b></code></p>', "See\\![g](/g) `ab`"),
        ('<p><img src="p.jpg" alt="a|b" title="A &quot;pier&quot;"><img title="x"></p>',
         '![a|b](p.jpg "A \\"pier\\"")![]()'),
        # a mark between a sign and a letter would be none
        ("<p><b>标题：</b>正文<b>“好”</b>了</p>", "**标题**：正文“**好**”了"),
        ("<p>a<em>™</em>b</p>", "a™b"),
        ("<dl><dt>A <b>term</b></dt><dd>is</dd><dd>said</dd></dl>",
         "**A term**\n\nis\n\nsaid"),
        ("<p>10<sup>6</sup> H<sub>2</sub>O a<sup>®</sup> <code>b<sup>2</sup></code></p>",
         "10<sup>6</sup> H<sub>2</sub>O a® `b2`"),
        # marks of one kind that touch are one; what CommonMark would not read is a tag
        ("<p>a<em>b</em><em>c</em>d <b>e</b><b><a>f</a></b> <code>g</code><code>h</code></p>",
         "a*bc*d **ef** `gh`"),
        ("<p><b>Note:</b>a <i>b.</i>c (<b>d.</b>) e<i>(f)</i> <s>g!</s>h</p>",
         "<strong>Note:</strong>a <em>b.</em>c (**d.**) e<em>(f)</em> <del>g!</del>h"),
        ("<p><b>a</b><i>b</i>, <b>c <i>d</i></b>, <i><b>e:</b></i>f</p>",
         "**a**<em>b</em>, **c *d***, <em>**e:**</em>f"),
        ("<p><kbd>F</kbd><kbd>1*</kbd> <kbd>A</kbd><b>+</b><kbd>B</kbd> a<b>)</b></p>",
         "`F`<kbd>1\\*</kbd> `A`**+**`B` a)"),
        ("<ul><li>☑ a</li><li>☐ b ☐ c</li></ul><p>☑ d</p>", "- [x] a\n- [ ] b ☐ c\n\n☑ d"),
        ("<dl><dt><img src=a.png alt=b></dt><dd>c</dd></dl>", "![b](a.png)\n\nc"),
        # blocks in a cell are lines, cells of a table in it are parted
        (("<table><tr><th>a</th><td><pre>b|\n\n  c</pre></td></tr><tr><td><ul><li>d</li><li>e</li>"
         "</ul></td><td><ol><li>f</li><li>g</li></ol></td></tr></table>"),
         "|  |  |\n| --- | --- |\n| a | `b\\|`<br>`  c` |\n| d<br>e | 1. f<br>2. g |"),
        (("<table><tr><td>a<br>b</td><td><table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr>"
         "</table></td></tr></table>"),
         "|  |  |\n| --- | --- |\n| a<br>b | 1, 2<br>3 |"),
        # between dollars, and behind \\( and \\[, is a formula; prices are none
        ("<p>$a_{i} * b_i$ *, $$a * b$$, \\(c_1 * d\\), $x&lt;y_1$</p>",
         "$a_{i} * b_i$ \\*, $$a * b$$, \\\\(c_1 * d\\\\), $x< y_1$"),
        ("<p>$5 for *one* and $7_000, $HOME/_a_ and *$PATH*</p>",
         "$5 for \\*one\\* and $7_000, $HOME/\\_a\\_ and \\*$PATH\\*"),
        ('<ol start="4"><li>a</li><li>b</li></ol>', "4. a\n5. b"),
        # cells stay in their columns; a first row of names is the head, names of rows are none
        (SPANS,
         "|  | a |  | b |\n| --- | --- | --- | --- |\n| c | 1 |  |  |\n|  | 2 | 3 |  |"),
        (OVER_TWO_ROWS,
         "|  |  |\n| --- | --- |\n| a | b |\n| c |  |\n| d | e |"),
        ("<table><tr><th>a</th><td>1</td></tr></table>", "|  |  |\n| --- | --- |\n| a | 1 |"),
        ("<table><thead><tr><td>a</td></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
         "| a |\n| --- |\n| 1 |"),
        (f'<p><a href="#{NOTE}1]: &lt;b>">a</a></p>', f"[a](#{NOTE}1]:%20%3Cb%3E)"),
        # a list apart from the text before it; what stands behind the rows is no part of a cell
        ("<p>a</p><ul><li><ul><li>b</li></ul></li></ul>", "a\n\n- - b"),
        ("<table><tr><td>1</td></tr><caption>c</caption></table>", "c\n\n|  |\n| --- |\n| 1 |"),
        ("<dl><dt>a<p>b</p>c</dt></dl>", "**a**\n\nb\n\nc"),
        (f'<ul><li>a</li><li id="{NOTE}1">b</li></ul>', "- a\n\n[^1]: b"),
        (NOTES,
         "a[^1] b\n\n[^1]: c\n\n    d\n\n- e\n\n[^2]: f"),
    ],
)  # fmt: skip
def test_clean_html_becomes_markdown(html: str, markdown: str) -> None:
    assert render_markdown(html) == (f"{markdown}\n" if markdown else "")


@pytest.mark.parametrize("block", ["<p>{}</p>", "<table><tr><td>{}</td><td></td></tr></table>"])
@given(text=st.text("ab1 \\`*_[]()<>&;#~|!-+=.:é正\n", min_size=1, max_size=16))
def test_every_text_comes_back_as_it_was(block: str, text: str) -> None:
    shown = render_markdown(block.format(escape(text).replace("\n", "<br>")))
    html = COMMONMARK.render(shown)
    found = re.sub(r"\s", "", unescape(re.sub(r"<[^>]*>", "", html)))
    assert found == re.sub(r"\s", "", text)
    assert not re.search("<(?!/?(?:p|br|table|t[rdh]|thead|tbody)\\b)", html)


@given(
    html=st.recursive(
        st.just("é"),
        lambda inner: st.builds(
            "<{0}>{1}</{0}>".format,
            st.sampled_from("a b code dd dl dt em h2 kbd li ol p pre sup table td tr ul".split()),
            st.lists(inner, min_size=1, max_size=3).map("".join),
        ),
    )
)
def test_elements_in_any_order_lose_no_text(html: str) -> None:
    assert render_markdown(f"<p>a</p>{html}").count("é") == html.count("é")


def test_the_title_is_the_first_heading() -> None:
    assert render_markdown("<p>a</p>", "One *two*") == "# One \\*two\\*\n\na\n"


def test_the_title_stands_there_once_and_headings_leave_out_no_level() -> None:
    html = "".join(f"<h{level}>{text}</h{level}>" for level, text in ((1, "One: TWO"), (3, "a"),
                   (6, "b"), (3, "c"), (2, "d"), (4, "e"), (1, "f")))  # fmt: skip
    assert re.findall("#+ .*", render_markdown(html, "One two")) == [
        "# One two", "## a", "### b", "## c", "## d", "### e", "## f",
    ]  # fmt: skip
    assert re.findall("#+ .*", render_markdown(html[html.index("<h3>") :])) == [
        "### a", "#### b", "### c", "## d", "### e", "# f",
    ]  # fmt: skip


def test_any_depth_is_written_and_lines_do_not_grow_with_it() -> None:
    shown = render_markdown("<blockquote>" * 1500 + "<p>x</p>" + "</blockquote>" * 1500)
    assert shown == "> " * MAX_DEPTH + "x\n"


@pytest.mark.parametrize("cell", ["<td>", '<td colspan="50" rowspan="50">'])
def test_a_table_is_not_much_longer_than_its_cells(cell: str) -> None:
    wide = f"<tr>{f'{cell}a</td>' * 1_000}</tr>" + "<tr><td>b</td></tr>" * 1_000
    assert len(render_markdown(f"<table>{wide}</table>")) < 500_000


@pytest.mark.parametrize(
    "page",
    [
        lambda size: "<ul>" + "<li>a <b>b</b> `" * size + "</ul>",
        lambda size: "".join(f'<p>a <img src="{n}.png"></p>' for n in range(size)),
        lambda size: "<blockquote>" * (size // 5) + "<p>a</p>" * size,
        lambda size: "<table>" + "<tr><td>a</td><td>b</td></tr>" * size + "</table>",
    ],
    ids=["list", "pictures", "quotes", "table"],
)
def test_a_long_page_takes_time_in_proportion(page: Callable[[int], str]) -> None:
    assert_linear(render_markdown, page, 1_000)
