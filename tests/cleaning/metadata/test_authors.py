from dataclasses import replace

import pytest

from tests.growth import assert_linear
from webclean_scrapy import clean
from webclean_scrapy.cleaning.metadata.authors import find_authors, is_byline, may_name_author
from webclean_scrapy.cleaning.metadata.head import Head


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (("By Ann Lee and Bo Ek",), ["Ann Lee", "Bo Ek"]),
        (("王小明 李红",), ["王小明", "李红"]),
        (("王小明、李红", "王小明"), ["王小明", "李红"]),
        (("https://post.invalid/people/ann", "Ann Lee"), ["Ann Lee"]),
        (("admin", "1234", "ann@post.invalid", "post.com"), []),
        (("Words: Ann Lee",), ["Ann Lee"]),
        (("Ann Lee, Jan Erik Sommer",), ["Ann Lee", "Jan Erik Sommer"]),
        (("Ann Lee, Friday, May 8",), ["Ann Lee"]),
    ],
)
def test_declared_names_are_taken_apart(declared: tuple[str, ...], expected: list[str]) -> None:
    assert find_authors(Head(authors=declared)) == expected


PUBLISHERS = ("Harbour Post", "Ann Lee")
CENTRE = "Centre for Ferries and Research"
NAMESAKE = Head(titles=("Ferry late - Ann Lee",), site_name="Ann Lee", authors=("Ann Lee",))
ORGANIZATION = Head(authors=(CENTRE,), organizations=(CENTRE,))
ACCOUNT = Head(authors=("annlee7",))


@pytest.mark.parametrize(
    ("head", "near", "expected"),
    [
        # the site is no author, and who publishes is one only when nobody else is
        (Head(authors=("港湾",), titles=("渡船晚点两小时_港湾网",)), [], []),
        (Head(authors=("Harbour Post",), site_name="The Harbour Post"), [], []),
        (Head(authors=("Bo Ek, Harbour Post",), publishers=PUBLISHERS), [], ["Bo Ek"]),
        (Head(authors=("Ann Lee",), publishers=PUBLISHERS), [], ["Ann Lee"]),
        # a person may have the name of the site; somebody else in the byline comes first
        (NAMESAKE, [], []),
        (replace(NAMESAKE, persons=("Ann Lee",)), [], ["Ann Lee"]),
        (replace(NAMESAKE, persons=("Ann Lee",)), ["By Bo Ek"], ["Bo Ek"]),
        # an organization is the author when no person is
        (ORGANIZATION, [], [CENTRE]),
        (ORGANIZATION, ["By Ann Lee"], ["Ann Lee"]),
        (replace(ORGANIZATION, site_name=CENTRE), [], []),
        # what follows a declared name is no second one
        (Head(authors=("Ann Lee, MS, RD",)), [], ["Ann Lee"]),
        (Head(authors=("Ann Lee, Sr. Director of Ferries, Harbour Lines",)), [], ["Ann Lee"]),
        (Head(authors=("'Ann Lee'", "Ann Lee")), [], ["Ann Lee"]),
        # a label in a line of its own names the next line, as in the rows of a table
        (Head(), ["Autorin", "Anna Lee", "Datum", "3.2.2026"], ["Anna Lee"]),
        (Head(), ["Author", "Status", "Open"], []),
        (Head(authors=("Less than a minute",)), [], []),
        # the account that put the text there; the first of several; origins are nobody
        (Head(authors=("post.example developer",)), ["By Ann Lee"], ["Ann Lee"]),
        (Head(persons=("Cy Oak",)), ["By Ann Lee"], ["Ann Lee"]),
        (Head(persons=("Cy Oak",)), ["Menu", "Sea", "Land", "By Ann Lee"], ["Cy Oak"]),
        (Head(persons=("Ann Lee",)), ["By Ann Lee, Bo Ek"], ["Ann Lee", "Bo Ek"]),
        (Head(persons=("Ann Lee",)), ["By Ann Lee 2026-05-03T22:05:36Z"], ["Ann Lee"]),
        (Head(persons=("Ann Lee", "Do POST, em Porto Alegre"), site_name="POST"), [], ["Ann Lee"]),
        (Head(authors=("Ann Lee",), site_name="Ann Lee's Boats"), [], ["Ann Lee"]),
        (Head(), ["3.2.2026", "Автор:", "Анна Ли"], ["Анна Ли"]),
    ],
)
def test_head_and_byline_name_authors(head: Head, near: list[str], expected: list[str]) -> None:
    assert find_authors(head, near=near) == expected


