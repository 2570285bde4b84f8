"""The two ways in which a call can fail: a refusal, and no usable answer."""

from typing import Any, Dict, List, Optional


class ProblemError(Exception):
    """A refusal. Decide by ``verdict`` and ``code``; the message is for people."""

    def __init__(
        self, request: str, status: int, problem: Dict[str, Any], verdict: str, retry_after: Optional[int]
    ) -> None:
        self.status = status
        self.code: str = problem["code"]
        self.errors: List[Dict[str, Any]] = problem.get("errors") or []
        #: The payment as it is, on ``duplicate_external_id`` and ``invalid_state_transition``.
        self.existing: Optional[Dict[str, Any]] = problem.get("existing")
        self.detail: Optional[str] = problem.get("detail")
        self.trace_id: Optional[str] = problem.get("trace_id")
        self.retry_after = retry_after
        self.verdict = verdict
        super().__init__(f"{request}: {status} {self.code}, trace {self.trace_id}")

    @property
    def conclusive(self) -> bool:
        """The only refusal after which a reserve may go back to the player."""
        return self.verdict == "payment_decided"

    @property
    def is_player_limit(self) -> bool:
        """A player's hourly limit: ask the player before you wait, because it lasts up to an hour."""
        return any(error.get("reason") == "hourly_limit" for error in self.errors)


class NoAnswerError(Exception):
    """No usable answer: the request may have been carried out. Repeat it, or look the payment up."""

    verdict = "repeat"
    conclusive = False
