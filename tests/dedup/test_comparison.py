import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dedup.articles import CHINESE, ENGLISH, TEXTS, make_article
from webclean_scrapy.dedup.comparison import align_texts, numbers_contradict
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import DUPLICATE, OVERLAP, UPDATE, Fingerprint
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter, compare

CONFIG = DedupConfig()
MAKER = PageFingerprinter(CONFIG)
FORMS = TEXTS["forms"]
NAMES: list[str] = FORMS["NAMES"]


def make(text: str) -> Fingerprint:
    return MAKER.make(text)


def verdict(old: str, new: str) -> str | None:
    comparison = compare(make(old), make(new), CONFIG)
    return comparison.verdict if comparison else None


def with_names(seed: int) -> str:
    obituary: str = FORMS["OBITUARY"]
    return obituary.format(*random.Random(seed).sample(NAMES, 8))


def test_a_page_with_some_comments_below_is_a_duplicate() -> None:
    old = "\n".join(ENGLISH)
    assert verdict(old, old + "\nGreat news for Westmere!\nWhen will the ferries run?") == DUPLICATE


@pytest.mark.parametrize("lines", [ENGLISH, CHINESE])
@pytest.mark.parametrize("where", ["above", "below"])
def test_a_page_with_a_quarter_of_its_own_is_no_copy(lines: list[str], where: str) -> None:
    """Whatever part of it is the same: the end of a press release, the beginning of a notice."""
    common, ours, theirs = lines[:5], lines[5:7], lines[7:10]
    for own, expected in ((ours[:1], DUPLICATE), (ours, OVERLAP)):
        old, new = [common, theirs], [common, own]
        if where == "above":
            old, new = old[::-1], new[::-1]
        texts = ["\n".join(line for part in parts for line in part) for parts in (old, new)]
        assert verdict(*texts) == expected


def test_a_page_that_holds_an_older_one_and_adds_a_quarter_is_an_update() -> None:
    assert verdict("\n".join(ENGLISH[:8]), "\n".join(ENGLISH)) == UPDATE
    assert verdict("\n".join(ENGLISH), "\n".join(ENGLISH[:8])) == DUPLICATE


def test_the_same_wording_with_other_names_is_another_page() -> None:
    assert verdict(with_names(1), with_names(2)) == OVERLAP
    corrected = with_names(1).replace(NAMES[random.Random(1).sample(range(14), 8)[7]], "Marsh")
    assert verdict(with_names(1), corrected) == DUPLICATE


def test_the_same_wording_with_other_numbers_is_another_page() -> None:
    for name, places in (("REPORT", 6), ("REPORT_ZH", 5), ("REPORT_AR", 5)):
        report = FORMS[name]
        old = report.format(*range(11, 11 + places))
        assert verdict(old, report.format(*range(31, 31 + places))) == OVERLAP
        assert verdict(old, report.format(99, *range(12, 11 + places))) == DUPLICATE


def test_an_arabic_copy_may_write_letters_digits_and_joined_words_in_another_way() -> None:
    old = FORMS["REPORT_AR"].format(*range(11, 16))
    spellings = {"ة ": "ه ", "أ": "ا", "إ": "ا", "بـ": "ب ", "ي ": "ى ", "1": "١", "5": "۵"}
    new = old
    for one, other in spellings.items():
        new = new.replace(one, other)
        assert verdict(old, f"من مراسلنا\n{new}") == DUPLICATE


@pytest.mark.parametrize("notice", [FORMS["NOTICE"], FORMS["NOTICE_ZH"]])
def test_two_numbers_tell_pages_apart_that_have_no_other_ones(notice: str) -> None:
    assert verdict(notice.format(12, 4711), notice.format(15, 8002)) == OVERLAP
    assert verdict(notice.format(12, 4711), notice.format(12, 8002)) == DUPLICATE


def test_other_numbers_in_table_cells_are_another_page() -> None:
    rows = ["Opening price", "{}", "Highest price of the day", "{}", "Closing price", "{}"]
    page = "\n".join([*ENGLISH[:3], *rows, *ENGLISH[3:6]])
    assert verdict(page.format(100, 200, 300), page.format(111, 222, 333)) == OVERLAP


def test_counters_that_moved_with_their_paragraphs_contradict_nothing() -> None:
    lines = [line for i, text in enumerate(ENGLISH) for line in (text, str(100 + i))]
    moved = [line for i in range(len(ENGLISH)) for line in lines[-2 - 2 * i :][:2]]
    assert verdict("\n".join(lines), "\n".join(moved)) == DUPLICATE


def test_numbers_agree_if_one_of_several_values_does() -> None:
    text = "page 3 page 4 page 5"
    assert not numbers_contradict(make(text), make("page 8 page 4 page 9"))
    assert numbers_contradict(make(text), make("page 8 page 7 page 9"))


def test_one_common_sentence_does_not_make_a_notice_a_copy_of_a_digest() -> None:
    digest = "\n".join([make_article(1), ENGLISH[0], make_article(2)])
    assert verdict(digest, ENGLISH[0] + "\n" + make_article(3)[:400]) is None


def test_a_text_of_fewer_than_forty_words_is_a_copy_of_an_equal_one_only() -> None:
    note = " ".join(ENGLISH[:2])  # 29 words
    assert verdict(note, note.upper() + "!") == DUPLICATE
    assert verdict(note, note.replace("Thursday", "Friday")) is None
    assert verdict(" ".join(ENGLISH[:3]), " ".join(ENGLISH[:3]) + " Indeed.") == DUPLICATE