@pytest.mark.parametrize("line", ["责任编辑：王小明", "(责编：李红、王小明)", "編輯 王小明"])
def test_whom_the_page_calls_its_editor_is_no_author(line: str) -> None:
    declared = Head(authors=("王小明",))

    assert find_authors(declared, near=[line]) == []
    assert find_authors(declared, near=[line, "作者：李红"]) == ["李红"]
    assert find_authors(declared, near=["责任编辑：赵六"]) == ["王小明"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("作者：王小明 来源：港湾网", ["王小明"]),
        ("2026-02-03 记者 王小明 李 红", ["王小明", "李红"]),
        ("本报记者 王 明 李小红", ["王明", "李小红"]),
        ("本报记者 从 港 湾", []),
        ("（港湾网记者 王小明）", ["王小明"]),
        ("■本报记者 王小明", ["王小明"]),
        ("●记者 王小明 通讯员 李红", ["王小明", "李红"]),
        ("王小明 / 文", ["王小明"]),
        ("作者：佚名", []),
        ("文/王小明、李红 编辑/张三", ["王小明", "李红"]),
        ("By the sea", []),
        ("Posted by Ann Lee on 3 February 2026 at 04:05", ["Ann Lee"]),
        ("作者︱王小明", ["王小明"]),
        ("港灣記者 王小明", ["王小明"]),
        ("港湾小明 于 2026-02-03 04:05:06 发布", ["港湾小明"]),
        ("图片来源：港湾记者 王小明", []),
        ("By Ann Lee " * 40, []),
        ("Von Anna Lee publiziert am 3. Februar 2026", ["Anna Lee"]),
        ("Par Zoé Lindqvist, le 3 février 2026", ["Zoé Lindqvist"]),
        ("Текст: Анна Ли · 3 февраля 2026", ["Анна Ли"]),
        ("Written by Ann Lee, MD, PhD", ["Ann Lee"]),
        ("By Ann Lee Monday, February 3, 2026", ["Ann Lee"]),
        ("By Ann van der Lee and Bo Ek", ["Ann van der Lee", "Bo Ek"]),
        ("Por Barcos na praia", []),
        ("By Price By Harbour By Sea", []),
        ("【港灣新生報／記者王小明／臺北報導】", ["王小明"]),
        ("Words: Ann Lee Edits: Bo Ek", ["Ann Lee"]),
        ("By Prof. Ann Lee and Bo Ek", ["Prof. Ann Lee", "Bo Ek"]),
        ("By ANN LEE, Harbour Post", ["ANN LEE"]),
        ("Written by ByAnn Lee", ["Ann Lee"]),
        ("作 者：王小明 来 源：港湾网", ["王小明"]),
        ("作者：李　红 来源：港湾网", ["李红"]),
        ("作者： 时间：2026-02-03", []),
        ("作者：Ann Lee 来源：港湾网", ["Ann Lee"]),
        ("作者：[英]安·李 译者：王小明", ["安·李"]),
        ("[英] 安·李 著 王小明 译", ["安·李"]),
        ("王小明、李红 编著", ["王小明", "李红"]),
        ("疗效显著 好评如潮", []),
        ("本报记者 王小明 通讯员 李红 文/图", ["王小明", "李红"]),
        ("21世纪港湾记者王小明北京报道", ["王小明"]),
        ("记者团队连续报道", []),
        ("posted @ 2026-02-03 04:05 annlee 阅读(10) 评论(3)", ["annlee"]),
        ("posted @ 2026-02-03 04:05 阅读(10) 评论(3)", []),
        ("主笔：王小明 制图：李红", ["王小明"]),
        ("本文由 @王小明 原创发布于港湾网", ["王小明"]),
        ("本文由 港湾网 整理", []),
        ("记者 王小明 李红/文 张三/图", ["王小明", "李红"]),
        ("Teksti: Anna Lee ja Bo Ek", ["Anna Lee", "Bo Ek"]),
        ("Autoři: Anna Lee a Bo Ek", ["Anna Lee", "Bo Ek"]),
        ("Yazan: Anna Lee ve Bo Ek", ["Anna Lee", "Bo Ek"]),
        ("By Dan Lee and Bo Ek", ["Dan Lee", "Bo Ek"]),
        ("By Ann Lee, Bo Ek 2026-02-03T22:05:36Z Sea", ["Ann Lee", "Bo Ek"]),
        ("By Ann Lee, Harbour Engineer on the Pier", ["Ann Lee"]),
        ("By Ann Lee | Harbour Post for the islands", ["Ann Lee"]),
        ("Posted by Ann at May 3, 2026 11:15 AM", ["Ann"]),
        ("[作者: 李红 责任编辑: 王小明 ]", ["李红"]),
        ("原创： 李红 港湾农业研究", ["李红"]),
        ("Της Άννας Λάμπρου", ["Άννας Λάμπρου"]),
        ("Της Νέας Χρονιάς τα δώρα έφτασαν", []),
        ("Por Redacción Digital", []),
        ("Von Anna Lee (Text) und Bo Ek (Fotos)", ["Anna Lee"]),
        ("Von Anna Lee (Kiel) und Bo Ek (Bonn)", ["Anna Lee", "Bo Ek"]),
        ("Par Zoé Lindqvist (Nantes, correspondante)", ["Zoé Lindqvist"]),
        ("Aus Kiel berichtet Anna Lee", ["Anna Lee"]),
        ("By Ann Lee news@post.invalid", ["Ann Lee"]),
    ],
)
def test_an_undeclared_byline_is_read_to_its_end(line: str, expected: list[str]) -> None:
    assert find_authors(Head(), ["渡船晚点两小时", line, "正文。"]) == expected


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("By April Lindqvist", ["April Lindqvist"]),
        ("By Jan van der Berg", ["Jan van der Berg"]),
        ("By Theresa May", ["Theresa May"]),
        ("By Lena Marie April Holt", ["Lena Marie April Holt"]),
        ("By Ann Lee, Ina Julia Falk and Jan Sedlak", ["Ann Lee", "Ina Julia Falk", "Jan Sedlak"]),
        ("By April Lindqvist, April 4, 2026", ["April Lindqvist"]),
        ("By Ann Lee May 8, 2026", ["Ann Lee"]),
        ("By Ann Lee Friday 8 May 2026", ["Ann Lee"]),
        ("By Ann Lee | Friday, May 8", ["Ann Lee"]),
        ("By Ann Lee Friday May 8", ["Ann Lee"]),
        ("By Friday, May 8", []),
        ("By April 4", []),
    ],
)
def test_months_and_days_of_the_week_are_in_names_too(byline: str, expected: list[str]) -> None:
    assert find_authors(Head(), near=[byline]) == expected


