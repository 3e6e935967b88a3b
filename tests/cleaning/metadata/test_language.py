from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("Χθες το πλοίο έφτασε δύο ώρες αργότερα.", "el"),
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
    assert detect_language("12:30", "not a language") is None


def test_without_the_library_script_and_declaration_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid", None)

    assert detect_language(ENGLISH) is None
    assert detect_language(GERMAN, "de") == "de"
    assert detect_language(UKRAINIAN) == "ru"


@given(st.text(), st.none() | st.text())
def test_any_text_gives_a_code_or_none(text: str, hint: str | None) -> None:
    found = detect_language(text, hint)

    assert found is None or 2 <= len(found) <= 3
