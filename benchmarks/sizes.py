"""Prints how large each room is, beside its budget and the last commit.

``make lint`` runs it, with nothing installed: ``python -m benchmarks.sizes``. It fails nothing;
whoever adds lines, patterns or numbers sees it, and pays with others.
"""

from __future__ import annotations

import ast
import io
import json
import subprocess
import tarfile
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROOT = Path(__file__).resolve().parent.parent
#: Lines of Python in each room; a room without a row of its own counts for the one above it.
BUDGETS = {
    "webclean_scrapy": 37_000,
    "webclean_scrapy/settings": 420,
    "webclean_scrapy/cleaning": 17_000,
    "webclean_scrapy/cleaning/page": 2_700,
    "webclean_scrapy/cleaning/metadata": 3_000,
    "webclean_scrapy/cleaning/templates": 2_200,
    "webclean_scrapy/cleaning/body": 3_000,
    "webclean_scrapy/cleaning/kind": 1_000,
    "webclean_scrapy/cleaning/output": 1_600,
    "webclean_scrapy/cleaning/papers": 1_250,
    "webclean_scrapy/keywords": 1_000,
    "webclean_scrapy/dedup": 2_600,
    "webclean_scrapy/spiders": 2_400,
    "webclean_scrapy/export": 900,
    "webclean_scrapy/crawl": 3_900,
    "webclean_scrapy/commands": 2_950,
    "webclean_scrapy/report": 1_500,
    "webclean_scrapy/engines": 760,
    "tests": 33_000,
    "benchmarks": 5_500,
}
MOST_LINES = 420  # of a file
_TOTALS = PATTERNS, NUMBERS, LONG = (
    "patterns of the package",
    "numbers of its modules",
    f"files above {MOST_LINES} lines",
)


def measure_sizes(sources: Iterable[tuple[str, str]]) -> Counter[str]:
    """Return lines by room, and the totals; *sources* are paths and texts of Python files."""
    sizes: Counter[str] = Counter()
    for path, text in sources:
        count = text.count("\n")
        for above in PurePosixPath(path).parents:
            sizes[str(above)] += count
        if path.startswith("webclean_scrapy/"):
            tree = ast.parse(text)
            sizes[PATTERNS] += sum(map(_compiles, ast.walk(tree)))
            sizes[NUMBERS] += sum(map(_sets_number, tree.body))
            sizes[LONG] += count > MOST_LINES
    return sizes


def _compiles(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


def _sets_number(statement: ast.stmt) -> bool:
    """True for ``NAME = 0.5``, also of several names."""
    if not isinstance(statement, ast.Assign):
        return False
    value = statement.value
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(isinstance(p, ast.Constant) and isinstance(p.value, (int, float)) for p in parts)


def sizes_table(now: Mapping[str, int], before: Mapping[str, int]) -> str:
    """Return a line for each room and total: its size, change, and budget."""
    lines = [f"{'lines of Python':36}{'now':>8}{'change':>8}{'budget':>8}"]
    for name in (*BUDGETS, *_TOTALS):
        change, budget = now[name] - before[name], BUDGETS.get(name)
        over = f"{budget:>8}{'  over' * (now[name] > budget)}" if budget else ""
        lines.append(f"{name:36}{now[name]:>8}{change:>+8}{over}")
    return "\n".join(lines)


def main() -> None:
    try:
        _print_sizes()
    except (FileNotFoundError, subprocess.CalledProcessError):
        print("sizes are not compared: this is no clone of the repository, or git is missing")


def _print_sizes() -> None:
    files = _git("ls-files", "--cached", "--others", "--exclude-standard", "*.py").decode()
    paths = [path for path in files.splitlines() if (ROOT / path).is_file()]
    now = measure_sizes((path, (ROOT / path).read_text("utf-8")) for path in paths)
    print(sizes_table(now, measure_sizes(_committed())))
    counts = json.loads(Path(__file__).with_name("bytecodes.json").read_text("utf-8"))
    kept = json.loads(_git("show", "HEAD:benchmarks/bytecodes.json"))
    for name in ("record", "body", "known"):
        print(f"{f'bytecodes a page, {name}':36}{counts[name]:>8}{counts[name] - kept[name]:>+8}")


def _committed() -> Iterable[tuple[str, str]]:
    """Yield the Python files of the last commit."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", "HEAD"))) as archive:
        for member in archive:
            if member.name.endswith(".py") and (file := archive.extractfile(member)) is not None:
                yield member.name, file.read().decode("utf-8")


def _git(*arguments: str) -> bytes:
    return subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S607


if __name__ == "__main__":
    main()
