"""Hidden parts, empty sections and last bylines are removed, footnotes are added."""

import pytest

from tests.reading import PIER
from webclean_scrapy import clean
from webclean_scrapy.cleaning.result import CleanedPage

TITLE = "The old pier is closed for a year"
MORE = (
    "The mayor told the council that the money had been set aside when the winter storms began.",
    "Old photographs show the pier with three cranes, of which one was sold to a museum in town.",
    "Anglers asked for a path to the last pillar, from which the best catches of the bay are made.",
)
TEXT = "".join(f"<p>{one}</p>" for one in (*PIER, *MORE))
FIRST, LAST = ("".join(f"<p>{one}</p>" for one in some) for some in (PIER, MORE))
MENU = "<nav><a href=/a>News</a> <a href=/b>Sport</a> <a href=/c>Town</a></nav>"


def read(body: str, *, head: str = "", around: str = "article") -> CleanedPage:
    main = f"<h1>{TITLE}</h1>{body}"
    shown = f"<{around}>{main}</{around}>" if around else main
    html = f"<html><head><title>{TITLE}</title>{head}</head><body>{MENU}{shown}</body></html>"
    return clean(html, url="https://bay.example/pier")


@pytest.mark.parametrize(
    "hidden",
    [
        "<span style='display: none'>{}</span>",
        "<b hidden>{}</b>",
        "<em style='Visibility:hidden'>{}</em>",
        "<i style='font-size:0'>{}</i>",
        "<span style='position: absolute; left: -9999px'>{}</span>",
        "<span class='visually-hidden'>{}</span>",
        "<span class='d-none'>{}</span>",
        "<span class=invisible>{}</span>",
        "<span class='hide'>{}</span>",
        "<span class=offscreen>{}</span>",
        "<span role=tooltip>{}</span>",
        "<span class='tip tooltiptext'>{}</span>",
        "<span class='inline md:hidden'>{}</span>",
        "<span class='d-inline d-lg-none'>{}</span>",
        "<span style='position:absolute; opacity:0'>{}</span>",
        "<span style='width:1px;height:1px;position:absolute;overflow:hidden'>{}</span>",
        "<span class=qx>{}</span>",
        "<span id=zy>{}</span>",
        "<span class=vh>{}</span>",
        "<span class=ears>{}</span>",
        "<span class=away>{}</span>",
        "<span class=blind>{}</span>",
        "<i class=material-icons>{}</i>",
        "<span class='icon material-symbols-outlined'>{}</span>",
        "<span style='font-size:1px; color:#fff'>{}</span>",
        "<span style='display:inline-block;width:0;overflow:hidden'>{}</span>",
    ],
)
@pytest.mark.parametrize(
    "line", ["<p>{} tons</p>", "<ul><li>{} tons</li></ul>", "<h2>{} tons</h2>"]
)
def test_parts_of_a_line_that_nobody_sees_are_in_no_output(hidden: str, line: str) -> None:
    styles = "<style>.a{color:red} b.qx, #zy {display:none} .vh{visibility: hidden}"
    styles += ".ears{clip:rect(0 0 0 0)} .away{position:absolute;left: -9999px}</style>"
    part = line.format("It weighs " + hidden.format("GHOST") + "ninety")
    page = read(FIRST + part + LAST, head=styles.replace("b.qx", ".qx"))

    assert "It weighs ninety tons" in page.text
    assert not any("GHOST" in output for output in (page.text, page.html, page.markdown))
    assert ("line", "hidden") in {(one.what, one.why) for one in page.removed}


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("<i class=material-icons>check</i>", "check"),
        ("<span class=sr-only>Yes</span><svg></svg>", "Yes"),
        ("<i class=material-icons>star</i> 4 of 5", "4 of 5"),
        ("<span class=sr-only>Sort by</span> Weight", "Weight"),
    ],
)
def test_a_word_for_the_sign_of_a_cell_stays_where_it_is_all_of_the_cell(
    cell: str, said: str
) -> None:
    table = f"<table><tr><td>Gull<td>{cell}<tr><td>Tern<td>no boat</table>"
    cells = read(FIRST + table + LAST).text.splitlines()

    assert any(line.split("Gull")[-1].strip(" \t|") == said for line in cells)


