from __future__ import annotations

import pytest

from webclean_scrapy.cleaning.page.guard import GuardConfig, check_markup
from webclean_scrapy.cleaning.page.lighter_source import lighter_source

GUARD = GuardConfig(max_tags=20)
MANY = b" ".join(b"data-%d=x" % at for at in range(3_000))


def test_a_tag_keeps_the_attributes_that_are_read_and_some_others() -> None:
    tag = lighter_source(b'<a rev=x %s class="a b" href=/x hidden>text</a>' % MANY, GUARD)

    assert tag.startswith(b"<a rev=x data-0=x ")
    assert tag.endswith(b' class="a b" href=/x hidden>text</a>')
    assert tag.count(b"data-") < 100
    check_markup(tag, GUARD)


def test_the_first_of_equal_attributes_counts() -> None:
    tag = lighter_source(b"<p class=a class=b %s class=c>text" % MANY, GUARD)

    assert tag.count(b"class=") == 1
    assert b"class=a" in tag


@pytest.mark.parametrize("quote", [b"", b'"', b"'"])
def test_long_values_are_cut_and_data_addresses_left_out(quote: bytes) -> None:
    html = b"<img src=%sdata:,%s%s alt=%s%s%s>text" % (
        *(quote, b"A" * 9_000, quote), *(quote, b"B" * 9_000, quote),
    )  # fmt: skip
    tag = lighter_source(html, GUARD)

    assert b"data:" not in tag
    assert 3_000 < tag.count(b"B") < 5_000
    assert tag.endswith(b">text")


def test_a_page_within_the_limits_keeps_its_decoration() -> None:
    html = b"<p>one <b>two</b> <span></span></p>"

    assert lighter_source(html, GUARD) == html


def test_empty_elements_and_repeated_breaks_go_first() -> None:
    html = b"<p>one <b>two</b>" + b"<i class=x></i><br><br><br><br><hr><hr>" * 9

    assert lighter_source(html, GuardConfig(max_tags=40)) == b"<p>one <b>two</b>" + (
        b"<br><br><hr>" * 9
    )


def test_decoration_goes_when_that_makes_a_page_light_enough() -> None:
    html = b"<p>" + b"<b>o</b><i>n</i><a href=/x>e</a>" * 9

    assert lighter_source(html, GUARD) == b"<p>" + b"on<a href=/x>e</a>" * 9


def test_what_would_not_help_is_not_tried() -> None:
    html = b"<p>one <b>two</b>" * 9_000

    assert lighter_source(html, GUARD) == html
