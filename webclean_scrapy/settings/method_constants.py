"""Constants of the published methods, keys of ``WEBCLEAN_PAPERS``.

docs/method/constants.md is made from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from webclean_scrapy.cleaning.method_names import DISTANCES
from webclean_scrapy.settings.setting import NOT_PRINTED, setting

SONG, CHEN, WANG = "Song et al. 2011", "Chen et al. 2012", "Wang et al. 2014"
ENTROPY_PATH, FEATURES_3 = "Entropy path", "Features 3"

constant = partial(setting, of="PAPERS", low=0, high=1)  # most are shares


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodConstants:
    """The checked value of every constant of a method that detects bodies."""

    # fmt: off
    extractor_min_share: float = constant(
        0.1, "share", "A method that keeps less than this share of a page's paragraphs leaves the "
        "page to the default extractor. The papers know no other method: 0.",
        option="clean.papers.min_kept_share")

    # Chen et al. 2012.
    decay_t: float = constant(
        0.46, "share", "T, the share of the text that a step down may lose.", paper=(CHEN, "0.34"),
        option="clean.papers.decay.max_decay")
    decay_dlmax: float = constant(
        0.65, "share", "DLmax: a block with a larger share of its text inside links is removed.",
        paper=(CHEN, "0.65"), option="clean.papers.decay.max_link_density")
    decay_min_links: int = constant(
        2, "links", "A block with fewer links is not removed.", low=1, high=100,
        paper=(CHEN, "1"), option="clean.papers.decay.min_links")

    # Wang et al. 2014.
    link_block_distance: str = constant(
        "text", "name", "What is counted between two links: tokens of text, or characters of code "
        "without attributes.", choices=DISTANCES, paper=(WANG, "text or code"),
        option="clean.body.link_blocks.distance")
    link_block_dt: int = constant(
        5, "tokens", "dt: links that are nearer are of one link block; characters if the distance "
        "is that of code.", low=1, high=10_000,
        paper=(WANG, "5 to 40 in text, 10 to 120 in code"),
        option="clean.body.link_blocks.max_distance")
    link_block_ct: int = constant(
        5, "links", "Ct: so many links are a link block. The patent counts gaps: its 3 are 4 "
        "links.", low=2, high=1_000, paper=(WANG, "3"),
        option="clean.body.link_blocks.min_links")
    link_stream_dt: int = constant(
        60, "tokens", "dt of the second scan, for headlines with teasers between them.", low=1,
        high=10_000, paper=(WANG, "40"),
        option="clean.body.link_blocks.stream_distance")
    link_stream_ct: int = constant(
        4, "links", "Ct of the second scan.", low=2, high=1_000,
        paper=(WANG, NOT_PRINTED), option="clean.body.link_blocks.min_headlines")

    # Song et al. 2011.
    lcs_ts: float = constant(
        0.6, "share", "Alignment: Ts, the share of equal features above which two nodes are "
        "similar.", low=0, high=0.99, paper=(SONG, NOT_PRINTED),
        option="clean.align.similarity.similar_above")
    lcs_content_rate: float = constant(
        0.75, "share", "Alignment: textRate, the share of its text directly in a node above which "
        "it is a content node.", low=0, high=0.99, paper=(SONG, "0.75"),
        option="clean.align.similarity.content_rate")
    lcs_close: float = constant(
        0.6, "share", "Share of the best score from which a cluster is content.",
        low=0.01, high=1, paper=(SONG, NOT_PRINTED), option="clean.papers.score.close")
    lcs_middle: float = constant(
        0.6, "share", "Share of the page's width and height that is its main visual area.",
        low=0.01, high=1, paper=(SONG, NOT_PRINTED), option="clean.papers.score.middle")

    # Entropy path.
    entropy_similarity: float = constant(
        0.8, "share", "Similarity of two simple trees from which two pages are of one cluster.",
        low=0.01, high=1, paper=(ENTROPY_PATH, "0.8"),
        option="clean.papers.entropy.same_from")
    entropy_depth: int = constant(
        3, "levels", "Levels of a simple tree below the body.", low=1, high=100,
        paper=(ENTROPY_PATH, "1"), option="clean.papers.entropy.depth")
    entropy_t: float = constant(
        0.34, "share", "T, the importance that a step down may leave behind.",
        low=0.01, high=0.99, paper=(ENTROPY_PATH, NOT_PRINTED),
        option="clean.papers.entropy.max_loss")
    entropy_variance: float = constant(
        0.0, "variance", "Variance of the children's importance above which the walk stops, in "
        "place of T; 0: T is used.", paper=(ENTROPY_PATH, "0.1"),
        option="clean.papers.entropy.stop_variance")
    entropy_pages: int = constant(
        3, "pages", "Pages of a cluster that must have voted before their path is used.", low=1,
        high=100, paper=(ENTROPY_PATH, "1"),
        option="clean.papers.entropy.min_pages")

    # Features 3.
    relevance_p: float = constant(
        0.03, "share", "p: the share of its text inside links up to which a block is kept, in "
        "text of Han characters.", paper=(FEATURES_3, "0.03"),
        option="clean.papers.relevance.max_links_han")
    relevance_p_latin: float = constant(
        0.3, "share", "p in other text.", paper=(FEATURES_3, "0.03"),
        option="clean.papers.relevance.max_links_latin")
    relevance_m: float = constant(
        0.03, "share", "m: the number of punctuation marks a character from which a block is "
        "kept, in text of Han characters.", paper=(FEATURES_3, "0.1"),
        option="clean.papers.relevance.min_marks_han")
    relevance_m_latin: float = constant(
        0.01, "share", "m in other text.", paper=(FEATURES_3, "0.1"),
        option="clean.papers.relevance.min_marks_latin")
    relevance_s: float = constant(
        1.0, "hits", "s: the hits of words of the title from which a block is kept.", low=0,
        high=1_000, paper=(FEATURES_3, "1"),
        option="clean.papers.relevance.min_title_hits")
    # fmt: on
