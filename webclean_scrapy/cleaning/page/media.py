"""Normalise pictures, films and frames: what they show, and none that advertise or track."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.formulas import replace_by_tex
from webclean_scrapy.cleaning.page.row_flags import COMMENTS, CONSENT, read_names, says_caption
from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, PLAYERS
from webclean_scrapy.cleaning.page.units import text_of
from webclean_scrapy.cleaning.words.networks import SHARE_ADDRESSES
from webclean_scrapy.cleaning.words.phrases import alternatives

if TYPE_CHECKING:
    from lxml.etree import _Element

_AD = re.compile(
    r"(?<![A-Za-z])(?:ads?|adv|ad(?:box|frame|slot|space|unit|wrap|zone)s?|adsby\w*|advert\w*"
    rf"|sponsor(?:ed|s)?|dfp|gpt|doubleclick|{alternatives('advert_class')})(?![A-Za-z])",
    re.IGNORECASE,
)
_AD_HOST = re.compile(
    r"(?:https?:)?//(?:[^/?#]{0,200}?(?:[.-]|(?<=//))(?:ads?\d*|ad(?:form|fox|serv|tech)\w*)[.-]"
    r"|[^/?#]{0,200}?(?:adnxs|adsystem|ad-?exchange|doubleclick|syndication|taboola|outbrain|criteo))"
)
#: Addresses at which a page is shared, liked or followed, a program is bought, or an
#: advertisement counts who sees it.
_SHARES = re.compile(
    rf"{SHARE_ADDRESSES}|/(?:ads?|advert)[-/]|//apps\.apple\.com|play\.google\.com/store|^mailto:\?"
)
_AD_LEVELS = 3  # above a frame that are looked at
PICTURE_FILE = re.compile(r"\.(?:jpe?g|png|webp|avif|gif|svg)(?![a-z])", re.IGNORECASE)
#: In the class or the address of a picture whose ``alt`` is TeX: MediaWiki, WordPress, Zhihu.
_DRAWN = re.compile(r"^tex |math-fallback|\.latex\?|latex\.(?:c|php)|(?:equation\?tex|math\?\w+)=")
_MAY_BE_TEX = re.compile(r"[\\^_{=+]|^.{1,2}$")
_RATIOS = frozenset({"responsive", "intrinsic", "fill"})  # sizes of these are no pixels
_TOOLS = COMMENTS | CONSENT  # what the names of frames may say
_READ = 200  # characters of a name or an address: those of advertisements hold whole pages
#: Of Substack: a name that its script writes, a quoted post, and the counters of one.
CARDS = ("mention-wrap", "tweet", "tweet-link-bottom")
_NAME = re.compile(r'"name":\s*"([^"\\<>&]{1,100})"')
_SHOWN = PLAYERS | {"amp-img", "canvas", "img", "object", "picture", "svg"}
_WRITTEN = frozenset({"blockquote", "pre", "table"})
_MOST_INSIDE = 1_000  # elements of a figure that are looked at
_CAPTION_LEVELS = 3  # above a picture
HIDDEN = re.compile(r"display\s*:\s*none")


def empty_player(player: _Element) -> None:
    """Reduce a frame or a player to its address; that of a platform may load late, by its name."""
    if name := player.get("videoid") or player.get("data-videoid"):
        site = "vimeo.com/" if "vimeo" in str(player.tag) else "www.youtube.com/watch?v="
        player.attrib.update({"src": f"https://{site}{name}", "controls": ""})
        player.set("title", player.get("playlabel") or player.get("title") or "")
    elif "src" not in player.attrib and (source := player.find("source")) is not None:
        player.set("src", source.get("src", ""))
    del player[:]
    player.text = None


def is_shown(player: _Element, *, is_advert: bool = False) -> bool:
    """True if a frame or a player shows a content, or an advertisement if *is_advert*.

    None is hidden, plays by itself or is a tool of the page: to comment, to share, to consent.
    """
    *named, address = ((player.get(key) or "")[:_READ] for key in ("class", "id", "name", "src"))
    is_tool = read_names(" ".join(named).lower()) & _TOOLS or _SHARES.search(address)
    is_hidden = HIDDEN.search(player.get("style", "")) or "autoplay" in player.attrib
    return not (is_tool or is_hidden) and _is_advertised(player) is is_advert


def show_sign(picture: _Element) -> None:
    """Write a picture of a sign, of a first letter or of a formula as what it shows."""
    sign = picture.get("alt") or ""
    is_sign = sign[:1] >= "\u2190" and not any(map(str.isalnum, sign))
    is_sign |= len(sign) == 1 and sign.isupper() and (picture.tail or "")[:1].islower()
    if is_sign or (sign[:1] == ":" and "emoji" in picture.get("class", "")):
        picture.tag, picture.text = "span", sign
        picture.attrib.clear()
    elif _MAY_BE_TEX.search(sign) and _DRAWN.search(f"{picture.get('class')} {picture.get('src')}"):
        replace_by_tex(picture, " ".join(sign.split()))


def is_badge(picture: _Element) -> bool:
    """True if a picture shows what its link is for: to share, to buy a program, to advertise."""
    above = next(islice(picture.iterancestors("a"), 1), None)
    href = "" if above is None else above.get("href") or ""
    near = (picture, *islice(picture.iterancestors(), _AD_LEVELS))
    named = (one for one in near if _AD.search((one.get("class") or "")[:_READ]))
    is_slot = any(not text_of(one) for one in named)
    return is_slot or bool(_SHARES.search(href) or _AD_HOST.match(href))


def _is_advertised(frame: _Element) -> bool:
    """True if the name of a frame, of its surroundings or of its host is an advertisement's."""
    near = (frame, *islice(frame.iterancestors(), _AD_LEVELS))
    keys = ("class", "id", "name", "title")
    named = ((one.get(key) or "")[:_READ] for one in near for key in keys)
    is_named = _AD.search(str(frame.tag)) is not None or any(map(_AD.search, named))
    return is_named or _AD_HOST.match((frame.get("src") or "")[:_READ]) is not None


