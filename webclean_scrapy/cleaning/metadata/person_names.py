"""Names of people in what a page declares or shows: taken apart, and told from what is none.

A name is capitalised words, with particles between them, or a few characters of a script that has
no capitals. What follows it in a byline (a date, a degree, a profession) ends it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_NAME = 40  # characters
MAX_NAMES = 10
MAX_TEXT = 200  # characters that are looked at
MAX_WORDS = 5  # of one name

_HAN = "\u3400-\u9fff"
_HAS_HAN = re.compile(f"[{_HAN}]")
_BETWEEN = re.compile(
    rf"\s*[,;，、；/|]\s*|(?<=[{_HAN}])\s+(?=[{_HAN}])|\s+(?:and|und|et|y|e|и|i|og|och|en)\s+|\s*&\s*"
    r"|(?<=[^\W\d_]{3})\.\s",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^www\.|@|^\d|^[\W\d]+$|\.(?:com|net|org|cn|txt)$"
    r"|^(?:admin|administrator|anonymous|author|editor|guest|name|none|null|unknown|staff|user)$"
    r"|^\S+\.[a-z]{2,3}$|(?:[记記]者|作者|编辑|編輯)$|^[\u3400-\u9fff]{7,}$",
    re.IGNORECASE,
)
# "By", or one word and a colon in any language.
_BY = re.compile(
    r"^(?:(?:\w{2,12}\s)?(?:by|von|par|por|door)|作者|[记記]者|文)(?:[:：]\s*|\s+|$)"
    r"|^(?:[^\W\d_]{2,12}\s)?[^\W\d_]{2,12}\s?[:：]\s*",
    re.IGNORECASE,
)
_AROUND = "()[]*,:"
_QUOTES = "\"'“”‘’«» \t.:：|•·∙–—-*~"
# A word that no name has: of dates, and of what bylines say beside the name.
_WEEK = "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun"
_MONTHS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_BESIDE = (
    "by is on at in of for from with the and or to via about all more read view posted published "
    "updated last reviewed researched written photo share comments follow contact home menu "
    "director editor manager writer reporter correspondent expert founder officer specialist "
    "contributor author coordinator representative advisor president professor posts "
    "articles min minute minutes ago former staff news"
)
_OF_DATES = frozenset(f"{_WEEK} {_MONTHS}".split())  # and first names and family names
_ENDS = frozenset(_BESIDE.split())
_PARTICLES = frozenset(
    "de da do dos das del della der den di du la le van von ter ten bin bint ibn al el y e af"
    " av zu zur st".split()
)
_GROUP = re.compile(
    r"(?:[^\W\d_][\w.'’-]*\s){0,3}(?:team|staff|editors|newsroom|desk|editorial team)"
    r"|(?:editorial )?team(?:\s[^\W\d_][\w.'’-]*){1,3}",
    re.IGNORECASE,
)
_DEGREE = re.compile(r"(?:[A-Z][A-Za-z]{0,2}\.){2,}|[A-Z][A-Za-z]{0,2}[A-Z]{1,3}|[A-Z]{2,4}")

#: Family names of nearly all people in China, Taiwan and Hong Kong: a closed class.
_SURNAMES = frozenset(
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇"
    "卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔白崔康毛邱秦江史顾顧侯邵孟龙龍万萬段雷钱錢"
    "汤湯尹黎易常武乔喬贺賀赖賴龚龔文庞龐樊兰蘭殷施陶洪翟安颜顏倪严嚴牛温溫芦季俞章鲁魯葛伍韦韋申尤毕畢聂聶丛焦向柳邢路岳齐齊"
    "沿梅莫庄莊辛管祝左涂谷祁时時舒耿牟卜詹关關苗凌费費纪紀靳盛童欧歐甄项項曲成游阳陽裴席卫衛查屈鲍鮑位覃霍翁隋植甘景薄单單包"
    "司柏宁寧柯阮桂闵閔解强強柴华華车車冉房边邊辜吉饶饒刁瞿戚丘古米池滕晋晉苑邬鄔臧畅宫宮来來嵺苟全褚廉简簡娄婁盖符奚木穆党黨"
    "燕郎邸冀谈談姬屠连連郜晏栾欒郁商蒙计計喻揭窦竇迟宇敖糜鄢冷卓花仇艾蓝藍都巩鞏稽井练練仲乐樂虞卞封竺冼原官衣楚佟栗匡宗应應"
    "台巫鞠僧桑荆荊谌諶银銀扬揚明沙薄伏岑习習胥保和蔺藺水云雲昌凤鳳酆皮湛禹狄贝貝麻危骆駱钮鈕嵇邴松富乌烏焦巴牧隗山宓蓬"
)
_DOUBLE_SURNAME = re.compile(
    "欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|尉迟|皇甫|令狐|慕容|司徒|东方|東方|端木|公孙|公孫|夏侯|南宫|南宮"
)
# What reporters do, and when: these begin with characters that are family names, too.
_NO_HAN_NAME = re.compile(
    "^(?:于近|于今|于昨|来到|来自|时隔|时任|连线|连日|解释|解读|解放|查阅|查看|查询|应邀|计划|成功|简单|谈到|谈起|单独"
    "|强调|明确|关注|关于|高度|安排|任职|向|常驻|全程|全部|全面|边走|车辆|方面|沿着|和|焦点|万事|水)"
    "|(?:获悉|了解|发现|采访|介绍|表示|到|从|向|的|了|在)$"
)
_MAX_HAN = 4


def split_names(written: Iterable[str]) -> list[str]:
    """Return the single names in *written*, each once, as a page declares them.

    A text's names end with the first piece after a name that can be none: a degree, a profession.
    """
    names: dict[str, None] = {}
    for text in written:
        if "://" in text:
            continue
        first = ""
        for piece in _BETWEEN.split(without_label(text[:MAX_TEXT])):
            name = " ".join(piece.split()).strip(_QUOTES)
            if " " in first and not _follows(name, first):
                break
            if 2 <= len(name) <= MAX_NAME and not _NO_NAME.search(name):
                names.setdefault(name)
                first = first or name
    return list(names)[:MAX_NAMES]


def shown_names(text: str, *, single: bool = False, account: bool = False) -> list[str]:
    """Return the names that *text*, a byline without its label, begins with; [] when with none.

    A name has two words at least, or one with *single*, in small letters only with *account*.
    """
    names: list[str] = []
    if is_group(group := text.strip(_QUOTES)) and " " in group and group[0].isupper():
        return [group]
    for piece in _BETWEEN.split(text[:MAX_TEXT]):
        words = _name_words(piece.strip(_QUOTES + "(（[【"))
        name = " ".join(words).strip(_QUOTES.replace(".", ""))
        whole = len(words) == len(piece.split())
        if not (2 <= len(name) <= MAX_NAME) or _NO_NAME.search(name) or _DEGREE.fullmatch(name):
            break
        if name.lower() == name.upper():  # in a script without capitals one word may be a name
            if _HAS_HAN.match(name) and not is_han_name(name):
                break
        elif len(words) < 2 and (names or not single or (not account and name[0].islower())):
            break
        names.append(name)
        if not whole:  # something else follows the name
            break
    return names[:MAX_NAMES]


def without_label(text: str) -> str:
    """Return *text* without the "By" or the label before its names."""
    return _BY.sub("", text.strip())


def is_account(name: str) -> bool:
    """True if *name* is rather that of an account than a person's."""
    return " " not in name and (name == name.lower() != name.upper() or not name.isalpha())


