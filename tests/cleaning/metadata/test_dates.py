import sys
from functools import partial

import pytest
from lxml.html import HtmlElement, tostring

from tests.growth import assert_linear
from webclean_scrapy import clean
from webclean_scrapy.cleaning.metadata.date_lines import date_lines
from webclean_scrapy.cleaning.metadata.dates import (
    dated_parts,
    find_date,
    find_modified,
    parse_date,
)
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.nearby_lines import find_nearby
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-02-03", "2026-02-03"),
        ("2026-02-03T04:05:06.123Z", "2026-02-03T04:05:06+00:00"),
        ("2026-02-03T04:05:06+0800", "2026-02-03T04:05:06+08:00"),
        ("2026/2/3 4:05", "2026-02-03T04:05:00"),
        ("2026年2月3日 04时05分", "2026-02-03T04:05:00"),
        ("20260203", "2026-02-03"),
        ("发布时间：2026.02.03", "2026-02-03"),
        ("Tue, 03 Feb 2026 04:05:06 GMT", "2026-02-03T04:05:06+00:00"),
        ("Feb 03, 2026", "2026-02-03"),
        ("3rd February 2026", "2026-02-03"),
        ("yesterday", None),
        ("2026-02-30", None),
        ("20٢6-02-03", None),
        ("2026-02-03T04:05:06+99:99", "2026-02-03"),
    ],
)
def test_dates_in_many_forms_become_iso(written: str, expected: str | None) -> None:
    assert parse_date(written) == expected


@pytest.mark.parametrize(
    ("declared", "lines", "expected"),
    [
        # the time of a declared day is read off the page
        (["2026-02-03"], ["2026-02-01 10:00", "2026年02月03日04:05 来源"], "2026-02-03T04:05:00"),
        # a line with date and time tells when nothing is declared, but not within a paragraph
        ([], ["Home", "2026-02-05", "2026-02-03 04:05:06　来源：港湾网"], "2026-02-03T04:05:06"),
        ([], ["On 2026-02-03 04:05 the ferry left. " * 20], None),
        # a month alone is a date, with the day that the page shows of it
        (["2026-02"], ["2026-01-03"], "2026-02"),
        (["Feb 2026", "2026-02-03"], [], "2026-02-03"),
        # a count of seconds since 1970
        (["1770091506"], ["1770000000"], "2026-02-03T04:05:06+00:00"),
        ([], ["1770091506"], None),
        # a declared date in words gets its time from a more exact one
        (
            ["Feb 03, 2026", "2026-02-04T01:00:00Z", "2026-02-03T04:05:06Z"],
            [],
            "2026-02-03T04:05:06+00:00",
        ),
    ],
)
def test_what_is_declared_and_the_lines_tell_the_date(
    declared: list[str], lines: list[str], expected: str | None
) -> None:
    assert find_date(Head(published=tuple(declared)), lines=lines) == expected


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        (["2026年2月4日 港湾网"], "2026-02-04"),
        (["Posted on 4 February 2026"], "2026-02-04"),
        (["2026-02-05", "2026-02-04 10:00"], "2026-02-04T10:00:00"),
        (["更新时间：2026-02-05 10:00", "2026-02-04"], "2026-02-04"),
        (["Nothing of that kind"], "2026-02-03T04:05:00"),
    ],
)
def test_a_date_near_the_title_is_the_articles(near: list[str], expected: str) -> None:
    assert find_date(Head(), lines=["2026-02-03 04:05 Other story"], near=near) == expected