@pytest.mark.parametrize(
    "shown",
    [
        "<span aria-hidden=true>{}</span>",
        "<span style='font-size:0.9em'>{}</span>",
        "<span style='text-indent:-2px'>{}</span>",
        "<span class='hidden md:inline'>{}</span>",
        "<span class='invisible md:visible'>{}</span>",
        "<span class=hide-on-print>{}</span>",
        "<span style='opacity:0'>{}</span>",
        "<span style='position:absolute;opacity:0.8;max-width:1px'>{}</span>",
        "<span style='overflow:hidden; max-width:20em; min-width:0'>{}</span>",
        "<span style='visibility:hidden; animation-name:none'>{}</span>",
        "<span class=printed>{}</span>",
        "<span class=not-sr-only>{}</span>",
    ],
)
def test_parts_that_eyes_see_stay(shown: str) -> None:
    styles = "<style>@media print { .printed { display: none } } .x .printed{display:none}</style>"
    page = read(FIRST + f"<p>It weighs {shown.format('some')} ninety tons.</p>" + LAST, head=styles)

    assert "It weighs some ninety tons." in page.text


def test_of_twins_for_eyes_and_ears_one_is_left() -> None:
    twins = "<span aria-hidden=true>£9</span><span class=sr-only>£9</span>"
    page = read(f"{FIRST}<p>It costs {twins} a day to moor there.</p>{LAST}")

    assert "It costs £9 a day to moor there." in page.text


@pytest.mark.parametrize("on_small", ["md:hidden", "d-lg-none"])
def test_a_block_that_small_screens_show_in_place_of_the_same_one_goes(on_small: str) -> None:
    block = "<div{}><p>The ferry leaves from the fish market until next summer comes.</p></div>"
    page = read(FIRST + block.format("") + block.format(f" class='{on_small}'") + LAST)
    alone = read(FIRST + block.format(f" class='{on_small}'") + LAST)

    assert page.text.count("until next summer") == alone.text.count("until next summer") == 1
    # a page that is hidden until its script has run shows both
    both = f"{FIRST}{block}{LAST}{block}".format("", "")
    late = read(f"<div style='visibility: hidden'>{both}</div>")
    assert late.text.count("until next summer") == 2


def test_a_page_that_hides_most_of_its_lines_parts_keeps_them() -> None:
    lines = "".join(
        f"<p>{one[:20]}<span style='display:none'>{one[20:]}</span></p>" for one in PIER
    )

    assert PIER[1] in read(lines + LAST[:100]).text


@pytest.mark.parametrize(
    "block",
    [
        "<div>{}<form><label>Yes</label><label>No</label></form></div>",
        "<div>{}<p class=share><a href=//x.example/s>X</a> <a href=//f.example/s>Face</a></div>",
        "<div class=tags>{}<a href=/t/1>Pier</a> <a href=/t/2>Bay</a></div>",
    ],
)
@pytest.mark.parametrize("heading", ["<h3>Zum Thema</h3>", "<p class=box-title>Zum Thema</p>"])
def test_the_heading_of_a_removed_block_goes_with_it(block: str, heading: str) -> None:
    page = read(FIRST + block.format(heading) + LAST)

    assert "Zum Thema" not in page.text
    assert page.text.endswith(MORE[-1])


def test_the_heading_of_a_form_without_text_goes() -> None:
    form = "<div><h3>Zum Thema</h3><form><input type=text><button>Go</button></form></div>"

    assert "Zum Thema" not in read(FIRST + form + LAST).text


@pytest.mark.parametrize(
    "below",
    [
        "<figure><img src=/plan.png width=600 height=400></figure>",
        "<h3>The plan</h3>" + FIRST,
        "<table><tr><td>Pillars<td>40<tr><td>Cranes<td>3</table>",
        "<div>" + FIRST + "</div>",
        "",
    ],
)
def test_a_heading_over_a_picture_a_heading_or_a_text_stays(below: str) -> None:
    page = read(FIRST + "<h2>From the archive</h2>" + below + "<h2>The bay</h2>" + LAST)

    assert "## From the archive" in page.markdown


def test_headings_each_with_links_beside_them_are_headings_of_sections() -> None:
    sections = "".join(
        f"<div class=head><h2>Part {n}</h2><a href='javascript:;'>edit</a></div>{text}"
        for n, text in (("one", FIRST), ("two", LAST))
    )

    assert "## Part one" in read(sections).markdown


