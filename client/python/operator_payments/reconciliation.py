"""A closed day: the digest computed again, and its signature."""

import hashlib
import json
from typing import Any, List, NamedTuple, Optional, Sequence

from .webhooks import any_matches, signature_values


def canonical_list(items: Sequence[Any]) -> bytes:
    """The RFC 8785 bytes of the day's items, in the order served. Items hold only objects, text and null."""
    return json.dumps(list(items), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def digest_of(items: Sequence[Any]) -> str:
    """The digest that the last page must state."""
    return hashlib.sha256(canonical_list(items)).hexdigest()


def is_ordered(items: Sequence[Any]) -> bool:
    """Whether the items are sorted by (``object_id``, ``kind``). Parts of one payment repeat the pair."""
    keys = [(item["object_id"].encode("utf-8"), item["kind"].encode("utf-8")) for item in items]
    return all(before <= after for before, after in zip(keys, keys[1:]))


class Day(NamedTuple):
    """A closed day, read whole. ``digest`` is what the gateway states: compare it with ``digest_of(items)``."""

    date: str
    currency: str
    items: List[Any]
    totals: Any
    digest: str
    signature: Optional[str]


def read_day(gateway: Any, date: str, currency: str) -> Day:
    """Every page of a closed day. An open day is a ``ProblemError`` with the code ``day_open``."""
    items: List[Any] = []
    cursor: Optional[str] = None
    while True:
        page = gateway.get_reconciliation(date=date, currency=currency, cursor=cursor, limit=200)
        items += page.body["items"]
        cursor = page.body["next_cursor"]
        if cursor is None:
            signature = page.headers.get("svc-signature")
            return Day(date, currency, items, page.body["totals"], page.body["digest"], signature)


def verify_day(date: str, currency: str, digest: str, signature: Optional[str], secrets: Sequence[str]) -> bool:
    """Whether one of these webhook secrets signed the day. Give the digest that you computed."""
    values = signature_values(signature or "")
    signed = "\n".join(["v1", "reconciliation", date, currency, digest])
    return values is not None and any_matches(secrets, signed, values)
