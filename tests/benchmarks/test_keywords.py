from __future__ import annotations

from benchmarks.keywords import (
    Found,
    KeywordPage,
    count,
    is_met,
    keywords_section,
    leave_out,
    measure_keywords,
    own_keywords,
)
from webclean_scrapy.keywords.ranker_names import METHODS


def test_own_keywords_are_cut_at_commas_or_else_at_blanks() -> None:
    assert own_keywords("<meta content='芯片，5G手机,芯片' name=keywords>") == ("芯片", "5g手机")
    assert own_keywords('<META NAME="Keywords" CONTENT="amber bridge x">') == ("amber", "bridge")
    assert own_keywords('<meta name="description" content="amber">') == ()


def test_parts_meet_and_others_do_not() -> None:
    assert is_met("5g手机", "手机")
    assert is_met("手机", "5g手机")
    assert not is_met("amber", "ember")


def test_words_and_own_keywords_are_counted_apart() -> None:
    counts = Found()
    count(counts, ["a1", "b1", "c1"], ["a1", "d1"])
    assert (counts.given, counts.right, counts.gold, counts.met) == (3, 1, 2, 1)


def test_every_method_has_a_row_with_and_without_weights() -> None:
    sources = {
        "text": [("The harbour council opened the harbour bridge", 2.0)],
        "emphasis": [("bridge", 0.5)],
        "meta": [("A bridge", 1.0)],
    }
    blocks = leave_out(sources)
    assert [len(some) for some in blocks.values()] == [3, 2, 2, 1]
    found = measure_keywords([KeywordPage(blocks, ("harbour", "goat"))])
    assert len(keywords_section(found).split("\n")) == 2 + 4 * len(METHODS)
    assert all(counts.met == 1 for counts in found.values())
