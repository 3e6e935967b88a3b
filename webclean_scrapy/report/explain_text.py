"""Plain text of an `Explanation` and of learned templates, for a terminal of any width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.report.explain import REFUSALS
from webclean_scrapy.report.explain_lines import reason_of
from webclean_scrapy.report.web_page import make_environment
from webclean_scrapy.report.wording import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.report.explain import Explanation
    from webclean_scrapy.report.template_report import TemplateView

MIN_WIDTH = 60  # columns; narrower lines cannot be read


def render_text(explanation: Explanation, width: int = 80) -> str:
    """Return the explanation as lines of at most *width* columns, a line break at the end."""
    width = max(width, MIN_WIDTH)
    reasons = [cut(reason_of(line), width * 3 // 8) for line in explanation.lines]
    evidence = ["+".join(line.sibling) for line in explanation.lines]
    rows = list(zip(explanation.lines, reasons, evidence, strict=True))
    columns = [max(map(len, column), default=0) for column in (reasons, evidence)]
    template = make_environment().get_template("explain.txt")
    return template.render(
        view=explanation, refusals=REFUSALS, rows=rows, columns=columns, width=width
    )


def render_templates(views: Sequence[TemplateView], width: int = 80) -> str:
    """Return the templates as lines of at most *width* columns, a line break at the end."""
    template = make_environment().get_template("templates.txt")
    return template.render(views=views, width=max(width, MIN_WIDTH))
