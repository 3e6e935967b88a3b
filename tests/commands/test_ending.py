"""Commands end in order: at a signal, a closed pipe, settings that cannot be imported."""

import fcntl
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import ROOT, Start, counts_in
from tests.marks import nightly
from tests.pages import article, listing
from tests.server import SiteServer
from tests.waiting import HANGS_S, HeldServer, wait_until
from webclean_scrapy import __version__
from webclean_scrapy.commands.row_files import open_rows

STOPPED, CLOSED_PIPE = 130, 141


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start ``python -m webclean_scrapy`` in an empty folder."""
    started: list[subprocess.Popen[str]] = []
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])

    def begin(*words: str, **options: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "webclean_scrapy", *words],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, text=True, stderr=-1, **options,
        )  # fmt: skip
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()


def test_a_closed_terminal_stops_a_crawl_in_good_order(tmp_path: Path, start: Start) -> None:
    options = "-s AUTOTHROTTLE_ENABLED=0 -s DOWNLOAD_DELAY=0 -s WEBCLEAN_WORKERS=1 -L INFO"
    with HeldServer(60) as server:
        log = tmp_path / "log"
        words = "-o", "out.jsonl", "--logfile", "log", *options.split()
        heeds = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)  # also under nohup
        crawl = start("crawl", server.url(), *words, preexec_fn=heeds)
        wait_until(lambda: server.is_holding or crawl.poll() is not None)
        crawl.send_signal(signal.SIGHUP)
        said = "shutting down gracefully"
        wait_until(lambda: said in log.read_text() or crawl.poll() is not None)
        crawl.send_signal(signal.SIGHUP)  # of the shell, after that of the kernel
        server.go_on()
        shown = crawl.communicate(timeout=HANGS_S)[1]
    assert (crawl.returncode, "out.jsonl" in shown) == (STOPPED, True)
    assert (tmp_path / "out.jsonl").read_text().count("\n") > 20


def page_that_waits(folder: Path) -> None:
    """Write ``odd/2.html``, a named pipe that blocks, and the page ``1.html``."""
    (folder / "1.html").write_text(article(1))
    (folder / "odd").mkdir()
    os.mkfifo(folder / "odd/2.html")


def wait_for_reader(pipe: Path) -> int:
    """Return the end to write to, when the other one is being read."""
    end: list[int] = []

    def is_open() -> bool:
        with suppress(OSError):
            end.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        return bool(end)

    def is_read() -> bool:
        left = fcntl.ioctl(end[0], termios.FIONREAD, bytes(4))
        return not int.from_bytes(left, sys.byteorder)

    wait_until(is_open)
    # A signal between the opening and the reading would be seen only when the reading ends.
    os.write(end[0], b" ")
    wait_until(is_read)
    time.sleep(0.05)  # from there to the next reading
    return end[0]


def test_a_closed_terminal_does_not_stop_what_nohup_started(tmp_path: Path, start: Start) -> None:
    page_that_waits(tmp_path)
    ignore = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)
    clean = start("clean", "1.html", "odd/2.html", "-o", "o.txt", preexec_fn=ignore)
    end = wait_for_reader(tmp_path / "odd/2.html")
    clean.send_signal(signal.SIGHUP)
    os.close(end)
    last = clean.communicate()[1].splitlines()[-1]
    assert counts_in(last) == {"pages": 1, "articles": 1, "failed": 1}


def test_ctrl_c_during_the_imports_shows_no_traceback(tmp_path: Path, start: Start) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "settings.py").write_text("open('pipe').read()")
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = settings\n")
    clean = start("clean", "1.html")
    wait_for_reader(tmp_path / "pipe")
    clean.send_signal(signal.SIGINT)
    assert clean.communicate()[1] == ""
    assert clean.returncode == -signal.SIGINT


@pytest.mark.parametrize(
    "words",
    [
        ("clean", "1.html"),
        ("crawl", "SITE"),
        *nightly(
            (("explain", "1.html"),), (("doctor",),), (("dedup", "feed.jsonl"),),
            (("profile", "1.html", "-o", "profile.json"),),
        ),
    ],
)  # fmt: skip
def test_a_reader_that_has_gone_ends_each_command_the_same_way(
    tmp_path: Path, start: Start, words: tuple[str, ...]
) -> None:
    (tmp_path / "1.html").write_text(article(1))
    (tmp_path / "feed.jsonl").write_text('{"articleBody": "A line."}\n')
    reader, writer = os.pipe()
    os.close(reader)
    paths = [f"/news/{number}.html" for number in range(3)]
    routes = {path: article(number, paths) for number, path in enumerate(paths)}
    with SiteServer({"/": listing(paths), **routes}) as site:
        done = start(*(site.url("/") if one == "SITE" else one for one in words), stdout=writer)
        shown = done.communicate(timeout=HANGS_S)[1]
    os.close(writer)
    assert (done.returncode, "Traceback" in shown) == (CLOSED_PIPE, False)


@pytest.mark.parametrize(("command", "code"), [("doctor", 1), ("clean 1.html", 1), ("-h", 0)])
def test_broken_settings_are_named(tmp_path: Path, start: Start, command: str, code: int) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = shop.settings\n")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/settings.py").write_text("import no_such_module\n")
    done = start(*command.split(), stdout=subprocess.PIPE)
    shown = "".join(done.communicate())
    assert (done.returncode, "Traceback" in shown) == (code, False)
    assert ("shop/settings.py" in shown) == bool(code)


def test_the_version_is_shown(start: Start) -> None:
    assert start("--version", stdout=subprocess.PIPE).communicate()[0].endswith(f"{__version__}\n")


@pytest.mark.parametrize("output", ["o.jsonl.gz", "o/", *nightly("o.jsonl", "o.txt", "o.txt.zst")])
def test_a_stopped_clean_is_resumed(tmp_path: Path, start: Start, output: str) -> None:
    page_that_waits(tmp_path)
    (tmp_path / "3.html").write_text(article(3))
    words = "clean", "1.html", "odd/2.html", "3.html", "-o", output
    first = start(*words)
    end = wait_for_reader(tmp_path / "odd/2.html")
    first.send_signal(signal.SIGTERM)
    shown = first.communicate(timeout=HANGS_S)[1]
    os.close(end)
    place = "o" if output == "o/" else f"{output}.part"
    assert first.returncode == STOPPED
    assert f" {place}: 1;" in shown

    (tmp_path / "1.html").write_text(article(9))  # it is not read again
    (tmp_path / "odd/2.html").unlink()
    (tmp_path / "odd/2.html").write_text(article(2))
    second = start(*words)
    last = second.communicate(timeout=HANGS_S)[1].splitlines()[-1]
    assert counts_in(last) == {"pages": 3, "articles": 3}
    files = sorted((tmp_path / "o").iterdir()) if output == "o/" else [tmp_path / output]
    text = ""
    for path in files:
        with open_rows(str(path)) as content:
            text += content.read().decode()
    assert [text.count(f"Story number {n} of the day") for n in (1, 2, 3, 9)] == [1, 1, 1, 0]
    left = [path for path in tmp_path.glob("o*.*.*") if path.name != output]
    assert not left, "a draft or a state is left"