@pytest.mark.parametrize(
    ("letters", "length", "between"),
    [
        ("ཀཁགངཅཆཇཉཏཐད", 2, "་"),
        ("กขคงจฉชซดตถ", 150, ""),
        ("ກຂຄງຈຊຍດຕຖທ", 150, ""),
        ("港船风雨山石木火", 60, ""),
    ],
)
def test_a_note_in_a_script_without_spaces_is_as_long_as_its_words(
    letters: str, length: int, between: str
) -> None:
    dice = random.Random(5)
    syllables = ["".join(dice.choices(letters, k=length)) for _ in range(60 if between else 1)]
    note = between.join(syllables)  # of 33 to 35 words
    end = "".join(dice.choices(letters, k=2))
    assert verdict(note + between + end, note + between + end[::-1]) is None
    assert verdict(note * 2, note * 2 + between + end) == DUPLICATE


@given(st.randoms(use_true_random=False), st.integers(1, 40), st.integers(0, 40))
def test_what_is_own_does_not_depend_on_the_length_of_the_older_page(
    dice: random.Random, ours: int, more: int
) -> None:
    """A long page keeps a sample of its terms; a page within it still has nothing of its own."""
    lines = [
        line
        for seed in range(6)
        for line in make_article(dice.randint(0, 99) * 6 + seed).split("\n")
    ]
    new = "\n".join(lines[:ours])
    aligned = align_texts(make("\n".join(lines[: ours + more])), make(new))
    assert aligned.own == 0.0
    assert len(aligned.in_old) <= CONFIG.terms


def made_words(seed: int, count: int) -> list[str]:
    dice = random.Random(seed)
    return ["".join(dice.choices("abdeghiklmnoprstu", k=7)) for _ in range(count)]


@pytest.mark.parametrize(("length", "expected"), [(8, OVERLAP), (9, DUPLICATE)])
def test_a_few_words_with_another_name_between_equal_ones_are_a_slot(
    length: int, expected: str
) -> None:
    """A longer stretch is a passage, of which a copy may have some."""
    common = made_words(1, 150)

    def text(seed: int) -> str:
        own = made_words(seed, 3 * length)
        parts = []
        for n in range(3):
            first, *others = own[n * length :][:length]
            parts += [*common[n * 50 :][:50], first.title(), *others]
        return " ".join([*parts, *common[:5]])

    assert verdict(text(2), text(3)) == expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (("Ostby", "the Merganser", 31, 7702), OVERLAP),
        (("Brandt", "the Kittiwake", 31, 5518), DUPLICATE),  # two corrections
    ],
)
def test_notices_of_one_form_may_name_many_equal_laws(
    other: tuple[object, ...], expected: str
) -> None:
    first = FORMS["HEARING"].format("Brandt", "the Kittiwake", 6, 4415)
    assert verdict(first, FORMS["HEARING"].format(*other)) == expected


def test_a_price_list_in_another_order_is_a_copy() -> None:
    """The words of its lines are equal, so a line may be paired with any other."""
    dice = random.Random(1)
    rows = [
        f"A ticket of zone {n} costs {dice.randint(20, 99)} crowns, for a child {n + 9} crowns"
        for n in range(12)
    ]
    assert verdict("\n".join(rows), "\n".join(rows[7:] + rows[:7])) == DUPLICATE


def test_one_name_respelt_wherever_it_occurs_makes_no_other_report() -> None:
    lines = [" ".join(["pilot Kyrill", *made_words(n, 12), "Harrow"]) for n in range(6)]
    text = "\n".join(lines)
    assert verdict(text, text.replace("Kyrill", "Cyril")) == DUPLICATE


@pytest.mark.parametrize("pattern", ["-x", "--xx"])
def test_words_replaced_evenly_leave_those_between_them_common(pattern: str) -> None:
    """A term is common if one of the next two is: one of them may be another word."""
    words, others = made_words(1, 200), made_words(2, 200)
    changed = [
        other if n < 80 and pattern[n % len(pattern)] == "x" else word
        for n, (word, other) in enumerate(zip(words, others, strict=True))
    ]
    assert verdict(" ".join(words), " ".join(changed)) == DUPLICATE


def formulaic(seed: int, count: int, formulas: list[str], things: list[str]) -> str:
    """Return sentences of a few forms, filled with common words and with names of their own."""
    chance = random.Random(seed)

    def word() -> str:
        name = "".join(chance.choices("abdeghiklmnoprstu", k=7)).title()
        return chance.choice(things) if chance.random() < 0.5 else name

    lines = (chance.choice(formulas) for _ in range(count))
    return " ".join(line.format(*(word() for _ in range(line.count("{}")))) for line in lines)


@pytest.mark.parametrize(
    ("formulas", "things"),
    [(FORMS["FORMULAS"], FORMS["THINGS"]), (FORMS["FORMULAS_ZH"], FORMS["THINGS_ZH"])],
    ids=["en", "zh"],
)
def test_a_report_of_formulas_is_no_copy_of_a_longer_one_and_an_excerpt_is(
    formulas: list[str], things: list[str]
) -> None:
    long = [formulaic(seed, 60, formulas, things) for seed in range(5)]
    short = [formulaic(seed, 16, formulas, things) for seed in range(100, 120)]
    copies = sum(verdict(old, new) == DUPLICATE for old in long for new in short)
    assert copies <= 2  # of 100; one has nearly all of its words in the longer one
    for old in long:
        at = old.index(" ", len(old) // 3)
        assert verdict(old, old[at : at + len(old) // 2]) == DUPLICATE
