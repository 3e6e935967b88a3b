"""The report of one crawl, or of several side by side, as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webclean_scrapy.errors import ConfigError, ReportFileError
from webclean_scrapy.report.crawl_view import view_crawl
from webclean_scrapy.report.web_page import render_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def render_report(crawls: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> str:
    """Return the page of *crawls*, each the data that a crawl has collected.

    *names*: what each is called where several are compared, by default that of its spider.

    Raises:
        ReportFileError: values of a crawl are missing or of another type.
        ConfigError: jinja2 is not installed.
    """
    try:
        views = [view_crawl(data, number) for number, data in enumerate(crawls, 1)]
        shown = list(names) or [view.name for view in views]
        return render_page("crawl_report", {"crawls": views, "names": shown})
    except ConfigError:
        raise
    except Exception as error:  # whatever the template stumbles over has come from the data
        raise ReportFileError(f"the data of a crawl report are damaged: {error!r}") from error
