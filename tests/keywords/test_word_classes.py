from __future__ import annotations

import sys

import pytest

from webclean_scrapy.keywords.word_classes import WordClasses

TEXT = "市长希望重新修建大桥，渔民非常喜欢iPhone手机"
KEPT = ["市长", "希望", "修建", "大桥", "渔民", "喜欢", "iPhone", "手机"]


def test_nouns_verbs_and_names_of_chinese_are_kept() -> None:
    assert WordClasses().cut(TEXT) == KEPT


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_without_rjieba_the_words_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    assert WordClasses().cut(TEXT) == KEPT


def test_other_languages_have_no_classes() -> None:
    assert WordClasses().cut("The council quickly opened it") == [
        "The", "council", "quickly", "opened", "it",
    ]  # fmt: skip


def test_the_tagger_is_not_loaded_before_the_first_chinese_text() -> None:
    classes = WordClasses()
    classes.cut("The council")
    assert classes._tag is None
    classes.cut("市长")
    assert classes._tag is not None
