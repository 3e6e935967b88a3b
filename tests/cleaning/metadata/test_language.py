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
        ("Le bac pour l'île est arrivé ce matin avec deux heures de retard.", "fr"),
        ("Vapur bu sabah adaya iki saat geç geldi, çünkü sis vardı.", "tr"),
        ("کشتی جزیره امروز صبح دو ساعت دیر رسید چون مه غلیظی بود.", "fa"),
        (UKRAINIAN, "uk"),
    ],
)
def test_the_text_tells_its_language_whatever_is_declared(text: str, expected: str) -> None:
    assert detect_language(text) == expected
    assert detect_language(text, "fr-FR") == expected


@pytest.mark.parametrize(
    ("text", "declared", "expected"),
    [
        # it decides between languages of one script, and of a few words
        *((UKRAINIAN, declared, "uk") for declared in ("uk", "uk-UA", "UK_ua")),
        ("Ferry", "de-AT", "de"),
        ("", "zh-cmn-Hans", "zh"),
        *((text, None, None) for text in ("Ferry", "12:30", "", "سلام")),
        # one of another script is not believed
        ("Море", "en", None),
        ("港口", "ja", "ja"),  # may have no kana
        ("港口", "en", "zh"),
    ],
)
def test_what_is_declared_can_decide(text: str, declared: str | None, expected: str | None) -> None:
    assert detect_language(text, declared) == expected


def test_a_few_lines_in_another_language_do_not_decide() -> None:
    form = "Login with your email or phone number. Forgot your password? Send it to me again. " * 8
    assert detect_language(f"{form}\n{GERMAN * 40}") == "de"


def test_what_is_no_language_has_none() -> None:
    assert detect_language("x = 5; y[3] = 0x1f; 12 | 14 | 16 | qq zz xx 17 kk " * 8) is None
