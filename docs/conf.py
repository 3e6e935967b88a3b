"""Configuration of Sphinx for ``make docs``. The pages stay plain Markdown.

No page holds a directive. The contents of the site are the lists of docs/index.md: each heading
there is a part of the site, each link in its list a page. A link that shows a file's name shows
the page's title on the site. Sphinx warns of a page that is in no list, and of a link that leads
nowhere; ``make docs`` and the tests make warnings errors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webclean_scrapy import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "webclean_scrapy"
author = "webclean_scrapy contributors"
release = version = __version__
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
root_doc = "index"
source_suffix = {".md": "markdown"}
nitpicky = True
myst_heading_anchors = 4  # the names of headings, as GitHub makes them
html_theme = "furo"
html_title = project
html_show_copyright = False
html_static_path = html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False


def setup(app: Sphinx) -> None:
    """Connect the functions that change a page before it is read."""
    app.connect("source-read", _prepare)


def _prepare(_: Sphinx, name: str, source: list[str]) -> None:
    if name == root_doc:
        source[0] += contents(source[0])
    source[0] = name_titles(source[0])


def name_titles(text: str) -> str:
    """Return *text* with links that show a file's name without it: MyST writes the title there.

    >>> name_titles("[item.md](item.md#only-some-fields), [here](item.md)")
    '[](item.md#only-some-fields), [here](item.md)'
    """
    return re.sub(r"\[[\w/.-]+\.md\]\((?=[\w/.-]+\.md)", "[](", text)


def contents(index: str) -> str:
    r"""Return a toctree for each part of the index: its heading, and the pages it links to.

    >>> print(contents("# Docs\n\n## For users\n\n| [item.md](item.md) | What? |\n"))
    <BLANKLINE>
    :::{toctree}
    :hidden:
    :caption: For users
    <BLANKLINE>
    item
    :::
    <BLANKLINE>
    """
    trees = []
    for part in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        pages = re.findall(r"\]\(([\w/-]+)\.md\)", body)
        if pages:
            lines = ["", ":::{toctree}", ":hidden:", f":caption: {heading}", "", *pages, ":::", ""]
            trees.append("\n".join(lines))
    return "\n".join(trees)
