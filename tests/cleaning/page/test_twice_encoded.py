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
TEXTS = [
    "Le bac du café est arrivé à midi – déjà en retard, dit l’équipage.",
    "Пором прибув із запізненням, і ніхто не знав чому.",
    "今天早上码头又湿又冷，渡轮晚了两个小时。",
    "عاد المركب الصغير إلى العمل بعد عامين",
    "Το φέρι έφτασε αργά στο λιμάνι",
    "A walk by the sea 😀 costs 3 €",
]


def encode_again(text: str, *, latin_1: bool) -> str:
    """Return the UTF-8 of *text*, read as Latin-1 or Windows-1252."""
    return "".join(chr(b) if latin_1 else _CP1252.get(b, chr(b)) for b in text.encode())


@pytest.mark.parametrize("latin_1", [False, True])
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("text", TEXTS)
def test_text_encoded_two_or_three_times_is_as_it_was(text: str, times: int, latin_1: bool) -> None:
    wrong = text
    for _ in range(times):
        wrong = encode_again(wrong, latin_1=latin_1)

    assert repair(f"<p>{wrong}</p>".encode()) == (f"<p>{text}</p>".encode(), 1)


@pytest.mark.parametrize(
    "text",
    [
        "A PADARIA «MANHÃ» E O BAR “MANHÃ”",
        "Un « café » et un « thé », voilà… »",
        "André’s “résumé”; POKÉ’s",
        "hâlâ…” dedi",
        "Ø· Å· Ä° (marks in a table)",
    ],
)
def test_capitals_with_a_mark_behind_them_are_good_text(text: str) -> None:
    page = f"<p>{text}</p>".encode()
    assert repair(page) == (page, 0)


@pytest.mark.parametrize(
    ("page", "repaired", "pieces"),
    [
        # a part of a page, and the rest is left alone
        ("<a>CafÃ© du port</a><p>Un « café » et “MANHÃ”.</p><p>donâ€™t, « café »</p>",
         "<a>Café du port</a><p>Un « café » et “MANHÃ”.</p><p>don’t, « café »</p>", 2),
        # one weak sign is left alone and two are not
        ("<p>5 Â°</p>", "<p>5 Â°</p>", 0),
        ("<p>5 Â°</p><p>6 Â°</p>", "<p>5 °</p><p>6 °</p>", 2),
        # what was written in entities; markup stays escaped
        ("<p>It&acirc;&euro;&trade;s &#195;&#169;t&#195;&#169;: 1 &lt; 2 &amp;nbsp;</p>",
         "<p>It’s été: 1 &lt; 2 &amp;nbsp;</p>", 1),
        # what is no UTF-8 stays
        ("<p>donâ€™t Ã©tÃ©, â€œ Ã! â€</p>", "<p>don’t été, “ Ã! â€</p>", 1),
    ],
)  # fmt: skip
def test_what_was_encoded_twice_is_repaired_alone(page: str, repaired: str, pieces: int) -> None:
    found, count = repair(page.encode())
    assert (found.decode(), count) == (repaired, pieces)


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
