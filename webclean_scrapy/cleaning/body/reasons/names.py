"""Names the reasons why lines are excluded, as `explain` and ``removed`` give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The first is that of a line which is not excluded.
EXCLUSIONS = (
    "", "caption", "credit", "title", "tail", "consent", "comments", "form", "navigation",
    "aside", "repeated", "no sentences", "advertisement", "template", "teaser", "player", "tools",
    "author", "hidden", "link block", "dialog", "placeholder", "prompt", "other article",
    "about the page",
)  # fmt: skip
(
    NOT, CAPTION, CREDIT, TITLE, TAIL, CONSENT, COMMENTS, FORM, NAVIGATION, ASIDE, REPEATED,
    NO_SENTENCES, ADVERT, TEMPLATE, TEASER, PLAYER, TOOLS, AUTHOR, HIDDEN, LINK_BLOCK, DIALOG,
    PLACEHOLDER, PROMPT, OTHER_ARTICLE, ABOUT_PAGE,
) = range(len(EXCLUSIONS))  # fmt: skip


def reasons(*wanted: int) -> NDArray[np.bool_]:
    """Return a column of all reasons, true for the *wanted* ones, to be indexed by reasons."""
    return np.array([reason in wanted for reason in range(len(EXCLUSIONS))])
