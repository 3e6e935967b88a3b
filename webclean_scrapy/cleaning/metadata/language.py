"""The language of a text: by py3langid (extra ``meta``), else by its script."""

from __future__ import annotations

import re
from importlib import import_module

MAX_CHARACTERS = 2_000  # that are looked at; more changes no decision
_MIN_LETTERS = 40  # units of text below which the declaration of the page is used

_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u3096\u30a1-\u30fa]"), 0.1),
    ("ko", re.compile("[\uac00-\ud7a3]"), 0.3),
    ("zh", re.compile("[\u3400-\u9fff]"), 0.3),
    ("ru", re.compile("[\u0400-\u04ff]"), 0.5),
    ("ar", re.compile("[\u0600-\u06ff]"), 0.5),
    ("el", re.compile("[\u0370-\u03ff]"), 0.5),
    ("he", re.compile("[\u0590-\u05ff]"), 0.5),
    ("th", re.compile("[\u0e00-\u0e7f]"), 0.5),
    ("hi", re.compile("[\u0900-\u097f]"), 0.5),
)
_SAME_SCRIPT = {  # languages that are written in the script of another
    "ru": frozenset({"uk", "bg", "sr", "be", "mk", "kk", "ky", "mn", "tg"}),
    "ar": frozenset({"fa", "ur", "ps", "ku", "ug"}),
    "he": frozenset({"yi"}),
    "hi": frozenset({"mr", "ne", "sa"}),
}
_ALIASES = {"wuu": "zh", "yue": "zh", "nb": "no", "nn": "no", "iw": "he", "in": "id"}
_HINT = re.compile(r"\s*([a-zA-Z]{2,3})(?:[-_]|\s*\Z)")
_LETTER = re.compile(r"[^\W\d_]")


def detect_language(text: str, lang_hint: str | None = None) -> str | None:
    """Return the ISO 639-1 code of the language of *text*, None when it cannot be detected.

    *lang_hint* is what the page declares, such as "zh-CN": used for short texts and where it
    agrees with the script. Cost: 1 ms; the first call loads a model (a quarter of a second).

    >>> detect_language("今天下午，渡船晚了两个小时才到。", "en")
    'zh'
    """
    text = text[:MAX_CHARACTERS]
    hint = _code(lang_hint)
    letters = len(_LETTER.findall(text))
    script = _by_script(text, letters)
    if script in ("ja", "ko", "zh", "el", "th"):
        return script
    if script is not None and hint in _SAME_SCRIPT.get(script, ()):
        return hint
    if letters < _MIN_LETTERS:
        return script or hint
    return _by_library(text) or script or hint


def _code(declared: str | None) -> str | None:
    """Return the language of a tag such as "zh-cmn-Hans", None when it is none."""
    match = _HINT.match(declared or "")
    if match is None:
        return None
    code = match.group(1).lower()
    return _ALIASES.get(code, code)


def _by_script(text: str, letters: int) -> str | None:
    """Return the commonest language of the script that *text* is written in; None for Latin."""
    for code, pattern, share in _SCRIPTS:
        if len(pattern.findall(text)) > share * letters:
            return code
    return None


def _by_library(text: str) -> str | None:
    """Return py3langid's decision, None when it is not installed."""
    try:
        library = import_module("py3langid")
    except ImportError:
        return None
    code = str(library.classify(text)[0])
    return _ALIASES.get(code, code)
