"""Client of the Operator Payments Gateway, with the standard library only."""

from .answer import Answer
from .client import Gateway, new_idempotency_key
from .errors import NoAnswerError, ProblemError
from .reconciliation import Day, canonical_list, digest_of, is_ordered, read_day, verify_day
from .repetition import pause_before_repeat, verdict_of
from .signing import canonical_request, signature_headers
from .webhooks import REFUSAL_STATUS, WebhookRefused, verify_webhook

__all__ = [
    "Answer",
    "Day",
    "Gateway",
    "NoAnswerError",
    "ProblemError",
    "REFUSAL_STATUS",
    "WebhookRefused",
    "canonical_list",
    "canonical_request",
    "digest_of",
    "is_ordered",
    "new_idempotency_key",
    "pause_before_repeat",
    "read_day",
    "signature_headers",
    "verdict_of",
    "verify_day",
    "verify_webhook",
]