@pytest.mark.parametrize(
    ("below", "goes"),
    [
        ("<div id=weather></div>", True),
        ("<a href=//apps.apple.com/x><img src=/app.png alt='App Store'></a>", True),
        ("<a href=/map><img src=/map.png alt='A map of the bay'></a>", False),
    ],
)
def test_a_last_heading_without_a_text_or_a_picture_below_goes(below: str, goes: bool) -> None:
    page = read(TEXT + "<h2>The weather</h2>" + below)

    assert page.text.endswith(MORE[-1]) is goes
    assert "App Store" not in page.markdown


@pytest.mark.parametrize("heading", ["Related work", "Discussion", "Kommentare", "関連記事"])
def test_a_heading_that_would_end_an_article_stays_over_its_text(heading: str) -> None:
    page = read(FIRST + f"<h2>{heading}</h2>" + LAST)

    assert f"## {heading}" in page.markdown


@pytest.mark.parametrize("heading", ["Share", "Imprimir", "分享"])
def test_a_heading_named_as_a_tool_stays_over_its_text_among_others(heading: str) -> None:
    share = "<ul><li><a href=//x.example/s>X</a><li><a href=//f.example/s>Face</a></ul>"

    assert f"## {heading}" in read(f"<h2>Tides</h2>{FIRST}<h2>{heading}</h2>{LAST}").markdown
    assert heading not in read(f"<h2>Tides</h2>{FIRST}{LAST}<h2>{heading}</h2>{share}").text


def test_a_heading_over_links_ends_the_article() -> None:
    links = "".join(f"<li><a href=/{n}>The harbour fair opens again, part {n}</a>" for n in "abcde")

    assert "Related" not in read(TEXT + f"<h2>Related articles</h2><ul>{links}</ul>").text


@pytest.mark.parametrize("wrap", ["<div>{}</div>", "<section><div>{}</div></section>"])
def test_a_block_in_a_heading_is_the_heading(wrap: str) -> None:
    sections = (
        f"<h2 class=title>{wrap.format(name)}</h2><div>{text}</div>"
        for name, text in (("The pier", FIRST), ("The bay", LAST))
    )
    page = read("".join(sections))

    assert "## The pier" in page.markdown
    assert "## The bay" in page.markdown


def test_a_heading_in_a_summary_is_no_strong_one() -> None:
    page = read(f"<details><summary><h3>The pier</h3></summary>{FIRST}</details>{LAST}")

    assert "## The pier\n" in page.markdown


@pytest.mark.parametrize(
    "style",
    [
        "<style>.band{margin-left:-9999px; padding-left:9999px}</style>",
        "<style>.band{position:absolute; clip: rect(0, auto, auto, 0)}</style>",
        "<style media=print>.band{position:absolute; left:-9999px}</style>",
        "",
    ],
)
def test_a_wide_band_is_seen(style: str) -> None:
    own = "class=band" if style else "style='margin-left:-5000px; padding-left:5000px'"
    part = f"<p {own}>The pier weighs ninety tons, which is a lot for its two old pillars.</p>"

    assert "ninety tons" in read(FIRST + part + LAST, head=style).text


NOTE = '<a href="#{to}" id="{at}">{text}</a>'
CITED = MORE[0].replace("winter", f"{NOTE.format(to='n1', at='r1', text='[1]')} winter")
NOTES = f"<ol class=notes><li id=n1>{{}} {NOTE.format(to='r1', at='b1', text='back')}</li></ol>"


@pytest.mark.parametrize("around", ["<section>{}</section>", "<footer>{}</footer>", "{}"])
def test_footnotes_outside_the_body_are_taken_in(around: str) -> None:
    text = TEXT.replace(MORE[0], CITED)
    note = "Minutes of the council, volume twelve."
    page = read(f"<div><div>{text}</div></div>{around.format(NOTES.format(note))}{MENU}")

    assert "[^1]" in page.markdown
    assert f"[^1]: {note}" in page.markdown
    assert page.text.endswith(note)
    assert "Sport" not in page.text


def test_a_list_of_sources_outside_the_body_stays_there() -> None:
    text = TEXT.replace(MORE[0], CITED)
    source = "<a href=https://sea.example/study>A study of the sea walls of the bay</a>"
    page = read(f"<div><div>{text}</div></div>{NOTES.format(source)}")

    assert page.text.endswith(MORE[-1])


SCHOOLS = ("Osterfeld", "Marienhafen", "Lange Bucht", "Alte Werft")