@pytest.mark.parametrize(
    ("declared", "near", "expected"),
    [
        # the same moment in the zone of the page
        ("2026-05-20T06:09:59Z", "2026-05-19T23:09:59-07:00", "2026-05-19T23:09:59-07:00"),
        ("2026-05-20T06:09:59Z", "2026-05-19T21:00:00-07:00", "2026-05-20T06:09:59+00:00"),
        ("2026-05-20T01:09:59-05:00", "2026-05-19T23:09:59-07:00", "2026-05-20T01:09:59-05:00"),
        # a day that it can be somewhere
        ("2026-05-20T03:05:00Z", "May 19, 2026", "2026-05-19"),
        ("2026-05-20T15:05:00Z", "May 19, 2026", "2026-05-20T15:05:00+00:00"),
        ("2026-05-20T23:05:00Z", "21 May 2026", "2026-05-21"),
        ("2026-05-20T03:05:00Z", "21 May 2026", "2026-05-20T03:05:00+00:00"),
        # what was published again says when it was first
        ("2026-05-20", "Published Apr 26, 2023 · Updated May 20, 2026", "2023-04-26"),
        ("2026-05-20", "Published Apr 26, 2023", "2023-04-26"),
        ("2026-05-20", "Joined Apr 26, 2023", "2026-05-20"),
        ("2023-04-26", "May 20, 2026", "2023-04-26"),
        ("2026-05", "Apr 26, 2023", "2026-05"),
    ],
)
def test_the_day_that_a_page_shows_goes_before_one_that_it_declares(
    declared: str, near: str, expected: str
) -> None:
    assert find_date(Head(lang="en-US", published=(declared,)), near=[near]) == expected


MARKUP = "<html><body><h1>Ferry</h1><time datetime='2026-02-05'>Thursday</time></body></html>"


def table_of(markup: str) -> PageTable:
    return build_table(parse(markup))


def test_markup_is_searched_when_no_line_and_no_address_tells() -> None:
    find = partial(find_date, table=table_of(MARKUP))
    assert find(Head()) == "2026-02-05"
    address = "https://post.invalid/2026/02/03/ferry"
    assert find(Head(), url=address) == "2026-02-03"
    assert find(Head(canonical=address)) == "2026-02-03"


PARAGRAPH = "<p>The ferry left late and came back with nobody on board but its crew.</p>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<meta property='og:pubdate' content='2026-02-05'>", "2026-02-05"),
        ("<title>Ferry, 5 Feb 2026</title>", "2026-02-05"),
        ("<p class=meta>By Ann Lee on <b>5</b> <i>February</i> 2026</p>", "2026-02-05"),
        ("<abbr class=published title='2026-02-05'>Yesterday</abbr>", "2026-02-05"),
        ("<o:p onclick='f()'><p x:y=1 class=date>Filed 05.02.26</p></o:p>", "2026-02-05"),
        ("<div class=date><p>Filed</p><p>05.02.26</p></div>", "2026-02-05"),
        (f"<div class=meta>{PARAGRAPH}<p>In 2026-02 or so</p></div>", None),
        (f"<div class=meta>{PARAGRAPH}<p>Or 5 May 2026</p></div>", None),
    ],
)
def test_htmldate_is_given_what_it_needs_of_the_markup(markup: str, expected: str | None) -> None:
    markup = f"<body>{PARAGRAPH * 50}{markup}{PARAGRAPH * 50}"
    table = table_of(markup)

    assert find_date(Head(), table=table) == expected
    assert len(tostring(dated_parts(table))) < len(markup) / 10


def test_a_long_attribute_is_written_in_proportion() -> None:
    def make(size: int) -> HtmlElement:
        return dated_parts(table_of(f"<meta name=a content='{'<!--' * size}'><p>2026"))

    assert_linear(tostring, make, 1_000)


def test_markup_is_read_only_where_the_page_says_nothing_else() -> None:
    find = partial(find_date, table=table_of(MARKUP))

    assert find(Head(published=("2026-02-03",))) == "2026-02-03"
    assert find(Head(), near=["3 February 2026"]) == "2026-02-03"
    assert find(Head(), lines=["2026-02-03 04:05"]) == "2026-02-03T04:05:00"
    assert find(Head(), url="https://post.invalid/news/2026-2-3-ferry") == "2026-02-03"


