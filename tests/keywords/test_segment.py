import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toml_files import read_toml
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.keywords.segment import chinese, cut_words, fold_word, fold_words, simplify

WORDS = read_toml(Path(__file__).with_name("words.toml"))["pairs"]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_every_script_is_cut(text: str, words: list[str]) -> None:
    assert cut_words(text) == words


@pytest.fixture
def without_rjieba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "rjieba", None)  # as where it has no wheel
    chinese.cache_clear()
    yield
    chinese.cache_clear()


CHINESE = "市政府周二宣布，旧码头将关闭一年，以便更换已经腐烂的木桩和护栏。Anna Berg 说好。"


@pytest.mark.usefixtures("without_rjieba")
@pytest.mark.parametrize("hmm", [True, False])
def test_jieba_itself_cuts_chinese_alike_where_rjieba_is_not_installed(hmm: bool) -> None:
    found = cut_words(CHINESE, hmm=hmm)
    sys.modules.pop("rjieba")
    chinese.cache_clear()
    assert found == cut_words(CHINESE, hmm=hmm)
    assert {"码头", "宣布", "木桩"} <= set(found)


@pytest.mark.usefixtures("without_rjieba")
def test_a_chinese_page_is_cleaned_and_tagged_without_rjieba() -> None:
    html = f"<title>旧码头关闭</title><h1>旧码头关闭</h1><p>{CHINESE}</p><p>{CHINESE[::-1]}。</p>"
    page = Cleaner(CleanConfig(keyword_method="network")).clean(html)
    assert "码头" in page.keywords
    assert "码头" in Cleaner().clean(html).keywords
    assert {flag[0] for word, flag in chinese().tag("码头关闭") if word == "码头"} == {"n"}


@given(st.text())
def test_words_stand_in_the_text_and_are_no_space(text: str) -> None:
    for word in cut_words(text):
        assert word in text
        assert not word.isspace()


@given(st.text())
def test_simplifying_keeps_the_length_and_is_done_once(text: str) -> None:
    once = simplify(text)
    assert len(once) == len(text)
    assert simplify(once) == once


def test_case_accents_and_script_do_not_count() -> None:
    spelt = ["Café", "CAFE\u0301", "Straße", "Ёлка", "臺灣", "한국"]
    assert (
        fold_words(map(simplify, spelt))
        == [fold_word(word) for word in spelt]
        == ["cafe", "cafe", "strasse", "елка", "台湾", "한국"]
    )
