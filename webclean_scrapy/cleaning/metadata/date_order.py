"""Tells in which order a language or a country writes the numbers of a date, by CLDR."""

from __future__ import annotations

from webclean_scrapy.cleaning.words.phrases import calendar_of

NUMBERED = frozenset({"en", "zh", "ja", "ko", "vi"})  # no names of months but the English ones
_CODES = {"no": "nb", "nn": "nb", "sh": "hr", "tl": "fil", "iw": "he", "in": "id", "ua": "uk"}


def starts_with_day(tag: str) -> bool | None:
    """True if numeric dates of a locale begin with the day; None for English of no country."""
    language, _, region = tag.partition("-")
    code = locale_code(language)
    known = calendar_of(code)
    of_country = known.get("locale_specific", {}).get(f"{code}-{region.upper()}")
    if not known or (language == "en" and of_country is None):
        return None
    order: str = (of_country or {}).get("date_order") or known.get("date_order", "MDY")
    if order[0] == "Y":  # dates that end with the year are foreign
        return None if language in NUMBERED else True
    return order.index("D") < order.index("M")


def locale_code(language: str) -> str:
    """Return the code by which CLDR knows a language."""
    return _CODES.get(language, language)
