"""docs/ becomes a site without a warning: every page in its contents, every link and anchor."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q",
         "-d", str(tmp_path / "trees"), "docs", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    made = {path.relative_to(tmp_path / "site") for path in tmp_path.glob("site/**/*.html")}
    pages = (path.relative_to(ROOT / "docs") for path in ROOT.glob("docs/**/*.md"))
    assert made >= {page.with_suffix(".html") for page in pages}
