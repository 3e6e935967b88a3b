"""Check records of cleaned pages against an index of near-duplicates, as a crawl does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.kind.kind_model import LISTING
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import ConfigError, hide_login
from webclean_scrapy.items import RECORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.dedup.fingerprint import Fingerprint

DUPLICATE, UPDATE = "duplicate", "update"
RULES = ("drop", "keep")
_BETWEEN = "\t"  # separates the address of a page from its id in the key


@dataclass(frozen=True, slots=True)
class Checked:
    """One record: its id, its text, and its other fields."""

    key: str  # unique and the same in every run, such as the place of the page
    text: str
    fields: dict[str, Any]  # url, headline and ``webclean`` are read, the last is written


class DuplicateRules:
    """An index by its URI, and what becomes of copies and updates. Small, and can be pickled.

    What prints it, or writes it as JSON, shows no login.
    """

    __slots__ = ("options", "rules", "uri")

    def __repr__(self) -> str:
        return f"DuplicateRules({hide_login(self.uri or 'memory')})"

    def __init__(self, uri: str | None, duplicate: str, update: str, **options: Any) -> None:
        """Open and close the index once, so that whatever is wrong with it is known now.

        Raises ConfigError, StoreError.
        """
        for name, rule in (("duplicate", duplicate), ("update", update)):
            if rule not in RULES:
                raise ConfigError(f"{name} must be one of {RULES}, got {rule!r}")
        self.uri = uri
        self.rules = {DUPLICATE: duplicate, UPDATE: update}
        self.options = options
        self.open().close()

    def open(self) -> DuplicateIndex:
        """Return the index. Raises StoreError."""
        return DuplicateIndex(self.uri, **self.options)

    def dropped(self, index: DuplicateIndex, records: Sequence[Checked]) -> list[str | None]:
        """Return for each record None, or the verdict for which it is dropped.

        ``webclean`` of the others that match names the page they repeat. A record that comes again
        under its key, after its task was killed, is no copy of itself.
        """
        texts = [one for one in records if one.text]
        pages = [(self._key(one), _text(index, one), _title(one)) for one in texts]
        matches = iter(index.check_and_add_many(pages))
        verdicts: list[str | None] = []
        for one in records:
            match = next(matches) if one.text else None
            if match is None:
                verdicts.append(None)
                continue
            values = {
                "duplicate_of": match.key.partition(_BETWEEN)[0],
                "similarity": round(match.similarity, 3),
            }
            one.fields[RECORD] = {**(one.fields.get(RECORD) or {}), **values}
            verdicts.append(match.verdict if self.rules[match.verdict] == "drop" else None)
        return verdicts

    @staticmethod
    def _key(record: Checked) -> str:
        return f"{record.fields.get('url') or record.key}{_BETWEEN}{record.key}"


def _title(record: Checked) -> str:
    return str(record.fields.get("headline") or "")


def _text(index: DuplicateIndex, record: Checked) -> str | Fingerprint:
    """Return what is compared; lists are compared with lists."""
    if (record.fields.get(RECORD) or {}).get("kind") != LISTING:
        return record.text
    return index.fingerprinter.make(record.text, title=_title(record)).of_list()