def test_markup_with_a_time_that_there_is_not_has_no_date() -> None:
    table = table_of("<body><h1>Ferry</h1><time datetime='2026-02-03T09:20:00+99:99'>Text.</time>")

    assert find_date(Head(), table=table) is None
    assert find_date(Head(), table=table, url="http://a.example/2026/02/30/x") is None


def test_without_htmldate_address_and_lines_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "htmldate", None)
    find = partial(find_date, Head(), table=table_of(MARKUP))

    assert find(url="https://post.invalid/20260203/ferry") == "2026-02-03"
    assert find(lines=["Published 2026-02-04"]) == "2026-02-04"
    assert find() is None


@pytest.mark.parametrize("unit", ["2026-02-03 ", "2026", "2026-", "2026 ", " ", "年", "3 may "])
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    def work(long: str) -> None:
        lines = [unit * 30] * (len(long) // len(unit))
        find_date(Head(published=(long,)), lines=[*lines, long], near=[*lines[:100], long])

    assert_linear(work, lambda size: unit * size, 2_000)


LABELLED = "Updated March 20, 2026, first published January 5, 2024"


def test_of_several_dates_each_has_its_label() -> None:
    assert find_date(Head(), near=[LABELLED]) == "2024-01-05"
    assert find_modified(Head(), [LABELLED]) == "2026-03-20"
    assert find_modified(Head(modified=("2026-02-03",)), [LABELLED]) == "2026-02-03"
    assert find_modified(Head(), ["January 5, 2024"]) is None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2021-03", None),
        ("2021/3", None),
        ("03/2021", None),
        ("March 2021", None),
        ("2021-03-03T10:00", "2021-03-03"),
        ("3 March 2021", "2021-03-03"),
        ("20210303", "2021-03-03"),
    ],
)
def test_a_month_in_the_markup_gets_no_day_of_the_clock(
    written: str, expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("htmldate.find_date", lambda *_, **__: "2021-03-03")  # on the third

    markup = f"<body><h1>Ferry</h1><abbr class=published title='{written}'>Spring</abbr>"
    assert find_date(Head(), table=table_of(markup)) == expected


def test_an_order_that_nobody_can_tell_is_not_guessed() -> None:
    page = "<body><h1>Ferry</h1><p class='date'>{}</p>"
    assert find_date(Head(), near=["03/02/2026"], table=table_of(page.format("03/02/2026"))) is None
    assert find_date(Head(lang="en-GB"), near=["03/02/2026"]) == "2026-02-03"


STORY = "".join(f"<p>{sentence * 3}</p>" for sentence in (
    "The ferry left the quay two hours late, and nobody on the island was surprised. ",
    "Its engine had been mended by the mate, who learned it from his grandmother. ",
    "The harbour office will look at the timetable again before the winter comes. ",
))  # fmt: skip
LEAD = "<p>The ferry came late again, and those who had waited for it in the rain went home.</p>"
BEGIN = f"{LEAD}<p>Nobody had told them that the engine was out of order since the morning.</p>"
CARDS = "".join(
    f"<div><p><a href='/{day}'>Boat {day}</a></p><p>2025-10-0{day}</p></div>" for day in (1, 2)
)


@pytest.mark.parametrize(
    ("above", "below_title", "after", "expected"),
    [
        ("", "", f"<h2>Also here</h2>{CARDS}", None),
        ("", "", CARDS, None),
        ("", "", "<h3>Next</h3><time datetime=2025-10-01>1 October</time>", None),
        ("", "", "<div class=comments><p>3 June 2025</p><p>Late again!</p></div>", None),
        ("", "", "<p>Built 2025-10-01 10:11:12 by the quay</p>", None),
        ("", "", "<p>© 1 October 2025</p>", None),
        ("", "", "<ul><li>3 June 2025: the engine is lifted out of the boat</li></ul>", None),
        ("<p>22 May 2026</p>", "", f"<h2>Also here</h2>{CARDS}", "2026-05-22"),
        ("<aside><p>Boat late <time>3 June 2025</time></p></aside>", "", "", None),
        ("<aside><time>22 May 2026</time></aside>", "", "", "2026-05-22"),
        ("<time datetime=2025-10-01>1 Oct</time>", "<time datetime=2026-05-22>May</time>", "",
         "2026-05-22"),
        ("", "<dl><dt>Updated<dd>3 June 2026<dt>Published<dd>22 May 2026</dl>", "", "2026-05-22"),
        ("", "<time class=updated datetime=2026-06-03>3</time> <time datetime=2026-05-22>22</time>",
         "", "2026-05-22"),
        ("", "", "<p>Friday, 22 May 2026</p>", "2026-05-22"),
        ("", "", "<p>22 May 2026 by Ann Lee in Sea and boats</p>", "2026-05-22"),
        ("", "", "<h5>Posted 22 May 2026 in boats</h5>", "2026-05-22"),
        ("<nav><a href=/>Post</a></nav><nav>22 May 2026</nav>", "", "", "2026-05-22"),
        ("", "<p>Ann Lee•May 22, 2026</p>", "", "2026-05-22"),
        ("", "<p>Received 3 May 2025 | Published 22 May 2026</p>", "", "2026-05-22"),
        ("", "<p><b>22</b><b>May</b><b>2026</b></p>", "", "2026-05-22"),
        ("", "<p title=2026-05-22>last week</p>", "", "2026-05-22"),
        ("", "<p><i data-published-at=2026-05-22T10:20>last week</i></p>", "",
         "2026-05-22T10:20:00"),
        ("", "<p><i data-time=1779445230000>last week</i></p>", "", "2026-05-22T10:20:30+00:00"),
        ("", "<p><i data-id=1779445230>12 votes</i></p>", "", None),
        ("", "<p data-date=2025-10-01>22 May 2026</p>", "", "2026-05-22"),
        ("", "<p><i title='Friday, May 22, 2026'>last week</i></p>", "", "2026-05-22"),
        ("", "<p><a title='The flood of 1 May 2025' href=/f>Flood</a></p>", "", None),
        ("", "<time datetime=2026-11-26>22 May 2026</time>", "", "2026-05-22"),
        ("", "<time datetime=2026-05-23T01:00Z>22 May 2026</time>", "",
         "2026-05-23T01:00:00+00:00"),
        ("", "<time datetime=2026-W21-5>Friday</time>", "", "2026-05-22"),
        ("", "<div><p>22</p><p>May</p><p>2026</p></div>", "", "2026-05-22"),
        ("", "<p>Closing date: 22 May 2026</p>", "", None),
        ("", "<p>Joined 1 May 2019</p><p>22 May 2026, 4:05 PM</p>", "", "2026-05-22T16:05:00"),
        ("", "<time datetime=1779445230>last week</time>", "", "2026-05-22T10:20:30+00:00"),
        ("", "", "<div><h4><a href=/1>Boat</a></h4><p>2025-10-01</p></div>", None),
        ("", "", "<p>2026-05-22 in a line of a story that no more than tells it</p>", None),
        ("", "", "<footer><p>Published 22 May 2026 in Sea and boats</p></footer>", "2026-05-22"),
        ("", "", "<div class=reviews><i>Bo Ek</i><time>1 October 2025</time></div>", None),
        ("", f"{BEGIN}<h3>1 October 2025</h3>", "", None),
        ("", f"{BEGIN}<figure><img src=/a.jpg><figcaption>1 May 2025, by Bo</figcaption></figure>",
         "", None),
        ("", f"{BEGIN}<table><tr><td>2025-10-01<td>12</table>", "", None),
        ("", f"{BEGIN}<blockquote>Late! <cite>Bo Ek, 1 May 2025</cite></blockquote>", "", None),
        ("", "<blockquote>Late! <cite>Bo Ek, 1 May 2025</cite></blockquote>", "", None),
        ("", "<table><tr><th>Opened<td>28 May 1998 (<i class=bday>1998-05-28</i>)</table>", "",
         None),
        ("", "<table><tr><th>Published<td>22 May 2026<tr><th>Built<td>1 May 1998</table>", "",
         "2026-05-22"),
        ("", "", "<ul><li><a href=/r>杭の調査と桟橋について</a>（2018/8/8）</ul>", None),
        ("", f"{LEAD}<p>Ann Lee, 22 May 2026, 10:20</p>", "",
         "2026-05-22T10:20:00"),
    ],
)  # fmt: skip
def test_a_page_has_the_date_of_its_article_and_of_no_other(
    above: str, below_title: str, after: str, expected: str | None
) -> None:
    page = f"<body>{above}<article><h1>Ferry late</h1>{below_title}{STORY}</article>{after}</body>"

    assert clean(page).date_published == expected


def test_a_small_page_holds_dates_of_others_beside_its_own_text() -> None:
    others = "".join(
        f"<li><a href='/{n}'>Boat {n}</a> <span class=date>1{n} October 2025</span>" for n in (1, 2)
    )
    story = f"<h1>Ferry late</h1><p>Not since the winter of 2024 was it so late.</p>{STORY}"
    page = f"<body><main>{story}<aside><ul>{others}</ul></aside></main></body>"

    assert clean(page).date_published is None


def test_a_class_of_the_whole_page_sets_no_part_of_it_apart() -> None:
    page = f"<div class=related><h1>Ferry late</h1>{STORY}<p>Published 22 May 2026</p></div>"

    assert clean(f"<body>{page}</body>").date_published == "2026-05-22"


def test_the_clock_of_a_page_is_far_above_its_title() -> None:
    menu = "".join(f"<p><a href='/{name}'>{name}</a></p>" for name in "abcdefghijklmnopqrst")
    page = "<body><p>2026-06-01 10:20</p>{}<article><h1>Ferry late</h1>{}</article></body>"

    assert clean(page.format(menu, STORY)).date_published is None
    assert clean(page.format("", STORY)).date_published == "2026-06-01T10:20:00"


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("<p>Friday, 3 July 2026</p>", None),
        ("<p>3 July 2026</p>", "2026-07-03"),
        ("<p>Breaking <time datetime=2026-07-03T04:05>04:05</time> Storm ahead</p>", None),
        ("<p><a href=/1>Boat</a> 3 July 2026</p><p><a href=/2>Oars</a> 4 July 2026</p>", None),
        ("<div><h4><a href=/1>Boat</a></h4><p>3 July 2026</p></div>", None),
    ],
)
def test_above_the_element_of_an_article_are_dates_of_others(
    above: str, expected: str | None
) -> None:
    menu = "".join(f"<p><a href='/{name}'>{name}</a></p>" for name in "abcdefg")
    text = f"<div><h1>Ferry late</h1>{{}}{STORY}</div>"
    page = f"<title>Ferry late</title><body>{menu}{above}{text}</body>"

    assert clean(page.format("")).date_published == expected
    assert clean(page.format("<p>22 May 2026</p>")).date_published == "2026-05-22"


