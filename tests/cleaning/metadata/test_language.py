from __future__ import annotations

import pytest

from webclean_scrapy.cleaning.metadata.language import detect_language

ENGLISH = "The ferry arrived two hours late yesterday, and nobody at the harbour could say why."
GERMAN = (
    "Die Fähre kam gestern zwei Stunden zu spät, und niemand am Hafen wusste, warum das so war."
)
UKRAINIAN = "Вчора пором прибув із запізненням на дві години, і ніхто в порту не знав чому."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ENGLISH, "en"),
        (GERMAN, "de"),
        ("昨天下午，渡船晚了两个小时才到码头。", "zh"),
        ("昨日の午後、船は二時間おくれて港に着きました。", "ja"),
        ("어제 오후 배가 두 시간 늦게 항구에 도착했다.", "ko"),
    ],
)
def test_the_text_tells_its_language_whatever_is_declared(text: str, expected: str) -> None:
    assert detect_language(text) == expected
    assert detect_language(text, "fr-FR") == expected


@pytest.mark.parametrize("hint", ["uk", "uk-UA", "UK_ua"])
def test_a_declaration_decides_between_languages_of_one_script(hint: str) -> None:
    assert detect_language(UKRAINIAN, hint) == "uk"


def test_a_short_text_is_of_the_declared_language() -> None:
    assert detect_language("Ferry", "de-AT") == "de"
    assert detect_language("", "zh-cmn-Hans") == "zh"
    assert detect_language("12:30", None) is None


@pytest.mark.parametrize("text", ["Ferry", "12:30", "", "سلام"])
def test_a_few_words_have_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_a_declaration_of_another_script_is_not_believed() -> None:
    assert detect_language("Море", "en") is None
    assert detect_language("港口", "ja") == "ja"  # may have no kana
    assert detect_language("港口", "en") == "zh"


def test_a_few_lines_in_another_language_do_not_decide() -> None:
    form = "Login with your email or phone number. Forgot your password? Send it to me again. " * 8
    assert detect_language(f"{form}\n{GERMAN * 40}") == "de"


def test_what_is_no_language_has_none() -> None:
    assert detect_language("x = 5; y[3] = 0x1f; 12 | 14 | 16 | qq zz xx 17 kk " * 8) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Le bac pour l'île est arrivé ce matin avec deux heures de retard.", "fr"),
        ("Vapur bu sabah adaya iki saat geç geldi, çünkü sis vardı.", "tr"),
        ("کشتی جزیره امروز صبح دو ساعت دیر رسید چون مه غلیظی بود.", "fa"),
        (UKRAINIAN, "uk"),
    ],
)
def test_languages_of_one_script_are_told_apart(text: str, expected: str) -> None:
    assert detect_language(text) == expected
