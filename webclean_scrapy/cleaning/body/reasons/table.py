"""Lists the reasons why lines of a page are never body, whatever the linear models say.

Next to no body lies in these on pages of any kind: what readers wrote, forms, navigation and
asides beside a real text, the consent to cookies, the line under a picture that is named or worded
as one, the heading that repeats the title, editor and source lines, text run together a second
time, text without sentences. What only screen readers get, what they are kept from, dialogs, and
places that a template left empty are no text either.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.like_elements import find_teasers
from webclean_scrapy.cleaning.body.reasons import names as n
from webclean_scrapy.cleaning.body.reasons.advertisement import find_adverts
from webclean_scrapy.cleaning.body.reasons.caption import find_captions
from webclean_scrapy.cleaning.body.reasons.consent import find_consent
from webclean_scrapy.cleaning.body.reasons.credit import find_credits
from webclean_scrapy.cleaning.body.reasons.no_sentences import find_addresses, find_endless
from webclean_scrapy.cleaning.body.reasons.other_article import find_other_articles
from webclean_scrapy.cleaning.body.reasons.page_lines import (
    MIN_OUTSIDE_SHARE,
    MIN_SHOWN_SHARE,
    PageLines,
    leaves_text,
)
from webclean_scrapy.cleaning.body.reasons.placeholder import find_placeholders
from webclean_scrapy.cleaning.body.reasons.prompt import (
    find_boxes,
    find_mail_boxes,
    find_prompts,
)
from webclean_scrapy.cleaning.body.reasons.repeated import find_pulled, find_run_together
from webclean_scrapy.cleaning.body.reasons.teaser import find_inline_related_links, find_lone_cards
from webclean_scrapy.cleaning.body.reasons.title import find_title_repeats
from webclean_scrapy.cleaning.body.reasons.tools import find_furniture, find_tools
from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

MIN_COMMENTED_SHARE = 0.05  # of the page's paragraphs outside: these may outweigh the text
MAX_SHARE = 0.5  # of the page's paragraphs in these lines; above it they are the text of the page
_REPEATED_UNITS = 25  # a shorter line may be in the same place of two texts


@dataclass(frozen=True, slots=True)
class Reason:
    """Why lines are excluded, and what finds them.

    With *outside*, lines are excluded together: only where so much of the page's paragraphs is
    outside of them (0..1), and not where they hold the title, unless *holds_title*. Otherwise each
    line is excluded by itself, if all of them have no more than *most* of the paragraphs.
    """

    number: int  # an index of EXCLUSIONS
    find: Callable[[PageLines], NDArray[np.bool_] | None]
    outside: float | None = None
    holds_title: bool = False
    most: float = 1.0

    def holds(self, lines: PageLines, found: NDArray[np.bool_], open_: NDArray[np.bool_]) -> bool:
        """True if the lines *found* may go, of those that no reason before excluded (*open_*)."""
        if self.outside is None:
            return self.most == 1 or lines.weight[found].sum() <= self.most * lines.weight.sum()
        title = lines.signs.title_line
        if title is not None and found[title] and not self.holds_title:
            return False
        weight = lines.weight * open_
        return leaves_text(int(weight[~found].sum()), int(weight.sum()), self.outside)


def _find_inside(flag: int, lines: PageLines) -> NDArray[np.bool_] | None:
    """Mark the lines in elements with *flag*."""
    return lines.around & flag > 0 if lines.named & flag else None


def _find_template(lines: PageLines) -> NDArray[np.bool_] | None:
    if lines.template is None:
        return None
    return lines.template.repeated & (lines.units >= _REPEATED_UNITS)


def _find_players(lines: PageLines) -> NDArray[np.bool_] | None:
    """Mark the lines of players; in tables of results one is a person."""
    if not lines.named & f.NAMED_PLAYER:
        return None
    players: NDArray[np.bool_] = lines.around & f.NAMED_PLAYER > 0
    players &= lines.own & f.CELL == 0
    return players


def _find_player_labels(lines: PageLines) -> NDArray[np.bool_] | None:
    players = _find_players(lines)
    return None if players is None else players & (lines.weight == 0)


def _find_cards(lines: PageLines) -> NDArray[np.bool_]:
    signs = lines.signs
    return find_teasers(lines.table, signs.card, signs.headline_card, lines.weight)


def _find_hidden(flag: int, lines: PageLines) -> NDArray[np.bool_] | None:
    """Mark hidden lines; beside code that is shown, other tabs of it stay."""
    if not lines.named & flag:
        return None
    hidden: NDArray[np.bool_] = lines.around & flag > 0
    return hidden & ~lines.code if (lines.code & ~hidden).any() else hidden


def _find_end_headings(lines: PageLines) -> NDArray[np.bool_]:
    return lines.signs.end_heading


def _find_link_blocks(lines: PageLines) -> NDArray[np.bool_]:
    return lines.in_link_block


#: In this order: of several reasons the first one holds. No lambdas: workers get them by name.
REASONS = (
    Reason(n.REPEATED, find_run_together),
    Reason(n.REPEATED, find_pulled),
    Reason(n.TEMPLATE, _find_template, most=MAX_SHARE),
    Reason(n.TEASER, find_inline_related_links),
    Reason(n.PROMPT, find_prompts),
    Reason(n.PLACEHOLDER, find_placeholders),
    Reason(n.TOOLS, find_tools),
    Reason(n.ADVERT, find_adverts),
    Reason(n.CREDIT, find_credits),
    Reason(n.TAIL, _find_end_headings),
    Reason(n.TITLE, find_title_repeats),
    Reason(n.CAPTION, find_captions, most=MAX_SHARE),
    Reason(n.NO_SENTENCES, find_endless),
    Reason(n.NO_SENTENCES, find_addresses),
    Reason(n.LINK_BLOCK, _find_link_blocks),
    Reason(n.PLAYER, _find_player_labels),
    Reason(n.TEASER, _find_cards, MIN_COMMENTED_SHARE),
    Reason(n.CONSENT, find_consent, MIN_COMMENTED_SHARE),
    Reason(n.FORM, find_mail_boxes, MIN_OUTSIDE_SHARE, holds_title=True),
    Reason(n.PROMPT, find_boxes, MIN_OUTSIDE_SHARE),
    Reason(n.TOOLS, find_furniture, MIN_OUTSIDE_SHARE),
    Reason(n.OTHER_ARTICLE, find_other_articles, MIN_COMMENTED_SHARE),
    Reason(n.COMMENTS, partial(_find_inside, f.COMMENTS), MIN_COMMENTED_SHARE),
    Reason(n.FORM, partial(_find_inside, f.FORM), MIN_OUTSIDE_SHARE, holds_title=True),
    Reason(n.NAVIGATION, partial(_find_inside, f.NAV), MIN_OUTSIDE_SHARE),
    Reason(n.ASIDE, partial(_find_inside, f.ASIDE), MIN_OUTSIDE_SHARE),
    Reason(n.AUTHOR, partial(_find_inside, f.NAMED_BIO), MIN_OUTSIDE_SHARE),
    Reason(n.HIDDEN, partial(_find_hidden, f.HIDDEN), MIN_SHOWN_SHARE),
    Reason(n.HIDDEN, partial(_find_hidden, f.UNSEEN), MIN_SHOWN_SHARE),
    Reason(n.DIALOG, partial(_find_inside, f.DIALOG), MIN_COMMENTED_SHARE),
    Reason(n.TEASER, find_lone_cards, MIN_OUTSIDE_SHARE),
    Reason(n.PLAYER, _find_players, MIN_OUTSIDE_SHARE),
)


def find_exclusions(lines: PageLines, reasons: Sequence[Reason]) -> NDArray[np.uint8]:
    """Return the reason why each line is excluded, an index of EXCLUSIONS. Cost: O(lines)."""
    excluded = np.zeros(len(lines.weight), np.uint8)
    for reason in reasons:
        found = reason.find(lines)
        if found is None or not found.any():
            continue
        open_ = excluded == n.NOT
        if reason.holds(lines, found, open_):
            excluded[found & open_] = reason.number
    return excluded