@pytest.mark.parametrize("today", ["Today is 3 July 2026", "今天是2026年7月3日 星期五"])
def test_the_day_of_the_visit_is_no_date_of_the_article(today: str) -> None:
    page = "<body><div><h1>Ferry late</h1><p>{}</p>{}" + STORY + "</div></body>"

    assert clean(page.format(today, "")).date_published is None
    assert clean(page.format(today, "<p>22 May 2026</p>")).date_published == "2026-05-22"


def test_a_diary_has_the_day_above_the_element_of_an_entry() -> None:
    menu = "".join(f"<p><a href='/{name}'>{name}</a></p>" for name in "abcdefg")
    entry = f"<div><h2>Friday, 22 May 2026</h2><div><h1>Ferry late</h1>{STORY}</div></div>"

    page = f"<title>Ferry late</title><body>{menu}{entry}</body>"

    assert clean(page).date_published == "2026-05-22"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ru", "Последнее обновление: 3 июня 2026 г. | Опубликовано: 22 мая 2026 г."),
        ("es", "Actualizado: 03/06/2026 a las 08:15 h. | Publicado: 22/05/2026 a las 22:40 h."),
        ("en", "Updated on 3 June 2026 at 8:15 a.m., published on 22 May 2026 at 10:40 p.m."),
    ],
)
def test_a_short_word_with_a_full_stop_ends_no_sentence(language: str, line: str) -> None:
    story = f"<article><h1>Ferry late</h1><p>{line}</p>{STORY}</article>"
    page = clean(f"<html lang={language}><title>Ferry late</title><body>{story}</body></html>")

    assert (page.date_published or "")[:10] == "2026-05-22"
    assert (page.date_modified or "")[:10] == "2026-06-03"


