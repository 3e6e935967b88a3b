"""Patterns of wording: credits, advertisements, prompts, dates, captions, code.

Patterns of Chinese and English news pages first. Each is a feature of the linear model, or an
exclusion. All are linear, and matched against lower-case text: ``IGNORECASE`` costs the regex
engine its shortcut to the first character.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.page.lines import Lines

# Who had a part in it. Blanks may be between the characters of a word (监 制), and after the
# name of the part comes what no prose has there: a colon, a bar, a slash.
_ROLES = (
    r"(?:[总總]\s?[监監]\s?制|[监監]\s?制|[审審]\s?[读讀校核定]|[终終初复複]\s?[审審]|校\s?[对對]"
    r"|[责責]\s?任?\s?[编編]\s?[辑輯]?|[编編]\s?[辑輯審审译譯]|主\s?[编編]|美\s?[编編]|排\s?版|版\s?式"
    r"|出\s?品|[来來]\s?源|[作著]\s?者|執筆者|撰\s?文|[执執]\s?[笔筆]|[摄攝]\s?影|通[讯訊][员員]|策\s?[划劃]"
    r"|[统統]\s?[筹籌]|制\s?[图圖]|[设設]\s?[计計]|剪\s?[辑輯]|翻?\s?[译譯]|供\s?[稿图圖]|文字?"
    r"|[图圖]片?|[实實][习習]生|[采採]\s?[写寫]|值班.{0,4})"
)
#: Lines that no article ends or begins with by probability: editor, source, original title, rights.
EDITORIAL = re.compile(
    r"[\s(（【\[*]*(?:(?:本文)?原\s?[标標]?[题題][为為：:\s《]|[责責]任[编編][辑輯]|[责責] ?[编編]"
    r"|(?:文章|本文|稿件|新闻|信息|图片|综合)?(?:整理)?[来來]源(?:于|自)?\s?[：:]"
    r"|.{0,6}[来來]源(?:于|自)(?:网络|互联网).{0,12}$|《[^》]{2,14}》\s?[（(].{4,24}版\s?[)）]$"
    r"|(?:发布|发表|更新)(?:时间|日期)\s?[：:]|时间\s?[：:].{8,24}(?:[来來]源|[编編][辑輯]|作者)"
    r"|(?:点[击擊按]|[長长]按|[扫掃][码碼]|戳).{0,14}[)）]$"
    r"|转载请注明|版权声明|免责声明|特别声明|©|copyright (?:©|\(c\)|\d)"
    r"|(?:本文|文章|本版)?" + _ROLES + r"\s?[：:|丨︱｜/／][^。！？；，,]{1,24}$"
    r"|(?:本报|本网|[\u4e00-\u9fff]{2,10})?(?:记者|記者|通讯员|特约评论员|编辑|实习生|作者|责编|校对"
    r"|采写|撰文|排版)\s[\u4e00-\u9fff·\s|｜]{2,24}[)）]?$)"
)
#: Lines that mark an advertisement, or that the text goes on behind one.
ADVERT = re.compile(
    r"\W*(?:advert(?:isement|ising|orial)?|sponsored(?: content| post| by)?|anzeige|werbung"
    r"|reklam[ae]?|publicité|publicidade?|реклама|iklan|广告|廣告"
    r"|(?:article |story )?continues? (?:reading )?below"
    r"|scroll to continue|continua (?:após a|después de la) publicidade?)\W*"
)
#: What is written over a frame with an advertisement.
OVER_ADVERT = re.compile(
    r".{0,20}\b(?:partners?|partnern?|partenaires?|sponsors?|sponsored|advert\w*|ads?|promot\w+"
    r"|anzeigen?|werbung|annonces?|publicit\w+|publicidade?|patrocin\w+|reklam\w*|реклам\w*)\b.{0,20}"
    r"|.{0,6}(?:广告|廣告|推广|推廣|赞助|贊助|広告|광고).{0,6}"
)
#: Addresses of files that no reader opens: scripts, styles, fonts.
FILE_ADDRESS = re.compile(
    r"(?:https?:)?/[^\s<>]{4,400}\.(?:m?js|css|woff2?|ttf|eot|map|wasm)(?:[?#]\S{0,200})?"
)
#: Lines of nothing but the tools of a page: print, larger type, share.
TOOLS = re.compile(
    r"(?:[【\[(（]?(?:打印|字体(?:大小)?|字号|放大|缩小|正常|默认|[超特]?大|中|小|分享到?|收藏"
    r"|举报|纠错|关闭(?:窗口)?|返回(?:顶部)?|复制链接|微信|微博|qq空间|a[+-]|print"
    r"|share(?: (?:this|on))?|e-?mail|tweet|copy link|facebook|twitter|whatsapp|telegram"
    r"|linkedin|pinterest|reddit)[】\])）]?[\s：:|·,，/、]*)+"
)
#: What a platform says of all its texts, at any length.
DISCLAIMER = re.compile(
    r"[“\"\s]*(?:(?:特别|免责|版权|郑重)[声聲]明\s?[：:]|disclaimer\s?:|notice: the content above)"
)
#: How a caption begins and ends: who took the picture, where it is from, that it is one.
CAPTION_START = re.compile(
    r"\s*(?:[▲△↑▼]|[（(]?(?:资料图|效果图|示意图|视频截图|网络配图|截图)"
    r"|[图圖](?:为|為|片|注|源|[\s\d]|[一二三四五六七八九十][：:\s]|[：:/|丨])"
    r"|(?:photo|image|picture|video|graphic|illustration)s?(?: by| credit| courtesy|[:：/])"
    r"|(?:credit|courtesy|foto|bild|photograph(?:er|y)?)\s?[:：/])"
)
_CAPTION_END_CHARS = 100  # in which the end of a caption stands
CAPTION_END = re.compile(
    r"(?:[\u4e00-\u9fff]\s?[摄攝]|供[图圖]|[图圖]片?[来來]源.{0,16}|视频截图|资料图片?"
    r"|[/／|｜]\s?[图圖]|视觉中国.{0,4}|新华社发.{0,8}|ic ?photo)[）)。\s]*$"
    r"|(?:getty images|\bap photo|afp|reuters|shutterstock|via ap)[^.]{0,24}$"
)
#: What a link to another page begins with.
LEADS_ON = re.compile(
    r"\W*(?:read (?:more|also|next|the full)|also (?:read|see|watch)|see (?:also|more)|more:"
    r"|related|watch(?: now)?:|continue reading|view (?:all|more)"
    r"|(?:lesen sie|lies) (?:auch|mehr)|mehr (?:zum thema|dazu)|siehe auch"
    r"|(?:à |a )?lire (?:aussi|également)|voir aussi|lea también|leer más|ver también"
    r"|(?:leia|veja|saiba) (?:também|mais)|leggi anche|lees (?:ook|meer)"
    r"|(?:zobacz|czytaj|przeczytaj)(?: także| też| również| więcej|:)"
    r"|(?:читайте|смотрите|см\.) также"
    r"|подробнее|関連|続きを読む|관련"
    r"|相关|相關|延伸|更多|推荐|推薦|点击|點擊|详见)"
)
#: Lines that name who wrote, edited or published a text.
CREDIT = re.compile(
    r"[\s(（【\[*]*(?:原[标標][题題]|[责責]任[编編][辑輯]|责编|责 编|[编編][辑輯][：:]|作者[：:]"
    r"|(?:文章|本文|稿件|新闻|信息)?[来來]源[：:]|校对[：:]|审核[：:]|终审|监制[：:]|初审|复审"
    r"|转载请注明|版权声明|免责声明|特别声明|文[/|｜]|[图圖][/|｜]|©"
    r"|photo(?:graph)? by |photo: |images?: |source: |credit: |copyright |follow us |read more"
    r"|related\b|share this|advertisement|see also|also read|more:|updated?:? |posted |published "
    r"|written by |by [a-z])"
    r"|.{0,16}(?:记者|通讯员|記者|編輯|编辑|编译|撰文|摄影|实习生)[\s：:]*"
    r"[\u4e00-\u9fff]{2,4}[)）\s]*$"
)
#: Requests to do something with the page: follow, subscribe, scan, accept; and what forbids it.
#: Every alternative begins with a character as it is: then the regex engine goes by these and
#: takes a fifth of the time.
PROMPT = re.compile(
    r"newsletter|subscri|sign up|log in|inbox|follow us|our app|download the|click here"
    r"|all rights reserved|扫[码碼]|掃[码碼]|扫一[扫掃]|掃一[扫掃]|分享让更多|二[維维][码碼]"
    r"|公[众眾][号號]|客[户戶]端|订[阅閱]|訂[阅閱]|关注|關注|下[载載]|点[击擊]|點[击擊]|登[录錄]"
    r"|转[发發]|轉[发發]|分享到|更多精彩|不得[转轉][载載]|版[权權]所有"
)
COOKIES = re.compile(r"\bcookies?\b")
#: What else is in a line that asks for the consent to cookies; others may be about biscuits.
ASKS_CONSENT = re.compile(
    r"accept|agree|consent|privacy|polic(?:y|ies)|website|\bsite\b|browser|device|settings"
    r"|preferences|\b(?:we|us|our|analytics) |third.part|uses? cookies|use of|traffic|advert"
    r"|experience|akzept|zustimm|einwillig|datenschutz|verwend|einstellung|webseite|nutz"
    r"|utilis|politique|confidentialité|utiliz|acept|privacidad|pol[ií]tica|aceit|usiamo|accett"
    r"|impostazioni|gebruik|accepteer|toestemming|używa|zgod|prywatno|stron|использ|соглас|сайт"
    r"|kullan|çerez|använd|godkän|samtyck|bruger|bruker|samtykk|hyväksy|käyttä"
    r"|使用|同意|隐私|隱私|網站|网站|サイト|利用|사용|동의"
)
#: A letter that is sent to readers, in lower case: looked for by ``in``, at next to no cost.
LETTERS = (
    "newsletter", "infolettre", "lettre d’info", "lettre d'info", "nieuwsbrief", "nyhetsbrev",
    "nyhedsbrev", "uutiskirje", "boletín", "boletim", "biuletyn", "рассылк", "розсилк", "bülten",
    "hírlevel", "hírlevél", "zpravodaj", "novinky e-mailem", "ενημερωτικ", "النشرة", "ניוזלטר",
    "ニュースレター", "メルマガ", "メールマガジン", "뉴스레터", "电子报", "電子報", "邮件订阅",
)  # fmt: skip
#: What readers are told to do about it: in the imperative, or for themselves.
SUBSCRIBE = re.compile(
    r"(?:subscribe|sign up)(?: (?:to|for) (?:our|my|the|this)| now| here| today)"
    r"|(?:in|to) your inbox|(?:join|get|receive) (?:our|my) "
    r"|abonnieren sie|abonniere? |(?:melden|tragen) sie sich|melde dich|bestellen sie|erhalten sie"
    r"|jetzt (?:kostenlos )?(?:abonnieren|anmelden|bestellen)"
    r"|(?:inscri[vs]|abonne)[a-z]*-(?:vous|toi)|recevez"
    r"|suscr[ií]b[ae]|inscr[ií]b[ae]|apúntate|recib[ae] |reg[ií]strate"
    r"|assine|inscreva|subscreva|cadastre|receba"
    r"|iscriv(?:iti|etevi|i?ti)|abbona(?:ti|tevi)|ricevi "
    r"|schrijf (?:je|u)|meld (?:je|u)|abonneer|ontvang "
    r"|zapisz się|subskrybuj|zaprenumeruj"
    r"|подпи(?:шит|сыва|ши)|оформите|підпи(?:шіт|су)"
    r"|prenumerera på|anmäl dig|skriv upp dig|tilmeld dig|abonn[eé]r|meld deg|tilaa "
    r"|abone ol|üye ol|kaydol|přihlaste se|odebírejte|iratkoz|abon(?:ează|aț)"
    r"|εγγραφ|اشترك|הירשמ|登録|購読|구독|신청|订阅|訂閱"
)
_QUOTES = re.compile('["“”„«»‹›「」『』]')
_MONTH = (
    "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|fév|avr|jui|aoû|déc|ene|abr"
    "|ago|dic|fev|set|out|gen|mag|giu|lug|ott|mrt|mei|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru"
    "|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara)"
)
DATE = re.compile(
    r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|\d{1,2}:\d{2}"
    r"|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}(?!\d)"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}"
    rf"|\d{{1,2}}\.? (?:de )?{_MONTH}[^\W\d]*\.?,?(?: de)? \d{{4}}"
    r"|\d{4}년 ?\d{1,2}월"
)
#: Text that is code or data which a script would have used: how it begins, and what is in it.
CODE_START = re.compile(r'\s*(?:[\[{]+\s*"|[.#@][\w-]+\s*\{)')
CODE_PART = re.compile(r"function\s*\(|</?\w+[^>]*>|var (?<=\bvar )\w+\s*=")
#: Places that a template or a shortcode should have filled: ``{{ name }}``, ``[form id=3]``.
PLACEHOLDER = re.compile(
    r"\{\{[^{}]*\}\}|<%[^<%>]*%>|\$\{[^{}]*\}|%%\w{1,40}%%"
    r"|\[/[a-z][\w-]{1,40}\]|\[[a-z][\w-]{1,40} [\w-]{1,40}=[^\[\]]*\]"
)
#: Who owns and publishes a text, what may not be done with it, what it must not be taken for.
#: Most begin a word: so within one, nothing else is tried.
RIGHTS = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|版[权權](?:所有|[归歸])|著作権|無断|저작권|무단|جميع الحقوق"
    r"|不得[转轉][载載]|未[经經].{0,8}授[权權]"
    r"|(?<![a-zа-я])(?:copyright|all rights reserved|alle rechte vorbehalten|tous droits r"
    r"|todos (?:los derechos|os direitos)|tutti i diritti|wszelkie prawa|все права|усі права"
    r"|her hakkı|hak cipta|not be (?:reproduced|republished|published|broadcast|redistributed)"
    r"|перепечатк|przedruk|nachdruck|reproducción|reproduction (?:in|of|is|without)|affiliate"
    r"|earns? (?:a |us )?(?:small )?commission|sponsored (?:by|content|post)"
    r"|paid (?:partnership|promotion)|financial advice|investment advice|legal advice"
    r"|medical advice|tax advice|informational purposes|views (?:expressed|of the author)"
    r"|opinions? (?:expressed|articles? reflect)|terms of (?:use|service)|privacy policy|impressum"
    r"|registered (?:office|trademark|in england)|handelsregister|siret|p\.? ?iva|icp[备備]|isbn"
    r"|issn)"
)
#: Headings, whole lines, behind which an article is over.
END_HEADING = re.compile(
    r"[\W\d]*(?:[相关關]{2}(?:阅读|閱讀|新闻|新聞|文章|报道|報道|报导|推荐|推薦|链接|专题|内容)"
    r"|延伸阅读|延伸閱讀|推荐阅读|推薦閱讀|精彩推荐|猜你喜欢|为您推荐|更多精彩|[热熱][门門].{2}"
    r"|最新(?:评论|評論|文章|回复)|(?:网友|全部|发表|我要|最热)?[評评][论論]区?|跟[贴帖]"
    r"|(?:(?:reader|user|recent|all|your)s? )?comments?"
    r"|(?:leave|add|post) an? (?:comment|reply)|join the (?:discussion|conversation)"
    r"|(?:responses?|replies|discussion)"
    r"|related.{0,20}|read next|more (?:from|stories|on|news|in)\b.{0,24}|(?:more )?top stories"
    r"|you (?:may|might|'ll) (?:also )?(?:like|enjoy|love).{0,8}|recommended.{0,12}"
    r"|most (?:read|popular|viewed)|popular.{0,12}|latest (?:news|posts|stories|articles)"
    r"|trending.{0,8}|about the author|what to read next|further reading"
    # The same in German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Turkish,
    # Japanese and Korean: what readers wrote, what is like it, what else is read.
    r"|(?:leser)?kommentare?|kommentar schreiben|mehr zum thema|(?:ähnliche|weitere) artikel"
    r"|meist ?gelesene?.{0,10}|lesen sie auch|das könnte .{0,12}interessieren"
    r"|commentaires?|réactions|à lire aussi|(?:sur|dans) le même (?:sujet|thème)|articles? liés"
    r"|(?:articles|les) (?:similaires|plus lus)|(?:deja un )?comentarios?|deja tu comentario"
    r"|(?:noticias|artículos|notícias|artigos|matérias) relacionad[ao]s|te puede interesar"
    r"|(?:lo )?más (?:leído|visto|noticias)s?|comentários?|(?:leia|veja) (?:também|mais)"
    r"|(?:as )?mais lidas|commenti|leggi anche|articoli correlati|potrebbe interessarti"
    r"|(?:i )?più letti|reacties?|lees ook|meest gelezen|gerelateerd.{0,12}"
    r"|(?:wybrane |ostatnie |dodaj )?komentarz[ey]?"
    r"|(?:zobacz|czytaj|przeczytaj) (?:także|też|również)"
    r"|(?:polecamy|powiązane).{0,16}|(?:najczęściej|najchętniej) czytane"
    r"|(?:оставить |добавить |ваш )?комментари[ийя]|обсуждение|(?:читайте|смотрите) также"
    r"|(?:новости|статьи|материалы|ссылки) по теме|похожие .{4,16}|(?:самое )?популярное"
    r"|другие (?:новости|статьи|материалы)|yorumlar?|ilgili haberler|çok okunanlar"
    r"|関連(?:記事|ニュース|リンク|キーワード)|コメント|あわせて読みたい|おすすめ(?:記事)?|人気(?:の?記事)?"
    r"|(?:アクセス)?ランキング|관련 ?(?:기사|뉴스)|댓글|많이 본 (?:뉴스|기사)|추천 ?기사"
    r")[\W\d]*"
)


#: The last characters of a sentence, and what may follow them.
SENTENCE_ENDS = frozenset(".!?…。！？；．｡।॥؟۔։።။។")
CLOSERS = "\"'”’»)] 」』）"
_CLOSERS = frozenset(CLOSERS)
_BACK, _ON = ("<<", "«", "‹", "←"), (">>", "»", "›", "→")


def ends_sentence(text: str) -> bool:
    """True if a line ends like a sentence; quotes and brackets are ignored."""
    last = text[-1:]
    if last in _CLOSERS:
        last = text.rstrip(CLOSERS)[-1:]
    return last in SENTENCE_ENDS


def is_unfilled(text: str) -> bool:
    """True if most of *text*, in lower case, is unfilled template placeholders.

    >>> is_unfilled("by {{ author.name }}"), is_unfilled("Write {{ name }} where the name goes.")
    (True, False)
    """
    found = PLACEHOLDER.findall(text)
    return bool(found) and 2 * sum(map(len, found)) > len(text)


def is_prompt(text: str) -> bool:
    """True if *text*, in lower case, is a request, or has an arrow at one of its ends."""
    shown = text.strip()
    return shown.startswith(_BACK) or shown.endswith(_ON) or PROMPT.search(text) is not None


def asks_to_subscribe(text: str) -> bool:
    """True if *text*, in lower case, asks readers to subscribe.

    >>> asks_to_subscribe("subscribe to our newsletter."), asks_to_subscribe("two subscribers")
    (True, False)
    """
    return SUBSCRIBE.search(text) is not None and _QUOTES.search(text) is None


def is_code(text: str) -> bool:
    """True if *text*, in lower case, begins with program code or script data."""
    first = text.partition("\n")[0]
    return bool(CODE_PART.search(first) or CODE_START.match(text))


def is_caption(text: str) -> bool:
    """True if *text*, in lower case, begins or ends like a caption."""
    if CAPTION_START.match(text):
        return True
    return CAPTION_END.search(text, max(0, len(text) - _CAPTION_END_CHARS)) is not None


def match(
    pattern: Callable[[str], object], lines: Lines, candidates: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark *candidates* that match the pattern, in lower case.

    Of a line that is longer, the first 400 characters are looked at.
    """
    lower = lines.lower_starts
    matching = np.zeros(len(lower), bool)
    matching[[line for line in np.flatnonzero(candidates).tolist() if pattern(lower[line])]] = True
    return matching
