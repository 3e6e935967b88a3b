"""Keywords of a page by the network of its words.

"Web page feature extraction" collection, paper 4: words are nodes, an edge joins each word of a
sentence with the next, its weight is how often. Weighted degree and clustering coefficient, both
divided by the largest, are summed; of the best nodes those come first through which the most
shortest paths lead. Title and emphasised words raise their node.

Departures: there is no tagger, so words are those with a value of their own (`WordWeights`),
whatever their part of speech, and that value is a factor of the score; edges have no direction, as
clustering coefficients know none. The extra `network` (igraph) does the graph work.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.idf import WordWeights
from webclean_scrapy.keywords.segment import Segmenter, simplify
from webclean_scrapy.keywords.tfidf import Keyword, as_written, clean_text, fold_simplified

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

INSTALL = "install the extra: pip install 'webclean-scrapy[network]'"
MAX_WORDS = 20_000  # of a block; its network shows long before
CANDIDATES = 2  # so many times the keywords wanted are looked at when betweenness decides
_sentences = re.compile(r"[.!?;:。！？；：…\n]+").split


def load_igraph() -> Any:
    """Return the library. Raises: ConfigError when it is not installed."""
    try:
        import igraph
    except ImportError as error:
        raise ConfigError(f"keyword method 'network' needs igraph; {INSTALL}") from error
    return igraph


class NetworkRanker:
    """Ranks the words of pages. Holds the dictionary, so one serves many pages and threads."""

    def __init__(
        self, segmenter: Segmenter | None = None, weights: WordWeights | None = None
    ) -> None:
        self._igraph = load_igraph()
        self._segmenter = segmenter or Segmenter()
        self._weights = weights or WordWeights()

    def rank(self, blocks: Iterable[tuple[str, float]], limit: int = 10) -> list[Keyword]:
        """Return at most *limit* keywords of (text, weight) *blocks*, the first the best.

        What counts as one word is as in `KeywordRanker`. Cost: that of segmentation, and the
        edges of the network times the candidates.
        """
        texts = [(clean_text(text), weight) for text, weight in blocks]
        edges: dict[tuple[str, str], float] = defaultdict(float)
        raised: dict[str, float] = {}  # the weight of the best block of each word
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for text, weight in texts:
            for sentence in _sentences(simplify(text)):
                words = self._words(sentence)
                for key, word in words:
                    raised[key] = max(weight, raised.get(key, 0.0))
                    spellings[key][word] += 1
                for (left, _), (right, _) in itertools.pairwise(words):
                    if left != right:
                        edges[min(left, right), max(left, right)] += 1.0
        graph = self._igraph.Graph.TupleList(
            ((*pair, count) for pair, count in sorted(edges.items())), edge_attrs=["count"]
        )
        scores = self._scores(graph, raised)
        best = sorted(scores, key=lambda key: -scores[key])[: CANDIDATES * limit]
        return [
            Keyword(as_written(spellings[key].most_common(1)[0][0], texts), scores[key])
            for key in _between_first(graph, best)[:limit]
        ]

    def _words(self, sentence: str) -> list[tuple[str, str]]:
        """Return (key, spelling) of the words that say something."""
        words = [word for word in self._segmenter.cut(sentence, hmm=True) if len(word) > 1]
        pairs = [(fold_simplified(word), word) for word in words[:MAX_WORDS]]
        return [(k, word) for k, word in pairs if not k.isdigit() and self._weights.weight(k) > 0]

    def _scores(self, graph: Any, raised: dict[str, float]) -> dict[str, float]:
        """Return degree and clustering coefficient, summed, times what raises each word."""
        names = graph.vs["name"] if graph.vcount() else []
        degrees = _shares(graph.strength(weights="count") if names else [])
        closed = _shares(graph.transitivity_local_undirected(mode="zero") if names else [])
        central = {n: a + b for n, a, b in zip(names, degrees, closed, strict=True)}
        return {
            key: central.get(key, 0.0) * weight * self._weights.weight(key)
            for key, weight in raised.items()
        }


def _shares(values: Sequence[float]) -> list[float]:
    """Return *values* divided by the largest."""
    most = max(values, default=0.0) or 1.0
    return [value / most for value in values]


def _between_first(graph: Any, keys: list[str]) -> list[str]:
    """Return *keys* by betweenness in the whole network, the order given where it is equal."""
    known = set(graph.vs["name"]) if graph.vcount() else set()
    inside = [key for key in keys if key in known]
    found = dict(zip(inside, graph.betweenness(inside), strict=True)) if inside else {}
    return sorted(keys, key=lambda key: -found.get(key, 0.0))
