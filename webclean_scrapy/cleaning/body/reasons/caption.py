"""Finds captions: lines below a picture with the name, wording or place of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.body import wording
from webclean_scrapy.cleaning.body.signs import SHORT_UNITS
from webclean_scrapy.cleaning.page import row_flags as f

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from webclean_scrapy.cleaning.body.reasons.page_lines import PageLines


_CAPTION_UNITS = 300  # a longer line is about more than a picture
_SENTENCE_UNITS = 60  # a shorter line is no sentence, with any ending


def find_captions(lines: PageLines) -> NDArray[np.bool_]:
    """Mark captions: lines below a picture with the name, wording or place of a caption.

    Quotations and code are none, nor are sentences outside ``figcaption``: what classes call a
    caption is often the lead of a text that is under its picture. The name of a work alone in its
    centred line begins the work.
    """
    table, signs = lines.table, lines.signs
    own, columns, texts = table.flags.own, table.columns, table.lines.text
    near = lines.own | own[columns.inline] | own[columns.second]
    named = (columns.units <= _CAPTION_UNITS) & (near & f.SAYS_CAPTION > 0)
    sentences = named & (columns.units >= _SENTENCE_UNITS) & (lines.around & f.FIGURE == 0)
    for line in sentences.nonzero()[0].tolist():
        named[line] = not wording.ends_sentence(texts[line])
    centred = (near & f.CENTRED > 0) & (columns.units < SHORT_UNITS) & columns.plain
    centred &= lines.own & (f.HEADING | f.CELL | f.ITEM) == 0
    for line in centred.nonzero()[0].tolist():
        centred[line] = not (texts[line][0] == "《" and texts[line][-1] == "》")
    captions: NDArray[np.bool_] = signs.after_image & (named | signs.caption_worded | centred)
    captions &= lines.around & (f.QUOTE | f.PRE) == 0
    return captions