@pytest.mark.parametrize("verb", ["获悉", "走访发现", "向警方"])
def test_what_reporters_do_is_no_name(verb: str) -> None:
    assert find_authors(Head(), near=[f"港湾网记者 {verb}"]) == []
    assert find_authors(Head(), near=[f"□ {verb}", "□ 王小明"]) == ["王小明"]
    assert find_authors(Head(), [f"记者{verb}，渡船晚点"]) == []


def test_far_from_the_article_several_bylines_are_those_of_others() -> None:
    assert find_authors(Head(), ["By Ann Lee", "text", "By Ann Lee"]) == ["Ann Lee"]
    assert find_authors(Head(), ["By Ann Lee", "text", "By Bo Ek"]) == []


@pytest.mark.parametrize(
    ("head", "texts", "is_sure", "expected"),
    [
        (Head(), ("By", "Ann Lee", ", Harbour Editor"), False, ["Ann Lee"]),
        (Head(), ("Ann Lee", "Founder & Reviewer", "Updated Feb 27, 2026"), False, ["Ann Lee"]),
        (Head(), ("March 20, 2026 | Wellness & Prevention",), False, []),
        (Head(), ("Ann",), True, ["Ann"]),
        (Head(), ("Posted by", "ann_lee"), True, ["ann_lee"]),
        (Head(), ("Photo: Bo Ek",), False, []),
        (Head(), ("版权声明",), True, []),
        (Head(), ("The Harbour Team",), False, ["The Harbour Team"]),
        (NAMESAKE, ("Written by Ann Lee",), False, ["Ann Lee"]),
        (ACCOUNT, ("Words: Ann Lee",), False, ["Ann Lee"]),  # the name behind the account
        (ACCOUNT, ("Tips",), True, ["annlee7"]),
    ],
)
def test_a_marked_byline_is_read_up_to_the_end_of_its_names(
    head: Head, texts: tuple[str, ...], is_sure: bool, expected: list[str]
) -> None:
    assert find_authors(head, marked=[([texts], is_sure)]) == expected


