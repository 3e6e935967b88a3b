"""Sets of HTML tags used to build the page table.

Each set is checked against the HTML standard's element list by a test, so that a slip of the pen
(``figcation``) cannot survive.
"""

from __future__ import annotations

#: Subtrees that never hold text a reader sees as part of the page; dropped while building.
#: Up to ``object`` those of Chen et al. 2012, without ``input`` and ``iframe``, whose attributes
#: tell something; from ``noscript`` on our choice, by measurement.
DROPPED_TAGS = (
    "script style select option textarea object "
    "noscript noframes svg button template canvas map embed dialog"
).split()

DROPPED = "template"  # what an element becomes that is to be dropped

#: What shows a film, a sound or another page: kept without its content.
PLAYERS = frozenset(
    "audio iframe video amp-ad amp-embed amp-vimeo amp-youtube lite-vimeo lite-youtube".split()
)

#: Of the dropped ones, those whose content a browser shows when they were left open.
SWALLOWING_TAGS = ("svg", "button", "noscript", "map")

#: Elements that begin and end a paragraph; every other one, unknown tags too, is inside one.
BLOCK_TAGS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main "
    "menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr "
    "ul".split()
)

HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

#: Containers that can be the subtree of a body.
CONTAINER_TAGS = frozenset(
    "address article aside blockquote body center dd details div dl fieldset figure footer form "
    "header li main nav ol section table tbody td tr ul".split()
)
