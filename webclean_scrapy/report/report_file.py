"""The two files that a report can be: the page, and the data that it is made of."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from webclean_scrapy.errors import ConfigError, ReportFileError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.report.web_page import check_library

FILE_FORMAT, FILE_VERSION = "webclean-crawl-report", 1
PAGE, DATA = ".html", ".json"  # the endings of both
MAX_BYTES = 50_000_000  # of a file of data; the largest that a crawl writes takes some 5 MB


def check_report_path(name: str) -> None:
    """Raise ConfigError when no report can be written to *name*."""
    path = Path(name)
    ending = path.suffix.lower()
    if ending not in {PAGE, DATA}:
        raise ConfigError(f"must end in {PAGE} or {DATA}, got {name}")
    if path.is_dir():
        raise ConfigError(f"{name} is a folder")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ConfigError(f"the folder {folder} is missing")
    if not os.access(folder, os.W_OK):
        raise ConfigError(f"the folder {folder} cannot be written to")
    if ending == PAGE:
        check_library()


def write_report(data: dict[str, Any], path: Path) -> None:
    """Write the page, or the *data* where *path* ends in .json, in one step.

    Raises: OSError, ConfigError.
    """
    if path.suffix.lower() == DATA:
        text = json.dumps({"format": FILE_FORMAT, "version": FILE_VERSION, **data}, indent=1)
    else:
        from webclean_scrapy.report.crawl_report import render_report

        text = render_report([data])
    replace_text(path, text)


def read_report(path: Path) -> dict[str, Any]:
    """Return the data that a crawl has written.

    Raises:
        OSError: the file cannot be read.
        ReportFileError: it is something else, or of another version.
    """
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    try:
        data = json.loads(content) if len(content) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FILE_FORMAT:
        raise ReportFileError(
            f"{path} is not the data of a crawl report (WEBCLEAN_REPORT = x.json)"
        )
    if data.get("version") != FILE_VERSION:
        raise ReportFileError(f"{path} has version {data.get('version')!r}, not {FILE_VERSION}")
    return data
