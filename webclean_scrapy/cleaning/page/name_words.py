"""Class and id words as signs of a subtree's role.

Short lists of what web authors call the parts of a page, in English and in the pinyin that
Chinese sites use. BODY and OTHER take whole parts of a name (``comments`` in ``comments-list``),
the others take words that begin a part (not ``comment`` in ``uncommented``). Most of them are
features of the linear model. Comments, consent, players and boxes on the author are excluded, but
only beside a text and without the title in them.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: What the names of an element say about it, as bits.
(
    BODY, OTHER, CAPTION, COMMENTS, RELATED, CONSENT, CENTRE, AUTHOR, SHARING, PROMPT, PLAYER, BIO,
    UNSEEN,
) = (1 << bit for bit in range(13))  # fmt: skip

_BODY = (
    "article artical art content contents body text txt post entry story main detail details page "
    "rich paragraph prose zhengwen neirong maincontent articlebody articletext "
    "entrycontent postcontent postbody storybody bodytext"
).split()
_OTHER = (
    "ad ads adv advert advertisement author authors aside banner bio bottom breadcrumb "
    "breadcrumbs byline caption card cards comment comments control controls cookie copyright "
    "correct credit credits crumb crumbs date disclaimer disqus editor editors email feed "
    "feedback follow foot footer form gdpr header hidden hot hotnews icon info latest links "
    "login logo masthead menu meta modal more most nav navbar navigation newsletter next notice "
    "outbrain pager pagination paging pinglun player popular popup popover prev previous print "
    "privacy promo promotion qrcode rank rating readmore recent recirc recommend recommended "
    "recommendation recommendations rel related relate relative reply respond rss search share "
    "sharing shares shoutbox side sidebar signup skip skyscraper social source sponsor "
    "sponsored statement subscribe subscription survey tag tags taboola teaser tip tips tool "
    "toolbar tools top toplist trending tuijian twitter video weibo weixin widget widgets "
    "xiangguan zeren"
).split()
_PARTS = re.compile(r"[a-z]+")
_PART_SAYS = dict.fromkeys(_BODY, BODY) | dict.fromkeys(_OTHER, OTHER)
_TOPICS = ("category-", "tag-", "topic-")
_WORDS_KEPT = 16_384  # that pages use again and again: 3 MB
_MAX_KEPT = 60  # characters; a longer word is not kept


def read_names(names: str) -> int:
    """Return what class and id attributes say, as bits: BODY, OTHER, CAPTION ...

    Nothing that is looked for has a blank in it, so each word is read by itself; what it says is
    remembered, since the pages of a site use the same words, and those of all sites many.
    """
    says = 0
    for word in names.split():
        says |= _read_word(word) if len(word) <= _MAX_KEPT else _read_word.__wrapped__(word)
    return says


@lru_cache(maxsize=_WORDS_KEPT)
def _read_word(word: str) -> int:
    says, may_say = 0, False
    for part in _PARTS.findall(word):
        says |= _PART_SAYS.get(part, 0)
        may_say = may_say or part[:3] in _BEGINNINGS
    if says_caption(word):
        says |= CAPTION
    if "center" in word:
        says |= CENTRE
    # Of most words nothing more is to be said; ``category-cookies`` says what an article is about.
    if may_say and not word.startswith(_TOPICS) and _ANY_PART.search(word):
        for bit, pattern in _PARTS_SAY:
            if pattern.search(word):
                says |= bit
    return says


#: Captions, their words run together or not.
_CAPTION = re.compile(
    r"caption|(?:pic|img|image|photo|picture|media)s?[-_]?"
    r"(?:text|txt|desc|info|title|note|credit|des)|figcap|cutline|zhushi|tuzhu"
)
_CAPTION_HINTS = ("cap", "pic", "im", "photo", "media", "cutline", "zhu")  # in every match


def says_caption(names: str) -> bool:
    """True if a class or id attribute names the line under a picture.

    >>> says_caption("img_desc"), says_caption("picture-list")
    (True, False)
    """
    for hint in _CAPTION_HINTS:
        if hint in names:
            return _CAPTION.search(names) is not None
    return False


# What readers wrote, and what leads to other pages. Words begin a name or a part of it and may run
# on (``relatedposts``). Two classes of their own, since next to no body lies inside them.
_START = "(?<![a-z])"  # of a part
_COMMENTS = re.compile(
    _START + r"(?:user|post|article|reader|fb|all)?[-_]?"
    r"(?:comment(?!ar(?:y|ies)|s?[-_]?(?:open|closed|on|off|enabled|disabled|allowed|status|count))"
    r"|komm?ent|comentari|comment[io]\b|reacties?\b|yorum"
    r"|disqus|respond|repl(?:y|ies)\b|pinglun|liuyan|gentie)"
)
_RELATED = re.compile(
    _START + r"(?:relat|recommend|recirc|outbrain|taboola|teaser|promo|trending|popular"
    r"|most-?(?:read|viewed)|more-?(?:news|stories|posts|from|on)|tuijian|xiangguan|read-?next"
    r"|also-?(?:like|read)|breaking|yarpp|jp-relat"
    r"|verwandt|(?:lire|voir)-?aussi|leia-?(?:mais|tambem)|leggi-?anche|lees-?ook|ta(?:kz|gz)e\b"
    r"|polecan|zobacz)"
)


_CONSENT = re.compile(
    _START + r"(?:cookie|consent|onetrust|gdpr|ccpa|cmp-?(?:box|container|banner|app)|didomi"
    r"|usercentrics|truste|cybot|privacy-?(?:banner|notice|popup|manager|center))"
)


# Parts of a page that are close to its text, or in it: each with a weight of its own.
_AUTHOR = re.compile(_START + r"(?:author|by-?line|bio(?:$|[^a-z])|about-?the|contributor)")
_SHARING = re.compile(_START + r"(?:shar(?:e|ing)|social|addthis|jiathis|bdshare|follow-?us)")
_PROMPT = re.compile(
    _START + r"(?:subscri|newsletter|sign-?up|paywall|regwall|opt-?in|mailchimp|mc4wp|cta"
    r"|call-?to-?action|promo|donat|support-?us|membership|pop-?up|modal|overlay|qr-?code|app-?down)"
)
_PLAYER = re.compile(_START + r"(?:player|play-?back|plyr|jw-|vjs|video-?(?:js|control|resource))")


_BIO = re.compile(
    f"{_START}(?:(?:post-?|article-?)?author-?_?(?:box|bio|card|profile|about)"
    r"|about-?_?the-?_?author|bio-?_?box)"
)
# Text that only screen readers get. ``not-sr-only`` undoes it.
_UNSEEN = re.compile(
    _START + r"(?<!not-)(?:sr-?only|screen-?_?reader|visually-?_?hidden|hidden-?_?visually"
    r"|show-for-sr|assistive-text|element-(?:invisible|hidden-accessible))"
)
_PARTS_SAY = (
    (COMMENTS, _COMMENTS), (RELATED, _RELATED), (CONSENT, _CONSENT), (AUTHOR, _AUTHOR),
    (SHARING, _SHARING), (PROMPT, _PROMPT), (PLAYER, _PLAYER), (BIO, _BIO),
    (UNSEEN, _UNSEEN),
)  # fmt: skip
_ANY_PART = re.compile(
    f"{_START}(?:{'|'.join(pattern.pattern.removeprefix(_START) for _, pattern in _PARTS_SAY)})"
)
#: The first three letters of a part with which a match begins; all of it where it is shorter.
_BEGINNINGS = frozenset(
    "abo add all als app art ass aut bds bio bre by byl cal ccp cmp com con coo cta cyb did "
    "dis don ele fb fbc fbd fbg fbk fbl fbp fbr fby fol gdp gen hid jia jp jw kom lee leg lei "
    "lir liu mai mc mem mod mor mos new one opt out ove pay pin pla ply pol pop pos pri pro "
    "qr qrc rea rec reg rel rep res scr sha sho sig soc sr sro sub sup tab tag tak tea tre "
    "tru tui use ver vid vis vjs voi xia yar yor zob".split()
)