def sections(names: tuple[str, ...], heading: str) -> str:
    parts = zip(names, (FIRST, LAST) * 2, strict=False)
    return "".join(heading.format(name, n) + text for n, (name, text) in enumerate(parts))


@pytest.mark.parametrize(
    "above",
    [
        "",
        "<div><a href=/x>All</a> <a href=/y>Map</a></div>",
        "<ul><li><a href=/x{1}>All of the schools</a><li><a href=/y{1}>Map of the bay</a></ul>",
    ],
)
def test_several_linked_headings_over_sections_stay(above: str) -> None:
    heading = "<h3><a href=/school/{1}>{0}</a></h3>"
    page = read(TEXT + sections(SCHOOLS, above + heading))

    assert all(name in page.text for name in SCHOOLS)
    assert "All" not in page.text


def test_a_linked_heading_close_behind_other_links_stays_over_its_section() -> None:
    firms = links("|".join(SCHOOLS * 2), "/firm/{}", ", ")
    heading = "<h3><a href=/oak>Oak</a></h3>"
    page = read(f"{TEXT}<h3>Osterfeld</h3>{LAST}<p>Used by {firms}, and more.</p>{heading}{FIRST}")

    assert "Oak" in page.text


def test_headlines_below_each_other_are_no_headings_of_the_text_behind() -> None:
    heading = "<h4><a href=/story/{1}>{0} and the boats that lie there in winter</a></h4>"
    stories = "".join(heading.format(name, n) for n, name in enumerate(SCHOOLS))
    page = read(FIRST + f"<div><h4>More:</h4><ul><li>{stories}</li></ul></div>" + LAST)

    assert not any(name in page.text for name in SCHOOLS)


def links(names: str, href: str = "https://shop{}.example/x", between: str = " ") -> str:
    """Return links with these *names*, each with its number in its address."""
    every = enumerate(names.split("|"))
    return between.join(f"<a href='{href.format(number)}'>{name}</a>" for number, name in every)


OFFERS = "Warm coats|Rain boots|Sailing trips|Harbour flats|Fresh fish"
BEFORE = "The pier was built of larch in the year that the railway came to the bay."
AFTER = "Its planks were tarred twice a year by the men who mended the nets there."
ZH_TITLE = "旧码头关闭一年"
ZH = (
    "市政府周二宣布，旧码头将关闭一年，以便更换已经腐烂的木桩和护栏，工程预计耗资三百万元。",
    "居民表示，他们理解安全方面的考虑，但希望工程能够在明年夏天游客到来之前全部完成。",
    "工程师在检查中发现，码头北侧的十二根木桩几乎已经断裂，继续使用会有很大的危险。",
)
ZH_OFFERS = "楼市新闻|理财产品|汽车报价|旅游线路|健康食品"


@pytest.mark.parametrize(
    "paragraph",
    [
        f"{BEFORE} {links(OFFERS)}",
        f"{BEFORE} {links(OFFERS)} {AFTER}",
        f"{BEFORE}{links(OFFERS, between='')} {AFTER}",
        f"{BEFORE} {links(OFFERS, between=' | ')}",
        f"{BEFORE} {links(OFFERS, between=' · ')} {AFTER}",
        f"{BEFORE} {links(OFFERS, '/tag/{}')}",
        f"{BEFORE} {links(OFFERS, 'https://ads.example/{}')} {AFTER}",
        f"{BEFORE} <span class=x>{links(OFFERS, between=' / ')}</span>",
        f"“{BEFORE}” <b>{links(OFFERS)}</b> {AFTER}",
        f"{BEFORE} {links(OFFERS, between='&nbsp;&raquo; ')}",
        f"<i>{BEFORE}</i> {links('#pier|#bay|#larch|#wood', '/search?q={}')}",
        f"{BEFORE} {links('<b>Warm</b> coats|Rain <i>boots</i>|Sailing|Flats')} {AFTER}",
    ],
)
def test_runs_of_links_behind_a_sentence_leave_the_paragraph(paragraph: str) -> None:
    page = read(f"{FIRST}<p>{paragraph}</p>{LAST}")

    kept = [BEFORE, AFTER] if AFTER in paragraph else [BEFORE]
    line = next(line for line in page.text.split("\n") if BEFORE in line)
    assert line.strip("“” |·/»").replace("”", "") == " ".join(kept)
    for output in (page.text, page.html, page.markdown):
        assert not any(word in output for word in ("boots", "Sailing", "#larch", "<a"))
    assert ("line", "link run") in {(one.what, one.why) for one in page.removed}


