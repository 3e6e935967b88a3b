"""Permissions of created files: private except results, with any umask."""

import os
import stat
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from scrapy.settings import Settings

from tests.crawling import Crawls
from tests.pages import article
from webclean_scrapy import DuplicateIndex
from webclean_scrapy.cleaning.templates.template_store import TemplateStore
from webclean_scrapy.commands.dedup import _check as check
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.settings import WebcleanConfig

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0)  # everybody may read and write whatever says nothing of its own
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.name.rstrip("0123456789"): oct(stat.S_IMODE(path.stat().st_mode)) for path in files
    }


def test_an_index_and_its_log_are_for_the_user_alone(tmp_path: Path) -> None:
    with DuplicateIndex(f"sqlite:///{tmp_path / 'pages.db'}") as index:
        index.add("a", "Seven ferries left the harbour of Ostwick before the storm came.")
        assert modes(tmp_path) == {
            "pages.db": "0o600", "pages.db-wal": "0o600", "pages.db-shm": "0o600",
            "pages.db-writer-": "0o600",
        }  # fmt: skip


def test_templates_are_for_the_user_alone_or_for_whom_they_were(tmp_path: Path) -> None:
    path = tmp_path / "templates.json"
    TemplateStore(10).save(path)
    assert modes(tmp_path) == {"templates.json": "0o600"}
    path.chmod(0o664)
    TemplateStore(10).save(path)
    assert modes(tmp_path) == {"templates.json": "0o664"}


def test_what_a_crawl_leaves_behind_is_for_the_user_alone(crawls: Crawls, tmp_path: Path) -> None:
    pages = ["/news/11.html", "/news/12.html"]
    settings = {"JOBDIR": str(tmp_path), "WEBCLEAN_SIBLING_ENABLED": False}
    crawls.visit({path: article(n, pages) for n, path in enumerate(pages)}, pages, settings)
    ours = {name: mode for name, mode in modes(tmp_path).items() if name.startswith("webclean")}
    assert {name.partition(".")[2] for name in ours} >= {"lock"}
    assert len(ours) >= 3  # lock, index, templates
    assert set(ours.values()) == {"0o600"}


def test_the_state_of_a_run_over_feeds_is_for_the_user_alone(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "a"}')
    opts = SimpleNamespace(
        output=str(tmp_path / "out.jsonl"), uri="redis://:hunter2@localhost/0",
        text="text", title="title", key="url", force=False,
    )  # fmt: skip
    config = WebcleanConfig.from_settings(Settings())
    _, saved = check([str(tmp_path / "in.jsonl")], cast("Namespace", opts), config)
    assert saved
    saved.save(counts={})
    assert modes(tmp_path)["out.jsonl.state"] == "0o600"
    assert b"hunter2" not in saved.path.read_bytes()
    assert saved.load() == {"counts": {}}


def test_a_text_has_the_permissions_of_the_file_that_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    umask = os.umask(0o027)
    try:
        replace_text(path, "one")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o600)
        replace_text(path, "two")
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "two"


def test_half_a_text_replaces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.html"
    replace_text(path, "one")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", fail)
    with pytest.raises(OSError, match="No space"):
        replace_text(path, "two")
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]
