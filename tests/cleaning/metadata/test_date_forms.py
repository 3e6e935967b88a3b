import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.date_forms import DateReader, from_seconds, is_label
from webclean_scrapy.cleaning.metadata.dates import month_in_address


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("de", "Dienstag, 3. März 2026, 14:05 Uhr", "2026-03-03T14:05:00"),
        ("fr", "Par Ida Brandt, le 3 mars 2026 à 15h40", "2026-03-03T15:40:00"),
        ("fr", "1er août 2026", "2026-08-01"),
        ("es", "3 de marzo de 2026", "2026-03-03"),
        ("pl", "Dodano: 3 marca 2026, 18:00", "2026-03-03T18:00:00"),
        ("ru", "14:05 03 марта 2026", "2026-03-03T14:05:00"),
        ("fi", "3. maaliskuuta 2026", "2026-03-03"),
        ("hu", "2026. március 3.", "2026-03-03"),
        ("lt", "2026 m. kovo 3 d.", "2026-03-03"),
        ("no", "3. mars 2026 kl. 14.05", "2026-03-03T14:05:00"),
        ("hi", "3 मार्च 2026", "2026-03-03"),
        ("hi", "३ मई २०२६", "2026-05-03"),
        ("ko", "2026년 3월 3일", "2026-03-03"),
        ("ja", "令和8年3月3日", "2026-03-03"),
        ("ja", "公開日：平成元年3月3日", "1989-03-03"),
        ("ja", "２０２６年３月３日", "2026-03-03"),
        ("zh-TW", "中華民國115年3月3日", "2026-03-03"),
        ("zh-TW", "發布日期：115-03-03", "2026-03-03"),
        ("zh-TW", "115-03-03", None),
        ("zh-TW", "中華民國一百一十五年三月三日", "2026-03-03"),
        ("zh", "二〇二六年三月十三日　星期五", "2026-03-13"),
        ("zh", "二○二六年十二月三十日", "2026-12-30"),
        ("zh", "他干了十年，三月三日没有回家", None),
        ("en", "Tue Mar 03 14:05:00 2026", "2026-03-03"),
        ("th", "3 มีนาคม 2569 14:05 น.", "2026-03-03T14:05:00"),
        ("th", "3 มี.ค. 2569", "2026-03-03"),
        ("th", "03/03/2569", "2026-03-03"),
        ("ar", "٣ مارس ٢٠٢٦", "2026-03-03"),
        ("ar", "3 آذار 2026", "2026-03-03"),
        ("ar", "3 آذار/مارس 2026", "2026-03-03"),
        ("fa", "۱۲ اسفند ۱۴۰۴", "2026-03-03"),
        ("fa", "۱۴۰۴/۱۲/۱۲ - ۱۴:۰۵", "2026-03-03T14:05:00"),
        ("fa", "1404/12/12", None),
        ("fa", "۱ فروردین ۱۴۰۳", "2024-03-20"),
        ("vi", "Ngày 3 tháng 3 năm 2026", "2026-03-03"),
        ("bn", "৩ মার্চ ২০২৬", "2026-03-03"),
        ("en", "3 March 2026 5.30 EUR", "2026-03-03"),
        ("en", "March 3rd, 2026 at 2:05 p.m.", "2026-03-03T14:05:00"),
        ("en", "2026-03-03 02:05:09 PM", "2026-03-03T14:05:09"),
        ("en", "2026-03-03T02:05:09.5+0100", "2026-03-03T02:05:09+01:00"),
        ("zh", "3 mars 2026", None),
        ("de", "3 Häfen 2026", None),
        ("", "03.02.2026 | 9:20", "2026-02-03T09:20:00"),
        ("", "3. 2. 2026", "2026-02-03"),
        ("", "03.02.26 09:20", "2026-02-03T09:20:00"),
        ("fr", "03/02/26", "2026-02-03"),
        ("en-US", "2/3/26", "2026-02-03"),
        ("en", "2/3/26", None),
        ("", "version 1/2/26/4", None),
        ("fr", "3 mars ’26", "2026-03-03"),
        ("ar", "3 آذار / مارس 2026", "2026-03-03"),
        ("zh", "2026 02/03 04:05:06", "2026-02-03T04:05:06"),
        ("zh", "2026 02/03", None),
        ("", "30.02.2026", None),
        ("", "10.03.02.2026", None),
    ],
)
def test_a_line_has_the_date_that_its_language_writes(
    language: str, line: str, expected: str | None
) -> None:
    dates = DateReader(language).read(line)
    assert [date.iso for date in dates] == [expected] * (expected is not None)


def test_the_text_tells_the_language_where_the_page_declares_another() -> None:
    assert [date.iso for date in DateReader("en", lambda: "pl").read("3 marca 2026")] == [
        "2026-03-03"
    ]


def test_english_asks_for_no_language() -> None:
    def detect() -> str:
        raise AssertionError

    dates = DateReader("ru", detect).read("3 March 2026, 2026-03-04, 05.03.2026")
    assert [date.iso[-2:] for date in dates] == ["03", "04", "05"]


