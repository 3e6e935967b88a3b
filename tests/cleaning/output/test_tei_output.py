from pathlib import Path

import pytest
from lxml import etree

from tests.toml_files import read_toml
from webclean_scrapy.cleaning.output.tei_output import NAMESPACE, render_tei

WRITTEN = Path(__file__).with_name("written.toml")


def body_of(html: str) -> str:
    root = etree.fromstring(render_tei(html).encode())
    body = root.find(f".//{{{NAMESPACE}}}body")
    assert body is not None
    return etree.tostring(body, encoding="unicode").replace(f' xmlns="{NAMESPACE}"', "")


@pytest.mark.parametrize("case", read_toml(WRITTEN)["tei"])
def test_clean_html_becomes_tei(case: dict[str, str]) -> None:
    assert body_of(case["html"]) == f"<body>{case['tei']}</body>"


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