def test_a_person_in_a_byline_comes_before_the_site_in_another() -> None:
    marked = [([("Harbour Ledger",)], True), ([("Ann Lee",)], True)]

    assert find_authors(Head(site_name="Harbour Ledger"), marked=marked) == ["Ann Lee"]
    assert find_authors(Head(site_name="Harbour Ledger"), marked=marked[:1]) == ["Harbour Ledger"]


@pytest.mark.parametrize(
    "unit", ["记者 王 ", "By Ann ", "A and ", "， ", "文/", "编辑 ", "王于2026-"]
)
def test_long_texts_take_time_in_proportion(unit: str) -> None:
    def work(long: str) -> None:
        lines = [unit * 20] * (len(long) // len(unit))
        find_authors(Head(), marked=[([(long,)] * 50, True)])
        find_authors(Head(authors=(long,)), lines, [*lines[:100], long])

    assert_linear(work, lambda size: unit * size, 600)


@pytest.mark.parametrize(
    ("singles", "expected"),
    [
        (("Lee, Ann", "van Ek, Bo J."), ["Ann Lee", "Bo J. van Ek"]),
        (("Lee Oak, Ann Mae",), ["Ann Mae Lee Oak"]),
        (("Lee, Ann; Ek, Bo",), ["Ann Lee", "Bo Ek"]),
        (("Ann Lee, M.D.",), ["Ann Lee"]),
        (("Lee, A. M.",), ["A. M. Lee"]),
        (("Ann Lee",), ["Ann Lee"]),
    ],
)
def test_a_tag_for_one_author_has_the_family_name_first(
    singles: tuple[str, ...], expected: list[str]
) -> None:
    assert find_authors(Head(authors=singles, singles=singles)) == expected


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("Lee, Ann", ["Ann Lee"]),
        ("LEE, ANN", ["ANN LEE"]),
        ("Ann Lee, Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Cher, Ann Lee", ["Cher", "Ann Lee"]),
        ("Ann Lee, Ph.D.", ["Ann Lee"]),
        ("Ann Lee, Dipl.-Ing.", ["Ann Lee"]),
        ("Ann Lee, MD and Bo Ek, PhD", ["Ann Lee", "Bo Ek"]),
        ("Bo Ek, Jr.", ["Bo Ek Jr"]),
        ("Ann, RD", ["Ann"]),
        # where the page is from
        ("post.invalid, Bergen, Norway", []),
        ("Harbour Post, Kai Street 4, Bergen", []),
        ("Courier, Bergen, Norway", []),
        # what a link says
        ("See full bio", []),
        ("View Profile", []),
        ("Author Archive", []),
        ("Read More", []),
        ("Paige Story", ["Paige Story"]),
        ("All posts by Ann Lee", ["Ann Lee"]),
        ("Alle Artikel von Ann Lee", []),
        ("Ann Sophie von Lee", ["Ann Sophie von Lee"]),
        ("한서윤 기자", ["한서윤"]),
        ("记者王小明", ["王小明"]),
        ("港湾日报", []),
    ],
)
def test_a_declared_text_is_taken_apart_as_names_are(declared: str, expected: list[str]) -> None:
    head = Head(authors=(declared,), site_name="Harbour Post")
    assert find_authors(head) == expected


def test_a_marked_name_in_kanji_is_one_of_a_japanese_page() -> None:
    marked = [([["森川大樹"]], True)]

    assert find_authors(Head(lang="ja"), marked=marked) == ["森川大樹"]
    assert find_authors(Head(lang="zh"), marked=marked) == []


def test_a_name_may_have_two_families() -> None:
    assert find_authors(Head(persons=("José Lee y Ek",))) == ["José Lee y Ek"]
    assert find_authors(Head(persons=("Ana Lee y Juan Ek",))) == ["Ana Lee", "Juan Ek"]


