"""Texts that look like copies and are not; written for these tests, with invented facts."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

from tests.dedup.articles import make_article
from tests.toml_files import read_toml

_TOWNS = [
    town + end
    for town in "Saltby Corran Velm Dunn Ostra Merl Harb Tarn".split()
    for end in ("ford", "ey")
]
_PEOPLE = [
    f"{first} {last}"
    for first in "Ada Nils Ilse Per Berta Jonas Una Emil".split()
    for last in "Quist Harrow Venn Moller Tarning Ostby Lund Fairholm".split()
]


TEXTS = read_toml(Path(__file__).with_suffix(".toml"))


def releases() -> list[str]:
    """Four press releases on four subjects, over the same text about the company."""
    return [f"{body}\n{TEXTS['ABOUT']}" for body in TEXTS["RELEASES"]]


def with_common_end(share: float, count: int = 10) -> list[str]:
    """Return articles of 14 sentences with the same last *share*."""
    end = make_article(999).split("\n")[: round(14 * share)]
    return ["\n".join([*make_article(n).split("\n")[len(end) :], *end]) for n in range(count)]


def with_lines(text: str, places: range, seed: int) -> str:
    """Return *text* with other lines in *places*."""
    lines = text.split("\n")
    lines[places.start : places.stop] = make_article(seed, len(places)).split("\n")
    return "\n".join(lines)


def adverts() -> list[str]:
    """Six job adverts of one office."""
    drawn = random.Random(2)
    jobs = (text.split(": ") for text in TEXTS["JOBS"])
    places = zip(drawn.sample(_TOWNS, 6), drawn.sample(_PEOPLE, 6), strict=True)
    return [
        TEXTS["ADVERT"].format(job=job, task=task, town=town, person=person)
        for (job, task), (town, person) in zip(jobs, places, strict=True)
    ]


def notes() -> list[str]:
    """Return short notes of one form with different places."""
    return [
        f"The road between {one} and {two} is closed on Sunday: a tree has fallen on the wires."
        for one, two in itertools.pairwise(_TOWNS)
    ]


def matches(count: int = 40) -> list[str]:
    """Match reports of one form; clubs and players return in other roles."""
    reports = []
    for seed in range(count):
        drawn = random.Random(seed)
        towns, people = drawn.sample(_TOWNS, 4), drawn.sample(_PEOPLE, 6)
        names = dict(zip("abcdpqrstu", towns + [each.split()[1] for each in people], strict=True))
        reports.append(TEXTS["MATCH"].format(**names))
    return reports


def german_notices() -> list[str]:
    """Four notices of one form, in a language that writes all nouns with a capital."""
    rows = (
        ("Altheim", "Samstag", "Rathausplatz", "zwanzig", "Ulm"),
        ("Neustadt", "Mittwoch", "Kirchplatz", "zwölf", "Kiel"),
        ("Grünau", "Freitag", "Anger", "dreißig", "Graz"),
        ("Talbach", "Donnerstag", "Lindenhof", "neun", "Bern"),
    )
    names = ("town", "day", "square", "count", "other")
    return [TEXTS["GERMAN"].format(**dict(zip(names, row, strict=True))) for row in rows]


FAMILIES = {
    "German notices": german_notices(),
    "press releases": releases(),
    "a common end of 30 %": with_common_end(0.3),
    "a common end of 50 %": with_common_end(0.5),
    "job adverts": adverts(),
    "short notes": notes(),
    "match reports": matches(),
}
