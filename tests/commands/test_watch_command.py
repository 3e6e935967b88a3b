import json
import signal
import subprocess
import sys
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import pytest

from tests.commands.running import ROOT, Shell, read_records
from tests.marks import nightly
from tests.pages import article
from tests.parts import parts
from tests.server import NOT_FOUND, Asked, Reply, SiteServer
from tests.waiting import HANGS_S, PATIENCE_S, wait_until
from tests.watched import WatchedSite, list_page
from webclean_scrapy.crawl.export_watch import BATCH
from webclean_scrapy.web_addresses import is_of_shard

FAST = ("-s", "AUTOTHROTTLE_ENABLED=0", "-s", "WEBCLEAN_SIBLING_ENABLED=0")


def start(
    cwd: Path, *words: str, code: tuple[str, str] = ("-m", "webclean_scrapy")
) -> "subprocess.Popen[bytes]":
    command = [sys.executable, *code, "watch", *words, *FAST]
    return subprocess.Popen(command, cwd=cwd, env={"PYTHONPATH": str(ROOT)}, stderr=-1, stdout=-1)


def wait_for_stories(site: WatchedSite, pages: int) -> None:
    wait_until(lambda: sum("story" in path for path in site.paths()) >= pages)


def test_a_round_adds_what_is_new_and_ends_with_0(online: Shell, tmp_path: Path) -> None:
    with WatchedSite("rss", 1) as site:
        for new in (3, 2, 0):
            site.publish(new)
            most = ("--max-pages", "9" * 30, "--site-time", "9" * 30 + "d")  # as the largest
            called = online("watch", site.home, "-o", "out/news.jsonl", *most, *FAST)
            assert called.code == 0, called.err
            assert f" {new} new, " in called.err
            assert "/contact.html (HTTP status 404)" in called.err  # it waits
        called = online("report", "out/.watch.db")
        assert called.out.startswith(f"{site.home}: 5 articles in 3 rounds, the last ones: 3 2 0;")
    found = [one["url"] for one in read_records(tmp_path / "out" / "news.jsonl")]
    assert sorted(found) == sorted(site.wanted())
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "news.jsonl", ".watch.db", ".watch-dedup.db", ".watch.templates",
    }  # fmt: skip


def test_the_headlines_of_what_a_round_adds_are_shown_up_to_ten(
    online: Shell, tmp_path: Path
) -> None:
    with WatchedSite("rss", 1) as site:
        seen: set[str] = set()
        for new in (3, 12, 0):
            site.publish(new)
            said = online("watch", site.home, "-o", "news.jsonl", *FAST).err.splitlines()
            found = read_records(tmp_path / "news.jsonl")
            added = {one["headline"] for one in found} - seen
            seen |= added
            shown = [line.strip() for line in said if line.startswith("  ")]
            assert set(shown[:10]) <= added
            assert len(added) == new
            assert len(shown) == min(new, 11)  # the last of them says how many more there are
            assert new <= 10 or f" {new - 10} " in shown[10]


def test_a_round_can_write_chunks(online: Shell, tmp_path: Path) -> None:
    with WatchedSite("rss", 1) as site:
        site.publish(2)
        called = online("watch", site.home, "-o", "pieces.jsonl", "--chunks", "60", *FAST)
        assert called.code == 0, called.err
        found = read_records(tmp_path / "pieces.jsonl")
        assert {one["url"] for one in found} == set(site.wanted())
        assert len({one["id"] for one in found}) == len(found) > 2
        assert all(one["text"] and one["language"] == "en" for one in found)
        for words in (("-o", "o.csv"), ("-o", "o/", "--format", "html"), ("--chunks", "-1")):
            assert online("watch", site.home, "--chunks", "60", *words).code == 2


def test_sites_with_nothing_to_say_are_one_line(online: Shell, tmp_path: Path) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(WatchedSite("rss", n)).publish(2) for n in range(1, 4)]
        for site in sites:
            site.routes["/about.html"] = site.routes["/contact.html"] = list_page(["/"])
        homes = [site.home for site in sites]
        assert online("watch", *homes, *FAST).err.count(" 2 new, ") == 3
        said = online("watch", *homes, *FAST).err.splitlines()
        assert (len(said), said[0][:8]) == (2, "3 sites:"), said
        told = start(tmp_path, *homes, "-L", "INFO").communicate()[1].decode()
        assert sum(f"{home}: " in line for home in homes for line in told.splitlines()) == 3