def test_in_japanese_a_blank_parts_the_names_of_one_person() -> None:
    names = ("田中 文子",)
    assert find_authors(Head(persons=names, lang="ja-JP")) == ["田中 文子"]
    assert find_authors(Head(persons=names, titles=("おそい船",))) == ["田中 文子"]
    assert find_authors(Head(persons=names, lang="zh")) == ["田中", "文子"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("By April Lee", ["April Lee"]),
        ("By Jan van der Lee and May Ek", ["Jan van der Lee", "May Ek"]),
        ("By Bo Friday", ["Bo Friday"]),
        ("By Ann Lee May 3, 2026", ["Ann Lee"]),
        ("By Ann Lee, April 3, 2026", ["Ann Lee"]),
        ("By Ann Lee Monday", ["Ann Lee"]),
        ("By Monday, April 3", []),
    ],
)
def test_a_name_may_be_a_month_or_a_day(line: str, expected: list[str]) -> None:
    assert find_authors(Head(), near=[line]) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("著者：森川大樹", ["森川大樹"]),
        ("執筆者：森川大樹", ["森川大樹"]),
        ("执笔人：王小明 李红", ["王小明", "李红"]),
        ("特约撰稿 王小明", ["王小明"]),
        ("한서윤 기자", ["한서윤"]),
        ("[항구신문 한서윤 선임기자]", ["한서윤"]),
        ("Af Mette Lee", ["Mette Lee"]),
        ("Автор, Анна Ли", ["Анна Ли"]),
        ("نویسنده, مهتاب شریفی", ["مهتاب شریفی"]),
        ("Soumis par Zoé Lee le 3 mai 2026", ["Zoé Lee"]),
        ("Beküldte: Lee Anna - 2026. május 3.", ["Lee Anna"]),
        ("تحریر: عائشہ ملک", ["عائشہ ملک"]),
        ("Posted by river_rat on May 3, 2026", ["river_rat"]),
        ("Szerző: river7 »", ["river7"]),
        ("By 2030 the pier is gone", []),
        ("Írta: Lee Anna", ["Lee Anna"]),
        ("Szerző: Lee Anna", ["Lee Anna"]),
        ("Kirjoittaja: Aino Lee", ["Aino Lee"]),
        ("Oleh: Ani Lee, 3 Mei 2026", ["Ani Lee"]),
        ("Yazan: Ayla Lee", ["Ayla Lee"]),
        ("Γράφει ο Νίκος Λη", ["Νίκος Λη"]),
        ("Propos recueillis par Zoé Lee et Bo Ek", ["Zoé Lee", "Bo Ek"]),
        ("Von unserer Redakteurin Anna Lee", ["Anna Lee"]),
        ("بقلم رنا عبد الله", ["رنا عبد الله"]),
        ("كتبت: رنا منصور الخميس 12 مارس 2026", ["رنا منصور"]),
        ("מאת: נועם אלון", ["נועם אלון"]),
        ("लेखक: नेहा मेहरा", ["नेहा मेहरा"]),
        ("โดย สมชาย ใจดี | 3 พ.ค. 2569", ["สมชาย ใจดี"]),
        ("نویسنده: سارا احمدی", ["سارا احمدی"]),
        ("Tác giả: Lê Thu Hà", ["Lê Thu Hà"]),
        ("撰文者：王小明", ["王小明"]),
        ("（文・写真＝森川大樹）", ["森川大樹"]),
        ("文＝森川大樹　写真＝大森千夏", ["森川大樹"]),
        ("文/王小明 图/李红", ["王小明"]),
        ("取材・文／森川大樹　撮影／大森千夏", ["森川大樹"]),
        ("De Ana Pop și Ion Radu, 3 mai 2026", ["Ana Pop", "Ion Radu"]),
        ("De Ziua Mării portul a fost închis", []),
        ("Ein Gastbeitrag von Anna Lee", ["Anna Lee"]),
        ("Scritto da Anna Lee il 3 maggio 2026", ["Anna Lee"]),
        ("Kirjoittanut Aino Lee", ["Aino Lee"]),
        ("Text und Fotos: Anna Lee", ["Anna Lee"]),
        ("Texto y fotos: Ana Lee", ["Ana Lee"]),
        ("লেখক: রহিম উদ্দিন", ["রহিম উদ্দিন"]),
        ("लेखक: नेहा मेहरा | अपडेट: 3 मई 2026", ["नेहा मेहरा"]),
        ("Von Anna Lee, Bo von Oak", ["Anna Lee", "Bo von Oak"]),
        ("By Omar al-Amin and Zoé d’Este", ["Omar al-Amin", "Zoé d’Este"]),
        ("Door Jan van ’t Hof", ["Jan van ’t Hof"]),
        ("By Ann Lee | Photographs by Bo Ek", ["Ann Lee"]),
        ("Words and photos by Ann Lee", ["Ann Lee"]),
        ("Photographs by Bo Ek", []),
        ("By Ann Lee, edited by Bo Ek", ["Ann Lee"]),
        ("By Price By Brand", []),
        ("Written by Ann Lee · Medically reviewed by Bo Ek", ["Ann Lee"]),
        ("Text by Ann Lee Illustration by Bo Ek", ["Ann Lee"]),
        ("By Ann Lee and edited by Bo Ek", ["Ann Lee"]),
        ("By our correspondent Ann Lee", ["Ann Lee"]),
        ("Door onze verslaggever Ann Lee", ["Ann Lee"]),
        ("Posted on May 3, 2026 at 3:40 pm by Ann Lee", ["Ann Lee"]),
        ("Geplaatst op 3 mei 2026 om 15.40 uur door Ann Lee", ["Ann Lee"]),
        ("Published 8 months ago by Ann Lee", ["Ann Lee"]),
        ("Published tables of tides by Ann Lee", []),
        ("Pubblicato il 3 maggio 2026 da Anna Lee", ["Anna Lee"]),
        ("Erstellt von Anna Lee am 3. Mai 2026", ["Anna Lee"]),
        ("An essay by Ann Lee", ["Ann Lee"]),
        ("文・森川大樹", ["森川大樹"]),
        ("기자명 한서윤 입력 2026.05.03", ["한서윤"]),
        ("글 한서윤 · 사진 박서연", ["한서윤"]),
        ("By Elm Street the queue for the first boat was long.", []),
        ("Von Anna Lees drei Booten liegt nur noch eines hier.", []),
        ("By Ann Lee, who writes about boats and ferries here.", ["Ann Lee"]),
    ],
)
def test_a_byline_of_another_language_is_read(line: str, expected: list[str]) -> None:
    assert find_authors(Head(), near=[line]) == expected