def test_the_posts_of_a_forum_have_dates_of_their_own() -> None:
    table = table_of("<body><h1>Ferry late?</h1><p>It was.<p>Bo<p>22 May 2026<p>So it was.<p>Ann")
    nearby = find_nearby(table.lines.text, 0, [1])

    forum, article = (
        date_lines(table, nearby, 0, [1], is_forum=is_forum, is_others=lambda *_, **__: False)
        for is_forum in (True, False)
    )
    assert (forum.below, forum.own) == ((), None)
    assert ("22 May 2026" in article.below, article.own) == (True, (0, 1))


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "This page was last edited on 22 May 2026, at 10:20 (UTC), by a reader of it."),
        ("de", "Diese Seite wurde zuletzt am 22. Mai 2026 um 10:20 Uhr bearbeitet."),
        ("fr", "La dernière modification de cette page a été faite le 22 mai 2026 à 10:20."),
        ("es", "Esta página se editó por última vez el 22 may 2026 a las 10:20."),
        ("en", "Page last changed: 22 May 2026"),
        ("de", "Zuletzt geändert: 22. Mai 2026"),
        ("pl", "Ostatnia zmiana strony: 22 maja 2026"),
        ("sv", "Sidan ändrades senast den 22 maj 2026."),
        ("sv", "Sidan redigerades senast den 22 maj 2026 kl. 10:20."),
        ("nl", "Laatste wijziging: 22 mei 2026"),
        ("tr", "Son değişiklik: 22.05.2026"),
        ("ja", "改訂日：2026年5月22日"),
        ("he", "עדכון אחרון: 22.05.2026"),
    ],
)
def test_the_foot_of_a_page_states_its_last_change(language: str, line: str) -> None:
    story = f"<article><h1>Ferry late</h1>{STORY}</article><footer><p>{line}</p></footer>"
    page = clean(f"<html lang={language}><body>{story}</body></html>")

    assert (page.date_modified or "")[:10] == "2026-05-22"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("sv", "Sök senast den 22 maj 2026."),
        ("sv", "Rådet ändrade reglerna den 22 maj 2026."),
        ("en", "The council changed the rules on 22 May 2026."),
        ("de", "Zuletzt war der Turm am 22. Mai 2026 gesperrt."),
        ("es", "La última vez que se apagó fue el 22 de mayo de 2026."),
        ("pt", "A última vez que se apagou foi em 22 de maio de 2026."),
        ("pl", "Ostatnia zmiana latarnika odbyła się 22 maja 2026."),
        ("it", "Il prossimo aggiornamento è previsto per il 22 maggio 2026."),
        ("fi", "Lamppu sammui viimeksi 22. toukokuuta 2026."),
        ("nl", "De wijziging van de regels ging in op 22 mei 2026."),
        ("vi", "Luật cảng được sửa đổi ngày 22 tháng 5 năm 2026."),
        ("id", "Peraturan pelabuhan diubah pada 22 Mei 2026."),
        ("bg", "Голямата промяна дойде на 22 май 2026."),
        ("cs", "Knihu editoval Karel Moře 22. května 2026."),
        ("tr", "Limanda değişiklik 22 Mayıs 2026 tarihinde başladı."),
        ("hi", "बंदरगाह में परिवर्तन 22 मई 2026 को हुआ।"),
    ],
)
def test_what_changed_on_a_day_in_the_story_is_not_the_page(language: str, line: str) -> None:
    story = f"<article><h1>Ferry late</h1>{STORY}</article><p>{line}</p>"

    assert clean(f"<html lang={language}><body>{story}</body></html>").date_modified is None