def test_one_link_that_leads_on_leaves_the_end_of_a_paragraph() -> None:
    led = " <a href=/frost>Read also: Frost takes half of the early cherries</a>"
    told = f" <a href=/oak>Related oak</a> was bought.{led[:-4]}</a>, they said."
    page = read(f"{FIRST}<p>{BEFORE}{led}</p><p>{BEFORE}{told}</p>{LAST}")

    assert f"{BEFORE}\n{BEFORE} Related oak was bought. Read also: Frost" in page.text


@pytest.mark.parametrize("around", ["{}", "{}" + ZH[1]])
@pytest.mark.parametrize("between", ["", " ", "　", "|"])
def test_runs_of_links_leave_a_chinese_paragraph(around: str, between: str) -> None:
    run = links(ZH_OFFERS, between=between)
    lines = f"<p>{ZH[0]}</p><p>{ZH[2]}{around.format(run)}</p><p>{ZH[1][::-1]}。</p>"
    html = f"<html><head><title>{ZH_TITLE}</title></head><body><h1>{ZH_TITLE}</h1>{lines}</body>"
    page = clean(html, url="https://bay.example/pier")

    assert page.text.split("\n")[1] == ZH[2] + around.format("")


@pytest.mark.parametrize(
    "sentence",
    [
        f"{BEFORE} {links('Ann|Bob|Cid|Dora', between=', ')} and Eve came.",
        f"{BEFORE} {links('Ann|Bob|Cid|Dora', between='、')}",
        f"{BEFORE} {links('Ann|Bob|Cid|Dora', between='; ')}.",
        f"{BEFORE} {links('Ann|Bob|Cid|Dora', between=' and ')} came.",
        f"{BEFORE} {links('Ann|Bob|Cid|Dora')} were among those who came.",
        f"{BEFORE} {links('Ann|Bob|Cid')} {AFTER}",
        f"{BEFORE} {links('1|2|3|4')} {AFTER}",
        f"{BEFORE} {links('Drawn by|Ann Lee|and|Bob Low')}, both of the town, it had two cranes.",
        f"{BEFORE} {links('As|Ann Lee|and|Bob Low', 'https://a.example/')} {AFTER}",
        f"{BEFORE} {links('note a|note b|note c|note d', '#note{}')} {AFTER}",
        f"{BEFORE} The ferries are {links('Ann|Bob|Cid|Dora')}",
        f"{BEFORE} {links('Ann|Bob', '/x{}')} {links('Cid|Dora')} {AFTER}",
    ],
)
def test_links_that_a_sentence_is_made_of_stay(sentence: str) -> None:
    page = read(f"{FIRST}<p>{sentence}</p>{LAST}")

    assert page.html.count("<a") == sentence.count("<a")


@pytest.mark.parametrize(
    "end",
    [
        "Tags: pier, storm",
        "Share your views in the comments below.",
        "Source: Harbour office",
        "Quelle: Hafenamt Ostwick",
        "Fuente: Oficina del puerto",
        "Нашли опечатку? Выделите её и нажмите Ctrl+Enter",
        "(dpa)",
        "Dieser Artikel erschien zuerst im Hafenboten.",
        "The post The old pier is closed for a year appeared first on Bay News.",
    ],
)
def test_lines_at_the_ends_that_speak_of_the_page_are_no_text(end: str) -> None:
    lines = read(f"<div><p>Share this article</p>{TEXT}<p>{end}</p></div>").text.split("\n")

    assert lines == [*PIER, *MORE]


@pytest.mark.parametrize(
    "end",
    [
        "<p>【更多相關報導】</p><p><a href=/2>Oven found under school</a></p>",
        "<p>제보는 카카오톡</p><p>kim@harbour.example</p><p>2026/05/03 송고</p>",
        "<p>+1</p><p>好文章，需要你的鼓励</p>",
        "<p>#미술관 #여행</p>",
    ],
)
def test_links_and_addresses_among_words_about_the_page_go_with_them(end: str) -> None:
    assert read(f"<div>{TEXT}{end}</div>").text.split("\n") == [*PIER, *MORE]


