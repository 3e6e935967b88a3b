"""Stop words of 56 languages: function words without a topic.

The lists of 56 languages come from the library stopwordsiso, and count for texts of the language:
"die" is an article in German only. Those of English and Chinese are our own, because the library's
have topics in them ("state", "group", "opening"): of the words that pages name as their keywords,
ours lose none, the library's English list one in fifty.

Where the language is not known, and for what is mixed into a text, the words of all scripts but
Latin count, which no other language writes, and the shortest of some large languages. In the form
of `segment.fold_word`.
"""

from __future__ import annotations

import re
from functools import cache

from webclean_scrapy.keywords.segment import HAN, fold_simplified

ENGLISH = """
a about above after again against all also although am among an and any are as at be became because
been before being below between both but by can cannot could did do does doing down during each
either else ever every few for from further get got had has have having he her here hers herself him
himself his how however i if in into is it its itself just like made make many may me might more
most much must my myself no nor not now of off on once one only or other others our ours out over
own per said same say says she should since so some such than that the their theirs them themselves
then there therefore these they this those though through thus to too two under until up upon us
very was we well were what when where whether which while who whom whose why will with within
without would yet you your yours yourself dont doesnt didnt isnt arent wasnt werent cant couldnt
wont wouldnt shouldnt havent hasnt hadnt im ive youre theyre thats theres weve
"""
CHINESE = """
我们 你们 他们 她们 它们 自己 这个 那个 这些 那些 这样 那样 这里 那里
这种 什么 怎么 如何 为什么 哪里 一个 一种 一些 一样 一直 一定 没有 不是
不会 不能 不要 就是 还是 还有 只是 只有 可以 可能 已经 正在 以及 因为
所以 但是 而且 如果 虽然 然而 或者 并且 由于 因此 于是 其中 其他 之间
之后 之前 以后 以前 时候 现在 通过 进行 对于 关于 根据 随着 同时 此外
另外 非常 比较 十分 更加 都是 也是 不过 甚至 其实 当然 以来 以上 以下
成为 作为 认为 表示
"""
_OWN = {"en": frozenset(ENGLISH.split()), "zh": frozenset(CHINESE.split())}
_LARGE = ("de", "es", "fr", "it", "pt")  # whose short words count in text of any language
_SHORT = 4  # letters
_is_word = re.compile(r"\w[^\s.,*\"“”]+").fullmatch  # marks of vowels are no \w
_shared_script = re.compile(f"[a-z{HAN}]").search


@cache
def stop_words(language: str | None = None) -> frozenset[str]:
    """Return the stop words of *language* (ISO 639-1), or of unknown languages.

    A language that has no list counts as unknown. The first call reads the lists: 0.1 s.

    >>> "die" in stop_words("de"), "die" in stop_words("en"), "the" in stop_words("de")
    (True, False, True)
    """
    lists = _lists()
    if language in _OWN:
        return _everywhere()
    if language in lists:
        return _everywhere() | lists[language]
    large = frozenset().union(*(lists[code] for code in _LARGE))
    return _everywhere() | {word for word in large if len(word) <= _SHORT}


@cache
def _everywhere() -> frozenset[str]:
    """Return the stop words of all texts."""
    words = frozenset().union(*_lists().values())
    other = {word for word in words if _shared_script(word) is None}
    return _OWN["en"] | _OWN["zh"] | other


@cache
def _lists() -> dict[str, frozenset[str]]:
    """Return the words of each language, without multi-word entries."""
    import stopwordsiso

    return {
        language: frozenset(
            fold_simplified(word) for word in stopwordsiso.stopwords(language) if _is_word(word)
        )
        for language in sorted(stopwordsiso.langs() - _OWN.keys())
    }
