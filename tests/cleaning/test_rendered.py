"""Rendered pages in the Cleaner: uses of boxes."""

import re

import pytest

from tests.pages import article, article_text
from webclean_scrapy import Cleaner
from webclean_scrapy.cleaning.cleaner import CleanConfig
from webclean_scrapy.cleaning.method_names import DENOISERS, EXTRACTORS


def boxed(html: str, shift: int = 0) -> str:
    """Return *html* with a box on every element, moved by *shift* px."""
    return re.sub(
        r"<(html|body|div|p|h[1-6]|ul|li|a)\b",
        rf'<\1 data-webclean-box="{shift} {shift} {900 + shift} {40 + shift}"',
        html,
    )


WAYS = [
    (extractor, denoise)
    for extractor in EXTRACTORS
    for denoise in DENOISERS
    if (extractor, denoise) != ("lcs", "off")  # refused: that extractor compares
]


@pytest.mark.parametrize(("extractor", "denoise"), WAYS)
def test_no_box_is_in_what_becomes_of_a_page(extractor: str, denoise: str) -> None:
    cleaner = Cleaner(CleanConfig(extractor=extractor, denoise=denoise))
    cleaner.learn(boxed(article(1)), "http://a.example/news/1.html")
    page = cleaner.clean(boxed(article(2)), "http://a.example/news/2.html")
    assert article_text(2)[1] in page.text
    assert "data-webclean" not in page.html
    assert "data-webclean" not in str(page.to_dict())


def test_an_alignment_compares_the_boxes_of_pages_that_have_some() -> None:
    def repeated(page: str, sibling: str) -> int:
        cleaner = Cleaner(CleanConfig(denoise="lcs"))
        url = "http://a.example/news/{}.html"
        cleaner.learn(sibling, url.format(1))
        comparison = cleaner.clean(page, url.format(2)).trace.comparison
        assert comparison.method == "lcs"
        assert comparison.template is not None
        return int(comparison.template.repeated.sum())

    alike = repeated(boxed(article(2)), boxed(article(1)))
    assert alike > 0
    assert repeated(boxed(article(2), shift=7), boxed(article(1))) < alike
    assert repeated(boxed(article(2), shift=7), article(1)) == alike  # only one was rendered
