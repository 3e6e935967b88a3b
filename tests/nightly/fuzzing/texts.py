"""Words and strings for cases, in several scripts, and strings that break parsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from random import Random


class _Speech(NamedTuple):
    clauses: str
    end: str  # of a sentence
    between: str  # two clauses


#: Language: clauses that make sentences, what ends a sentence, and what separates clauses.
CLAUSES = {
    "en": _Speech(
        "the ferry to the island was late|a miller sold his last wagon of flour|"
        "nobody in the harbour had seen such a fog|the council will vote on Tuesday|"
        "two bakers shared one oven for a year|her letter reached the valley after 12 days|"
        "prices of lamps rose by 4.5 percent|he said that the bridge would hold", ". ", ", ",
    ),
    "de": _Speech(
        "die Fähre zur Insel kam zu spät|ein Müller verkaufte seinen letzten Wagen|"
        "niemand im Hafen hatte so einen Nebel gesehen|der Rat stimmt am Dienstag ab|"
        "zwei Bäcker teilten sich einen Ofen|die Brücke über den Fluss hält noch", ". ", ", ",
    ),
    "fr": _Speech(
        "le bac pour l'île était en retard|un meunier a vendu sa dernière charrette|"
        "personne au port n'avait vu un tel brouillard|le conseil votera mardi", ". ", ", ",
    ),
    "ru": _Speech(
        "паром на остров опоздал|мельник продал последнюю телегу муки|"
        "никто в порту не видел такого тумана|совет проголосует во вторник", ". ", ", ",
    ),
    "zh": _Speech(
        "去岛上的渡轮晚点了两个小时|镇里的面包师共用一个烤炉|港口的人都没见过这么大的雾|"
        "议会将在星期二投票|桥下的水位升高了3.5米|老磨坊主卖掉了最后一车面粉", "。", "，",
    ),
    "ja": _Speech(
        "島へ渡る船は二時間遅れた|港の人はこんな霧を見たことがない|パン屋は一つの窯を分けて使った|"
        "議会は火曜日に投票する", "。", "、",
    ),
    "ko": _Speech(
        "섬으로 가는 배가 두 시간 늦었다|항구 사람들은 이런 안개를 본 적이 없다|"
        "의회는 화요일에 표결한다", ". ", ", ",
    ),
    "ar": _Speech(
        "تأخرت العبارة إلى الجزيرة ساعتين|لم ير أحد في الميناء مثل هذا الضباب|"
        "سيصوت المجلس يوم الثلاثاء", ". ", "، ",
    ),
}  # fmt: skip
LANGUAGES = tuple(CLAUSES)

DATES = (
    "2026-03-12", "2026-03-12T09:20:00+08:00", "2026-02-30", "12 March 2026", "March 12th, 2026",
    "12.03.2026 09:20", "2026年3月12日 09:20", "昨天 09:20", "2 hours ago", "12/03/26",
    "0000-00-00", "9999-12-31T23:59:60Z", "2026-13-45", "-2026-03-12", "1773307200",
    "1773307200000", "99999999999999999999", "2026-03-12T09:20:00+99:99", "Thu, 12 Mar 2026",
    "٢٠٢٦-٠٣-١٢", "२०२६-०३-१२", "２０２６年３月１２日", "2026-W11-4", "²⁰²⁶-03-12", "１２:６０",
    "令和8年3月12日", "2026-03-12T24:00:00", "12 de março de 2026", "12 марта 2026", "",
)  # fmt: skip
ODD_TEXTS = (
    "", " ", "\u200b", "\u200e\u202e", "\ufeff", "\u00ad" * 5, "a" * 3000, "字" * 2000, "\x00",
    "\x1b[31m", "\x07", "\u2028", "\u0085", "\U0001f600" * 40, "e" + "\u0301" * 300, "\ud7ff",
    "\uffff", "\ue000", "ﬁﬂ", "İıſK", "ǅ", "ß" * 50, "٣٤٥", "①②Ⅳ", "½", "¹²", "0" * 500, "1e999",
    "NaN", "-", "....", "，，，", "http://", "a@b.c", "=cmd|' /C x'!A0", "<b>", "&amp;lt;b&gt;",
    "Ã¤Ã¶Ã¼ Ã©", "é\u0083Â©", "All rights reserved", "By Ada Marsh", "来源：新华", "记者 王小明",
    "Read more", "(c) 2026", "\t\t\t", "\n\n\n", "]]>", "-->", "{{", "%s%n", "\\", "'", '"', "`",
)  # fmt: skip
CHARSETS = (
    "utf-8", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "windows-1251", "koi8-r",
    "windows-1256", "tis-620", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig",
    "iso-2022-jp", "hz", "utf-7",
)  # fmt: skip
ODD_CHARSETS = (
    "", "x", "utf8mb4", "none", "idna", "punycode", "rot13", "base64", "zlib", "unicode_escape",
    "raw_unicode_escape", "undefined", "mbcs", "oem", "\0", "utf-8\0", "é", "a" * 500, "utf-8;",
    "'utf-8'", "UTF_8", "replacement", "x-user-defined", "string_escape", "uu", "hex", "bz2",
    "../utf_8", "encodings.utf_8", "\ud800",
)  # fmt: skip
ODD_URLS = (
    "http://[::1]/", "http://[", "//", "?", "http://a..example/%zz%00%ff", "http://2130706433/",
    "http://a.example:99999/", "javascript:x", "http://u:p@a.example/a/../b", "h\nttp://a.example/",
    "http://a.example/" + "a-" * 900, "http://bücher.example/news/８８１２/",
    "http://a.example/?" + "&".join(f"p{n}={n}" for n in range(40)),
    "http://a.example/#!" + "#!" * 50, "http://a.example/;jsessionid=ABCDEF0123456789",
)  # fmt: skip


def sentence(draw: Random, language: str) -> str:
    """Return a sentence of one to four clauses."""
    clauses, end, between = CLAUSES[language]
    said = between.join(draw.choices(clauses.split("|"), k=draw.randint(1, 4)))
    return said[:1].upper() + said[1:] + end


def prose(draw: Random, language: str, most: int = 6) -> str:
    """Return some sentences, *most* at most."""
    return "".join(sentence(draw, language) for _ in range(draw.randint(1, most)))


def odd_text(draw: Random) -> str:
    """Return a string of a kind that readers stumble over."""
    roll = draw.random()
    if roll < 0.6:
        return draw.choice(ODD_TEXTS)
    if roll < 0.8:
        return draw.choice(DATES)
    tops = (0x80, 0x800, 0xFFFF, 0x10FFFF)
    return "".join(chr(draw.randrange(draw.choice(tops))) for _ in range(draw.randint(1, 30)))
