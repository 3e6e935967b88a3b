import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dedup.articles import CHINESE, ENGLISH, make_article
from webclean_scrapy.dedup.comparison import align_texts, numbers_contradict
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import DUPLICATE, OVERLAP, UPDATE, Fingerprint
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter, compare

CONFIG = DedupConfig()
MAKER = PageFingerprinter(CONFIG)
REPORT = (
    "The observatory of Westmere expects {} degrees at noon and {} degrees at night. "
    "Winds reach {} knots near the lighthouse, waves {} feet outside the harbour. "
    "Visibility is {} miles on the northern route, and the tide turns at {} in the evening. "
    "Fishermen should take care of their nets and listen to the evening broadcast."
)
REPORT_ZH = (
    "滨海气象台预计中午最高气温{}摄氏度，夜间最低气温{}摄氏度，灯塔附近风速达到{}节，"
    "港外浪高{}英尺，北部航线能见度{}海里，请渔民注意收网并收听晚间广播。"
)
REPORT_AR = (
    "قدرت هيئة الأرصاد الحرارة المتوقعة في المدينة الساحلية ظهرا بـ{} درجة مئوية، والليلية بـ{} "
    "درجات، والسرعة القصوى للرياح الشمالية قرب المنارة القديمة ب{} عقدة. وقدرت الموجة العالية "
    "خارج الميناء ب{} أقدام والرؤية بـ{} أميال، داعية إلى الحذر ومتابعة النشرة المسائية القادمة."
)
OBITUARY = (
    "After a long illness the former ferry pilot {0} has died at home, surrounded by friends. "
    "{0} came to the harbour as a child, learned the trade from old {1} and sailed for the {2} "
    "line until the bridge was opened. Neighbours remember {0} as a patient listener who repaired "
    "every clock in {3} and asked for nothing but a glass of milk. The children {4} and {5} thank "
    "the nurses of {6} for their care. The funeral takes place at the chapel of {7} on the hill."
)
NAMES = (
    "Brandt Quist Harrow Lowestow Ada Nils Fairholm Saltby Venn Moller Tarn Ostby Ida Per".split()
)


def make(text: str) -> Fingerprint:
    return MAKER.make(text)


def verdict(old: str, new: str) -> str | None:
    comparison = compare(make(old), make(new), CONFIG)
    return comparison.verdict if comparison else None


NOTICE = (
    "Westmere wants to build a shed for nets on the land behind {} Harbour Road. The drawings hang "
    "in the town hall, beside the clock, where anyone may look at them and write down what they "
    "think of it. Whoever has an objection should hand it in before the next market day, and give "
    "the number {} of the file. Letters without a name go into the stove."
)
NOTICE_ZH = (
    "各位居民：因供水管道更换施工，本小区将于明日暂停供水{}小时，请提前储备生活用水，关好水龙头，"
    "避免来水时造成损失。恢复供水以后水质可能浑浊，请适当放水再使用，如有疑问请联系物业值班室{}号。"
)


HEARING = (
    "Under sections 12 and 47 of the Harbour Act 1921, part 9 of the Quays Order 1958 and rule 33 "
    "of the Council, notice is given that {} asks leave to moor {} at berth {}. The plans lie in "
    "Room 14 of the Custom House, Market Square 1, from 8 to 16 on working days, under the mark "
    "{}. Objections go to Post Box 220 within 21 days, as section 48 of the Harbour Act demands. "
    "Whoever comes later is not heard."
)


def with_names(seed: int) -> str:
    return OBITUARY.format(*random.Random(seed).sample(NAMES, 8))


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
    for report, places in ((REPORT, 6), (REPORT_ZH, 5), (REPORT_AR, 5)):
        old = report.format(*range(11, 11 + places))
        assert verdict(old, report.format(*range(31, 31 + places))) == OVERLAP
        assert verdict(old, report.format(99, *range(12, 11 + places))) == DUPLICATE