def test_the_sites_may_be_a_list_of_subscriptions(online: Shell, tmp_path: Path) -> None:
    with WatchedSite("tracking", 1) as site:
        site.publish(3)
        site.routes["/"] = Reply(status=404)
        outline = f'<outline text="x" xmlUrl="{site.url("/news.rss")}" htmlUrl="{site.home}"/>'
        (tmp_path / "sites.opml").write_text(f"<opml version='2.0'><body>{outline}</body></opml>")
        assert online("watch", "--sites", "sites.opml", "-o", "news/", *FAST).code == 0
    (file,) = (tmp_path / "news").glob("*.jsonl")
    assert {one["url"] for one in read_records(file)} == set(site.wanted())


@pytest.mark.parametrize("command", ["crawl", "watch"])
def test_the_address_of_a_feed_may_begin_with_the_scheme_of_readers(
    online: Shell, tmp_path: Path, command: str
) -> None:
    with WatchedSite("tracking", 1) as site:
        site.publish(3)
        address = f"feed:{site.url('/news.rss')}"
        (tmp_path / "sites.txt").write_text(address)
        words = [address] if command == "crawl" else ["--sites", "sites.txt"]
        assert online(command, *words, "-o", "news.jsonl", *FAST).code == 0
    found = {one["url"] for one in read_records(tmp_path / "news.jsonl")}
    assert found == set(site.wanted())


@pytest.mark.parametrize("written", [1, *nightly(0, 30_000)])
def test_a_killed_round_loses_nothing(tmp_path: Path, written: int) -> None:
    output = tmp_path / "out.jsonl"
    with WatchedSite("sections", 1) as site:
        site.publish(30)
        killed = start(tmp_path, site.home, "-o", "out.jsonl")
        wait_for_stories(site, 1)
        wait_until(lambda: not written or (output.exists() and output.stat().st_size >= written))
        killed.kill()
        killed.communicate()
        again = start(tmp_path, site.home, "-o", "out.jsonl")
        _, said = again.communicate()
        assert again.returncode == 0, said
    found = [json.loads(line)["url"] for line in whole_lines(output)]
    assert set(found) == set(site.wanted())
    assert len(found) <= 30 + BATCH


def whole_lines(path: Path) -> list[str]:
    """Return the lines of a file without one that a kill has cut."""
    return [line for line in path.read_text("utf-8").splitlines() if line.endswith("}")]


def test_rounds_go_on_until_they_are_stopped(tmp_path: Path) -> None:
    with WatchedSite("atom", 1) as site:
        site.publish(2)
        watching = start(tmp_path, site.home, "-o", "out.jsonl", "--every", "1s")
        wait_for_stories(site, 2)
        site.publish(2)
        wait_for_stories(site, 4)
        watching.send_signal(signal.SIGTERM)
        _, said = watching.communicate(timeout=HANGS_S)
        assert watching.returncode == 0, said
        found = [one["url"] for one in read_records(tmp_path / "out.jsonl")]
        assert len(found) == len(set(found))


