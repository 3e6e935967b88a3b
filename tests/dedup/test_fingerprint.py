from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dedup.articles import make_article
from tests.growth import assert_linear
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import Fingerprint
from webclean_scrapy.dedup.fingerprint_methods import (
    PageFingerprinter,
    find_phrases,
    weighted_blocks,
)
from webclean_scrapy.errors import ConfigError

MAKER = PageFingerprinter(DedupConfig(versions="all"))


def make(text: str, title: str = "") -> Fingerprint:
    return MAKER.make(text, title=title)


@given(st.text(max_size=300), st.text(max_size=30))
def test_packing_loses_nothing(text: str, title: str) -> None:
    made = MAKER.make(text, title=title)
    assert Fingerprint.unpack(made.pack()) == made
    later = replace(made, lines=(1, 2), added=9).follow(made, is_confirmed=True)
    assert Fingerprint.unpack(later.pack()) == later


def test_a_title_over_a_long_text_is_not() -> None:
    text = make_article(5)
    assert make(text, "Westmere").exact == make(text, "Eastmere").exact


def test_a_code_that_occurs_often_is_kept_once() -> None:
    made = make("harbour council voted " * 3000)
    assert len(made.codes) == len(set(made.codes)) < 10


def test_a_text_is_read_up_to_its_limit() -> None:
    maker = PageFingerprinter(DedupConfig(max_chars=7_000))
    text = "filler " * 1_000
    assert maker.make(text + "harbour").codes == maker.make(text).codes


def text_of(unit: str, count: int) -> str:
    return "".join(unit.format(number) for number in range(count))


@pytest.mark.parametrize("unit", ["中", "ก", "가", "a", "1.", " ", "\n", "’", "e\u0301", "ß"])
def test_one_character_without_end_has_few_codes(unit: str) -> None:
    assert len(make(unit * 10_000).codes) < 10
    assert_linear(make, lambda size: unit * size, 20_000)


@pytest.mark.parametrize(
    ("method", "unit"),
    [
        *(("codes", unit) for unit in ("w{} ", "w{}.\n", "{}, ", "文{}字")),
        *((method, "w{}.\n") for method in ("keywords", "feature-string", "minhash")),
    ],
)
def test_many_words_take_time_in_proportion(method: str, unit: str) -> None:
    maker = PageFingerprinter(DedupConfig(method=method))
    assert_linear(maker.make, lambda size: text_of(unit, size), 3_000)


def test_marked_lines_take_time_in_proportion() -> None:
    def work(text: str) -> None:
        MAKER.make(text, marked=dict.fromkeys(text.split("\n")[::2], 3.0))

    assert_linear(work, lambda size: text_of("word{} of\nthe line\n", size), 1_000)


@pytest.mark.parametrize(
    "options",
    [
        {"sample": 0},
        {"indexed": 49},
        {"own_share": 1.5},
        {"title_weight": 17},
        {"max_chars": 10},
        {"updates": "ignore"},
    ],
)
def test_a_wrong_option_is_refused_by_name(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        DedupConfig.from_options(options)


def test_marked_lines_weigh_more_and_leave_the_text_the_same() -> None:
    text = make_article(6)
    heading = text.split("\n")[4]
    plain, weighted = MAKER.make(text), MAKER.make(text, marked={heading: 2.5})
    assert weighted.exact == plain.exact
    of_heading = set(MAKER.make("\n" + heading).codes)
    assert len(of_heading & {*weighted.codes}) > len(of_heading & {*plain.codes})
    assert weighted_blocks(text, {}) == [(text, 1.0)]


def test_words_of_emphasised_phrases_weigh_more_wherever_they_occur() -> None:
    text = make_article(6)
    phrase = " ".join(text.split()[1:20])
    assert find_phrases(text, {phrase: 1.5, text.split("\n")[2]: 2.0}) == phrase
    plain = MAKER.make(text, title="A title")
    raised = MAKER.make(text, title="A title", marked={phrase: 1.5})
    assert (raised.exact, raised.places) == (plain.exact, plain.places)
    of_phrase = set(MAKER.make(phrase).codes)
    assert len(of_phrase & {*raised.codes}) > len(of_phrase & {*plain.codes})
    assert len({*plain.codes} - {*raised.codes}) < len(plain.codes) / 4


def test_words_of_the_smallest_weights_are_codes_too() -> None:
    made = PageFingerprinter(DedupConfig.from_options({"idf": {"ferry": 0.001}})).make("ferry")
    assert len(made.codes) == 1
    assert Fingerprint.unpack(made.pack()) == made


def test_a_fingerprint_keeps_a_bounded_sample_of_a_long_text() -> None:
    text = "\n".join(map(make_article, range(60)))
    short, long = make(make_article(3)), make(text, title=text)
    assert short.level == 0
    assert long.level > 0
    assert len(long.pack()) < 1300 + 4 * len(long.lines)