@pytest.mark.parametrize(("language", "name"), [("ro", "Ana Pop"), ("nl", "De Ana Pop")])
def test_by_in_romanian_begins_names_elsewhere(language: str, name: str) -> None:
    marked = [([("De Ana Pop, 3 mai 2026",)], False)]

    assert find_authors(Head(lang=language), marked=marked) == [name]


def test_the_markup_of_a_declared_name_is_no_part_of_it() -> None:
    link = "<a href='https://post.invalid/ann'>Ann Lee</a>"

    assert find_authors(Head(persons=(link,))) == ["Ann Lee"]


def test_the_account_of_the_site_is_no_author() -> None:
    site, lead = Head(authors=("harbourpost",)), "港湾社2月3日电 (王小明)渡船晚点。"

    assert find_authors(site, host="www.harbourpost.invalid") == []
    assert find_authors(site, host="www.harbourpost.invalid", lead=lead) == ["王小明"]
    assert find_authors(site, host="www.courier.invalid") == ["harbourpost"]
    assert find_authors(Head(persons=site.authors), host="harbourpost.invalid") == ["harbourpost"]


def test_lines_of_cards_name_no_author() -> None:
    line = "By Ann Lee"
    assert (
        find_authors(Head(), [line], [line], tail=[line], is_others=lambda text: text == line) == []
    )


@pytest.mark.parametrize(
    "line",
    [
        "Par Zoé Lee, le 3 février 2026 à 15h40",
        "Door Ann Lee op 3 april 2026",
        "Autor: Ann Lee",
        "Автор: Анна Ли, 3 мая 2026, 15:40",
        "Von Ann Lee und Bo Ek, Bergen",
        "한서윤 기자",
        "3 de septiembre de 2026",
        "Veröffentlicht am 03.04.2026, 14:05 Uhr",
        "2026年3月12日",
        "特约撰稿人 王小明",
        "記者王小明／港灣報導",
    ],
)
def test_a_line_that_says_who_or_when_alone_is_a_byline(line: str) -> None:
    assert is_byline(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Von Ann Lee lernte Bo Ek das Segeln und das Rudern",
        "Von Bergen bis Oster fahren zwei Boote",
        "By 3 April 2026 all ferries must have been measured again",
        "2024年4月份渡船晚点同比上涨百分之三点五",
        "港湾网记者 王小明 在码头上看见渡船一班接一班晚点",
        "On 3 April 2026 he came.",
        "(Reporting by Ann Lee; editing by Bo Ek)",
        "15:40",
    ],
)
def test_a_line_that_says_more_is_no_byline(line: str) -> None:
    assert not is_byline(line)


SIGNED = (
    "By Ann|Von Ann|Par Ann|Por Ann|Door Ann|Di Ann|Av Ann|Af Ann|Przez Ann|author|autor|auteur"
    "|by-line|writer|written|posted|contributor|journalist|redakteur|verfasser|vcard|words: Ann"
    "|text: Ann|автор|penulis|yazar|기자|كتب|作者|撰文|采写|採訪|文字|记者|記者"
).split("|")


