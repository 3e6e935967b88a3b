"""Text that was encoded twice comes back as it was; all other text is left as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.cleaning.cleaner import clean
from webclean_scrapy.cleaning.page.twice_encoded import repair

_CP1252 = {
    byte: bytes([byte]).decode("cp1252")
    for byte in range(256)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def encode_again(text: str, *, latin_1: bool) -> str:
    """Return the UTF-8 of *text*, read as Latin-1 or Windows-1252."""
    return "".join(chr(b) if latin_1 else _CP1252.get(b, chr(b)) for b in text.encode())


_LETTERS = st.sampled_from(
    [
        "abcdefghijklmnopqrstuvwxyzàâäçéèêëîïôöùûüñáíóúãõßøåæœABCDEÉÀÖÜÑ",
        "абвгдежзийклмнопрстуфхцчшщыьэюяіїєґАБВ",
        "的一是不了在人有我他这中大来上国个到说们為時會",
        "あいうえおかきくけこアイウエオ日本語島船",
        "가나다라마바사아자차카타파하",
        "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    ]
)
_WORDS = _LETTERS.flatmap(lambda letters: st.lists(st.text(letters, min_size=1, max_size=8)))
_MARKS = st.sampled_from([" ", ", ", ". ", "’s ", " – ", "… ", "” ", " « ", "\xa0» ", "! ", "。"])


@given(_WORDS, _MARKS)
def test_words_of_any_language_are_unchanged(words: list[str], mark: str) -> None:
    # a capital stands at the beginning of a word, or in a word of capitals
    text = mark.join(word if word.isupper() else word.lower() for word in words)
    assert repair(text.encode()) == (text.encode(), 0)


@given(st.text())
def test_any_text_stays_valid_and_is_repaired_once(text: str) -> None:
    page = text.encode("utf-8", "replace")
    repaired, pieces = repair(page)
    repaired.decode()
    assert (repaired == page) or pieces or b"&" in page


@pytest.mark.parametrize(
    "part", ["Ã© word ", "Â ", "Ð°Ð", "ð", "â€", "æ¬¢è¿Ž", "é »", "Ã", "à¸", "&acirc;&", "<Ãa"]
)
def test_the_cost_is_linear(part: str) -> None:
    assert_linear(repair, lambda size: (part * (size // len(part))).encode(), 30_000)


@pytest.mark.parametrize("kind", [str, bytes])
def test_a_page_is_repaired_before_it_is_parsed_and_says_so(kind: type) -> None:
    text = "The café’s boat was two hours late, and nobody at the harbour could say why. "
    page = f"<title>Café</title><p>{text * 3}</p>"
    wrong = encode_again(page, latin_1=False)

    found = clean(wrong if kind is str else wrong.encode())

    assert (found.text, found.title, found.repaired) == ((text * 3).strip(), "Café", 2)
    assert clean(page).repaired == 0
