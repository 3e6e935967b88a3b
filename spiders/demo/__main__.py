"""Serve the demo portal until Ctrl-C: ``python -m spiders.demo [--port N]``.

``--watch FILE`` runs one round of ``webclean watch`` on it instead; each round finds the portal a
day later than the last one did.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
from pathlib import Path

from spiders.demo.articles import load_articles
from spiders.demo.build import build_portal
from spiders.demo.server import DemoServer

WATCHED_PORT = 8199  # one that stays: a site is known by its address
FIRST_DAY = "2026-03-01"  # what is older is there in the first round


def main() -> int:
    """Serve the portal until interrupted, and print its URL; or watch it. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m spiders.demo", description=__doc__)
    port = f"port to listen on; default: any free port, {WATCHED_PORT} with --watch"
    parser.add_argument("--port", type=int, default=0, help=port)
    parser.add_argument("--watch", type=Path, metavar="FILE", help="one round, into FILE")
    options = parser.parse_args()
    try:
        if options.watch:
            return watch(options.watch, options.port or WATCHED_PORT)
        server = DemoServer(port=options.port)
    except OSError as error:
        parser.error(f"cannot listen on port {options.port or WATCHED_PORT}: {error}")
    with server:
        try:
            print(f"Demo portal: {server.url()}  (press Ctrl-C to stop)", flush=True)
            threading.Event().wait()
        except KeyboardInterrupt:
            print(f"\nAnswered {server.total} requests.")
    return 0


def watch(output: Path, port: int) -> int:
    """Watch the portal for one round, a day later than in the last one; return the exit code."""
    days = sorted({article.date[:10] for article in load_articles()})
    note = output.with_suffix(".day")
    last = note.read_text() if note.exists() else ""
    day = next((one for one in days if one > last and one >= FIRST_DAY), days[-1])
    with DemoServer(build_portal(until=day), port=port) as server:
        print(f"The demo portal on {day}, at {server.url()}", flush=True)
        words = ["watch", server.url(), "-o", str(output)]
        code = subprocess.call([sys.executable, "-m", "webclean_scrapy", *words])  # noqa: S603
    if code == 0:
        note.write_text(day)
    return code


if __name__ == "__main__":
    sys.exit(main())