def is_han_name(name: str) -> bool:
    """True if *name*, in Chinese characters, begins with a family name and is as long as a name.

    >>> is_han_name("王小明"), is_han_name("获悉"), is_han_name("走访发现")
    (True, False, False)
    """
    if _DOUBLE_SURNAME.match(name):
        return 3 <= len(name) <= _MAX_HAN
    return 2 <= len(name) < _MAX_HAN and name[0] in _SURNAMES and not _NO_HAN_NAME.search(name)


def is_group(name: str) -> bool:
    """True if *name* is that of an editorial team and the like."""
    return _GROUP.fullmatch(name) is not None


def _follows(name: str, first: str) -> bool:
    """True if *name* can stand behind the name *first* in a list of names."""
    words = name.split()
    if not words or (_DEGREE.fullmatch(name) and not first.isupper()):
        return False
    return not any(_ends_name(words, at) for at in range(len(words)))


def _ends_name(words: Sequence[str], at: int) -> bool:
    """True if no name goes on with the word number *at*.

    May and Friday are in names: before another word of one, or behind a single word at the end.
    """
    word = words[at].strip(_AROUND).lower().rstrip(".")
    if word not in _OF_DATES:
        return word in _ENDS
    if at + 1 == len(words):
        return at != 1
    after = words[at + 1].strip(_AROUND)
    lower = after.lower().rstrip(".")
    is_name = after[:1].isupper() and lower not in _ENDS | _OF_DATES
    return not (is_name or lower in _PARTICLES)


def _name_words(text: str) -> list[str]:
    """Return the words at the start of *text* that make a name."""
    words: list[str] = []
    written = text.split()[: 2 * MAX_WORDS]
    for at, word in enumerate(written):
        bare = word.strip(_AROUND)
        lower = bare.lower().rstrip(".")
        is_particle = words and lower in _PARTICLES and not bare[:1].isupper()
        if (
            _ends_name(written, at)
            or not bare
            or any(map(str.isdigit, bare))
            or len(words) == MAX_WORDS
        ):
            break
        if not is_particle and (not bare[0].isalpha() or (bare[0].islower() and words)):
            break
        words.append(bare)
        if bare != word and word[-1:] in ",:)":
            break
    while words and words[-1].lower() in _PARTICLES:
        words.pop()
    if words and words[0][0].islower() and len(words) > 1:
        return []
    return words
