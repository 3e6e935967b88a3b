from tests.dedup.articles import ENGLISH, make_article
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint import DUPLICATE, Fingerprint, Overlap, numbers_contradict
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


def make(text: str) -> Fingerprint:
    return MAKER.make(text)


def verdict(old: str, new: str) -> str | None:
    comparison = compare(make(old), make(new), CONFIG)
    return comparison.verdict if comparison else None


def test_a_page_with_some_comments_below_is_a_duplicate() -> None:
    old = "\n".join(ENGLISH)
    assert verdict(old, old + "\nGreat news for Westmere!\nWhen will the ferries run?") == DUPLICATE


def test_the_same_wording_with_other_numbers_is_another_page() -> None:
    for report, places in ((REPORT, 6), (REPORT_ZH, 5)):
        old = report.format(*range(11, 11 + places))
        assert verdict(old, report.format(*range(31, 31 + places))) is None
        assert verdict(old, report.format(99, *range(12, 11 + places))) == DUPLICATE


def test_other_numbers_in_table_cells_are_another_page() -> None:
    rows = ["Opening price", "{}", "Highest price of the day", "{}", "Closing price", "{}"]
    page = "\n".join([*ENGLISH[:3], *rows, *ENGLISH[3:6]])
    assert verdict(page.format(100, 200, 300), page.format(111, 222, 333)) is None


def test_counters_that_moved_with_their_paragraphs_contradict_nothing() -> None:
    lines = [line for i, text in enumerate(ENGLISH) for line in (text, str(100 + i))]
    moved = [line for i in range(len(ENGLISH)) for line in lines[-2 - 2 * i :][:2]]
    assert verdict("\n".join(lines), "\n".join(moved)) == DUPLICATE


def test_numbers_agree_if_one_of_several_values_does() -> None:
    text = "page 3 page 4 page 5"
    assert not numbers_contradict(make(text), make("page 4 page 9"), CONFIG)


def test_one_common_sentence_does_not_make_a_notice_a_copy_of_a_digest() -> None:
    digest = "\n".join([make_article(1), ENGLISH[0], make_article(2)])
    assert verdict(digest, ENGLISH[0] + "\n" + make_article(3)[:80]) is None


def test_few_codes_do_not_prove_containment() -> None:
    assert Overlap(64, 17, 10).sure_containment < CONFIG.min_containment
    assert Overlap(64, 60, 36).sure_containment > CONFIG.min_containment
    assert Overlap(64, 8, 8).sure_containment > CONFIG.min_containment
