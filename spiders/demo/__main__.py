"""Serve the demo portal until Ctrl-C: ``python -m spiders.demo [--port N]``."""

from __future__ import annotations

import argparse
import threading

from spiders.demo.server import DemoServer


def main() -> None:
    """Serve the portal until interrupted; print its URL."""
    parser = argparse.ArgumentParser(prog="python -m spiders.demo", description=__doc__)
    parser.add_argument(
        "--port", type=int, default=0, help="port to listen on; 0 (default): any free port"
    )
    options = parser.parse_args()
    try:
        server = DemoServer(port=options.port)
    except OSError as error:
        parser.error(f"cannot listen on port {options.port}: {error}")
    with server:
        try:
            print(f"Demo portal: {server.url()}  (press Ctrl-C to stop)", flush=True)
            threading.Event().wait()
        except KeyboardInterrupt:
            print(f"\nAnswered {server.total} requests.")


if __name__ == "__main__":
    main()
