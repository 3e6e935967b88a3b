import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.cleaning.page.parse import parse, to_utf8
from webclean_scrapy.errors import PageTooLargeError


def words(html: str) -> str:
    return " ".join("".join(f" {text}" for text in parse(html).itertext()).split())


@pytest.mark.parametrize(
    "html", ["", "  \n\t", "\0", "<!-- only this -->", "<!DOCTYPE html>", "</p>"]
)
def test_a_page_without_content_is_an_empty_document(html: str) -> None:
    root = parse(html)

    assert [element.tag for element in root.iter()] == ["html", "body"]
    assert "".join(root.itertext()) == ""


@pytest.mark.parametrize("depth", [255, 300, 2_000])
def test_text_at_any_depth_and_after_it_is_kept(depth: int) -> None:
    html = f"<body>{'<div>' * depth}deep{'</div>' * depth}<p>after</p>"

    assert words(html) == "deep after"


def test_a_depth_that_would_lose_text_is_refused_in_time_in_proportion() -> None:
    def work(html: str) -> None:
        with pytest.raises(PageTooLargeError, match="levels of nested elements"):
            parse(html)

    assert_linear(work, lambda n: f"<body>{'<div>' * n}deep{'</div>' * n}<p>after</p>", 2_100)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # characters that lxml writes into no tree
        ("<p>a\x0bc&#11;d&#x1F;e&#12</p>f&#x1f4;&#110;<\x01p>g", "a c d e f\u01f4n<\x7fp>g"),
        # surrogate pairs are joined and lone ones replaced
        ("<p>\ud83d\ude00</p><p>a\ud800b</p><p>c</p>", "😀 a\ufffdb c"),
    ],
)
def test_no_odd_page_loses_text(html: str, text: str) -> None:
    assert words(html) == text


@given(st.text())
def test_any_text_becomes_valid_utf8_without_nul(text: str) -> None:
    assert "\0" not in to_utf8(text).decode()


@given(st.text(st.one_of(st.characters(max_codepoint=40), st.sampled_from("&#;x01bfe<\uffff"))))
def test_any_text_of_a_page_can_be_written_back(text: str) -> None:
    for element in parse(f"<p title='{text}'>{text}</p>").iter():
        element.text = element.text
        for name, value in element.items():
            element.set(name, value)


@given(st.text(alphabet=st.sampled_from("<>/!-?&;ab \"'=\0\ud800\n文")))
def test_any_markup_has_an_html_root(html: str) -> None:
    assert parse(html).tag == "html"
