from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.dedup.words import BREAK_HASH, WordReader
from webclean_scrapy.keywords.idf import NUMBER, UNKNOWN


@pytest.fixture(scope="module")
def reader() -> WordReader:
    return WordReader()


def test_a_word_has_one_hash_wherever_it_stands(reader: WordReader) -> None:
    first = reader.read(["amber river"])
    later = reader.read(["the long way down the amber, then the river"])
    assert set(first.hashes.tolist()) <= set(later.hashes.tolist())


def test_hashes_never_change(reader: WordReader) -> None:
    # Indexes on disk rely on these values; another one needs another version of the scheme.
    assert reader.read(["amber 台湾"]).hashes.tolist() == [
        9270473684517616002,
        1432700224193466453,
        0,
    ]


def test_latin_words_hash_alike_in_latin_and_in_mixed_text(reader: WordReader) -> None:
    latin = reader.read(["westmere harbour"]).hashes.tolist()
    mixed = reader.read(["westmere harbour 港口"]).hashes.tolist()
    assert mixed[:2] == latin[:2]


@given(st.lists(st.sampled_from("abc 1,\n中国тอがa가\u0301"), max_size=40).map("".join))
def test_every_text_ends_with_a_break_and_blocks_add_up(text: str) -> None:
    words = WordReader().read([text, "title"])
    assert words.hashes[-1] == BREAK_HASH
    assert sum(words.blocks) == len(words.hashes) == len(words.weights) == len(words.numeric)
    assert words.hashes[words.blocks[0] - 1] == BREAK_HASH


def test_stop_words_and_single_characters_weigh_nothing(reader: WordReader) -> None:
    words = reader.read(["the of a x parliament", "我们 的"])
    assert np.count_nonzero(words.weights) == 1


def test_frequent_chinese_words_weigh_less_than_rare_ones(reader: WordReader) -> None:
    frequent, rare = reader.read(["中国", "轮渡"]).weights[[0, 2]]
    assert 0 < frequent < rare <= UNKNOWN


def test_numbers_are_told_from_words(reader: WordReader) -> None:
    words = reader.read(["at 1,250 of 21st street"])
    assert words.numeric.tolist() == [False, True, False, True, False, False]
    assert words.weights[1] == NUMBER


def test_own_stop_words_are_added(reader: WordReader) -> None:
    own = WordReader(stop_words=["Westmere", "轮渡"])
    assert np.count_nonzero(own.read(["westmere"]).weights) == 0
    assert np.count_nonzero(own.read(["轮渡"]).weights) == 0
    assert np.count_nonzero(reader.read(["westmere", "轮渡"]).weights) == 2


def test_a_user_dictionary_joins_what_the_built_in_one_parts() -> None:
    plain = WordReader().read(["滨海渡口委"])
    own = WordReader(user_words=["滨海渡口委 100000 n"]).read(["滨海渡口委"])
    assert len(own.hashes) == 2 < len(plain.hashes)


@pytest.mark.parametrize(
    "text",
    [
        "ひらがなとカタカナ",
        "สวัสดีครับทุกคน",
        "띄어쓰기없이쓴아주긴한국어문장입니다",
        "ខ្ញុំស្រឡាញ់",
    ],
)
def test_scripts_without_spaces_give_several_keywords(reader: WordReader, text: str) -> None:
    assert np.count_nonzero(reader.read([text]).weights) >= 4


def test_a_separator_in_the_text_does_not_part_blocks(reader: WordReader) -> None:
    assert len(reader.read(["one\x1etwo", "three"]).blocks) == 2
