"""Generate section pages with flat entries, and articles that look like them.

No element is round an entry: a headline that leads to an article, then what belongs to it, again
and again. The same kind, language and number give the same page.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HOST = "https://www.quay-post.example"
ENGLISH, CHINESE = "en", "zh"
LANGUAGES = (ENGLISH, CHINESE)

_PARTS = {
    ENGLISH: (
        ("The town council;Two bakers;A retired pilot;The harbour master;Parents of the old school;"
        "The choir;An engineer from the north;The museum;Three fishermen;The library's new head"),
        "repaired;sold;measured;reopened;painted;moved;insured;counted;closed;photographed",
        ("the ferry landing;the salt barn;the bell tower;the swimming pond;the grain store;"
        "the tram depot;the weather mast;the rowing club;the market hall;the water mill"),
        ("after the storm in autumn;because of a leak in the roof;after three years of letters;"
        "since a quarrel about money;with a gift from abroad;in spite of the rain;"
        "before the first visitors came;without asking the neighbours"),
        ("and a second meeting is planned for spring;yet most neighbours seem content;"
        "and nobody could say what it had cost;while the old drawings were found in a drawer;"
        "and the work should be done by summer;but the court has still to decide"),
    ),
    CHINESE: (
        ("镇议会;两位面包师;一名退休飞行员;港务局长;老学校的家长们;合唱团;北方来的工程师;"
        "博物馆;三位渔民;图书馆新馆长"),
        "修好了;卖掉了;测量了;重新开放了;粉刷了;迁走了;登记了;清点了;关闭了;拍下了",
        "渡口码头;盐仓;钟楼;游泳池塘;粮库;电车车库;气象塔;划船俱乐部;集市大厅;水磨坊",
        ("在秋天的暴雨之后;因为屋顶漏水;写了三年的信之后;由于一场关于钱的争执;靠着海外的一笔捐款;"
        "不顾连日的大雨;赶在第一批游客到来之前;没有征求邻居的意见"),
        ("第二次会议定在春天举行;不过多数邻居表示满意;没有人说得清到底花了多少钱;"
        "旧图纸在抽屉里被找到了;工程预计夏天完成;法院还没有作出裁决"),
    ),
}  # fmt: skip
_WORDS = {
    ENGLISH: {
        "section": "City;Culture;Business;Sport", "site": "The Quay Post",
        "more": "Read more;Continue reading;Full story »", "by": "By Ada Marsh",
        "about": "All that happens in our town, from the council to the harbour, every day.",
        "related": "Related", "next": "Next page", "rights": "All rights reserved.",
        "other": "Most read;Letters;Weather;Archive", "stop": " ",
    },
    CHINESE: {
        "section": "本地;文化;财经;体育", "site": "码头邮报",
        "more": "查看全文;阅读全文>>;[详细]", "by": "记者 马晓岸",
        "about": "本栏目每天报道镇上发生的一切，从议会到港口。",
        "related": "相关报道", "next": "下一页", "rights": "版权所有，未经许可不得转载。",
        "other": "热门;来信;天气;资料库", "stop": "",
    },
}  # fmt: skip


class Entry(NamedTuple):
    """An entry of a section page."""

    href: str
    headline: str
    teaser: str
    date: str
    more: str
    by: str
    number: int


class Made(NamedTuple):
    """A page, and where it is."""

    html: str
    url: str


class Writer:
    """Draws the words of one page."""

    def __init__(self, kind: str, language: str, number: int) -> None:
        self.draw = random.Random(f"{kind} {language} {number}")
        self.language, self.words = language, _WORDS[language]
        self._parts = [part.split(";") for part in _PARTS[language]]

    def headline(self) -> str:
        who, did, what, why, _ = map(self.draw.choice, self._parts)
        if self.language == CHINESE:
            return why + who.removeprefix("一名") + did + what
        return f"{who} {did} {what} {why}" if self.draw.random() < 0.5 else f"{who} {did} {what}"

    def sentence(self) -> str:
        who, did, what, why, then = map(self.draw.choice, self._parts)
        if self.language == CHINESE:
            return f"{why}，{who}{did}{what}，{then}。"
        day = self.draw.choice(("Monday", "Tuesday", "Friday"))
        return f"{who} {did} {what} on {day} {why}, {then}."

    def text(self, low: int, high: int) -> str:
        return self.words["stop"].join(self.sentence() for _ in range(self.draw.randint(low, high)))

    def paragraphs(self, count: int) -> str:
        return "".join(f"<p>{self.text(2, 4)}</p>\n" for _ in range(count))

    def date(self) -> str:
        month, day = self.draw.randint(1, 9), self.draw.randint(10, 28)
        if self.language == CHINESE:
            return f"2026年{month}月{day}日"
        return f"{day} {'Jan Feb Mar Apr May Jun Jul Aug Sep'.split()[month - 1]} 2026"

    def teaser(self, length: int) -> str:
        if length == 0:  # cut off
            most = 34 if self.language == CHINESE else 100
            return self.text(1, 1)[:most] + self.draw.choice(("...", "…", " ..."))
        return self.text(1, 1) if length == 1 else self.text(2, 4)

    def entries(self, count: int) -> list[Entry]:
        style, length = self.draw.randrange(4), self.draw.randrange(3)
        more = self.draw.choice(self.words["more"].split(";"))
        found = []
        for number in self.draw.sample(range(10_000, 99_999), count):
            href = (
                f"/news/2026/{number}.html", f"story-{number}.html",
                f"{HOST}/city/{number}/", f"/show.php?id={number}",
            )[style]  # fmt: skip
            found.append(
                Entry(href, self.headline(), self.teaser(length), self.date(), more,
                      self.words["by"], number)
            )  # fmt: skip
        return found

    def page(self, title: str, main: str, path: str) -> Made:
        """Return a page with the common parts of the site."""
        name, sections = self.words["site"], self.words["section"]
        other = self.words["other"].split(";")
        menu = "".join(
            f"<li><a href='/{n}/'>{one}</a></li>" for n, one in enumerate(sections.split(";"))
        )
        side = ""
        if self.draw.random() < 0.5:
            links = "".join(f"<li><a href='/o/{n}.html'>{self.headline()}</a></li>"
                            for n in range(5))  # fmt: skip
            side = f"<div class=side><h4>{other[0]}</h4><ul>{links}</ul></div>"
        foot = " | ".join(f"<a href='/x/{n}'>{one}</a>"
                          for n, one in enumerate(other))  # fmt: skip
        html = (
            f"<!doctype html><html lang={self.language}><head><meta charset=utf-8>"
            f"<title>{title} | {name}</title></head><body><div id=top><a href='/'>{name}</a>"
            f"<ul>{menu}</ul></div>{main}{side}"
            f"<div id=foot><p>{foot}</p><p>{name}. {self.words['rights']}</p></div></body></html>"
        )
        return Made(html, HOST + path)


#: How an entry is written. The rule for lists was made with these before the eye.
SEEN: dict[str, Callable[[Entry], str]] = {
    "h3, p": lambda e: f"<h3><a href='{e.href}'>{e.headline}</a></h3><p>{e.teaser}</p>\n",
    "h2, p with a link to more": lambda e: (
        f"<h2><a href='{e.href}'>{e.headline}</a></h2>"
        f"<p>{e.teaser} <a href='{e.href}'>{e.more}</a></p>\n"
    ),
    "p strong, p": lambda e: (
        f"<p><strong><a href='{e.href}'>{e.headline}</a></strong></p><p>{e.teaser}</p>\n"
    ),
    "b, br": lambda e: f"<b><a href='{e.href}'>{e.headline}</a></b><br>{e.teaser}<br><br>\n",
    "dt, dd": lambda e: f"<dt><a href='{e.href}'>{e.headline}</a></dt><dd>{e.teaser}</dd>\n",
    "div, div": lambda e: (
        f"<div class=t><a href='{e.href}'>{e.headline}</a></div><div class=s>{e.teaser}</div>\n"
    ),
    "h3, date, p": lambda e: (
        f"<h3><a href='{e.href}'>{e.headline}</a></h3><p class=date>{e.date}</p><p>{e.teaser}</p>\n"
    ),
    "picture, h4, p, hr": lambda e: (
        f"<a href='{e.href}'><img src='/i/{e.number}.jpg' alt=''></a>"
        f"<h4><a href='{e.href}'>{e.headline}</a></h4><p>{e.teaser}</p><hr>\n"
    ),
    "h3, author and topic, p": lambda e: (
        f"<h3><a href='{e.href}'>{e.headline}</a></h3><div class=meta><a href='/by/marsh'>{e.by}"
        f"</a> <a href='/topic/{e.number % 4}'>#{e.number % 4}</a></div><p>{e.teaser}</p>\n"
    ),
    "plain h3, p with a link to more": lambda e: (
        f"<h3>{e.headline}</h3><p>{e.teaser} <a href='{e.href}'>{e.more}</a></p>\n"
    ),
    "p, h3": lambda e: f"<p>{e.teaser}</p><h3><a href='{e.href}'>{e.headline}</a></h3>\n",
    "h2, plain h3 below it, p": lambda e: (
        f"<h2><a href='{e.href}'>{e.headline}</a></h2><h3>{e.by}: {e.headline[:30]}</h3>"
        f"<p>{e.teaser}</p>\n"
    ),
    "topic, link and date in h4, div": lambda e: (
        f"<h4><a href='/topic/{e.number % 3}'>#{e.number % 3}</a> <a href='{e.href}'>{e.headline}"
        f"</a> <span>({e.date})</span></h4><div>{e.teaser}</div>\n"
    ),
    "h4, date as h5, p": lambda e: (
        f"<h4><a href='{e.href}'>{e.headline}</a></h4><h5>{e.by}, {e.date}</h5><p>{e.teaser}</p>\n"
    ),
    "h3, sentence with author and date, p": lambda e: (
        f"<h3><a href='{e.href}'>{e.headline}</a></h3><p>{e.by}, {e.date}, 4 min.</p>"
        f"<p>{e.teaser}</p>\n"
    ),
    "a link round h3 and p": lambda e: (
        f"<a href='{e.href}'><h3>{e.headline}</h3><p>{e.teaser}</p></a>\n"
    ),
}
#: These were not looked at.
UNSEEN: dict[str, Callable[[Entry], str]] = {
    "p with picture, link, br and text": lambda e: (
        f"<p><img src='/i/{e.number}.jpg'><a href='{e.href}'>{e.headline}</a><br>{e.teaser}</p>\n"
    ),
    "rows of a table": lambda e: (
        f"<tr><td><a href='{e.href}'>{e.headline}</a></td></tr><tr><td>{e.teaser}</td></tr>\n"
    ),
    "h2, p, line that leads to more": lambda e: (
        f"<h2><a href='{e.href}'>{e.headline}</a></h2><p>{e.teaser}</p>"
        f"<div><a href='{e.href}'>{e.more}</a></div><small>{e.date}</small>\n"
    ),
    "date and link in a line, br": lambda e: (
        f"<i>{e.date}</i> <a href='{e.href}'>{e.headline}</a><br><span>{e.teaser}</span><br>\n"
    ),
    "label, h3, p, comments": lambda e: (
        f"<h6>#{e.number % 4}</h6><h3><a href='{e.href}'>{e.headline}</a></h3><p>{e.teaser}</p>"
        f"<p><a href='{e.href}#comments'>{e.number % 9} …</a></p>\n"
    ),
    "items by turns": lambda e: (
        f"<li><a href='{e.href}'>{e.headline}</a></li><li>{e.teaser}</li>\n"
    ),
    "link round h3, p": lambda e: (
        f"<a href='{e.href}'><h3>{e.headline}</h3></a><p>{e.teaser}</p>\n"
    ),
    "link and text in one p": lambda e: (
        f"<p><a href='{e.href}'><b>{e.headline}</b></a> {e.teaser}</p>\n"
    ),
    "plain h4, p, line that leads to more": lambda e: (
        f"<h4>{e.headline}</h4><p>{e.date}</p><p>{e.teaser}</p>"
        f"<p><a href='{e.href}'>{e.more}</a></p>\n"
    ),
    "center, font": lambda e: (
        f"<center><font size=4><a href='{e.href}'><u>{e.headline}</u></a></font></center>"
        f"<font size=2>{e.teaser}</font><p></p>\n"
    ),
}
_AROUND = {"dt, dd": "dl", "rows of a table": "table", "items by turns": "ul"}


def make_section(shape: str, language: str, number: int) -> Made:
    """Return a section page of a shape in SEEN or UNSEEN."""
    writer = Writer(shape, language, number)
    draw, words = writer.draw, writer.words
    title, write = draw.choice(words["section"].split(";")), (SEEN | UNSEEN)[shape]
    entries = map(write, writer.entries(draw.randint(5, 20)))
    around = _AROUND.get(shape, "div")
    main = f"<{around} class=list>{''.join(entries)}</{around}>"
    if draw.random() < 0.25:
        main = f"<p>{words['about']}</p>{main}"
    if draw.random() < 0.3:
        main += f"<div class=pages><a href='?page=2'>{words['next']}</a></div>"
    heading = f"<h1>{title}</h1>" if draw.random() < 0.8 else ""
    if draw.random() < 0.2:
        heading = f"<div class=today>{writer.date()}</div>{heading}"
    return writer.page(title, f"<div class=main>{heading}{main}</div>", "/city/")


def _parts(writer: Writer, count: int, part: Callable[[int], str], *, lead: int = 1) -> str:
    return writer.paragraphs(lead) + "".join(map(part, range(count)))


def _article(writer: Writer, text: str) -> Made:
    title, draw = writer.headline(), writer.draw
    day = f"<div class=date>{writer.date()}</div>" if draw.random() < 0.7 else ""
    by = f"<div class=by>{writer.words['by']}</div>" if draw.random() < 0.5 else ""
    main = f"<div class=main><h1>{title}</h1>{by}{day}<div class=text>{text}</div></div>"
    return writer.page(title, main, f"/news/2026/{draw.randrange(10**5)}.html")


def _line(writer: Writer, href: str, tag: str = "h3") -> str:
    return f"<{tag}><a href='{href}'>{writer.headline()}</a></{tag}>"


def _related(writer: Writer) -> str:
    entries = "".join(map(SEEN["h3, p"], writer.entries(writer.draw.randint(6, 10))))
    return (
        f"{writer.paragraphs(5)}<div class=more><h2>{writer.words['related']}</h2>{entries}</div>"
    )


def _steps(writer: Writer) -> str:
    things = "".join(f"<li>{n + 2} x {writer.headline()[:20]}</li>" for n in range(7))
    steps = "".join(f"<li>{writer.text(1, 2)}</li>" for _ in range(6))
    return f"{writer.paragraphs(2)}<ul>{things}</ul><ol>{steps}</ol>"


def _contents(writer: Writer, tag: str) -> str:
    names = [writer.headline() for _ in range(6)]
    top = "".join(f"<li><a href='#s{n}'>{name}</a></li>" for n, name in enumerate(names))
    return f"<ul>{top}</ul>" + "".join(
        f"<{tag} id=s{n}><a href='#s{n}'>{name}</a></{tag}>{writer.paragraphs(2)}"
        for n, name in enumerate(names)
    )


#: Texts of articles in which something repeats, or leads elsewhere.
ARTICLES: dict[str, Callable[[Writer], str]] = {
    "list whose headings lead to other sites": lambda w: _parts(
        w, 8, lambda n: _line(w, f"https://shop{n}.example/x{n}", "h2") + w.paragraphs(1)
    ),
    "list whose headings lead nowhere": lambda w: _parts(
        w, 10, lambda n: f"<h2>{n + 1}. {w.headline()}</h2>{w.paragraphs(1)}"
    ),
    "interview": lambda w: _parts(
        w, 9, lambda n: f"<p><b>{w.headline()}?</b></p>{w.paragraphs(1)}"
    ),
    "live text with times that lead to their places": lambda w: _parts(
        w, 12, lambda n: f"<h4><a href='#e{n}'>{9 + n}:15</a></h4>{w.paragraphs(1)}", lead=0
    ),
    "live text with headlines that lead to their places": lambda w: _parts(
        w, 9, lambda n: f"<p>{9 + n}:30</p>{_line(w, f'#entry-{n}')}{w.paragraphs(1)}", lead=0
    ),
    "links to other sites, a comment each": lambda w: _parts(
        w, 9, lambda n: f"<p><b><a href='https://a{n}.example/{n}'>{w.headline()}</a></b></p>"
        f"{w.paragraphs(1)}"
    ),
    "links to one other site, in the paragraphs": lambda w: _parts(
        w, 9, lambda n: f"<p><a href='https://other.example/{n}'>{w.headline()}</a> {w.text(2, 3)}"
        "</p>"
    ),
    "parts under headlines of the site, two paragraphs each": lambda w: _parts(
        w, 5, lambda n: _line(w, f"/part/{n}.html") + w.paragraphs(2), lead=w.draw.randrange(3)
    ),
    "parts under headlines of other sites, two paragraphs each": lambda w: _parts(
        w, 6, lambda n: _line(w, f"http://elsewhere.example/{n}") + w.paragraphs(2), lead=0
    ),
    "long block of related articles below": _related,
    "recipe": _steps,
    "questions with their answers": lambda w: _contents(w, "h3"),
    "contents with links to the parts": lambda w: w.paragraphs(1) + _contents(w, "h2"),
    "links to other articles between the paragraphs": lambda w: _parts(
        w, 6, lambda n: w.paragraphs(w.draw.randint(1, 2)) + _line(w, f"/news/{n}.html", "p")
    ),
    "review of the paper's own articles": lambda w: _parts(
        w, 6, lambda n: _line(w, f"/news/2025/{n}.html") + w.paragraphs(2)
    ) + w.paragraphs(1),
    "the same, a paragraph each": lambda w: _parts(
        w, 8, lambda n: _line(w, f"/news/2025/{n}.html") + w.paragraphs(1)
    ),
    "offers with a link each that the site hands on": lambda w: _parts(
        w, 8, lambda n: f"<h2>{w.headline()}</h2>{w.paragraphs(1)}<p><a href='/go/{n}'>Buy</a></p>"
    ),
    "live text with headlines that lead to the page": lambda w: _parts(
        w, 9, lambda n: f"<p>{9 + n}:30</p>{_line(w, f'?entry={n}')}{w.paragraphs(1)}", lead=0
    ),
    "long block of other articles below, without a word": lambda w: (
        w.paragraphs(1) + "".join(map(SEEN["h3, p"], w.entries(10)))
    ),
    "paragraphs that begin with a topic": lambda w: _parts(
        w, 8, lambda n: f"<p><a href='/topic/{n}'>{w.headline()[:18]}</a> {w.text(2, 3)}</p>"
    ),
}  # fmt: skip


def make_article(kind: str, language: str, number: int) -> Made:
    """Return an article of a kind in ARTICLES."""
    writer = Writer(kind, language, number)
    return _article(writer, ARTICLES[kind](writer))


def make_sections(shapes: Iterable[str], each: int = 15) -> dict[tuple[str, str, int], Made]:
    """Return *each* section pages of each shape, by shape, language and number."""
    keys = [(shape, LANGUAGES[n % 2], n) for shape in shapes for n in range(each)]
    return {key: make_section(*key) for key in keys}


def make_articles(each: int = 10) -> dict[tuple[str, str, int], Made]:
    """Return *each* articles of each kind, by kind, language and number."""
    keys = [(kind, LANGUAGES[n % 2], n) for kind in ARTICLES for n in range(each)]
    return {key: make_article(*key) for key in keys}
