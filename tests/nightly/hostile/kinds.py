"""All kinds of hostile pages."""

from itertools import chain

from tests.nightly.hostile.charsets import charset_kinds
from tests.nightly.hostile.draw import Draw, Hostile, Kind
from tests.nightly.hostile.files import file_kinds, large_kinds
from tests.nightly.hostile.nesting import nesting_kinds
from tests.nightly.hostile.scripts import script_kinds
from tests.nightly.hostile.structure import structure_kinds
from tests.nightly.hostile.tags import tag_kinds

KINDS: tuple[Kind, ...] = tuple(
    chain(
        nesting_kinds(), tag_kinds(), script_kinds(), charset_kinds(), structure_kinds(),
        file_kinds(), large_kinds(),
    )
)  # fmt: skip


def make_page(kind: Kind, seed: int, scale: float = 1.0) -> Hostile:
    """Return the page of *kind* that *seed* gives."""
    return kind.make(Draw(f"{kind.name} {seed}", scale))
