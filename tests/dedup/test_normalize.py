import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.dedup.normalize import normalize

any_text = st.text(st.characters(codec=None, categories=None))


@given(any_text)
def test_normalizing_twice_changes_nothing(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ｗｅｂ １２３", "web 123"),
        ("Straße", "STRASSE"),
        ("don’t", "dont"),
        ("café naïve", "cafe\u0301 nai\u0308ve"),
        ("臺灣總統府發佈會議紀錄", "台湾总统府发布会议纪录"),
        ("中 国  人 民", "中国人民"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("ﬁnal ｶﾞｲﾄﾞ", "final ガイド"),
        ("1,200.50 and 3.5", "120050 and 35"),
        ("٤٢", "42"),
        ("مُحَمَّد", "محمد"),
        ("المدرسة إلى أحمد", "المدرسه الى احمد"),
        ("الى علي", "الي على"),
        ("بـ٢٥ العـــالم", "ب25 العالم"),
        ("یک کتاب", "يك كتاب"),  # on Persian keys
        ("١٬٢٠٠٫٥ ۳٫۵", "1,200.5 3.5"),
        ("a\u2029b", "a\nb"),
    ],
)
def test_spellings_of_one_text_become_equal(one: str, other: str) -> None:
    assert normalize(one) == normalize(other)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("one—two/three", "one;two;three"),
        ("in 2024. 5 of", "in 2024. 5 of"),  # no decimal point
        ("a\ud800b\0c", "a b c"),
    ],
)
def test_words_stay_apart(text: str, normal: str) -> None:
    assert normalize(text) == normal