def test_an_element_with_both_classes_is_no_change() -> None:
    moment = "<time class='{}' datetime=2026-05-22>22 May</time>"
    page = f"<body><article><h1>Ferry late</h1><p>{moment}</p>{STORY}</article></body>"

    both = clean(page.format("published updated"))
    assert (both.date_published, both.date_modified) == ("2026-05-22", None)
    assert clean(page.format("entry updated")).date_modified == "2026-05-22"


def test_an_abbreviation_has_the_date_that_it_stands_for() -> None:
    both = (("published", "2026-02-03T04:05"), ("updated", "2026-02-05"))
    dates = " ".join(f"<abbr class={name} title={date}>Tue</abbr>" for name, date in both)
    other = "<p><abbr title='Harbour Post 9'>P</abbr></p>"
    page = clean(f"<body><h1>Ferry late</h1><p>{dates}</p>{other}{STORY}</body>")

    assert (page.date_published, page.date_modified) == ("2026-02-03T04:05:00", "2026-02-05")


def test_the_language_of_the_text_reads_the_dates_of_the_page() -> None:
    story = "Prom odpłynął dwie godziny później i nikt na wyspie nie był tym zdziwiony. " * 4
    page = f"<body><h1>Prom</h1><p>22 maja 2026, 14:05</p><p>{story}</p><p>{story}</p></body>"

    assert clean(page).date_published == "2026-05-22T14:05:00"
    changed = clean(page.replace("22 maja", "Aktualizacja: 22 maja"))
    assert (changed.date_published, changed.date_modified) == (None, "2026-05-22T14:05:00")


