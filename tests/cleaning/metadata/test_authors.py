import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.authors import find_authors, may_name_author
from webclean_scrapy.cleaning.metadata.head import Head


@pytest.mark.parametrize(
    "unit", ["记者 王 ", "By Ann ", "A and ", "， ", "文/", "编辑 ", "王于2026-"]
)
def test_long_texts_take_time_in_proportion(unit: str) -> None:
    def work(long: str) -> None:
        lines = [unit * 20] * (len(long) // len(unit))
        find_authors(Head(), marked=[([(long,)] * 50, True)])
        find_authors(Head(authors=(long,)), lines, [*lines[:100], long])

    assert_linear(work, lambda size: unit * size, 600)


def test_lines_of_cards_name_no_author() -> None:
    line = "By Ann Lee"
    assert (
        find_authors(Head(), [line], [line], tail=[line], is_others=lambda text: text == line) == []
    )


SIGNED = (
    "By Ann|Von Ann|Par Ann|Por Ann|Door Ann|Di Ann|Av Ann|Af Ann|Przez Ann|author|autor|auteur"
    "|by-line|writer|written|posted|contributor|journalist|redakteur|verfasser|vcard|words: Ann"
    "|text: Ann|автор|penulis|yazar|기자|كتب|作者|撰文|采写|採訪|文字|记者|記者"
).split("|")


@pytest.mark.parametrize("text", SIGNED)
def test_texts_with_a_word_of_bylines_may_name_an_author(text: str) -> None:
    assert may_name_author(text)
    assert not may_name_author("The pier is shut.")
