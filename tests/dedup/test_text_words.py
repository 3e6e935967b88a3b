import pytest

from tests.commands.running import printed_by
from tests.dedup.articles import CHINESE
from tests.growth import assert_linear
from webclean_scrapy.dedup.text_words import WordReader
from webclean_scrapy.keywords.idf import BY_LENGTH, NUMBER, UNKNOWN


@pytest.fixture(scope="module")
def reader() -> WordReader:
    return WordReader()


def test_hashes_never_change(reader: WordReader) -> None:
    # Indexes on disk rely on these values; another one needs another version of the scheme.
    words = reader.read(["amber 台湾"])
    assert words.hashes.tolist() == [
        9270473684517616002,
        499379590354693196,
        6574280513904424265,
        0,
    ]
    assert words.keywords.tolist() == [9270473684517616002, 3800962733911975386]


@pytest.mark.parametrize(
    "before", ["", "1,200.5 ", "caf\u00e9\u2122 ", "cafe\u0301 ", "don\u2019t ", "渡 口 "]
)
def test_a_capital_inside_a_sentence_begins_a_name(reader: WordReader, before: str) -> None:
    text = (
        "the ferry left. Captain Ilse Brandt, Álvarez and I stayed in\u00a0Westmere! Anna’s: O’Hara"
    )
    words = reader.read([before + text])
    names = reader.read(["Ilse Brandt Alvarez Westmere OHara"])
    assert words.hashes[words.is_name].tolist() == names.hashes[:-1].tolist()


@pytest.mark.parametrize("text", ["بلغت بـ25 درجة", "بلغت ب٢٥ درجة", "بلغت ب 25 درجة"])
def test_a_number_joined_to_an_arabic_preposition_is_a_word(reader: WordReader, text: str) -> None:
    words = reader.read([text])
    assert words.numeric.tolist() == [False, False, True, False, False]
    assert words.hashes.tolist() == reader.read(["بلغت ب 25 درجة"]).hashes.tolist()
    joined = reader.read(["T34 רכב ב25"])  # unlike the number of a model
    assert joined.numeric.tolist() == [False, False, False, True, False]


def test_words_of_other_scripts_change_no_chinese_word(reader: WordReader) -> None:
    other = WordReader(stop_words=[f"word{number}" for number in range(5_000)])
    text = "\n".join(CHINESE)
    assert other.read([text]).weights.tolist() == reader.read([text]).weights.tolist()


def test_stop_words_and_single_characters_weigh_nothing(reader: WordReader) -> None:
    assert len(reader.read(["the of a x parliament", "我们 的"]).keywords) == 1


def test_chinese_words_that_overlap_are_keywords_both(reader: WordReader) -> None:
    words = reader.read(["中国人民"])  # "China", "compatriots", "people"
    assert words.firsts.tolist() == [0, 1, 2]
    assert words.lasts.tolist() == [1, 2, 3]


def test_numbers_are_separate_from_words(reader: WordReader) -> None:
    words = reader.read(["at 1,250 of 21st street"])
    assert words.numeric.tolist() == [False, True, False, True, False, False]
    assert words.weights.tolist() == [NUMBER, NUMBER, BY_LENGTH[6]]


def test_own_stop_words_are_added(reader: WordReader) -> None:
    own = WordReader(stop_words=["Westmere", "輪渡"])
    assert len(own.read(["westmere 轮渡"]).keywords) == 0
    assert len(reader.read(["westmere 轮渡"]).keywords) == 2


@pytest.mark.parametrize("more", ["", " 5", " n", " 100000 n"])
def test_a_user_dictionary_adds_words_of_any_length(reader: WordReader, more: str) -> None:
    plain = reader.read(["滨海渡口委"])
    own = WordReader(user_words=["", f"滨海渡口委{more}"]).read(["滨海渡口委"])
    assert plain.lasts.max() < own.lasts.max() == 4
    assert own.weights[own.lasts == 4].tolist() == [pytest.approx(UNKNOWN, abs=0.001)]


def test_an_idf_table_replaces_values_in_every_script() -> None:
    own = WordReader(idf={"Straße": 3.5, "輪渡": 2.5, "渡口委": 9.0})
    assert own.read(["strasse; 轮渡"]).weights.tolist() == [3.5, 2.5]
    assert own.read(["渡口委"]).weights.tolist() == [9.0]


def test_words_of_a_table_may_hold_anything() -> None:
    own = WordReader(idf={"two\u2028lines": 1.0, "": 2.0, "?": 3.0, "Ferry": 4.0, "渡": 5.0})
    assert own.read(["ferry"]).weights.tolist() == [4.0]
    assert WordReader(idf={}).read(["ferry"]).weights.tolist() == [BY_LENGTH[5]]


def test_a_large_table_is_read_in_proportion() -> None:
    def table(size: int) -> dict[str, float]:
        return {f"w{n:x}q": 2.5 for n in range(size)}

    words = WordReader(idf=table(20_000) | {"人渡": 1.5}).read(["w1f4q; 人渡"])
    assert words.weights.tolist() == [2.5, 1.5]
    assert_linear(lambda idf: WordReader(idf=idf).read(["w1f4q"]), table, 2_000)


def test_tables_do_not_depend_on_the_order_of_a_set() -> None:
    code = (
        "from webclean_scrapy.dedup.text_words import WordReader; import hashlib;"
        "print(hashlib.sha1(WordReader().spaced.slots.tobytes()).hexdigest())"
    )
    assert len({printed_by(code, PYTHONHASHSEED=seed) for seed in ("1", "2")}) == 1