@pytest.mark.parametrize(
    ("declared", "text", "lines", "expected"),
    [
        ("en-GB", "en", [], "2026-02-03"),
        ("en_US", "en", [], "2026-03-02"),
        ("fr-CA", "fr", [], "2026-02-03"),
        ("sv", None, [], "2026-02-03"),
        ("en-US", "pl", [], "2026-02-03"),
        ("en", "en", [], None),
        (None, None, [], None),
        ("en", "en", ["Meeting of 27/05/2026"], "2026-02-03"),
        ("en", "en", ["Meeting of 05/27/2026"], "2026-03-02"),
        ("en", "en", ["Meeting of 05/27/2026", "27/05/2026"], None),
        ("en", "en", ["The next boat: June 30, 2026"], "2026-03-02"),
        ("en", "en", ["The next boat: 30 June 2026"], "2026-02-03"),
    ],
)
def test_the_order_of_numbers_is_that_of_the_place_or_of_the_page(
    declared: str | None, text: str | None, lines: list[str], expected: str | None
) -> None:
    reader = DateReader(declared, lambda: text, lines)

    assert next((date.iso for date in reader.read("03/02/2026")), None) == expected
    assert (reader.refused == {"2026-02-03", "2026-03-02"}) is (expected is None)
    assert [date.iso for date in reader.read("31/12/2026")] == ["2026-12-31"]


@pytest.mark.parametrize(
    ("address", "line", "expected"),
    [
        ("https://a.example/2026/02/ferry", "03/02/2026", "2026-02-03"),
        ("https://a.example/news/2026-03-02-ferry", "03/02/2026", "2026-03-02"),
        ("https://a.example/202603/ferry", "03.02.26", "2026-03-02"),
        ("https://a.example/2026/05/ferry", "03.02.26", "2026-02-03"),
        ("https://a.example/2026/", "03-02-2026", None),
        ("https://a.example/2026/02/ferry", "Ann Lee | Feb 03, 2:31 PM", "2026-02-03T14:31:00"),
        ("https://a.example/2026/02/ferry", "3 Feb.", "2026-02-03"),
        ("https://a.example/2026/02/ferry", "3 March", None),
        ("https://a.example/ferry", "3 Feb.", None),
    ],
)
def test_the_month_in_the_address_tells_the_order_of_numbers(
    address: str, line: str, expected: str | None
) -> None:
    dates = DateReader("en", month=month_in_address(address)).read(line)
    assert next((date.iso for date in dates), None) == expected


def test_words_do_not_tell_the_order_of_numbers_with_dashes() -> None:
    reader = DateReader("en", lines=["The next boat: June 30, 2026"])
    assert reader.read("03-02-2026") == []
    assert [date.iso for date in reader.read("03/02/2026")] == ["2026-03-02"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Updated on", True),
        ("Publicado:", True),
        ("Updated in 2026", False),
        ("Published by the harbour office", False),
        ("Home", False),
    ],
)
def test_a_short_line_may_be_a_label(line: str, expected: bool) -> None:
    assert is_label(line) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Updated on March 20, 2026 · First published January 5, 2024", "changed published"),
        ("January 5, 2024 (last modified 20 March 2026)", " changed"),
        ("Обновлено 20.03.2026, опубликовано 05.01.2024", "changed published"),
        ("更新时间：2026-03-20 发布时间：2024-01-05", "changed published"),
        ("2024-01-05 发布 · 2026-03-20 10:00 修改", "published changed"),
        ("发布 2024-01-05 更新 2026-03-20", "published changed"),
        ("最新推荐文章于 2026-03-20 发布", "other"),
        ("20 آذار/مارس 2026، آخر تحديث 14:00", "changed"),
        ("2026年3月20日发布会在京召开", ""),
        ("Lokakuu, 20.03.2026", ""),
        ("Member since: 4 May 2011 Posted: 5 March 2026", "other published"),
        ("报名截止：2026-12-31", "other"),
        ("5–8 March 2026", "other"),
        ("No. 3 - 5 March 2026", ""),
        ("Ann Carter, here since 2019 | 5 March 2026", ""),
        ("12 May 1941 – 3 March 2026", "other"),
        ("01.03.2026 - 08.03.2026", "other other"),
        ("14:20 - 5 March 2026", ""),
        ("Issue 12 – 5 March 2026", ""),
        ("Published 5 March 2026 – updated 8 March 2026", "published changed"),
    ],
)
def test_each_date_has_the_label_before_it(line: str, expected: str) -> None:
    dates = DateReader("ru").read(line)
    assert " ".join(date.label for date in dates) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-03", "2026-03"),
        ("2026/3", "2026-03"),
        ("2026-03-00", "2026-03"),
        ("2026年3月", "2026-03"),
        ("03/2026", "2026-03"),
        ("March 2026", "2026-03"),
        ("März 2026", "2026-03"),
        ("2026-13", None),
        ("2026", None),
        ("Spring 2026", None),
    ],
)
def test_a_month_may_stand_alone(written: str, expected: str | None) -> None:
    assert DateReader("de").month_alone(written) == expected


@pytest.mark.parametrize("written", ["0", "2026", "-1615557900", "1e9", "99999999999999", ""])
def test_not_every_number_is_a_moment(written: str) -> None:
    assert from_seconds(written) is None


@pytest.mark.parametrize("unit", ["3 ", "3 de ", "märz ", "3. märz ", "2026 ", "03/02/", "a2026 "])
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    def work(line: str) -> None:
        DateReader("de", lines=[line]).read(line + "2026 03/02/2026")

    assert_linear(work, lambda size: unit * size, 2_000)