def show_picture(noscript: _Element) -> None:
    """Move the picture in *noscript* to its lazy placeholder; unwrap it without one."""
    written = (noscript.text or "").strip()
    shown = next((etree.HTML(written) if written[:4] == "<img" else noscript).iter("img"), None)
    if shown is None:
        return
    near = [one for one in (noscript.getprevious(), noscript.getnext()) if one is not None]
    late = [one for one in near if one.tag == "img"]
    late += [img for one in near if not text_of(one) for img in islice(one.iter("img"), 1)]
    for one in late:
        for name, shows in (("data-src", "src"), ("srcset", "srcset")):
            if address := shown.get(shows):
                one.set(name, address)
    is_open = next(noscript.iter("p"), None) is not None  # and holds the rest of the page
    if not (late or is_open) and _is_picture(shown):
        shown.tail = None
        noscript[:] = [shown]
        noscript.tag, noscript.text = "span", None


def _is_picture(image: _Element) -> bool:
    """True if an image is no tracking pixel: it has a size, a ``srcset`` or a file name."""
    sizes = [image.get(key, "").strip().removesuffix("px") for key in ("width", "height")]
    if HIDDEN.search(image.get("style", "")) or {"0", "1", "2"} & set(sizes):
        return False
    address = image.get("src") or image.get("data-src") or ""
    is_named = "srcset" in image.attrib or PICTURE_FILE.search(address) is not None
    return is_named or any(sizes)


def write_amp(picture: _Element) -> None:
    """Turn an AMP picture into an ``img`` without its fallback content."""
    del picture[:]
    picture.tag, picture.text = "img", None
    for key in ("width", "height") if picture.get("layout", "") in _RATIOS else ():
        picture.attrib.pop(key, None)


def part_caption(picture: _Element) -> None:
    """Part an inline element, named as the caption of a picture, from the text that it touches."""
    for one in (picture, *islice(picture.iterancestors(), _CAPTION_LEVELS)):
        if (behind := one.getnext()) is not None or (one.tail or "").strip():
            break
    if behind is None or (one.tail or "").strip() or behind.tag in BLOCK_TAGS:
        return
    above = behind.getparent()
    text = behind.tail if above is None or above.tag in BLOCK_TAGS else above.tail
    if text and text.strip() and says_caption(behind.get("class") or ""):
        behind.tag = "figcaption"


def show_caption(figure: _Element) -> None:
    """Show the caption of a figure that is text: a table, a listing, a quotation."""
    inside = {one.tag for one in islice(figure.iter("*"), _MOST_INSIDE)}
    is_text = not _WRITTEN.isdisjoint(inside) and _SHOWN.isdisjoint(inside)
    if is_text and (caption := figure.find("figcaption")) is not None:
        figure.tag, caption.tag = "div", "p"


def show_card(card: _Element) -> bool:
    """Write what a card of Substack stands for: a name, or the words of a quoted post.

    Returns whether it is one: buttons of other sites have the same classes.
    """
    if card.tag == "span":
        name = _NAME.search(card.get("data-attrs") or "")
        card.text = card.text or (name and name[1])
    elif card.get("class") == CARDS[-1]:
        card.clear(keep_tail=True)
    elif card.find("a/div") is None:
        return False
    else:
        card.tag = "blockquote"
        for link in card.iterchildren("a"):
            link.tag = "div"
    return True
