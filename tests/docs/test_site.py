"""docs/ becomes a site without a warning: every page in its contents, every link and anchor."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
#: Around those at which the theme changes its columns: 736, 768, 1008, 1072, 1312 and 1552.
WIDTHS = 320, 390, 767, 900, 1009, 1024, 1100, 1200, 1313, 1366, 1440, 1600, 1920


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of the site, and what its making said."""
    folder = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q",
         "-d", str(folder / "trees"), "docs", str(folder / "site")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return folder / "site", f"{done.stderr}{done.returncode or ''}"


def test_the_site_is_built_without_a_warning(built: tuple[Path, str]) -> None:
    site, said = built
    assert said == ""
    made = {path.relative_to(site) for path in site.glob("**/*.html")}
    pages = (path.relative_to(ROOT / "docs") for path in ROOT.glob("docs/**/*.md"))
    assert made >= {page.with_suffix(".html") for page in pages}


def test_no_page_is_wider_than_its_window(built: tuple[Path, str], browser: Browser) -> None:
    """Of pages with lists, wide tables, long lines of code."""
    site, _ = built
    tab = browser.new_page()
    wide = []
    for name in ("index", "settings", "method/benchmarks", "deduplication", "recipes"):
        tab.goto((site / f"{name}.html").as_uri())
        for width in WIDTHS:
            tab.set_viewport_size({"width": width, "height": 800})
            if tab.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((name, width))
    assert wide == []
