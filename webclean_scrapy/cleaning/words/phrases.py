"""Read the phrases of all languages by their role, for the patterns of all rooms.

``languages/de.json`` has what is known of German, ``roles.json`` how phrases of a role are used; of
a role that one language alone has, such as the parts of a Chinese byline, its file says that.
A phrase is a regular expression, in lower case unless its role says otherwise. Whoever needs a role
joins the phrases of all languages and adds the structure around them. The names of months and days
are not ours: they are CLDR's, as `dateparser` brings them.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from typing import Any
from unicodedata import normalize

LANGUAGES = resources.files(__package__) / "languages"
ROLES = resources.files(__package__) / "roles.json"
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_FIRST_LETTER = re.compile(r"\w(?![?*+{])")  # of a phrase that cannot be without it
#: A choice that a phrase begins with: a group, which may be left out, or a set of letters.
_CHOICE = re.compile(r"(?:\(\?:([^()\[\]]*)\)(\?)?|\[(\w+)\])(?![?*+{])(.*)")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@cache
def languages() -> dict[str, dict[str, Any]]:
    """Return the content of each language's file, by its code."""
    files = {file.name: file for file in LANGUAGES.iterdir() if file.name.endswith(".json")}
    return {
        name.removesuffix(".json"): json.loads(files[name].read_text("utf-8"))
        for name in sorted(files)
    }


def phrases(role: str, *, run_on: bool | None = None) -> tuple[str, ...]:
    """Return the phrases of a role in all languages, each once.

    With *run_on*, those of the languages that write words without blanks between, or with.
    """
    found = {
        phrase: None
        for language in languages().values()
        if run_on in {None, language.get("run_on", False)}
        for phrase in language.get(role, ())
    }
    return tuple(found)


def any_of(role: str, *, run_on: bool | None = None) -> str:
    """Return a pattern of one of the `phrases`; it matches nothing where there are none."""
    return f"(?:{alternatives(role, run_on=run_on)})"


def alternatives(role: str, *, run_on: bool | None = None) -> str:
    """Return the same without a group: beside others, the regex engine goes by first characters.

    Phrases with the same first letter are put together, a choice of beginnings spelled out: the
    letter is compared once for all of them.
    """
    groups: dict[str, list[str]] = {}
    for phrase in chain.from_iterable(map(_spelled_out, phrases(role, run_on=run_on))):
        first = phrase[:1] if _FIRST_LETTER.match(phrase) else ""
        groups.setdefault(first, []).append(phrase[len(first) :])
    joined = {first: "|".join(rest) for first, rest in groups.items()}
    parts = [f"{first}(?:{rest})" if first else rest for first, rest in joined.items()]
    return "|".join(parts) or "(?!)"


def _spelled_out(phrase: str) -> list[str]:
    """Return *phrase*, or one for each of the choices that it begins with.

    >>> _spelled_out("(?:le|la)? ?[ab]c"), _spelled_out("[ab]c")
    (['le ?[ab]c', 'la ?[ab]c', ' ?[ab]c'], ['ac', 'bc'])
    """
    match = _CHOICE.match(phrase)
    if match is None:
        return [phrase]
    group, may_lack, letters, rest = match.groups()
    choices = [*(letters or group.split("|")), *([""] if may_lack else [])]
    return [one for choice in choices for one in _spelled_out(choice + rest)]


@cache
def _calendars() -> Path:
    """Return the folder with CLDR's names of months and days, one module a language."""
    home = find_spec("dateparser")
    return Path((home and home.origin) or "").parent / "data" / "date_translation_data"


@cache
def calendar_of(language: str) -> dict[str, Any]:
    """Return what CLDR says of dates in a language; empty where `dateparser` has none.

    Its module is read as the file that it is: to import `dateparser` takes a tenth of the start.
    """
    file = _calendars() / f"{language}.py"
    spec = spec_from_file_location(f"calendar_{language}", file)
    is_code = language.isalpha()  # pages declare languages: none may name a file elsewhere
    if spec is None or spec.loader is None or not (is_code and file.exists()):
        return {}
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.info)


@cache
def months(language: str) -> dict[str, int]:
    """Return the names and short names of months in a language, and their numbers."""
    found = calendar_of(language)
    countries = found.get("locale_specific", {}).values()  # those of some countries only
    return {
        normalize("NFC", name.lower()): number
        for names in (*countries, found)
        for number, key in enumerate(_MONTHS, 1)
        for name in names.get(key, ())
    }


def weekdays(language: str) -> frozenset[str]:
    """Return the names and short names of the days of the week in a language."""
    found = calendar_of(language)
    return frozenset(name.lower() for key in _DAYS for name in found.get(key, ()))