@pytest.mark.parametrize(
    ("lead", "expected"),
    [
        ("HALLOWMERE, May 22, 2026 (HARBOUR WIRE) -- ", "2026-05-22"),
        ("Hallowmere (22 May 2026) – ", "2026-05-22"),
        ("The yard, opened 22 May 2026 – the first – was closed. ", None),
    ],
)
def test_a_release_to_the_press_has_its_day_where_it_begins(
    lead: str, expected: str | None
) -> None:
    story = STORY.replace("<p>", f"<p>{lead}", 1)
    page = f"<title>Ferry late</title><body><h1>Ferry late</h1>{story}</body>"

    assert clean(page).date_published == expected


@pytest.mark.parametrize("meta", ["property='article:modified_time'", "http-equiv='last-modified'"])
def test_the_day_of_a_change_is_none_of_publication(meta: str) -> None:
    page = f"<head><meta {meta} content='2026-05-22'></head><body><h1>Ferry late</h1>{STORY}</body>"

    assert clean(page).date_published is None
    assert clean(page.replace("</h1>", "</h1><p>22 May 2026</p>")).date_published == "2026-05-22"


def test_a_declared_day_goes_before_the_month_of_a_volume() -> None:
    head = Head(published=("2023/12", "2023-01-02"))
    assert find_date(head) == "2023-01-02"


def test_the_days_in_a_listing_are_those_of_its_entries() -> None:
    entry = "<li><h3><a href=/{0}>Boat {0} comes late</a></h3><p>{0} May 2026</p><p>{1}</p></li>"
    text = "The crew waited at the quay for the tide, and nobody knew when it would come."
    entries = "".join(entry.format(day, text) for day in range(1, 20))
    page = f"<title>Boats</title><body><h1>Boats</h1><ul>{entries}</ul></body>"

    found = clean(page, url="https://post.invalid/boats/")
    assert (found.kind, found.date_published) == ("listing", None)
