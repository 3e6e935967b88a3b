import pytest
from lxml import etree

from webclean_scrapy.cleaning.output.tei_output import NAMESPACE, render_tei


def body_of(html: str) -> str:
    root = etree.fromstring(render_tei(html).encode())
    body = root.find(f".//{{{NAMESPACE}}}body")
    assert body is not None
    return etree.tostring(body, encoding="unicode").replace(f' xmlns="{NAMESPACE}"', "")


@pytest.mark.parametrize(
    ("html", "tei"),
    [
        ("", "<div><p/></div>"),
        ("<p>a &amp; b<br>c</p>", "<div><p>a &amp; b<lb/>c</p></div>"),
        ("<p>a</p><h2>H</h2><p>b</p><h3>I</h3>",
         "<div><p>a</p></div><div><head>H</head><p>b</p></div><div><head>I</head></div>"),
        ("<ul><li>a<ul><li>b</li></ul></li></ul>",
         "<div>{0}a{0}b{1}{1}</div>".format('<list rend="bulleted"><item>', "</item></list>")),
        ("<blockquote><h3>H</h3><p>a</p></blockquote>",
         '<div><quote><ab type="heading">H</ab><p>a</p></quote></div>'),
        ("<pre>x\ny</pre><p><code>z</code></p>",
         '<div><ab type="code">x\ny</ab><p><code>z</code></p></div>'),
        ('<table><tr><th>a</th><td colspan="2">b</td></tr></table>',
         '<div><table><row><cell role="label">a</cell><cell cols="2">b</cell></row></table></div>'),
        ('<p><a href="http://a.example/x y">L</a> <mark>m</mark></p>',
         '<div><p><ref target="http://a.example/x%20y">L</ref> m</p></div>'),
        ('<figure><img src="p.jpg" alt="A"><figcaption>c</figcaption></figure>',
         '<div><figure><graphic url="p.jpg"><desc>A</desc></graphic><head>c</head></figure></div>'),
    ],
)  # fmt: skip
def test_clean_html_becomes_tei(html: str, tei: str) -> None:
    assert body_of(html) == f"<body>{tei}</body>"


def test_what_is_known_of_the_article_is_in_the_header() -> None:
    document = render_tei(
        "<p>a</p>", title="T & U", url="https://a.example/1", date="2026-03-12T09:20:00+08:00",
        authors=["A. B.", "C"], language="en", keywords=["sea"],
    )  # fmt: skip
    root = etree.fromstring(document.encode())
    found = {name: [e.text for e in root.iter(f"{{{NAMESPACE}}}{name}")] for name in
             ("title", "author", "date", "ref", "language", "term")}  # fmt: skip
    assert found == {
        "title": ["T & U", "T & U"], "author": ["A. B.", "C"] * 2, "language": ["en"],
        "date": ["2026-03-12T09:20:00+08:00"], "ref": ["https://a.example/1"], "term": ["sea"],
    }  # fmt: skip
    assert 'when="2026-03-12T09:20:00+08:00"' in document
    assert "when=" not in render_tei("", date="2026-03-12T09:20")  # no date of TEI


def test_signs_that_xml_does_not_have_are_left_out_and_any_depth_is_written() -> None:
    assert "<title>ab</title>" in render_tei("", title="a\x00\x1fb")
    deep = render_tei("<blockquote>" * 1500 + "<p>x</p>" + "</blockquote>" * 1500)
    assert deep.count("<quote>") == deep.count("</quote>") > 0
    assert ">x<" in deep
