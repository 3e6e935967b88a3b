"""Render HTML pages and texts for people. A page is one file with styles and no scripts.

The text of crawled pages is in them, so the page's own policy forbids the rest: no request, no
script, and of styles only those that it names by their hash. Templates escape what they are given.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from shlex import quote
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from webclean_scrapy.safe_text import CUT, truncate_to_columns
from webclean_scrapy.web_addresses import is_web

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = files(__package__) / "web"
MIN_WIDTH = 60  # columns of a terminal; narrower lines cannot be read


def render_page(name: str, values: dict[str, Any]) -> str:
    """Render the page *name* with *values*: ``web/NAME.html`` and its ``.css``.

    Raises jinja2.UndefinedError when a value that the template uses is missing.
    """
    environment = make_environment()
    styles = [(_FOLDER / f"{one}.css").read_text(encoding="utf-8") for one in ("base", name)]
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {' '.join(map(_hash_source, styles))}; script-src 'none'"
    )
    return environment.get_template(f"{name}.html").render(values, policy=policy, styles=styles)


@cache
def make_environment() -> Environment:
    """Return the Jinja environment of ``web/``; HTML templates escape all values."""
    # 30 ms, for those who need it
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader(__package__, "web"),
        autoescape=select_autoescape(["html"], default_for_string=True, default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"code": Markup}  # of our own files alone
    environment.filters |= {"count": count_of, "thousands": "{:,}".format}
    environment.filters["confidence"] = describe_confidence
    environment.filters |= {"quote": quote, "fit": truncate_to_columns}
    environment.tests["web_address"] = is_web_address
    return environment


def render_lines(name: str, width: int, **values: Any) -> str:
    """Render the text ``web/NAME.txt`` in lines of at most *width* columns."""
    template = make_environment().get_template(f"{name}.txt")
    return template.render(values, width=max(width, MIN_WIDTH))


def is_web_address(url: str | None) -> bool:
    """True if *url* is safe to link: an absolute web address, never ``javascript:``."""
    return bool(url) and is_web(str(url)) and not str(url).endswith(CUT)


def _hash_source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def describe_confidence(confidence: float) -> str:
    """Return a confidence with its meaning: "0.69: 7 of 10 such bodies are right"."""
    return f"{confidence:.2f}: {min(round(10 * confidence), 9)} of 10 such bodies are right"


def count_of(number: int, what: str) -> str:
    """Return a count with its noun: "1 item", "2 items"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
