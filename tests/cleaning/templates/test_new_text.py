"""New text on pages of a known template, at places that never held an article."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.cleaning.templates.test_shared_text import marked_up, paragraphs
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.result import CleanedPage

Box = Callable[[int], str]  # what the box beside the article holds on a page

WHO = "码头工人 图书馆员 渡轮船长 学校老师 镇上面包师 议会代表 天气预报员 乐队队长".split()
WHAT = "修好了旧栏杆 开放了阅览室 增加了夜间航线 种下了三百棵树 推迟了预算 提醒了游客".split()
WHY = "因为邻居们都这么要求 虽然没有人愿意付钱 而且下个月还会继续 这让大家感到意外".split()


TIP = "<p>Do you know more? Write to our tip line, we read every letter.</p>"
BIO = (
    "<p>Anna Berg writes about the coast for this paper. Follow her for more stories.</p>"
    "<p>Subscribe to her letter, which goes out each Friday morning.</p>"
)
ABOUT = ("Ann Lee", "Bo Marsh", "Cy Doyle", "Di Frost", "Ed Moor", "Flo Park")
NAV = ("News", "Sport", "Weather of the coast", "Letters")


def body(number: int, zh: bool) -> list[str]:
    if not zh:
        return paragraphs(f"Story {number}", 6)
    return chinese(f"Story {number}", 6)


def chinese(name: str, count: int) -> list[str]:
    draw = Random(name)

    def sentence() -> str:
        who, other = draw.sample(WHO, 2)
        return f"{who}和{other}昨天{draw.choice(WHAT)}，{draw.choice(WHY)}。"

    return ["".join(sentence() for _ in range(4)) for _ in range(count)]


def page(number: int, box: str, *, zh: bool = False, stated: bool = True) -> tuple[str, str]:
    """Return a page with *box* behind its article, and the address."""
    by = "<p class=by>By Anna Berg</p><time>2026-03-03</time>" if stated else ""
    links = marked_up([f"<a href=/{name}>{name}</a>" for name in NAV], "li")
    html = (
        f"<html lang={'zh' if zh else 'en'}><title>Story {number} of the harbour</title>"
        f"<body><div class=top><ul>{links}</ul></div><main><article>"
        f"<h1>Story {number} of the harbour</h1>{by}"
        f"<div class=text>{marked_up(body(number, zh))}</div><div class=after>{box}</div>"
        f"</article></main><aside><h3>Most read</h3><ul>{related(number + 1_000)}</ul></aside>"
        f"<div class=foot><p>Copyright Harbour News, {number} of the year.</p></div>"
    )
    return html, f"http://news.example/story/{number}.html"


def after(
    old: Box, new: str, *, zh: bool = False, count: int = 6, stated: bool = True
) -> CleanedPage:
    """Return the cleaned page with *new* in its box, after *count* pages with *old* ones."""
    cleaner = Cleaner()
    for number in range(count):
        cleaner.clean(*page(number, old(number), zh=zh))
    return cleaner.clean(*page(99, new, zh=zh, stated=stated))


def lines_read(found: CleanedPage) -> list[str]:
    return found.trace.page.table.lines.text


def headlines(number: int) -> list[str]:
    return [text[:40].strip() for text in paragraphs(f"headlines {number}", 5)]


def related(number: int) -> str:
    return marked_up([f"<a href=/x/{n}>{t}</a>" for n, t in enumerate(headlines(number))], "li")


def teasers(number: int) -> str:
    texts = [text.split(".")[0] for text in paragraphs(f"teasers {number}", 5)]
    pairs = zip(headlines(number), texts, strict=True)
    return "".join(f"<h4><a href=/x>{title}</a></h4><p>{text}.</p>" for title, text in pairs)


LAST = paragraphs("the last one", 2)
OLD: dict[str, Box] = {
    "a tip line": lambda _: TIP,
    "an author's box": lambda _: BIO,
    "boxes of two authors": lambda n: BIO if n % 2 else BIO.replace("Anna Berg", "Bo Marsh"),
    "a letter": lambda _: f"<h3>Our letter</h3>{TIP}<form><input name=mail></form>",
    "links": related,
    "a menu": lambda _: marked_up(list(NAV), "li"),
    "rights": lambda _: "<p>© Harbour News. All rights reserved. Do not copy. Terms of use.</p>",
    "captions": lambda n: f"<img src=/{n}.jpg><p>{ABOUT[n % 6]} on the quay. Photo: archive.</p>",
}


@pytest.mark.parametrize("zh", [False, True])
@pytest.mark.parametrize("old", OLD)
def test_the_last_paragraph_is_kept_where_other_pages_had_a_box(old: str, zh: bool) -> None:
    last = chinese("the last one", 2) if zh else LAST
    found = after(OLD[old], marked_up(last), zh=zh)
    assert found.denoised == "known"
    assert found.text == "\n".join([*body(99, zh), *last])


@pytest.mark.parametrize(
    "written",
    [
        "<p>{0}</p>",
        "<div>{0}</div>",
        "<p>{1}<b>{2}</b>{3}<i>{4}</i></p>",
        "{0}<br><br>And more.",
        "<b>Note:</b> {0}",
        "<blockquote><p>{0}</p></blockquote>",
        "<p>{1}<a href=/x>{2}</a>{3}{4}</p>",
    ],
)
def test_a_paragraph_is_new_however_it_is_written(written: str) -> None:
    text = " ".join(LAST)
    new = written.format(text, text[:20], text[20:40], text[40:-1], text[-1])
    assert text in after(OLD["a tip line"], new).text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD["an author's box"], BIO),
        (OLD["boxes of two authors"], BIO),
        (related, related(99)),
        (lambda n: marked_up(headlines(n), "li"), marked_up(headlines(99), "li")),
        (OLD["a tip line"], f"<p><a href=/x>{LAST[0].split('.')[0]}.</a></p>"),
        (OLD["a tip line"], f"<p><a href=/x>{LAST[0].split('.')[0]}.</a> Read more.</p>"),
        (OLD["a tip line"], "<h3>What will become of the old ferry now?</h3>"),
        (OLD["a tip line"], TIP.replace("more", "12 more")),
    ],
)
def test_what_is_known_or_says_nothing_is_not_read(old: Box, new: str) -> None:
    if "12 more" in new:
        known = old
        old = lambda n: known(n).replace("more", f"{n} more")  # noqa: E731
    found = after(old, new)
    assert found.denoised == "known"
    assert found.text == "\n".join(body(99, zh=False))
    assert not [text for text in lines_read(found) if len(text) > 20 and text in new]
    closed = [removed for removed in found.removed if removed.why == "closed"]
    assert [removed.what for removed in closed] == ["template"]
    assert closed[0].how_much > len("Copyright Harbour News")


def test_teasers_are_read_until_enough_pages_say_that_they_are_no_body() -> None:
    cleaner = Cleaner()
    read = []
    for number in range(14):
        found = cleaner.clean(*page(number, teasers(number)))
        assert found.text == "\n".join(body(number, zh=False))
        read.append(len(lines_read(found)) > 12)
    assert read == sorted(read, reverse=True)
    assert read[4]
    assert not read[-1]
    last = cleaner.clean(*page(99, marked_up(LAST)))
    assert sum(one.how_much for one in last.removed if one.why == "closed") > len("".join(LAST))


def test_a_box_that_was_read_and_held_no_body_is_known_from_then_on() -> None:
    cleaner = Cleaner()
    for number in range(12):
        cleaner.clean(*page(number, TIP))
    other = TIP.replace("tip line", "desk in the old customs house")
    read = []
    for number in range(50, 54):
        found = cleaner.clean(*page(number, other))
        read.append(any("customs house" in text for text in lines_read(found)))
    assert read == [True, False, False, False]


def test_a_place_that_held_a_paragraph_once_is_closed_again() -> None:
    cleaner = Cleaner()
    for number in range(6):
        cleaner.clean(*page(number, TIP))
    assert LAST[1] in cleaner.clean(*page(50, marked_up(LAST))).text
    read = []
    for number in range(51, 65):
        found = cleaner.clean(*page(number, TIP))
        assert found.text == "\n".join(body(number, zh=False))
        read.append(any("tip line" in text for text in lines_read(found)))
    assert read == sorted(read, reverse=True)
    assert read[0]
    assert not read[-1]
    assert LAST[1] in cleaner.clean(*page(70, marked_up(LAST[1:]))).text


def test_what_closed_places_held_is_kept_in_the_file_of_templates(tmp_path: Path) -> None:
    cleaner = Cleaner()
    for number in range(6):
        cleaner.clean(*page(number, BIO))
    cleaner.save(tmp_path / "t.json")
    for box, lines in ((BIO, 0), (marked_up(LAST), 2)):
        loaded = Cleaner()
        loaded.load(tmp_path / "t.json")
        found = loaded.clean(*page(99, box))
        assert found.denoised == "known"
        read = lines_read(found)
        assert sum(text in box for text in read if len(text) > 40) == lines
        assert (LAST[0] in found.text) == bool(lines)


@pytest.mark.parametrize(
    ("box", "authors", "date"),
    [
        ("<p>By Ann Lee</p>", ["Ann Lee"], None),
        ("<span class=author>Ann Lee</span>", ["Ann Lee"], None),
        ("<p>Published 4 May 2026</p>", [], "2026-05-04"),
        ("<time datetime=2026-05-04>Monday</time>", [], "2026-05-04"),
        ("<p>作者：林晓舟</p>", ["林晓舟"], None),
        ("<p>More letters</p>", [], None),
        (TIP, [], None),
    ],
)
def test_authors_and_dates_are_looked_for_in_closed_places(
    box: str, authors: list[str], date: str | None
) -> None:
    found = after(OLD["a tip line"], box, stated=False)
    assert found.denoised == "known"
    assert (found.authors, found.date_published) == (authors, date)
    stated = after(OLD["a tip line"], box)
    assert (stated.authors, stated.date_published) == (["Anna Berg"], "2026-03-03")


def test_a_title_is_looked_for_in_closed_places() -> None:
    cleaner = Cleaner()
    for number in range(6):
        html, address = page(number, TIP)
        cleaner.clean(html, address)
    html, address = page(99, "<h2>The ferry is late</h2>")
    for stated in ("title>Story 99 of the harbour", "h1>Story 99 of the harbour", "h3>Most read"):
        html = html.replace(f"<{stated}", f"<{stated.split('>')[0]}>")
    found = cleaner.clean(html, address)
    assert (found.denoised, found.title) == ("known", "The ferry is late")


@pytest.mark.parametrize(
    "foot",
    [
        "".join(f"<li><a href=/{n}>{n}</a> By {ABOUT[n]}</li>" for n in range(6)),
        "</ul><div>Tides</div><div>Ferries</div><div>Letters</div><div>By Ann Lee</div><ul>",
    ],
)
def test_names_and_dates_of_others_are_not_the_articles(foot: str) -> None:
    def written(number: int, foot: str, *, stated: bool = True) -> tuple[str, str]:
        html, address = page(number, TIP, stated=stated)
        return html.replace("<div class=foot>", f"<ul>{foot}</ul><div class=foot>"), address

    cleaner = Cleaner()
    for number in range(6):
        divs = "</ul><div>Tide</div><div>Ferry</div><div>Letter</div><div>Fog</div><ul>"
        old = divs if "div" in foot else related(number)
        cleaner.clean(*written(number, old))
    found = cleaner.clean(*written(99, foot, stated=False))
    assert found.denoised == "known"
    assert not any("Ann Lee" in text for text in lines_read(found))
    assert (found.authors, found.date_published) == ([], None)
