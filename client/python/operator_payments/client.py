"""Signed calls: the body is serialised once, every attempt has its own signature, repeats follow the rule."""

import http.client
import json
import random
import re
import secrets
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Iterator, List, Mapping, Optional

from .answer import Answer
from .calls import Calls
from .errors import NoAnswerError, ProblemError
from .repetition import pause_before_repeat, verdict_of
from .signing import signature_headers

_MAX_ANSWER_BYTES = 8 * 1024 * 1024


def new_idempotency_key() -> str:
    """A random key. Store it with the intent, and with the body, before the first attempt."""
    return str(uuid.uuid4())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Gateway(Calls):
    """Calls of one operation's key. Every POST takes its Idempotency-Key: a key made up here would be lost in a crash."""

    def __init__(
        self,
        base_url: str,
        key_id: str,
        secret: str,
        timeout: float = 10.0,
        max_attempts: int = 6,
        give_up_after: float = 60.0,
        tls: Optional[ssl.SSLContext] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        """``headers`` go with every request, such as ``{"Sandbox-Later-Version": "true"}`` in a test."""
        parts = urllib.parse.urlsplit(base_url.rstrip("/"))
        if parts.scheme not in ("http", "https") or not parts.path.endswith("/v1") or parts.query or parts.username:
            raise ValueError("base_url must be an http(s) address that ends in /v1")
        self._origin, self._path = f"{parts.scheme}://{parts.netloc}", parts.path
        self._key_id, self._secret = key_id, secret
        self._timeout, self._max_attempts, self._give_up_after = timeout, max_attempts, give_up_after
        self._headers = dict(headers or {})
        handlers: List[Any] = [_NoRedirect(), urllib.request.ProxyHandler({})]
        if tls is not None:
            handlers.append(urllib.request.HTTPSHandler(context=tls))
        self._opener = urllib.request.build_opener(*handlers)

    def events(self, after: Optional[str] = None, **query: Any) -> Iterator[Dict[str, Any]]:
        """Every event after ``after``, page by page, up to the present. Store the id of the last one."""
        while True:
            page = self.get("/events", after=after, **query).body
            yield from page["data"]
            if page["next_cursor"] is None or not page["data"] or page["data"][-1]["id"] == after:
                return
            after = page["data"][-1]["id"]

    def sandbox(self, path: str, key: str, body: Optional[Mapping[str, Any]] = None) -> Answer:
        """A POST below ``/sandbox``: ``sandbox(f"/deposits/{id}/pay", key)``."""
        return self.post("act", "/sandbox" + path, key, body)

    def get(self, path: str, **query: Any) -> Answer:
        pairs = [(name, str(value)) for name, value in query.items() if value is not None]
        return self._send("read", "GET", path + ("?" + urllib.parse.urlencode(pairs) if pairs else ""), b"", {})

    def post(self, endpoint: str, path: str, key: str, body: Any = None, **headers: str) -> Answer:
        """``endpoint`` is the kind for the verdicts: ``create``, ``act`` or ``other_post``. Bytes are sent as they are."""
        if not re.fullmatch(r"[A-Za-z0-9_.:-]{16,128}", key):
            raise ValueError("an Idempotency-Key has 16 to 128 characters of A-Z a-z 0-9 _ . : -")
        raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode("utf-8")
        more = {"Idempotency-Key": key, "Content-Type": "application/json; charset=utf-8"}
        return self._send(
            endpoint, "POST", path, raw, {**more, **{name.replace("_", "-"): text for name, text in headers.items()}}
        )

    def _send(self, endpoint: str, method: str, path: str, body: bytes, headers: Dict[str, str]) -> Answer:
        began, attempt = time.monotonic(), 0
        while True:
            attempt += 1
            failure: Exception
            retry_after: Optional[int] = None
            try:
                return self._attempt(endpoint, method, path, body, headers)
            except ProblemError as error:
                if error.verdict != "repeat":
                    raise
                failure, retry_after = error, error.retry_after
            except (OSError, http.client.HTTPException, ValueError) as error:
                failure = NoAnswerError(f"{method} {path.split('?')[0]}: no answer: {type(error).__name__}")
            pause = pause_before_repeat(attempt, retry_after, random.random())
            if attempt >= self._max_attempts or time.monotonic() - began + pause > self._give_up_after:
                raise failure
            time.sleep(pause)

    def _attempt(self, endpoint: str, method: str, path: str, body: bytes, headers: Dict[str, str]) -> Answer:
        target = self._path + path
        signed = signature_headers(
            self._key_id, self._secret, int(time.time()), secrets.token_hex(16), method, target, body
        )
        request = urllib.request.Request(
            self._origin + target,
            method=method,
            headers={**self._headers, **headers, **signed},
            data=body if method == "POST" else None,
        )
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return self._answer(endpoint, method, path, response)
        except urllib.error.HTTPError as response:
            with response:
                return self._answer(endpoint, method, path, response)

    def _answer(self, endpoint: str, method: str, path: str, response: Any) -> Answer:
        raw = response.read(_MAX_ANSWER_BYTES + 1)
        if len(raw) > _MAX_ANSWER_BYTES:
            raise ValueError("the answer is too long")
        status, headers = response.status, {name.lower(): value for name, value in response.headers.items()}
        if 200 <= status < 300:
            is_json = headers.get("content-type", "").startswith("application/json")
            replayed = headers.get("idempotent-replayed") == "true"
            return Answer(status, headers, json.loads(raw) if is_json else raw, replayed)
        if status < 400:
            raise ValueError(f"unexpected status {status}")
        problem = _problem(headers.get("content-type", ""), raw)
        retry_after = int(headers["retry-after"]) if headers.get("retry-after", "").isdecimal() else None
        fields = [error["field"] for error in problem.get("errors") or [] if isinstance(error.get("field"), str)]
        verdict = verdict_of(endpoint, status, problem["code"], problem.get("retryable"), fields)
        raise ProblemError(f"{method} {path.split('?')[0]}", status, problem, verdict, retry_after)


def _problem(content_type: str, raw: bytes) -> Dict[str, Any]:
    try:
        value = json.loads(raw) if content_type.startswith("application/problem+json") else None
    except ValueError:
        value = None
    if isinstance(value, dict) and isinstance(value.get("code"), str):
        return value
    return {"code": "unrecognised_answer"}
