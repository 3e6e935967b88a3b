"""Runs the command line, as ``webclean`` and as ``python -m webclean_scrapy``."""

import os
import signal
import sys


def main() -> int:
    """Run the command line. Ctrl-C ends it at once until the commands, once imported, take it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # closed: the next file would get its number
            # What is written to a closed stdout fails; what is said to a closed stderr is lost.
            os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, open(number, "w" if number else "r"))  # noqa: SIM115, PTH123
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from webclean_scrapy.commands.webclean import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
