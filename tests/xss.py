"""Ways to put a script into a page, in the body or in the metadata of an article.

``FIRE`` in a vector is a call that the browser of the tests counts; ``AWAY`` is an address that
nothing may ask for. Own collection, by the classes that sanitizers are known to miss.
"""

from pathlib import Path

from tests.pages import sentences
from tests.toml_files import read_toml

AWAY = "http://away.test/"
DATA = read_toml(Path(__file__).with_suffix(".toml"))
DEEP = f"{'<div>' * 600}<svg><style><img src=x: onerror=FIRE></style></svg>{'</div>' * 600}"
#: In the body of the article.
BODY: dict[str, str] = {**DATA["body"], "mutation: depth": DEEP}
#: In what a page says of itself: the head.
HEAD: dict[str, str] = DATA["head"]
VECTORS = {**BODY, **{f"head: {name}": vector for name, vector in HEAD.items()}}


def hostile_page(number: int, name: str) -> str:
    """Return an article with the vector *name*, which calls ``fire(number)``."""
    vector = VECTORS[name].replace("FIRE", f"fire({number})").replace("NUMBER", str(number))
    vector = vector.replace("AWAY", AWAY)
    lines = sentences(number, 18)
    first, second = (
        "".join(f"<p>{' '.join(lines[at : at + 3])}</p>" for at in places)
        for places in (range(0, 9, 3), range(9, 18, 3))
    )
    in_head, in_body = (vector, "") if name.startswith("head: ") else ("", vector)
    title = "" if "<title>" in in_head else "<title>Ferries of the day - Ostwick Post</title>"
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{title}{in_head}</head><body>'
        f'<div class="top"><a href="/">Home</a> <a href="/news/">News</a></div><article>'
        f"<h1>Ferries of the day</h1>{first}{in_body}{second}</article>"
        f'<div class="foot"><p>All rights reserved.</p></div></body></html>'
    )