def test_an_arabic_copy_may_write_letters_digits_and_joined_words_in_another_way() -> None:
    old = REPORT_AR.format(*range(11, 16))
    spellings = {"ة ": "ه ", "أ": "ا", "إ": "ا", "بـ": "ب ", "ي ": "ى ", "1": "١", "5": "۵"}
    new = old
    for one, other in spellings.items():
        new = new.replace(one, other)
        assert verdict(old, f"من مراسلنا\n{new}") == DUPLICATE


@pytest.mark.parametrize("notice", [NOTICE, NOTICE_ZH])
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
    first = HEARING.format("Brandt", "the Kittiwake", 6, 4415)
    assert verdict(first, HEARING.format(*other)) == expected


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


FORMULAS = (
    "The {} of {} was {} in {}, {} years after the {} had asked for it, and {} keeps the key.",
    "Of {} people in {} who were asked about the {}, {} had seen it; the others knew the {}.",
    "It costs {} thousand a month, {} per cent less than the {}, which was {} when {} of {} left.",
    "{} has counted {} visitors since the {} was {}; most came for the {}, a few for the {}.",
    "By the plan of {} the {} will be {} before the {}; {} calls that order {} and wants a {}.",
    "Neither the {} nor its {} appears in the books of {} before {}, when {} had the {} {}.",
)
FORMULAS_ZH = (
    "据{}介绍，{}的{}在{}年由{}修建，比{}提出的时间晚了{}年，钥匙至今由{}保管。",
    "在{}接受询问的{}人中，有{}人见过{}，其他人只知道{}，也没有人去过{}。",
    "每个月的费用是{}元，比{}少百分之{}，当时{}的{}无力支付，只好交给{}管理。",
    "自从{}开放以来，{}一共接待了{}名游客，多数人为{}而来，少数人想看{}和{}。",
    "按照{}年的计划，{}要先于{}完工，{}认为这个顺序不妥，希望改成{}和{}。",
)
THINGS = (
    "bridge museum school clinic orchard bakery theatre stadium ferry brewery quarry depot opened "
    "closed rebuilt insured painted audited narrow crowded remote wooden damp silent 41 77 "
    "1904 1987 213 Dunford Saltmere Korlund Belgard Marstan Nolver Westhaven Grimdale".split()
)
THINGS_ZH = (
    "大桥 博物馆 学校 诊所 果园 面包房 剧院 体育场 渡口 酒厂 采石场 仓库 南港 北岭 东沙 李建平 "
    "王秀芳 赵国栋 陈文 41 77 1904 1987 213 灯塔 水库 图书馆 铁路 菜场 旧城 码头 市政厅".split()
)


def formulaic(seed: int, count: int, formulas: tuple[str, ...], things: list[str]) -> str:
    """Return sentences of a few forms, filled with common words and with names of their own."""
    chance = random.Random(seed)

    def word() -> str:
        name = "".join(chance.choices("abdeghiklmnoprstu", k=7)).title()
        return chance.choice(things) if chance.random() < 0.5 else name

    lines = (chance.choice(formulas) for _ in range(count))
    return " ".join(line.format(*(word() for _ in range(line.count("{}")))) for line in lines)


@pytest.mark.parametrize(
    ("formulas", "things"), [(FORMULAS, THINGS), (FORMULAS_ZH, THINGS_ZH)], ids=["en", "zh"]
)
def test_a_report_of_formulas_is_no_copy_of_a_longer_one_and_an_excerpt_is(
    formulas: tuple[str, ...], things: list[str]
) -> None:
    long = [formulaic(seed, 60, formulas, things) for seed in range(5)]
    short = [formulaic(seed, 16, formulas, things) for seed in range(100, 120)]
    copies = sum(verdict(old, new) == DUPLICATE for old in long for new in short)
    assert copies <= 2  # of 100; one has nearly all of its words in the longer one
    for old in long:
        at = old.index(" ", len(old) // 3)
        assert verdict(old, old[at : at + len(old) // 2]) == DUPLICATE
