"""Labelled pages of own texts: each class has words of its own beside words that all share."""

import random
from collections.abc import Iterator

WORDS = {
    "harbour": "ferry pilot quay buoy tide anchor crane".split(),
    "kitchen": "oven flour simmer onion ladle broth crust".split(),
    "铁路": "列车 车站 铁轨 乘客 司机".split(),
}
SHARED = "the town said that people were there again in the morning".split()


def page_text(label: str, seed: int, words: int = 60) -> str:
    """Return a text of the class *label*, the same for a *seed* on every machine."""
    chance = random.Random(f"{label} {seed}")
    return " ".join(chance.choice(WORDS[label] + SHARED) for _ in range(words))


def records(count: int = 6) -> Iterator[dict[str, str]]:
    """Yield *count* labelled pages of each class."""
    for label in WORDS:
        for seed in range(count):
            title = f"{WORDS[label][0]} {seed}"
            yield {"class": label, "text": page_text(label, seed), "title": title}
