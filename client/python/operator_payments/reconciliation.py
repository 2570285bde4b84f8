"""A closed day: the digest computed again, and its signature."""

import hashlib
import json
from typing import Any, Optional, Sequence

from .webhooks import any_matches, signature_values


def canonical_list(items: Sequence[Any]) -> bytes:
    """The RFC 8785 bytes of the day's items, in the order served. Items hold only objects, text and null."""
    return json.dumps(list(items), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def digest_of(items: Sequence[Any]) -> str:
    """The digest that the last page must state."""
    return hashlib.sha256(canonical_list(items)).hexdigest()


def is_ordered(items: Sequence[Any]) -> bool:
    """Whether the items are sorted by (``object_id``, ``kind``), each pair once."""
    keys = [(item["object_id"].encode("utf-8"), item["kind"].encode("utf-8")) for item in items]
    return all(before < after for before, after in zip(keys, keys[1:]))


def verify_day(date: str, currency: str, digest: str, signature: Optional[str], secrets: Sequence[str]) -> bool:
    """Whether one of these webhook secrets signed the day. Give the digest that you computed."""
    values = signature_values(signature or "")
    signed = "\n".join(["v1", "reconciliation", date, currency, digest])
    return values is not None and any_matches(secrets, signed, values)