@pytest.mark.parametrize(
    ("end", "is_kept"),
    [
        ("kim@harbour.example", False),
        ("END", False),
        ("电子邮箱：kim@harbour.example", True),
        ("The End", True),
    ],
)
def test_an_address_alone_ends_no_text_in_korean(end: str, is_kept: bool) -> None:
    story = "".join(
        f"<p>강변에 있던 낡은 양조장이 지난달 {n}번째 미술관으로 다시 문을 열었다.</p>"
        for n in range(5)
    )

    assert (end in read(f"<div>{story}<p>{end}</p></div>").text) == is_kept


@pytest.mark.parametrize(
    ("line", "is_kept"), [("↓ 更多精彩请点击下方视频 ↓", False), ("渡口的灯又亮了", True)]
)
def test_a_line_amid_the_text_that_leads_on_goes(line: str, is_kept: bool) -> None:
    text = read(f"<div>{FIRST}<p>{line}</p>{LAST}<p>（完）</p></div>").text

    assert (line in text, "完" in text) == (is_kept, False)


def test_a_text_about_pages_keeps_what_it_says_of_them() -> None:
    advice = (
        "Readers share stories, comment on articles, and join our page with news of the pier.",
        "Share your views in the comments below.",
    )

    text = read(f"<div>{FIRST}<p>{advice[0]}</p>{LAST}<p>{advice[1]}</p></div>").text

    assert all(one in text for one in advice)


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        ("First published on 12 March 2026 at 10:30", False),
        ("Updated: 12 March 2026", False),
        ("By Ann Lee", False),
        ("12 March 2026", True),
        ("— Ann Lee, March 12, 2026", True),
        ("By the pier the boats lie as they did a hundred years ago.", True),
    ],
)
def test_a_last_line_that_says_who_or_when_is_no_text(line: str, is_kept: bool) -> None:
    page = read(f"{TEXT}<p>{line}</p>")

    assert page.text.endswith(line) == is_kept
    assert is_kept or any(one.why == "credit" for one in page.removed)


@pytest.mark.parametrize(
    "end",
    [
        "The post office of the bay appeared first on a map of 1802, and is there yet.",
        "Dieser Text ist ursprünglich ein Brief des Kapitäns an seine Tochter gewesen.",
        "Con información de los vecinos, la comisión trazó un mapa de cada galpón y de su dueño.",
    ],
)
def test_a_story_may_end_with_words_like_those_of_a_source(end: str) -> None:
    assert read(f"{TEXT}<p>{end}</p>").text.endswith(end)


@pytest.mark.parametrize(
    ("byline", "last", "is_left"),
    [
        ("By Ann Lee", "Ann Lee is a reporter for this paper.", False),
        ("Von Ann Lee, 3. Mai 2026", "Ann Lee schreibt über die Küste.", False),
        ("Ann Lee", "Ann Lee lives at the harbour.", False),
        ("By Bo Ek", "Ann Lee is glad that the pier is shut.", True),
        ("Photo by Bo Ek: Ann Lee", "Ann Lee is glad that the pier is shut.", True),
    ],
)
def test_what_is_said_of_the_author_ends_no_text(byline: str, last: str, is_left: bool) -> None:
    page = read(f"<p>{byline}</p>{TEXT}<p>{last}</p>")

    assert page.text.startswith(PIER[0])
    assert page.text.endswith(last if is_left else MORE[-1])


@pytest.mark.parametrize(
    ("behind", "is_left"),
    [
        ("<div><h3>Ann Lee</h3><p>Reports on the coast since 2011.</p></div>", False),
        ("<h3>About the author</h3><p>Ann Lee is a reporter for this paper.</p>", False),
        ("<h3>The Last Word</h3><p>It stays shut until the spring of next year.</p>", True),
    ],
)
def test_a_box_on_the_author_ends_no_text(behind: str, is_left: bool) -> None:
    page = read(f"<p>By Ann Lee</p>{TEXT}{behind}")

    assert page.text.endswith(MORE[-1]) is not is_left


def test_a_section_on_the_author_among_others_is_text() -> None:
    people = "<h3>Bo Ek</h3><p>He dives.</p><h3>Ann Lee</h3><p>She draws the bay.</p>"
    assert read(f"<p>By Ann Lee</p>{TEXT}{people}").text.endswith("She draws the bay.")


def test_whom_the_text_names_before_is_part_of_it() -> None:
    last = "Ann Lee is glad."
    page = read(
        f"<p>By Ann Lee</p>{FIRST}<p>The mayor told Ann Lee to close it.</p>{LAST}<p>{last}"
    )

    assert page.text.endswith(last)
