"""Tells in which order a language or a country writes the numbers of a date, by dateparser."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

NUMBERED = frozenset({"en", "zh", "ja", "ko", "vi"})  # no names of months but the English ones
_CODES = {"no": "nb", "nn": "nb", "sh": "hr", "tl": "fil", "iw": "he", "in": "id", "ua": "uk"}
_PARTS = ["day", "month", "year"]
_STRICT = {"PARSERS": ["absolute-time"], "REQUIRE_PARTS": _PARTS, "STRICT_PARSING": True}


@lru_cache(maxsize=256)
def starts_with_day(tag: str) -> bool | None:
    """True if numeric dates of a locale begin with the day; None for English of no country."""
    from dateparser import parse

    language, _, region = tag.partition("-")
    code = locale_code(language)
    locale = [f"{code}-{region.upper()}"] if region else None
    alone = None if language in {"", "en"} else [code]
    for names, locales in ((None, locale), (alone, None)):
        if names or locales:
            with suppress(ValueError, OverflowError, TypeError):
                found = parse("01/02/03", languages=names, locales=locales, settings=_STRICT)
                if found and found.year == 2003:
                    return found.day == 1
                if found and language not in NUMBERED:
                    return True  # where the year comes first, dates that end with it are foreign
    return None


def locale_code(language: str) -> str:
    """Return the code by which dateparser knows a language."""
    return _CODES.get(language, language)
