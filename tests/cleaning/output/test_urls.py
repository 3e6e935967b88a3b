import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.output.urls import absolute_url, base_url, image_url

BASE = "http://example.com/a/b.html"


@pytest.mark.parametrize(
    ("url", "absolute"),
    [
        ("c.html", "http://example.com/a/c.html"),
        ("//other.example/c", "http://other.example/c"),
        ("https://other.example/c d", "https://other.example/c d"),
        ("#part", "http://example.com/a/b.html#part"),
        (" ?q=1\n", "http://example.com/a/b.html?q=1"),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("javascript:x()", ""),
        (" java\nscript:x()", ""),
        ("\u200bjava\tscript:x()", ""),
        ("\x01javascript:x()", ""),
        ("vbscript:x", ""),
        ("data:text/html,x", ""),
        ("file:///etc/passwd", ""),
        ("http://[broken/", ""),
    ],
)
def test_urls_are_absolute_and_of_schemes_that_run_nothing(url: str, absolute: str) -> None:
    assert absolute_url(url, BASE) == absolute


@given(st.text("javscript:\n\t\x00 \u200b/#?[]http", max_size=20))
def test_no_url_runs_a_script(url: str) -> None:
    for base in (None, BASE):
        assert not absolute_url(url, base).lower().startswith(("javascript:", "data:"))


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("<base target=_blank>", BASE),
        ("<base target=_blank><base href=/site/><base href=/later/>", "http://example.com/site/"),
        ("<base href='https://cdn.example/x/'>", "https://cdn.example/x/"),
        ("<base href='javascript:x'>", BASE),
    ],
)
def test_the_first_base_with_a_url_counts(head: str, base: str) -> None:
    assert base_url(table_of(f"<head>{head}</head><p>x"), BASE) == base


def image(attributes: str) -> str:
    return image_url(etree.fromstring(f"<img {attributes}/>"), BASE)


@pytest.mark.parametrize(
    ("attributes", "url"),
    [
        ("src='p.jpg'", "http://example.com/a/p.jpg"),
        ("src='p.jpg?w=9&amp;blur=50' data-src='q.jpg'", "http://example.com/a/q.jpg"),
        ("src='p.jpg' data-lazy-src='q_{width}.jpg'", "http://example.com/a/p.jpg"),
        ("src='p.jpg' data-url='q.jpg'", "http://example.com/a/p.jpg"),
        ("data-srcs='{&quot;//i.example/q&quot;: {&quot;type&quot;: &quot;image/png&quot;}}'",
         "http://i.example/q"),
        ("src='data:,' data-interchange='[//i.example/p.jpg, small], [//i.example/q.jpg, large]'",
         "http://i.example/q.jpg"),
        ("src=' ' data-original='q.jpg'", "http://example.com/a/q.jpg"),
        ("src='data:image/gif;base64,AA' data-src='q.jpg'", "http://example.com/a/q.jpg"),
        ("src='p.gif' data-src='{&quot;d&quot;: {&quot;src&quot;: &quot;//i.example/q&quot;}}'",
            "http://i.example/q"),
        ("src='p.jpg' data-src='/{width}/q.jpg'", "http://example.com/a/p.jpg"),
        ("src='p.jpg' data-options='{&quot;src&quot;: &quot;/q.jpg&quot;}'",
            "http://example.com/a/p.jpg"),
        ("src='/i/Blank.GIF?v=2' data-original='q.jpg'", "http://example.com/a/q.jpg"),
        ("src='/i/blank.gif'", "http://example.com/i/blank.gif"),
        ("src='/news/blank-cheque/p.jpg' data-url='q.jpg'",
         "http://example.com/news/blank-cheque/p.jpg"),
        ("src='/img/lazy_load-1.png?v=2' data-src='q.jpg'", "http://example.com/a/q.jpg"),
        ("src='/img/pier.png#blank' data-url='q.jpg'", "http://example.com/img/pier.png#blank"),
        ("src='data:image/png;base64,AA'", ""),
        ("alt='x'", ""),
        ("src='p.jpg' srcset='q.jpg 1x, r,w_9.jpg 2x'", "http://example.com/a/r,w_9.jpg"),
        ("nitro-lazy-src='q.jpg'", "http://example.com/a/q.jpg"),
        ("src='blank.gif' data-lazy='true' data-photo='//i.example/q.jpg'", "http://i.example/q.jpg"),
        ("src='blank.gif' data-ks-lazyload='/q'", "http://example.com/q"),
        ("src='blank.gif' data-page='//i.example/q'", "http://example.com/a/blank.gif"),
        ("data-srcset='p.jpg 480w,q.jpg 960w'", "http://example.com/a/q.jpg"),
    ],
)  # fmt: skip
def test_the_picture_that_shows_in_the_end(attributes: str, url: str) -> None:
    assert image(attributes) == url


@pytest.mark.parametrize("sources", ["<source srcset=q.jpg>", "<source><source srcset=q.jpg>"])
def test_a_picture_is_looked_for_in_the_sources_around_it(sources: str) -> None:
    table = table_of(f"<picture>{sources}<img src='data:image/gif;base64,AA'></picture>")

    assert image_url(table.node[table.tag.index("img")], BASE) == "http://example.com/a/q.jpg"


@pytest.mark.parametrize("unit", ["lazy", ".gif?", "/x.gif?", "blank.gif", "blank/"])
def test_a_long_address_takes_time_in_proportion(unit: str) -> None:
    assert_linear(image, lambda size: f'src="{unit * size}.gif" data-src="q.jpg"', 2_000)


@pytest.mark.parametrize(
    ("begin", "unit"), [("srcset='", "a"), ("data-all='[", "//"), ("data-all='[", "//a")]
)
def test_a_long_list_of_no_addresses_takes_time_in_proportion(begin: str, unit: str) -> None:
    assert_linear(
        image, lambda size: f"src='data:,' {begin}{unit * (size // len(unit))} b!'", 1_200
    )
