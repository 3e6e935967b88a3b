"""From labelled pages to the classes of a crawl: train with the command, then crawl."""

import json
from operator import itemgetter
from pathlib import Path

from tests.classify.labelled import page_text, records
from tests.commands.running import webclean
from tests.crawling import Crawls
from tests.pages import article


def test_a_model_that_was_trained_classifies_a_crawl(crawls: Crawls, tmp_path: Path) -> None:
    lines = "".join(json.dumps(record) + "\n" for record in records())
    (tmp_path / "labels.jsonl").write_text(lines)
    done = webclean("train", "labels.jsonl", "-o", "m.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    given = ("kitchen", "harbour", "harbour")
    routes = {
        f"/news/{number}.html": article(
            number, paragraphs=[f"{page_text(label, seed)}." for seed in range(50, 55)]
        )
        for number, label in enumerate(given)
    }
    settings = {"WEBCLEAN_CLASS_MODEL": str(tmp_path / "m.json"), "WEBCLEAN_DEDUP_ENABLED": False}
    crawled, _ = crawls.visit(routes, settings=settings)
    items = sorted(crawled.items, key=itemgetter("url"))
    assert [item["webclean"]["class"] for item in items] == list(given)
    ours = crawled.ours()
    assert {name: count for name, count in ours.items() if name.startswith("webclean/class/")} == {
        "webclean/class/items/harbour": 2, "webclean/class/items/kitchen": 1,
    }  # fmt: skip
