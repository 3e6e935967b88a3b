"""Escape text for CommonMark, so that no character is read as markup."""

from __future__ import annotations

import re

#: The mark and the tag of an inline element, of which CommonMark takes both.
TAGS = {"**": "strong", "*": "em", "~~": "del"}
#: What CommonMark would read; an underscore within a word, "&" before a blank or "C:\\U" is text.
_SPECIAL = re.compile(
    r"[`*\[\]<]|\\(?=[!-/:-@\[-`{-~]|\Z)|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,40};)"
)
#: A formula in TeX within a text. Text between dollar signs is one only if it has a TeX character.
_TEX = re.compile(
    r"\$\$(?=[^$]*[\\^_*{])[^$]{1,2000}\$\$|\\\(.{1,2000}?\\\)|\\\[.{1,2000}?\\\]"
    r"|(?<![\w$\\])\$(?=[^$]*[\\^_{])(?![\s$])[^$]{1,500}(?<![\s\\])\$(?![\w$])",
    re.DOTALL,
)
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
_SIGN = re.compile(r"[`*\[\]<\\_&~]")  # without one, nothing is special
_STRUCK = re.compile(r"~~|~\S[^~]*~")  # GitHub strikes out between single ones too
_AT_START = re.compile(
    r"#{1,6}(?=\s|\Z)|[-+](?=\s|\Z)|-(?=-)|=(?==|\s*\Z)|>|[|:](?=[-:| ]*-)"
    r"|[0-9]{1,9}(?=[.)](?:\s|\Z))"
)
_ENTITY = re.compile(r"&(?=#?\w{1,40};)")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_ODD_SPACE = re.compile(r"[\t\n\r\f]|  ")
_ENCODED = str.maketrans({sign: f"%{ord(sign):02X}" for sign in " ()<>|"})


def escape_text(text: str) -> str:
    r"""Return *text* with all characters escaped that Markdown would interpret.

    >>> escape_text("2 * 3 [a] <b>")
    '2 \\* 3 \\[a\\] \\<b>'
    """
    if not _SIGN.search(text):
        return text
    if "$" not in text and "\\" not in text:
        return _escaped(text)
    shown: list[str] = []
    at = 0
    for formula in _TEX.finditer(text):
        shown += _escaped(text[at : formula.start()]), _formula(formula[0])
        at = formula.end()
    return "".join(shown) + _escaped(text[at:])


def _escaped(text: str) -> str:
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    return escaped.replace("~", r"\~") if _STRUCK.search(text) else escaped


def _formula(tex: str) -> str:
    """Return a formula with delimiters that are recognised and escaped content."""
    shown = _TAG_START.sub("< ", tex)
    return shown if tex[0] == "$" else f"\\{shown[:-2]}\\{shown[-2:]}"


def one_line(text: str) -> str:
    """Return *text* with white space collapsed."""
    return _SPACES.sub(" ", text) if _ODD_SPACE.search(text) else text


def escape_start(line: str) -> str:
    """Return a line escaped at its start, so that it is no heading, list or rule."""
    match = _AT_START.match(line)
    if match is None:
        return line
    return f"{match[0]}\\{line[match.end() :]}" if line[0].isdigit() else f"\\{line}"


def address(url: str) -> str:
    url = _ENTITY.sub(r"\\\g<0>", url.replace("\\", "%5C"))  # both are read in an address too
    return _SPACES.sub("", url.translate(_ENCODED))


def tagged(mark: str, inner: str) -> str:
    """Return a tag around text that CommonMark cannot mark; a single sign unchanged."""
    is_text = any(map(str.isalnum, inner))
    return f"<{TAGS[mark]}>{inner}</{TAGS[mark]}>" if is_text else inner


def is_sign(character: str) -> bool:
    """True if CommonMark may take a character for punctuation."""
    return not (character.isalnum() or character.isspace())


def fenced(code: str) -> str:
    fence = "`" * (longest_run(code) + 1)
    edge = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{edge}{code}{edge}{fence}"


def longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)
