"""``scrapy webclean explain --templates FILE|JOBDIR [URL]``: list the learned templates."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.templates.template_store import TemplateStore
from webclean_scrapy.crawl.cleaner_work import TEMPLATE_FILES
from webclean_scrapy.errors import TemplateFileError
from webclean_scrapy.report.explain_text import render_templates
from webclean_scrapy.report.template_report import list_templates

if TYPE_CHECKING:
    import argparse

_ALL = 1_000_000  # templates; larger than any file


def show_templates(name: str, url: str | None, opts: argparse.Namespace) -> int:
    """Print the templates of a file, or of all files of a JOBDIR, and return the exit code.

    It is 1 when a file cannot be read; the templates of the others are still printed.
    """
    path = Path(name)
    pattern = TEMPLATE_FILES.format("*")
    files = sorted(path.glob(pattern)) if path.is_dir() else [path]
    if not files:
        print(f"no learned templates: {name} contains no {pattern}", file=sys.stderr)
        return 1
    store = TemplateStore(_ALL)
    failed = 0
    for file in files:
        try:
            store.load(file)
        except TemplateFileError as error:  # noqa: PERF203, a few files
            print(error, file=sys.stderr)
            failed += 1
    if failed < len(files):
        views = list_templates(store, url)
        if opts.json:
            print(json.dumps([asdict(view) for view in views], ensure_ascii=False))
        else:
            print(render_templates(views, shutil.get_terminal_size().columns), end="")
    return int(failed > 0)
