"""Texts that look like copies and are not; written for these tests, with invented facts."""

from __future__ import annotations

import itertools
import random

from tests.dedup.articles import make_article

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


def _one_line(text: str) -> str:
    return " ".join(text.split())


_ABOUT = "About Brandt Ferries\n" + _one_line("""
Brandt Ferries has carried people, letters and sheep between the islands since 1911. The company
sails nine ships under two flags, employs some four hundred people in three harbours and belongs
to its crews. Its shares are not traded. Statements about the future rest on what the management
knows today; tides, prices and laws may prove them wrong, and the company does not undertake to
correct them. Pictures may be used free of charge by the press.
""")
_RELEASES = """
Westmere, 3 March. Brandt Ferries will run the night boat to Corranford again. It leaves at ten in
the evening, takes bicycles and lorries, and reaches the island before the bakers open. The line
was given up when the bridge was built, which has since been closed for wind on ninety days.

Saltbyey, 19 May. The ferry Ilse has got a new engine that burns wood alcohol. Shipwrights cut the
hull open behind the galley and lifted the old diesel out in one piece; a museum has asked for it.
Trials begin next week with an empty car deck, and passengers are promised less noise.

Westmere, 7 August. Una Tarning becomes captain of the training ship. She learned to sail on her
grandmother's lobster boat and taught navigation at the academy. Of twelve cadets who begin in
autumn seven are women, more than ever, and the dormitories are being divided anew.

Dunnford, 30 October. A storm has damaged the pier of Dunnford. Waves tore planks and two lamps
away, and the waiting room stands knee-deep in sand. Until it is repaired, tenders bring people
ashore from the roads; perishable goods go by way of Merley, at the old price.
""".split("\n\n")
_ADVERT = _one_line("""
We are looking for a {job} in {town}, full time, from the first of the month. Your tasks: you
{task}. You bring: a finished training, patience and a driving licence. We offer: a permanent
contract, thirty days of holiday, a pension of the works, fruit on Mondays, a garden for lunch and
colleagues who stay. Disabled applicants of equal aptitude are preferred. Please send your papers
without a photograph to {person}, who answers questions too, until the end of the month. We do not
pay the expenses of interviews, and delete your papers after six months.
""")
_JOBS = """
lock keeper: open the gates at every hour of the tide, log the water levels, warn skippers of
eels and drifting timber, and grease the wheels before frost

pastry cook: bake for three cafés before sunrise, invent a cake for each season, teach two
apprentices to temper chocolate, and keep the sourdough alive

bookbinder: mend ledgers of the harbour office, bind yearbooks of the schools, gild spines by
hand and look after a collection of marbled papers

bee inspector: visit two hundred hives, take samples of brood, advise beginners on swarms, and
write the yearly register of queens for the ministry

piano tuner: care for the instruments of eleven schools, string the harpsichord of the small
opera, and regulate hammers and dampers every summer

diver: inspect moorings, cut ropes out of propellers, count mussels for biologists, and film the
foundations of the breakwater after storms
""".split("\n\n")
_MATCH = _one_line("""
{a} came from behind to beat {b} in front of a noisy crowd. {p} gave the guests the lead with a
volley, but {q} levelled just before the interval. After the break {r} put the hosts in front with
a free kick, and {s} made sure of the points after a mistake by goalkeeper {t}. Captain {u} limped
off and may miss the trip to {c}. The coach of the hosts said that nobody could be prouder of a
team. {b} have now lost three times in a row and travel to {d} next.
""")


def releases() -> list[str]:
    """Four press releases on four subjects, over the same text about the company."""
    return [f"{_one_line(body)}\n{_ABOUT}" for body in _RELEASES]


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
    jobs = (_one_line(text).split(": ") for text in _JOBS)
    places = zip(drawn.sample(_TOWNS, 6), drawn.sample(_PEOPLE, 6), strict=True)
    return [
        _ADVERT.format(job=job, task=task, town=town, person=person)
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
        reports.append(_MATCH.format(**names))
    return reports


_GERMAN = _one_line("""
Der Wochenmarkt in {town} findet am {day} auf dem {square} statt. Es kommen {count} Händler,
darunter ein Imker aus {other}. Autos müssen bis sieben Uhr vom Platz entfernt sein. Die Stadt
weist darauf hin, dass Hunde an der Leine zu führen sind. Für Kinder gibt es ein Karussell und
einen Stand mit Waffeln. Bei Regen ziehen die Händler in die Halle um.
""")


def german_notices() -> list[str]:
    """Four notices of one form, in a language that writes all nouns with a capital."""
    rows = (
        ("Altheim", "Samstag", "Rathausplatz", "zwanzig", "Ulm"),
        ("Neustadt", "Mittwoch", "Kirchplatz", "zwölf", "Kiel"),
        ("Grünau", "Freitag", "Anger", "dreißig", "Graz"),
        ("Talbach", "Donnerstag", "Lindenhof", "neun", "Bern"),
    )
    names = ("town", "day", "square", "count", "other")
    return [_GERMAN.format(**dict(zip(names, row, strict=True))) for row in rows]


FAMILIES = {
    "German notices": german_notices(),
    "press releases": releases(),
    "a common end of 30 %": with_common_end(0.3),
    "a common end of 50 %": with_common_end(0.5),
    "job adverts": adverts(),
    "short notes": notes(),
    "match reports": matches(),
}