@pytest.mark.parametrize("text", SIGNED)
def test_texts_with_a_word_of_bylines_may_name_an_author(text: str) -> None:
    assert may_name_author(text)
    assert not may_name_author("The pier is shut.")


@pytest.mark.parametrize(
    ("dated", "expected"),
    [
        (["Ann Lee"], ["Ann Lee"]),
        (["Sea and boats", "Ann Lee, Bo Ek & Cy van Oak"], ["Ann Lee", "Bo Ek", "Cy van Oak"]),
        (["Ferry"], []),
        (["The Ferry Was Late"], []),
        (["Ann Lee reports"], []),
        (["Harbour news"], []),
        (["6 min read"], []),
        (["נועם אלון"], ["נועם אלון"]),
        (["رنا الحداد"], ["رنا الحداد"]),
        (["أخبار البحر"], []),
        (["رحلات بحرية"], []),
        (["Του Νίκου Λη"], ["Νίκου Λη"]),
        (["Anna-Lena O'Hara, Bo Ek"], ["Anna-Lena O'Hara", "Bo Ek"]),
    ],
)
def test_a_name_beside_a_date_is_the_authors(dated: list[str], expected: list[str]) -> None:
    assert find_authors(Head(), dated=dated) == expected
    assert find_authors(Head(), near=["By Di Oak"], dated=dated) == ["Di Oak"]


STORY = "".join(
    f"<p>{line * 3}</p>" for line in (
    "The ferry left the quay an hour late and came back with nobody but its crew on board. ",
    "The harbour office will look at the timetable again before the winter comes. ",
))  # fmt: skip