STOPPED_SOON = """
import sys
from webclean_scrapy.__main__ import main
from webclean_scrapy.spiders.watch import spider
spider.STOP_S = 0.5
sys.exit(main())
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, *nightly(signal.SIGINT)])
def test_a_stopped_round_waits_for_no_answer_and_loses_nothing(tmp_path: Path, number: int) -> None:
    """Pages of the site do not answer, and the second part of an article that is being cleaned."""
    story = parts(61, ["/story", "/story?page=2"])
    others = {f"/news/{n}.html": article(n) for n in range(4)}
    with SiteServer({"/": list_page([*others, "/story"])}) as site:

        def hang(asked: Asked) -> Reply:
            site.closing.wait(PATIENCE_S)
            return NOT_FOUND

        site.routes |= story.routes | dict.fromkeys(["/story?page=2", *others], hang)
        words = (site.url(), "-o", "out.jsonl", "-s", "DOWNLOAD_TIMEOUT=3600", "-L", "INFO")
        first = start(tmp_path, *words, code=("-c", STOPPED_SOON))
        wait_until(lambda: {"/story?page=2", *others} <= {*site.paths()})
        first.send_signal(number)
        said = first.communicate(timeout=HANGS_S)[1].decode()
        assert (first.returncode, "Traceback" in said, " ERROR: " in said) == (130, False, False), (
            said
        )
        site.routes |= others
        assert b"new: 4;" in start(tmp_path, *words).communicate(timeout=HANGS_S)[1]
    found = {one["url"] for one in read_records(tmp_path / "out.jsonl")}
    assert found == {site.url(path) for path in others}  # the story waits for its part


def test_a_site_that_is_left_alone_is_named_in_each_round(online: Shell) -> None:
    for said in ("the site did not answer", "left alone in this round"):
        (line, last) = online(
            "watch", "http://127.0.0.1:9/", "-o", "n.jsonl", *FAST
        ).err.splitlines()
        assert line.startswith("http://127.0.0.1:9/: ")
        assert said in line
        assert last.startswith("new: 0")


def test_shards_take_each_site_once_and_ask_no_more_than_one_process(
    online: Shell, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(WatchedSite("sections", n)).publish(3) for n in range(1, 5)]
        homes = [site.url("/", host="localhost") for site in sites[:1]]
        homes += [site.home for site in sites[1:]]
        for shard in ("1/2", "2/2"):
            name = f"out/{shard[0]}.jsonl"
            assert online("watch", *homes, "-o", name, "--shard", shard, *FAST).code == 0
        states = sorted(str(path) for path in (tmp_path / "out").glob(".watch-*.db"))
        reported = online("report", *states).out.splitlines()
        asked = [len(site.asked) for site in sites]
        for site in sites:
            site.asked.clear()
        assert online("watch", *homes, "-o", "one/news.jsonl", *FAST).code == 0
        assert asked == [len(site.asked) for site in sites]
        of_another = str(tmp_path / "one" / ".watch-dedup.db")  # an index; its state is not named
        called = online("report", of_another, *states)
        assert (called.code, called.out.splitlines()) == (0, reported)
        assert online("report", of_another).code == 1
    assert sorted(line.partition(": ")[0] for line in reported if line[0] != " ") == sorted(homes)
    assert sum("contact.html: HTTP status 404; waits until " in line for line in reported) == 4
    parts = [read_records(file) for file in sorted((tmp_path / "out").glob("*.jsonl"))]
    found = [one["url"] for part in parts for one in part]
    whole = [one["url"] for one in read_records(tmp_path / "one" / "news.jsonl")]
    assert len(parts) == 2
    assert sorted(found) == sorted(whole)


def test_a_host_is_in_one_shard_whatever_its_spelling() -> None:
    hosts = [f"news-{number}.example" for number in range(400)]
    parts = [[host for host in hosts if is_of_shard(host, f"{n}/8")] for n in range(1, 9)]
    assert sorted(chain(*parts)) == sorted(hosts)
    assert min(map(len, parts)) > 25
    for url in ("http://www.a.example:80/b", "https://a.example/", "a.example"):
        assert is_of_shard(url, "3/5") is is_of_shard("http://a.example/", "3/5")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--sites"),
        (("a.example", "--every", "soon"), "--every"),
        (("a.example", "--since", "soon"), "--since"),
        (("a.example", "--max-pages", "-1"), "--max-pages"),
        (("a.example", "-o", "out.json"), ".jsonl"),
        (("a.example", "--shard", "9/8"), "--shard"),
        (("a.example", "--shard", "two"), "--shard"),
        (("http://user:s3cr3t@a.example/",), "login"),
        (("ftp://a.example/",), "http"),
        (("empty.opml",), "--sites empty.opml"),
        (("--sites", "damaged.opml"), "damaged.opml"),
        (("--sites", "empty.opml"), "--sites empty.opml names no site"),
        (("--sites", "port.opml"), "http://a.example:99999/"),
        (("--sites", "login.opml"), "login"),
    ],
)
def test_what_keeps_a_watch_from_starting_is_one_line(
    online: Shell, words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "damaged.opml").write_text("<html><opml")
    (tmp_path / "empty.opml").write_text("<opml><body/></opml>")
    for name, feed in (("port", "a.example:99999/f"), ("login", "me:s3cr3t@a.example/f")):
        outline = f"<opml><outline xmlUrl='http://{feed}'/></opml>"
        (tmp_path / f"{name}.opml").write_text(outline)
    called = online("watch", *words)
    assert (called.code, called.err.count("\n")) == (2, 1)
    assert said in called.err
    assert "s3cr3t" not in called.err
