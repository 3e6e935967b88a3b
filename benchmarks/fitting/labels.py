"""Label the lines of a page as body or not, by the labelled text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.report.text_scores import SHINGLE, shingles, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BODY_SHARE = 0.6  # of a line's words that are in the labelled text: above it the line is body


def label_lines(lines: Sequence[str], gold: str) -> NDArray[np.bool_]:
    r"""Label the *lines* of the text *gold*: most of their words lie in common shingles.

    Shingles run over the ends of lines, so that the short cells of a table count when the whole
    row is in the gold. A line of fewer words than a shingle also counts when it is a line of gold.

    >>> label_lines(["Home", "The ferry was late again", "Fog"], "The ferry was late again.\nFog")
    array([False,  True,  True])
    """
    wanted = shingles(gold)
    whole = {" ".join(tokens(line)) for line in gold.split("\n")}
    words = [tokens(line) for line in lines]
    flat = [word for line in words for word in line]
    held = np.zeros(len(flat), bool)
    for at in range(len(flat) - SHINGLE + 1):
        if tuple(flat[at : at + SHINGLE]) in wanted:
            held[at : at + SHINGLE] = True
    is_body = np.zeros(len(lines), bool)
    at = 0
    for number, line in enumerate(words):
        if line:
            share = held[at : at + len(line)].mean()
            is_line = len(line) < SHINGLE and " ".join(line) in whole
            is_body[number] = share > BODY_SHARE or is_line
            at += len(line)
    return is_body
