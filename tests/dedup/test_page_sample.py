"""The sample of a page, drawn by numpy and, where that was built, in C."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.dedup import page_sample
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import Fingerprint, Fingerprinter
from webclean_scrapy.dedup.page_sample import PageSampler, Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webclean_scrapy.dedup.page_sample import Block

    Draw = Callable[[Sequence[Block], Block | None, Sequence[str]], Sample]

OWN = {
    "stop_words": ["harbour", "我们", "ก"],
    "user_words": ["滨海渡口委员会 5 n", "渡口委", "westmere"],
    "idf": {"轮渡": 2.5, "council": 3.0, "2024": 7.0, "渡": 5.0, "rare": 0.001},
}

# What the steps treat in a way of its own, in any order and often twice.
_PIECES = [
    "harbour", "Council's", " ", "  ", "\n", "\u2029", "\x1e", "\0", "\ud800", ".", ",", ";", "—",
    "…", "1", "2024", "1,200.50", "1.2.3,4.", "21st", "5pm", "٤٢", "１２", "é", "e\u0301",
    "e\u200d\u0301", "\u0301", "don’t", "`", "ß", "ﬁ", "½", "㎏", "İ", "\u0345", "ｶﾞ", "\uff9e",
    "渡口", "轮渡", "輪 渡", "中国人民", "中 国", "滨海渡口委员会", "渡", "我们", "\U00020000",
    "ひらがな", "カタカナ", "สวัสดี", "ก", "가", "한국어", "띄어쓰기없이쓴아주긴한국어문장",
    "\u1100\u1161", "ж", "й", "и\u0306", "مُحَمَّد", "שָׁלוֹם", "ខ្ញុំ", "हिन्दी", "\ufb1d",
    "\u212a", "Å", "\u0f73", "𝐀", "👍🏽", "\ue000", "\U0010ffff", "<",
]  # fmt: skip
any_text = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=30).map("".join),
    st.text(st.characters(codec=None, categories=None), max_size=30),
)


@cache
def sampler(*, is_own: bool) -> PageSampler:
    options = OWN if is_own else {}
    return PageSampler(DedupConfig.from_options({"sample": 255, "numbers": 255, **options}))


def forms(pages: PageSampler) -> list[Draw]:
    """Return what draws a sample: the compiled form is there where it was built."""
    if page_sample.IS_COMPILED:
        return [pages.draw_pure, pages.draw_compiled]
    return [pages.draw_pure]


def check_equal(
    pages: PageSampler,
    blocks: Sequence[Block],
    title: Block | None = None,
    phrases: Sequence[str] = (),
) -> None:
    """Compare all forms, field by field."""
    pure, same = (
        (sample.exact, *map(tuple, sample[1:]))
        for draw in (forms(pages)[0], forms(pages)[-1])
        for sample in [draw(blocks, title, phrases)]
    )

    assert same == pure


@given(
    st.lists(st.tuples(any_text, st.sampled_from([1.0, 1.3, 2.0, 16.0])), min_size=1, max_size=4),
    any_text,
    st.lists(any_text, max_size=2),
    st.booleans(),
)
def test_both_forms_draw_equal_samples(
    blocks: list[Block], title: str, phrases: list[str], is_own: bool
) -> None:
    check_equal(sampler(is_own=is_own), blocks, (title, 2.0) if title else None, phrases)


@pytest.mark.parametrize("is_own", [False, True])
def test_both_forms_draw_equal_samples_of_long_texts(
    is_own: bool, english: list[str], chinese: list[str]
) -> None:
    pages = sampler(is_own=is_own)
    dice = random.Random(7)
    mixed = "".join(dice.choices([*english, *chinese, *_PIECES], k=400))
    for text in ("\n".join(english), "\n".join(chinese), mixed, "渡 " * 5000, "1." * 5000):
        check_equal(pages, [(text, 1.0)], ("The harbour 渡口", 2.0), [text[10:40]])
        check_equal(pages, [(text[:50], 1.5), (text, 1.0), (text[50:90], 2.5)])


@pytest.mark.parametrize("piece", _PIECES)
def test_both_forms_know_each_character_alone_and_between_letters(piece: str) -> None:
    for text in (piece, piece * 12, f"a{piece}b 渡{piece}口 1{piece}2"):
        check_equal(sampler(is_own=False), [(text, 1.0)])


@pytest.mark.parametrize("form", [0, -1])
def test_a_code_under_many_weights_is_kept_once_and_the_rest_are_not_lost(
    form: int, make_article: Callable[[int], str]
) -> None:
    pages = PageSampler(DedupConfig(sample=8, indexed=8))
    blocks = [(make_article(9), 1.0 + n / 10) for n in range(12)]

    codes = forms(pages)[form](blocks, None, ()).codes

    assert len(codes) == len({*codes}) == 9
    assert tuple(codes) == tuple(forms(pages)[form](blocks[-1:], None, ()).codes)


@pytest.mark.parametrize("form", [0, -1])
def test_a_page_without_a_text_is_refused(form: int) -> None:
    with pytest.raises((IndexError, ValueError)):
        forms(sampler(is_own=False))[form]([], None, ())


def test_words_of_the_smallest_weights_have_the_highest_rank() -> None:
    made = Fingerprinter(DedupConfig.from_options({"idf": {"ferry": 0.001}})).make([("ferry", 1.0)])

    assert made.ranks == (65535,)
    assert Fingerprint.unpack(made.pack()) == made
