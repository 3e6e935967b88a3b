"""The index behind Sentinel and on a cluster, when its server is replaced by another one."""

import pytest

from tests.dedup.articles import make_article, verdict_of
from tests.redis_groups import Cluster, SentinelGroup
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import StoreUnavailableError

WAIT_S = 20  # time limit of an answer


def test_after_a_failover_the_index_goes_on_at_the_new_primary(sentinels: SentinelGroup) -> None:
    with DuplicateIndex(sentinels.uri("site", timeout=WAIT_S)) as index:
        index.add("a", make_article(1))
        sentinels.wait_for_replica()
        sentinels.primary.stop()
        with pytest.raises(StoreUnavailableError, match=r"\+sentinel://[\d.:]+/mymaster/0 \(pref"):
            index.add("b", make_article(2))
        sentinels.fail_over()
        index.reconnect()
        assert verdict_of(index.check_and_add("c", make_article(1))) == ("a", "duplicate")


def test_a_primary_that_became_a_replica_is_left(sentinels: SentinelGroup) -> None:
    with DuplicateIndex(sentinels.uri("site", timeout=WAIT_S)) as index:
        index.add("a", make_article(1))
        sentinels.wait_for_replica()
        sentinels.fail_over()
        sentinels.demote()
        with pytest.raises(StoreUnavailableError, match="previous master is now a slave"):
            index.add("b", make_article(2))
        index.add("b", make_article(2))  # it asks the sentinel again
        assert len(index) == 2


@pytest.mark.parametrize(
    ("service", "why"), [("other", "No master found for 'other'"), ("mymaster", None)]
)
def test_a_sentinel_that_does_not_answer_is_passed_over(
    sentinels: SentinelGroup, service: str, why: str | None
) -> None:
    uri = sentinels.uri("site", timeout=WAIT_S).replace("://", "://127.0.0.1:9,")
    uri = uri.replace("/mymaster/", f"/{service}/")
    if why is None:
        DuplicateIndex(uri).close()
        return
    with pytest.raises(StoreUnavailableError, match=why):
        DuplicateIndex(uri)


def test_an_index_on_a_cluster_has_one_node_and_one_question_a_page(cluster: Cluster) -> None:
    with DuplicateIndex(cluster.uri(timeout=WAIT_S)) as index:
        pages = [(f"{number}", make_article(number % 30), "") for number in range(60)]
        matches = index.check_and_add_many(pages, run="r")
        assert [match.key for match in matches if match] == [f"{n}" for n in range(30)]
        assert len(list(index.clusters())) == 30
        assert index.confirm([f"{n}" for n in range(30)]) == 30
        assert index.remove("0")
    sizes = []
    for node in (cluster.primary, *cluster.servers[2:]):
        with node.client() as client:
            sizes.append(client.dbsize())
    assert sizes[0] > 100
    assert sizes[1:] == [0, 0]


def test_a_slot_that_moved_costs_nothing(cluster: Cluster) -> None:
    uri = cluster.uri(seeds=1, timeout=WAIT_S)
    with DuplicateIndex(uri) as index:
        index.add("a", make_article(1))
        cluster.swap()  # the old primary answers MOVED
        assert verdict_of(index.check_and_add("b", make_article(1))) == ("a", "duplicate")


def test_after_a_failover_the_index_goes_on_at_the_new_node(cluster: Cluster) -> None:
    with DuplicateIndex(cluster.uri(seeds=1, timeout=WAIT_S)) as index:
        index.add("a", make_article(1))
        cluster.wait_for_replica()
        cluster.primary.stop()
        with pytest.raises(StoreUnavailableError):
            index.add("b", make_article(2))
        cluster.take_over()
        index.reconnect()
        assert index.check_and_add("c", make_article(1)) is not None
        cluster.servers[-1].stop()  # the only one in the URI
        index.reconnect()
        assert index.check_and_add("d", make_article(1)) is not None
