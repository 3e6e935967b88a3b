"""Pages for people: one HTML file with its style and its script, which loads nothing else.

The text of crawled pages is in them, so the page's own policy forbids the rest: no request, and of
scripts and styles only those that it names by their hash. Templates escape what they are given.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from webclean_scrapy.errors import missing_library

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = files(__package__) / "web"


def render_page(name: str, values: dict[str, Any]) -> str:
    """Return the page *name* with *values*: ``web/NAME.html``, its ``.css`` and its ``.js``.

    The template extends ``base.html``, which has the style that all pages share.

    Raises:
        ConfigError: jinja2 is not installed.
        jinja2.UndefinedError: a value that the template uses is missing.
    """
    environment = _make_environment()
    styles = [_read("base.css"), _read(f"{name}.css")]
    scripts = [_read(f"{name}.js")]
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {' '.join(map(_hash_source, styles))}; "
        f"script-src {' '.join(map(_hash_source, scripts))}"
    )
    return environment.get_template(f"{name}.html").render(
        values, policy=policy, styles=styles, scripts=scripts
    )


def check_library() -> None:
    """Raise ConfigError when jinja2 is not installed: before the work whose page it would make."""
    if find_spec("jinja2") is None:
        raise missing_library("a page of HTML", "jinja2")


@cache
def _make_environment() -> Environment:
    try:
        from jinja2 import DictLoader, Environment, StrictUndefined
    except ImportError as error:
        raise missing_library("a page of HTML", "jinja2") from error
    from markupsafe import Markup

    templates = {
        each.name: each.read_text(encoding="utf-8")
        for each in _FOLDER.iterdir()
        if each.name.endswith(".html")
    }
    environment = Environment(
        loader=DictLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = Markup  # of our own files: never of what is outside the package
    return environment


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash_source(text: str) -> str:
    """Return how a Content-Security-Policy names an inline style or script."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
