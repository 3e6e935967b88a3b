"""Hostile pages drawn from a seed: normal articles with an inserted hostile part.

A page keeps its marked sentences; only what is not a page may be refused, and only a page without
text may come out empty, with a reason.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.toml_files import read_toml

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_PLACES = ("before", "between", "after")
_MOST_BETWEEN = 50_000  # characters that are repeated behind each paragraph
#: By language patterns, and the words for each of their places.
_LANGUAGES = read_toml(Path(__file__).with_name("languages.toml"))


class Draw(random.Random):
    """A source of random numbers; a smaller *scale* (0..1) makes large things smaller."""

    def __init__(self, seed: str, scale: float = 1.0) -> None:
        super().__init__(seed)
        self.scale = scale

    def size(self, least: int, most: int) -> int:
        """Return a number between the two, times *scale*."""
        return max(2, int(self.randint(least, most) * self.scale))

    def word(self, least: int = 2, most: int = 9) -> str:
        return "".join(self.choices(_ALPHABET, k=self.randint(least, most)))

    def language(self) -> str:
        return self.choice(tuple(_LANGUAGES))


@dataclass(frozen=True, slots=True)
class Hostile:
    """A page, the text that must survive, and whether it may be refused or lose all."""

    body: bytes
    marks: tuple[str, ...] = ()  # sentences that a browser would show
    charset: str | None = None  # of the header
    may_refuse: bool = False  # it is no text


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of page; *make* gives another one for each seed."""

    name: str
    make: Callable[[Draw], Hostile]
    is_large: bool = False  # up to 50 MB; others up to 5


@dataclass(frozen=True, slots=True)
class Article:
    """The parts of an article page, as markup; the marked sentences open its paragraphs."""

    language: str
    title: str
    marks: tuple[str, ...]
    paragraphs: tuple[str, ...]  # with their tags
    head: str = ""
    before: str = ""
    between: str = ""  # put behind each paragraph
    after: str = ""

    @property
    def html(self) -> str:
        text = "".join(f"{paragraph}\n{self.between}" for paragraph in self.paragraphs)
        return (
            f"<!DOCTYPE html><html><head><title>{self.title}</title>{self.head}</head><body>"
            "<nav><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul></nav>"
            f"{self.before}<article><h1>{self.title}</h1>{text}</article>{self.after}"
            "<footer><a href=/terms>Terms</a> <a href=/contact>Contact</a></footer></body></html>"
        )

    def page(self, encoding: str = "utf-8", charset: str | None = None) -> Hostile:
        return Hostile(self.html.encode(encoding, "xmlcharrefreplace"), self.marks, charset)


def sentence(rng: random.Random, language: str) -> str:
    """Return one sentence of about 70 characters, or 35 of Chinese, Japanese or Korean."""
    patterns, words = _LANGUAGES[language]["patterns"], _LANGUAGES[language]["words"]
    drawn = {place: rng.choice(choices.split("|")) for place, choices in words.items()}
    text: str = rng.choice(patterns).format(n=rng.randint(3, 9_999), **drawn)
    return text[0].upper() + text[1:]


def draw_article(rng: Draw, language: str | None = None, **places: str) -> Article:
    """Return an article of three to eight paragraphs in *language*, by default any."""
    language = language or rng.language()
    count, found = rng.randint(3, 8), dict[str, None]()
    while len(found) < count:  # no two of them are equal
        found[sentence(rng, language)] = None
    texts = tuple(found)
    tag = rng.choice(("<p>{}</p>", "<p>{}</p>", "<p class='x'>{}</p>", "<P>{}"))
    paragraphs = []
    for text in texts:
        more = [sentence(rng, language) for _ in range(rng.randint(0, 3))]
        paragraphs.append(tag.format(" ".join([text, *more])))
    title = sentence(rng, language)[: rng.randint(25, 60)].rpartition(" ")[0] or "Harbour"
    return Article(language, title, texts, tuple(paragraphs), **places)


def somewhere(rng: Draw, markup: str, places: Sequence[str] = _PLACES) -> Hostile:
    """Return an article with *markup* at a random one of *places*."""
    place = rng.choice(places)
    if place == "between" and len(markup) > _MOST_BETWEEN:
        place = rng.choice(("before", "after"))
    return draw_article(rng, **{place: markup}).page()


def put(name: str, make: Callable[[Draw], str], *places: str, is_large: bool = False) -> Kind:
    """Return the kind of articles with the result of *make* at a random place."""
    return Kind(name, lambda rng: somewhere(rng, make(rng), places or _PLACES), is_large)


def raw(name: str, make: Callable[[Draw], bytes], *, refuse: bool = False) -> Kind:
    """Return a kind of page without marked sentences."""
    return Kind(name, lambda rng: Hostile(make(rng), may_refuse=refuse))


def written(name: str, write: Callable[[Draw, Article], str | bytes]) -> Kind:
    """Return the kind of articles transformed by *write*."""

    def make(rng: Draw) -> Hostile:
        article = draw_article(rng)
        body = write(rng, article)
        return Hostile(body.encode() if isinstance(body, str) else body, article.marks)

    return Kind(name, make)


def round_text(name: str, make: Callable[[Draw], tuple[str, str]]) -> Kind:
    """Return the kind of articles between the two pieces of markup that *make* gives."""

    def write(rng: Draw) -> Hostile:
        before, after = make(rng)
        return replace(draw_article(rng), before=before, after=after).page()

    return Kind(name, write)
