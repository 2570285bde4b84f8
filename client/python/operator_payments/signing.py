"""Request signatures as pure functions of bytes: clock and randomness stay outside."""

import hashlib
import hmac
import re
from typing import Dict


def canonical_request(timestamp: int, nonce: str, method: str, target: str, body: bytes) -> str:
    """The six lines that are signed. ValueError for input that no server would accept."""
    if timestamp <= 0:
        raise ValueError("timestamp must be whole Unix seconds")
    if not re.fullmatch(r"[0-9a-f]{32}", nonce):
        raise ValueError("nonce must be 32 lower-case hex characters")
    # A line feed in the target would forge a line of the canonical request.
    if not re.fullmatch(r"/[\x21-\x7e]*", target):
        raise ValueError('target must be a percent-encoded path that begins with "/"')
    return "\n".join(["v1", str(timestamp), nonce, method.upper(), target, hashlib.sha256(body).hexdigest()])


def signature_headers(
    key_id: str, secret: str, timestamp: int, nonce: str, method: str, target: str, body: bytes
) -> Dict[str, str]:
    """The four ``Svc-`` headers. The secret is used as the text that you received, never decoded."""
    lines = canonical_request(timestamp, nonce, method, target, body)
    return {
        "Svc-Key-Id": key_id,
        "Svc-Timestamp": str(timestamp),
        "Svc-Nonce": nonce,
        "Svc-Signature": "v1=" + hmac_hex(secret, lines),
    }


def hmac_hex(secret: str, text: str) -> str:
    """Lower-case hex HMAC-SHA256 of the text."""
    return hmac.new(secret.encode("utf-8"), text.encode("utf-8"), hashlib.sha256).hexdigest()
