"""``make release``: build what an index is given, check it, and say what is left to do by hand.

The wheel is built from the sdist, as an index's users would. It must hold the files of the package
that are under version control, all of them and nothing else, and run in an environment with
nothing but what it asks for. Nothing is uploaded.
"""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PACKAGE = "webclean_scrapy"
METADATA = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
SMOKE = """# cleans a page of the demo portal
from webclean_scrapy import Cleaner, DuplicateIndex
from spiders.demo import build_portal

pages, articles = build_portal().pages, build_portal().articles
path = "/harbour/science/bell-buoy-three-keys-4687"
cleaner = Cleaner()
cleaner.learn(pages["/harbour/science/museum-unpicks-fishing-net-4611"].body)
page = cleaner.clean(pages[path].body, "https://ledger.example" + path)
assert page.text.split() == articles[path].text.split(), page.text
index = DuplicateIndex()
index.check_and_add("first", page.text)
assert index.find(page.text)
open("page.html", "wb").write(pages[path].body)
"""


def main() -> int:
    """Build, check, run; return the exit code: 1 when a check failed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sdist, wheel = build()
    problems = [
        *(f"{wheel.name}: {problem}" for problem in wheel_problems(wheel, tracked_files())),
        *(f"README on an index: {problem}" for problem in readme_problems(description_of(wheel))),
    ]
    run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
    with tempfile.TemporaryDirectory() as folder:
        try_out(wheel, Path(folder))
    for problem in problems:
        print(f"ERROR: {problem}", file=sys.stderr)
    print(f"\nbuilt and tried out: {sdist.name}, {wheel.name}\nleft to do by hand:")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for number, step in enumerate(left_to_do(project, changes, is_clean()), 1):
        print(f"  {number}. {step}")
    return bool(problems)


def build() -> tuple[Path, Path]:
    """Return a new sdist and the wheel made of it; what was built before is removed."""
    for old in DIST.glob("*"):
        old.unlink()
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (sdist,), (wheel,) = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    return sdist, wheel


def tracked_files() -> set[str]:
    """Return the files of the package that are under version control, by their path."""
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--", PACKAGE)
    return set(filter(None, listed.split("\0")))


def wheel_problems(wheel: Path, expected: set[str]) -> Iterator[str]:
    """Yield what *wheel* has beside the *expected* files and its metadata, and what it lacks."""
    with zipfile.ZipFile(wheel) as archive:
        found = set(archive.namelist())
    folder = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    wanted = expected | {f"{folder}/{name}" for name in METADATA}
    yield from (f"{name} should not be in it" for name in sorted(found - wanted))
    yield from (f"{name} is missing" for name in sorted(wanted - found))


def description_of(wheel: Path) -> str:
    """Return the long description in the metadata of *wheel*, as an index gets it."""
    folder = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    with zipfile.ZipFile(wheel) as archive:
        message = email.message_from_bytes(archive.read(f"{folder}/METADATA"))
    return bytes(message.get_payload(decode=True)).decode()


def readme_problems(markdown: str) -> Iterator[str]:
    """Yield what an index would not show: markup that it cannot read, links within the clone."""
    shown = render(markdown)
    if not shown:
        yield "it is not rendered"
        return
    for _, attribute, link, _ in html.fromstring(f"<div>{shown}</div>").iterlinks():
        if not re.match(r"https?://|#", link):
            yield f"{attribute} leads to {link}, which no index has"


def render(markdown: str) -> str | None:
    """Return *markdown* as HTML, as an index shows it; None when it cannot."""
    from readme_renderer import markdown as renderer

    shown: str | None = renderer.render(markdown)
    return shown


def try_out(wheel: Path, folder: Path) -> None:
    """Install *wheel* into an environment of its own in *folder* and clean a page with it."""
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", wheel)
    run(python, "-c", SMOKE, cwd=folder)
    for program in ([python.with_name("webclean")], [python, "-m", "scrapy", "webclean"]):
        shown = run(*program, "clean", "page.html", cwd=folder)
        if "bell" not in shown.lower():
            raise SystemExit(f"{program[-1]} clean printed no article:\n{shown}")


def left_to_do(project: Mapping[str, Any], changes: str, clean: bool) -> Iterator[str]:
    """Yield what no program does: what is missing, then the upload itself, in order."""
    version = project["version"]
    if not clean:
        yield "commit: files differ from the last commit, and so does what was built"
    if not project.get("urls"):
        yield (
            "[project.urls] in pyproject.toml is missing: name the public address of the sources; "
            "then give the links of README.md that address in [tool.hatch...substitutions]"
        )
    if f"\n## {version}" not in changes and f"\n## [{version}]" not in changes:
        yield f"CHANGELOG.md: turn Unreleased into {version} with its date; CITATION.cff likewise"
    yield f"see that https://pypi.org/project/{project['name']}/ is free or yours"
    yield f"git tag -s {version}, and push it"
    yield "python -m twine upload dist/*"


def is_clean() -> bool:
    """Return whether the files are those of the last commit."""
    return not run("git", "-C", ROOT, "status", "--porcelain")


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command and return what it printed. Raises: SystemExit, with all of it, if it fails."""
    print("+", *(str(part).partition("\n")[0] for part in command[:6]), flush=True)
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
