"""What a call answers."""

from typing import Any, Mapping, NamedTuple


class Answer(NamedTuple):
    """A 2xx answer. ``replayed``: it is the recorded answer of an earlier request with the same key."""

    status: int
    headers: Mapping[str, str]
    body: Any
    replayed: bool
