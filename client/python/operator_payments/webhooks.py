"""Webhook verification. A genuine webhook is only a trigger: read the object and act on what that says."""

import hashlib
import hmac
import json
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .signing import hmac_hex

#: What to answer to each refusal.
REFUSAL_STATUS = {
    "missing_header": 401,
    "malformed_header": 401,
    "timestamp_out_of_window": 401,
    "signature_mismatch": 401,
    "malformed_body": 400,
    "event_id_mismatch": 400,
}
# The gateway sends one value, two during a rotation. The bound keeps a hostile header from costing many comparisons.
_MAX_VALUES = 8


class WebhookRefused(Exception):
    """A delivery that is not the gateway's. Answer ``status``."""

    def __init__(self, refusal: str) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.status = REFUSAL_STATUS[refusal]


def verify_webhook(
    headers: Mapping[str, str], raw_body: bytes, secrets: Sequence[str], now: int, tolerance_seconds: int = 300
) -> Dict[str, Any]:
    """The event of a genuine delivery. Give the raw bytes. Raises WebhookRefused for every other delivery."""
    given = {name.lower(): value.strip() for name, value in headers.items()}
    event_id, timestamp, signature = (given.get(f"svc-{name}", "") for name in ("event-id", "timestamp", "signature"))
    if not (event_id and timestamp and signature):
        raise WebhookRefused("missing_header")
    values = signature_values(signature)
    if values is None or not re.fullmatch(r"[1-9][0-9]{0,11}", timestamp):
        raise WebhookRefused("malformed_header")
    if abs(now - int(timestamp)) > tolerance_seconds:
        raise WebhookRefused("timestamp_out_of_window")
    signed = "\n".join(["v1", timestamp, event_id, hashlib.sha256(raw_body).hexdigest()])
    if not any_matches(secrets, signed, values):
        raise WebhookRefused("signature_mismatch")
    event = _event(raw_body)
    if event is None:
        raise WebhookRefused("malformed_body")
    if event["id"] != event_id:
        raise WebhookRefused("event_id_mismatch")
    return event


def signature_values(header: str) -> Optional[List[str]]:
    """The ``v1`` values of a signature header; None if it has none or too many. Other schemes are ignored."""
    entries = [entry.strip() for entry in header.split(",")]
    if len(entries) > _MAX_VALUES:
        return None
    values = [entry[3:] for entry in entries if re.fullmatch(r"v1=[0-9a-f]{64}", entry)]
    return values or None


def any_matches(secrets: Sequence[str], signed: str, values: Sequence[str]) -> bool:
    """Compares every secret with every value and never stops early, so that the time taken reveals no near match."""
    matched = False
    for secret in secrets:
        if secret == "":
            raise ValueError("a webhook secret must not be empty")
        expected = hmac_hex(secret, signed)
        for value in values:
            matched = hmac.compare_digest(expected, value) or matched
    return matched


def _event(raw_body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(raw_body.decode("utf-8"))
    except (UnicodeDecodeError, ValueError):
        return None
    if not isinstance(value, dict):
        return None
    texts = ("id", "type", "created_at", "operation_id", "object_id")
    if not all(isinstance(value.get(name), str) and value[name] for name in texts):
        return None
    version, data = value.get("object_version"), value.get("data")
    if not isinstance(version, int) or isinstance(version, bool):
        return None
    return value if isinstance(data, dict) and isinstance(data.get("object"), dict) else None
