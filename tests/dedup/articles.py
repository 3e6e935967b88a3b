"""Texts written for these tests: their facts are made up."""

import random
from pathlib import Path

from tests.toml_files import read_toml
from webclean_scrapy.dedup.fingerprint import Match

TEXTS = read_toml(Path(__file__).with_name("texts.toml"))
ENGLISH: list[str] = TEXTS["ENGLISH"]
CHINESE: list[str] = TEXTS["CHINESE"]


def make_article(seed: int, sentences: int = 14) -> str:
    """Return an article; two articles share only a few frequent words."""
    dice = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "en", "ir", "o", "ul")]

    def word() -> str:
        return "".join(dice.choice(syllables) for _ in range(dice.randint(2, 4)))

    return "\n".join(
        f"The {word()} of {word()} {word()} a {word()} {word()} and the {word()} {word()}."
        for _ in range(sentences)
    )


def verdict_of(match: Match | None) -> tuple[str, str] | None:
    """Return the key of a match and its verdict."""
    return (match.key, match.verdict) if match else None
