import pytest

from webclean_scrapy.cleaning.output.markdown_output import MAX_DEPTH, render_markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("", ""),
        ("<h2>A\nhead</h2><p>one<br>two</p>", "## A head\n\none\\\ntwo"),
        ("<p>2 * 3 [a] &lt;b&gt; c_d `e`</p>", "2 \\* 3 \\[a\\] \\<b> c\\_d \\`e\\`"),
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
         "c\n\n|  |\n| --- |\n| 1 2 |"),
    ],
)  # fmt: skip
def test_clean_html_becomes_markdown(html: str, markdown: str) -> None:
    assert render_markdown(html) == (f"{markdown}\n" if markdown else "")


def test_the_title_is_the_first_heading() -> None:
    assert render_markdown("<p>a</p>", "One *two*") == "# One \\*two\\*\n\na\n"


def test_any_depth_is_written_and_lines_do_not_grow_with_it() -> None:
    shown = render_markdown("<blockquote>" * 1500 + "<p>x</p>" + "</blockquote>" * 1500)
    assert shown == "> " * MAX_DEPTH + "x\n"


@pytest.mark.cpu_seconds(5)
def test_a_long_page_takes_time_in_proportion() -> None:
    html = "<ul>" + "<li>a <b>b</b> `" * 20_000 + "</ul>"
    assert render_markdown(html).count("**b**") == 20_000
