"""Plain text of learned templates, for a terminal of any width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.report.explain_text import MIN_WIDTH, cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.report.template_report import TemplateView

_LABEL = 9  # columns of the labels on the left, after the indent
_INDENT = "    "


def render_templates(views: Sequence[TemplateView], width: int = 80) -> str:
    """Return the templates as lines of at most *width* columns, a line break at the end."""
    width = max(width, MIN_WIDTH)
    hosts = len({view.host for view in views})
    size = sum(view.nbytes for view in views)
    lines = [f"templates {len(views)}, hosts {hosts}, bytes {size:,}; 1: most recent"]
    for view in views:
        lines.append("")
        lines += (cut(line, width) for line in _lines(view, width))
    return "\n".join(lines) + "\n"


def _lines(view: TemplateView, width: int) -> Iterator[str]:
    number = f" (template {view.number})" if view.number > 1 else ""
    yield f"{view.place:>2}  {view.shape}{number}"
    if view.serves is not None:
        yield _row("used", view.serves)
    yield _row("keys", f"{view.keys:,} in {view.nbytes:,} bytes")
    body = view.body or "none: none of its pages contains an article"
    yield _row(
        "body", cut(body[::-1], width - len(_row("", "")))[::-1]
    )  # its end is the informative part
    for place, url in enumerate(view.pages):
        yield _row("" if place else "pages", url)


def _row(label: str, text: str) -> str:
    return f"{_INDENT}{label:<{_LABEL}}{text}"
