"""Runs the command line, as ``webclean`` and as ``python -m webclean_scrapy``."""

import signal
import sys


def main() -> int:
    """Run the command line. Ctrl-C ends it at once until the commands, once imported, take it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from webclean_scrapy.commands.webclean import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