@pytest.mark.parametrize(
    ("byline", "after", "expected"),
    [
        ("<p>Ann Lee · 3 May 2026 · 6 min</p>", "", ["Ann Lee"]),
        ("<p>3 May 2026 - Ann Lee</p>", "", ["Ann Lee"]),
        ("<p>Ann Lee</p><p>3 May 2026</p>", "", ["Ann Lee"]),
        ("<p>Ann Lee</p><p>3 May 2026</p>", "<p>Ann Lee</p><p>Sailor</p>", ["Ann Lee"]),
        ("<p>25 ноября, 06:30 | <b>Анна ЛИ</b></p>", "", ["Анна ЛИ"]),
        ("<p class=author><b>Ann H.</b><b>Lee</b></p>", "", ["Ann H. Lee"]),
        ("<p class=author-name><b>Ann</b> <b>Lee</b></p>", "", ["Ann Lee"]),
        ("<h6>Post written by Ann Lee.</h6>", "", ["Ann Lee"]),
        ("", "<p>This text was written by Ann Lee, Head of Boats</p>", ["Ann Lee"]),
        ("<p>李红/港湾青年报</p>", "", ["李红"]),
        ("", "<form><p class=login-username>Sailor or address</p></form>", []),
        ("<p>منى خليل وسامي حداد</p><p>3 May 2026</p>", "", ["منى خليل", "سامي حداد"]),
        ("<p>Ann Lee</p>", "", []),
        ("<p><a href=/life>Harbour Life</a> · 3 May 2026</p>", "", []),
        ("<p>Harbour Life · 3 May 2026</p>", "<p><a href=/l>Harbour Life</a></p>", []),
        ("", "<p>Bo Ek</p><p><a href=/o>Oven found under school</a></p>", []),
        ("", "<p><a href=/o>Oven found under school</a></p><p>Bo Ek</p><p>3 May 2026</p>", []),
        ("", "<p>박서연 기자</p><p><a href=/o>학교 밑에서 화덕 발견</a></p>", ["박서연"]),
        ("", "<p><a href=/o>학교 밑에서 화덕 발견</a></p><p>박서연 기자</p>", []),
        ("", "<p>— Ann Lee</p><p>Tags</p>", ["Ann Lee"]),
        ("", "<p>— Ann Lee</p><p><a href=/o>Oven found under school</a></p>", ["Ann Lee"]),
        ("<p>By Ann Lee</p>", "<p class=related><a rel=author href=/b>Bo Ek</a></p>", ["Ann Lee"]),
        ("<p>Ann Lee | alee@post.invalid</p>", "", ["Ann Lee"]),
        ("<p>김민수·이서연 기자</p>", "", ["김민수", "이서연"]),
        ("", "<p>(Reporting by Ann Lee; editing by Bo Ek)</p>", ["Ann Lee"]),
        ("<p>Contact: Ann Lee</p><p>3 May 2026</p>", "", []),
        ("<p><i>王小明</i> <i>2026-05-03 10:20</i></p>", "", ["王小明"]),
        ("<p><i>金融界</i> <i>2026-05-03 10:20</i></p>", "", []),
        ("<p><a href=/member/annlee>annlee</a> · 3 May 2026</p>", "", ["annlee"]),
        ("<p><a href=/user/login>login</a> · 3 May 2026</p>", "", []),
        ("<p>Posted by <a class=author href=/user/ann_lee>ann_lee</a></p>", "", ["ann_lee"]),
        ("<p>Harbour Post | news@post.invalid</p>", "", []),
        (
            "",
            "<div><a href=/o itemprop=headline>Oven found</a> <i itemprop=author>Bo Ek</i></div>",
            [],
        ),
        ("", "<p><b>Fair Winds</b></p><p>Tags</p>", []),
        (
            "<figure><img src=/a.jpg><figcaption>Bo Ek</figcaption></figure><p>3 May 2026</p>",
            "",
            [],
        ),
        ("<p>Guest post by Ann Lee of the harbour</p>", "", ["Ann Lee"]),
        ("<p>Ann Lee | Contributor</p><p>3 May 2026</p>", "", ["Ann Lee"]),
        ("<p>(항구=신문) 한서윤 기자 = 배가 두 시간 늦었다.</p>", "", ["한서윤"]),
        ("<p><a href=/@ann>Ann Lee</a> · <button>Follow</button></p>", "", ["Ann Lee"]),
        ("<p><a href=https://film.example/@ann>Harbour Film</a></p>", "", []),
        (
            "<p class=byline><i>By</i> <i>Ann Lee</i>, <i>Bo Ek</i> and <i>Cy Oak</i></p>",
            "",
            ["Ann Lee", "Bo Ek", "Cy Oak"],
        ),
        ("<p><a href=/user/31>渡口的灯</a> 2026-05-03</p>", "", ["渡口的灯"]),
        ("<p><a class=nick-name href=/31>渡口的灯</a> 2026-05-03</p>", "", ["渡口的灯"]),
        ("<p><a href=/kaze_no>@kaze_no</a> 2026年5月3日</p>", "", ["kaze_no"]),
        ("<p><a href=/user/login>登录</a><a href=/user/31>我的收藏</a></p>", "", []),
        ("", "<ul><li><a href=/user/31>渡口的灯</a></li></ul>", []),
        ("<p>作者：李红</p><p><a href=/user/31>渡口的灯</a></p>", "", ["李红"]),
        ("<p><b>作者：</b><b>李红</b><b>发布时间：</b><b>2026-05-03</b></p>", "", ["李红"]),
        ("<p>文＝森川 樹 写真＝西野 葵</p>", "", ["森川樹"]),
        ("", "<p>（本文作者李红，港湾大学教授）</p>", ["李红"]),
        ("", "<p>（作者系港湾大学教授 李红）</p>", ["李红"]),
        ("<p>文｜李红 攝影｜何野</p>", "", ["李红"]),
        ("<p>取材・執筆：森川樹 編集：西野葵</p>", "", ["森川樹"]),
        ("", "<p>【関連記事】</p>", []),
        ("", "<p>（作者单位：港湾大学）</p>", []),
        ("", "<div class=related><p>학교 밑에서 화덕 발견 박서연 기자</p></div>", []),
        ("<p>3 May 2026 · 2 min · Ann Lee | <a href=/e>Suggest changes</a></p>", "", ["Ann Lee"]),
        ("<p>3 May 2026 · <a href=/s><i>Harbour Life</i></a> · Ann Lee</p>", "", []),
        ("", "<div class=reviews><p class=author>Bo Ek</p><p>A boat that was late.</p></div>", []),
    ],
)
def test_a_page_has_the_authors_of_its_article_and_of_no_other(
    byline: str, after: str, expected: list[str]
) -> None:
    page = f"<body><article><h1>Ferry late</h1>{byline}{STORY}</article>{after}</body>"

    assert clean(page).authors == expected


def test_what_stands_beside_the_article_above_it_names_no_author() -> None:
    widget = "<aside><h2>Account</h2><p class=username>Member</p></aside>"
    page = f"<body>{widget}<p>Sea</p><main><article><h1>Ferry late</h1>{STORY}</article></main>"

    assert clean(page).authors == []
