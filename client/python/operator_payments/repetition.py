"""The repetition rule: what a refusal means for the payment, and how long to wait before a repeat."""

import re
from typing import Optional, Sequence

from .verdicts import VERDICT_TABLE


def verdict_of(
    endpoint: str, status: int, code: str, retryable: Optional[bool] = None, fields: Sequence[str] = ()
) -> str:
    """By code and kind of endpoint. An unknown answer is judged by its HTTP class, and never decides a payment."""
    row = VERDICT_TABLE.get(_row_name(status, code, fields))
    if row is not None and row["status"] == status:
        return str(row[endpoint])
    temporary = status == 429 or status >= 500 or (status == 409 and retryable is True)
    return "repeat" if temporary else "nothing_known"


def _row_name(status: int, code: str, fields: Sequence[str]) -> str:
    # Only a refusal of body or query decides: an Idempotency-Key does not cover headers.
    if code != "validation_failed":
        return code
    if status == 413:
        return "validation_failed_too_large"
    of_body = len(fields) > 0 and all(re.match(r"[a-z]", field) for field in fields)
    return "validation_failed_body" if of_body else "validation_failed_other"


def pause_before_repeat(attempt: int, retry_after: Optional[int], random: float) -> float:
    """Seconds after attempt number ``attempt`` (from 1): 1, 2, 4 … 60 with jitter, never less than Retry-After."""
    if retry_after is not None:
        return retry_after + 0.25 * random
    ceiling = min(2.0 ** (attempt - 1), 60.0)
    return ceiling / 2 + ceiling / 2 * random
