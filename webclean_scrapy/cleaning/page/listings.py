"""Normalise code listings: each becomes one ``pre`` with its lines of code only.

Highlighters write a line as a row of a table, an item, a block or a ``span``, with its number
beside it or in a column of its own. A reader sees lines, and so does a browser that copies them.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.cleaning.page.tags import BLOCK_TAGS, DROPPED, DROPPED_TAGS
from webclean_scrapy.cleaning.page.units import text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

_NO_CODE = re.compile(
    r"(?:^|[\s_-])(?:line[-_]?(?:no|num)|gutter|ln(?=\s|$|-n)|lnt|nums(?=\s|$|-)|number(?:s|ing)"
    r"|blob-num|copy|clipboard|toolbar|select-none)",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"[\s\d]*|\s*cop(?:y|ied)\W*", re.IGNORECASE)
_CODE_LINE = re.compile(r"(?:^|[\s_-])line(?=\s|$)", re.IGNORECASE)
_CODE = re.compile(r"(?:^|[\s_-])code(?=[\s_-]|$)", re.IGNORECASE)
#: Names of languages that stand in a class by themselves.
LANGUAGES = frozenset(
    "actionscript ada apache applescript arduino asm assembly awk bash basic batch bat c clojure "
    "cmake cobol coffeescript console cpp c++ csharp c# cs css csv cuda cython d dart delphi diff "
    "docker dockerfile elixir elm erlang fortran fsharp f# glsl go golang gradle graphql groovy "
    "haskell hcl html html4strict http ini java java5 javascript js json json5 jsx julia kotlin "
    "latex less lisp lua makefile markdown matlab md mysql nginx nim nix objectivec objective-c "
    "objc ocaml pascal perl pgsql php plsql postgresql powershell ps1 prolog properties protobuf "
    "puppet py python python3 r rb ruby rust sas sass scala scheme scss sh shell smalltalk sql "
    "svelte swift tcl terraform tex toml ts tsx typescript vb vbnet verilog vhdl vim vue wasm xml "
    "xhtml yaml yml zig zsh".split()
)
#: Lists of lines: of SyntaxHighlighter 1, Prettify, highlight.js and GeSHi.
_CODE_LIST = re.compile(r"(?:^|\s)(?:dp-\w+|linenums|hljs-ln|de[12])(?=\s|$)")
_PREFORMATTED = re.compile(r"white-space\s*:\s*(?:break-spaces|pre(?!-line))")
_INDENTED = re.compile(r"\n[ \t]+\S")
#: White space directly in these shows nothing.
_HOLDERS = frozenset("ol ul table thead tbody tfoot tr".split())
_LINES = frozenset({"div", "li", "pre", "tr"})  # of the blocks that a listing may hold
_FOREIGN = BLOCK_TAGS - _HOLDERS - _LINES - {"td", "th"}
_CELLS, _MOST_NUMBERS = 4, 1_000  # of a table and a column that are looked at
#: What is shown beside the mouse, or to nobody.
_POPUP = re.compile(r"popup|tooltip-?(?:text|content)|screen-?reader|sr-only|visually-?hidden")
_COPY = re.compile(r"(?i)(?:cop(?:y|ie[dr]|iar?)|kopi\w{1,12}|复制|複製|コピー|복사)[\w ]{0,12}$")
_NUMBER = re.compile(r"\s*(\d{1,9})(?![\d.,;:|=)-])")
#: Marks in the text of a listing that no page has: a line begins, ends, or is empty.
_START, _END, _EMPTY = "\x02\x03\x04"
_NESTED = re.compile(r"\x02\s*(?=\x02)|\x03\s*(?=\x03)")
_EMPTY_LINE = re.compile(r"\x02\s*\x03")
_EDGE = re.compile(r"(?<!\n)\n*[\x02-\x04](?:[\s\x02-\x04]*[\n\x02-\x04])?")
_LEAST_LINES = 3  # of a listing whose lines have numbers
_LABELS = frozenset({"div", "header", "span"})


def mend_listing(code: _Element) -> None:
    """Normalise a ``pre``, and remove its line numbers. Cost: O(elements)."""
    code.tag = "pre" if code.tag in {"listing", "xmp"} else code.tag
    lines: set[_Element] = set()
    breaks: list[_Element] = []
    is_foreign = False
    several = [one for one in code if one.tag == "code"][1:]
    for element in code.iter("*"):
        tag, names = element.tag, element.get("class") or ""
        if element is not code and (_is_number(element, names) or _POPUP.search(names)):
            element.tag = DROPPED
        elif tag == "br":
            breaks.append(element)
        elif element is not code and (
            (tag in _LINES and not _is_filler(element, lines))
            or (tag == "span" and (_CODE_LINE.search(names) or "data-line" in element.attrib))
            or (several and tag == "code" and element.getparent() is code)
        ):
            lines.add(element)
        is_foreign = is_foreign or tag in _FOREIGN
    _drop_labels(code, code if several else next(code.iter("code"), code))
    names = " ".join(one.get("class") or "" for one in [code, *islice(code.iterancestors(), 2)])
    if _is_number(code, names):
        code.tag = DROPPED
    elif not is_foreign:  # a pre that was left open may hold the page
        for element in breaks:
            element.tag, element.text = "span", "\n"
        if lines:
            etree.strip_elements(code, *DROPPED_TAGS, with_tail=False)
            _write_lines(code, lines)
        _drop_numbers(code)


def _drop_labels(code: _Element, whole: _Element) -> None:
    """Remove the numbers, the language and the buttons beside *whole*, which holds the lines."""
    for element in chain((whole,), () if whole is code else whole.iterancestors()):
        before, behind = element.itersiblings(preceding=True), element.itersiblings()
        for beside in chain(islice(before, 2), islice(behind, 2)):
            shown = text_of(beside)
            language = _COPY.sub("", shown).strip().lower()
            if shown and beside.tag in _LABELS and (not language or language in LANGUAGES):
                beside.tag = DROPPED
                code.set("data-language", language or code.get("data-language", ""))
            elif _is_number(beside, beside.get("class") or ""):
                beside.tag = DROPPED
        if element is code:
            break


def _drop_numbers(code: _Element) -> None:
    lines = "".join(code.itertext()).strip().split("\n")
    numbers = [one[1] for one in map(_NUMBER.match, lines) if one]
    first = int(numbers[0]) if len(numbers) == len(lines) >= _LEAST_LINES else 0
    left = [str(number) for number in range(first, first + len(lines))][::-1]
    if numbers == left[::-1]:
        for element in code.iter("span", "a", "b", "i"):
            if left and (element.text or "").strip() == left[-1] and not len(element):
                left.pop()
                element.text, element.tail = None, (element.tail or "").removeprefix(" ")


def find_listing(element: _Element) -> None:
    """Turn a table, a list or a ``code`` into a ``pre`` if it is a code listing."""
    tag = str(element.tag)
    is_listing = {"code": _is_shown_as_lines, "ol": _is_code_list}.get(tag, _is_code_table)
    if is_listing(element) and next(element.iterancestors("pre"), None) is None:
        element.tag = "pre"
        if tag != "code":
            etree.strip_elements(element, "caption", with_tail=False)
        mend_listing(element)


def is_preformatted(style: str) -> bool:
    """True if a style shows a block as code: preserved white space, monospaced letters.

    >>> is_preformatted("white-space: pre; font-family: monospace")
    True
    >>> is_preformatted("white-space: pre-wrap")  # many editors write it at every paragraph
    False
    """
    style = style.lower()
    return _PREFORMATTED.search(style) is not None and ("mono" in style or "courier" in style)


def _is_shown_as_lines(code: _Element) -> bool:
    """True if a ``code`` stands between two blocks and has several lines."""
    text, above = text_of(code), code.getparent()
    before, behind = code.getprevious(), code.getnext()
    if next(code.iter("br", "div"), None) is None:
        is_shown = _PREFORMATTED.search(code.get("style", "").lower())
        if "\n" not in text or not (is_shown or _INDENTED.search(text)):
            return False
    if above is None or above.tag not in BLOCK_TAGS or (code.tail or "").strip():
        return False
    around = (above.text if before is None else before.tail) or ""
    is_between = all(one is None or one.tag in BLOCK_TAGS for one in (before, behind))
    return is_between and not around.strip()


def _is_code_list(items: _Element) -> bool:
    first, above = next(items.iter("li"), None), items.getparent()
    if above is not None and len(above) == 1 and "monospace" in (above.get("style") or ""):
        return True
    near = [items, *(islice(first.iter("div"), 1) if first is not None else ())]
    return any(_CODE_LIST.search(one.get("class") or "") for one in near)


def _is_code_table(table: _Element) -> bool:
    """True if a table column numbers the lines beside it, or a cell is named as code."""
    of_code = "line-numbers" if _CODE.search(table.get("class") or "") else ""
    for cell in islice(table.iter("td"), _CELLS):
        names = cell.get("class") or of_code
        if not names:
            continue
        if _NO_CODE.search(names):
            numbers = " ".join(islice(cell.itertext(), _MOST_NUMBERS)).split()
            first = int(numbers[0][:9]) if numbers and numbers[0].isdecimal() else 0
            counted = [str(number) for number in range(first, first + len(numbers))]
            is_named = numbers or "data-line-number" in cell.attrib
            if numbers == counted and (len(numbers) >= _LEAST_LINES or (is_named and not of_code)):
                cell.set("class", names)
                return True
        if _CODE.search(names) and any(
            _CODE_LINE.search(line.get("class") or "") for line in islice(cell.iter("div"), 3)
        ):
            return True
    return False


def _is_filler(element: _Element, lines: set[_Element]) -> bool:
    is_line = len(element) or element.text or _CODE_LINE.search(element.get("class") or "")
    return element.tag == "div" and not is_line and element.getparent() in lines


def _is_number(element: _Element, names: str) -> bool:
    return _NO_CODE.search(names) is not None and _NUMBERS.fullmatch(text_of(element)) is not None


def _write_lines(code: _Element, lines: set[_Element]) -> None:
    """Write the *lines* of a listing as text, each on a line of its own, and unwrap all elements.

    Of the white space between two lines only its line breaks count, and no line has two.
    """
    parts: list[str] = []
    for event, element in etree.iterwalk(code, ("start", "end")):
        if event == "start":
            parts += _START * (element in lines), _shown(element.text, element)
        elif element is not code:
            parts += _END * (element in lines), _shown(element.tail, element.getparent())
    text = _EMPTY_LINE.sub(_EMPTY, _NESTED.sub("", "".join(parts)))
    text = _EDGE.sub(
        lambda edge: "\n" * max(edge[0].count("\n"), 1 + edge[0].count(_EMPTY)), text
    ).strip("\n")
    inner = next(chain(code.iter("code"), islice(code.iter("pre"), 1, None)), None)
    del code[:]
    code.text = text
    if inner is not None:  # it names the language
        del inner[:]
        code.text, inner.tag, inner.text, inner.tail = None, "code", text, None
        code.append(inner)


def _shown(text: str | None, holder: _Element | None) -> str:
    is_between = holder is not None and holder.tag in _HOLDERS
    return "" if text is None or (is_between and text.isspace()) else text
