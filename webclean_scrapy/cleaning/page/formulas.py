"""Normalise formulas: each is written once, as TeX.

A page writes a formula for eyes (boxes of spans, or pictures), for screen readers (MathML) and as
TeX. Where the TeX is missing it is made from the MathML: read as plain text, a fraction is a
number with more digits, and a power is another number.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, DROPPED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lxml.etree import _Element

FORMULA_CLASS = "language-math"  # of the ``code`` that a formula becomes
_FORMULA = re.compile(r"(?:^|\s)(?:katex|mathjax|mwe-math-element|math)", re.IGNORECASE)
_AROUND = BLOCK_TAGS - {"div"}  # tags outside of formulas
_FORMULA_TAGS = frozenset({"math", "mjx-container", "semantics"})
_IS_TEX = re.compile(r"[\\^_{]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_ELEMENTS = 2_000  # of a formula
_MOST_TEX = 10_000  # characters of one; a longer one stays unchanged


def _braced(tex: str) -> str:
    return tex if len(tex) == 1 else f"{{{tex}}}"


def _scripts(marks: str, parts: Sequence[str]) -> str:
    base = parts[0] if parts else ""
    base = base if len(base) < 2 or base.isalnum() or base[0] == "\\" else f"{{{base}}}"
    below = (f"{mark}{_braced(part)}" for mark, part in zip(marks, parts[1:], strict=False))
    return base + "".join(part for part in below if part[1:] != "{}")


#: How the parts of an element of MathML are written; those of all others follow each other.
_WRITERS: Mapping[str, Callable[[Sequence[str]], str]] = {
    "mfrac": lambda parts: f"\\frac{{{''.join(parts[:1])}}}{{{''.join(parts[1:])}}}",
    "mroot": lambda parts: f"\\sqrt[{''.join(parts[1:])}]{{{''.join(parts[:1])}}}",
    "msqrt": lambda parts: f"\\sqrt{{{''.join(parts)}}}",
    **dict.fromkeys(("msub", "munder"), partial(_scripts, "_")),
    **dict.fromkeys(("msup", "mover"), partial(_scripts, "^")),
    **dict.fromkeys(("msubsup", "munderover"), partial(_scripts, "_^")),
    "mtable": lambda parts: "\\begin{matrix}" + " \\\\ ".join(parts) + "\\end{matrix}",
    "mtr": " & ".join,
    "mfenced": lambda parts: f"({','.join(parts)})",
    "semantics": lambda parts: "".join(parts[:1]),
    "mphantom": lambda parts: "",
}
_LEAVES = frozenset({"mi", "mn", "mo", "mtext", "ms"})


def mend_formula(element: _Element) -> None:
    """Replace all forms of a formula by TeX: *element* is its TeX or its MathML."""
    kind = element.get("encoding") or element.get("type") or ""
    if element.tag != "math":
        if kind.startswith(("application/x-tex", "math/tex")):
            replace_by_tex(element, " ".join((element.text or "").split()))
    elif any("tex" in (one.get("encoding") or "").lower() for one in element.iter("annotation")):
        return  # comes next
    elif _IS_TEX.search(written := " ".join((element.get("alttext") or "").split())):
        replace_by_tex(element, written)
    elif (next(element.iter(*_WRITERS), None) is not None or _is_second(element)) and (
        tex := _tex_of(element)
    ):
        replace_by_tex(element, tex)


def _is_second(formula: _Element) -> bool:
    around = islice(formula.iterancestors(), 3)
    return any(
        one.tag == "mjx-container" or _FORMULA.match(one.get("class") or "") for one in around
    )


def _tex_of(formula: _Element) -> str:
    """Return MathML as TeX; "" for too long formulas. Cost: O(elements)."""
    open_parts: list[list[str]] = [[]]  # of the elements that are open
    size = 0
    for event, element in islice(etree.iterwalk(formula, ("start", "end")), 2 * _MOST_ELEMENTS):
        tag = str(element.tag)
        if event == "start":
            open_parts.append([])
            continue
        parts = open_parts.pop()
        if tag in _LEAVES:
            shown = " ".join("".join(element.itertext()).split())
            is_word = tag == "mtext" or (tag == "mi" and _WORD.fullmatch(shown))
            shown = f"\\text{{{shown}}}" if is_word and shown else shown
        elif tag in _WRITERS:
            shown = _WRITERS[tag](parts)
        else:
            shown = "".join(parts)
        size += len(shown) if tag in _LEAVES else 0
        open_parts[-1].append(shown)
        if size > _MOST_TEX or len(shown) > _MOST_TEX:
            return ""
    return "".join(open_parts[0]).strip() if len(open_parts) == 1 else ""


def replace_by_tex(source: _Element, tex: str) -> None:
    """Replace all forms of the formula of *source* by *tex*."""
    whole = below = source
    for above in islice(source.iterancestors(), 6):
        if (above.text or "").strip() or (below.tail or "").strip() or above.tag in _AROUND:
            break  # this element holds more than the formula
        below = above
        if above.tag in _FORMULA_TAGS or _FORMULA.match(above.get("class") or ""):
            whole = above
    shown = source.getprevious()  # MathJax writes in front of its script
    while source.tag == "script" and shown is not None and not (shown.tail or "").strip():
        names = shown.get("class") or ""
        if shown.tag == DROPPED or not (names == FORMULA_CLASS or _FORMULA.match(names)):
            break
        shown.tag = DROPPED
        shown = shown.getprevious()
    if tex:
        del whole[:]
        whole.tag, whole.text = "code", tex
        whole.attrib.clear()
        whole.set("class", FORMULA_CLASS)
