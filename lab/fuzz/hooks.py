# What Schemathesis has to know of this service: how a request is signed, and which values must be new each time.
# Loaded through SCHEMATHESIS_HOOKS by run.ts; FUZZ_KEYS and FUZZ_KNOWN are of an operation made for the run (operation.ts).
# Whatever is decided here follows from the request that was generated: the same seed gives the same requests.
import hashlib
import hmac
import itertools
import json
import os
import random
import re
import secrets
import time
import uuid
import zlib

import requests
import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.failures import Failure

# Taken in turn: most rates are those of a key.
KEYS = json.loads(os.environ["FUZZ_KEYS"])
# By operation: values of parameters and fields that name what exists.
KNOWN = json.loads(os.environ["FUZZ_KNOWN"])

IDEMPOTENCY_KEY = re.compile(r"[A-Za-z0-9_.:-]{16,128}")
REFERENCE = re.compile(r"[A-Za-z0-9_.:-]{1,64}")

# The listing bucket holds 5 requests per second and key; POSTs are 50 per second and operation, with a burst of 100.
# Keeping to them tests the routes, running into them tests one answer.
LISTS = re.compile(r"^/v1/(deposits|withdrawals|events)(\?|$)")
PAUSE_SECONDS = {"list": 0.21 / len(KEYS), "POST": 0.021, "GET": 0.0}
last_at = dict.fromkeys(PAUSE_SECONDS, 0.0)
keys = {kind: itertools.cycle(KEYS) for kind in PAUSE_SECONDS}

# The operation is new: its rules are of version 1.
FIRST_RULES_ETAG = '"rules-1"'

# Facts about several fields at once, or about the operation: no schema can say them.
BEYOND_THE_SCHEMA = {
    "one_of",
    "method_mismatch",
    "unknown",
    "currency_mismatch",
    "required_by_operation",
    "reserved_domain_required",
}


class Signature(requests.auth.AuthBase):
    """Signs exactly the bytes that leave, as the specification's "Signing" says."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        key = key_in_time("list" if request.method == "GET" and LISTS.match(request.path_url) else "POST" if request.method == "POST" else "GET")
        given = request.headers.get("Idempotency-Key")
        # A key that schemathesis made up well is made new: the examples' would be refused as reused from the second on.
        if isinstance(given, bytes):
            given = given.decode("latin-1")
        if given is not None and IDEMPOTENCY_KEY.fullmatch(given):
            request.headers["Idempotency-Key"] = str(uuid.uuid4())
        body = request.body or b""
        if isinstance(body, str):
            body = body.encode()
        timestamp = str(int(time.time()))
        nonce = secrets.token_hex(16)
        lines = ["v1", timestamp, nonce, request.method.upper(), request.path_url, hashlib.sha256(body).hexdigest()]
        signature = hmac.new(key["secret"].encode(), "\n".join(lines).encode("latin-1"), hashlib.sha256).hexdigest()
        request.headers.update(
            {"Svc-Key-Id": key["key_id"], "Svc-Timestamp": timestamp, "Svc-Nonce": nonce, "Svc-Signature": f"v1={signature}"}
        )
        return request


def key_in_time(kind: str) -> dict[str, str]:
    """The next key, not before its rate allows it."""
    time.sleep(max(0.0, last_at[kind] + PAUSE_SECONDS[kind] - time.monotonic()))
    last_at[kind] = time.monotonic()
    return next(keys[kind])


schemathesis.auth.set_from_requests(Signature())


@schemathesis.hook
def before_call(context, case, kwargs):
    """Ids that may be used once are made new; the rest of a request, right or wrong, stays as it was generated."""
    dice = random.Random(digest_of(case))
    if case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE and dice.random() < 3 / 4:
        make_likely(case, dice)
    if not isinstance(case.body, dict):
        return
    body = case.body = dict(case.body)
    if isinstance(body.get("external_id"), str) and REFERENCE.fullmatch(body["external_id"]):
        body["external_id"] = f"fuzz-{uuid.uuid4()}"
    player = body.get("player")
    # Ten deposits an hour are one player's limit.
    if isinstance(player, dict) and isinstance(player.get("external_ref"), str) and REFERENCE.fullmatch(player["external_ref"]):
        body["player"] = {**player, "external_ref": f"fuzz-{uuid.uuid4()}"}
    # Down, every other route would answer 503.
    if body.get("down") is True:
        body["down"] = False


def digest_of(case) -> int:
    said = [case.operation.label, case.path_parameters, case.query, case.body]
    return zlib.crc32(json.dumps(said, sort_keys=True, default=lambda value: type(value).__name__).encode())


def make_likely(case, dice):
    """Most of the valid requests get past what only the service knows, so that payments come to be and are found."""
    # In a sequence the ids come from the answers before.
    if case.meta.phase.name.value != "stateful":
        for place in (case.path_parameters, case.query, case.body):
            if isinstance(place, dict):
                place.update({name: value for name, value in KNOWN.get(case.operation.label, {}).items() if name in place})
    if "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = FIRST_RULES_ETAG
    if not isinstance(case.body, dict) or not isinstance(case.body.get("player"), dict):
        return
    body = case.body = dict(case.body)
    body["method"] = "pix"
    body["amount"] = {"amount": str(dice.randrange(100, 50_000)), "currency": "BRL"}
    body["player"] = {**body["player"], "document": {"type": "CPF", "number": new_cpf(dice), "country": "BR"}}
    # What is right in form and wrong for the sandbox is checked by the other quarter.
    body["player"].pop("email", None)
    if isinstance(body["player"].get("name"), str):
        body["player"]["name"] = body["player"]["name"][:120]
    if "destination" in body:
        body["destination"] = {"pix": {"key_type": "cpf", "key": body["player"]["document"]["number"]}}


def new_cpf(dice) -> str:
    digits = [dice.randrange(9) for _ in range(8)] + [9]
    for length in (10, 11):
        total = sum(digit * (length - index) for index, digit in enumerate(digits))
        digits.append(total * 10 % 11 % 10)
    return "".join(map(str, digits))


def beyond_the_schema(case, error) -> bool:
    field, reason = error["field"], error["reason"]
    if reason in BEYOND_THE_SCHEMA or field in ("cursor", "rules.timezone"):
        return True
    # NUL is refused in every text and name, and numbers beyond 2^53 in objects whose fields are not given.
    if reason == "format" and "cannot be kept" in error["message"]:
        return True
    if reason in ("format", "range") and (case.operation.path.endswith("/fx/quotes") or field.startswith("destination.")):
        return not field.startswith("destination.pix")
    # Formats within `anyOf` are notes to the generator: now and then it makes any text of them.
    if reason == "format" and field == "player.ip":
        return True
    # A maximum below its minimum.
    return reason == "range" and field.startswith("rules.") and field.endswith(("_max", "auto_hours.to"))


class ValidDataRefused(Failure):
    """What the document calls valid is refused as invalid: the document says too little."""


@schemathesis.check
def valid_data_is_not_invalid(ctx, response, case) -> bool | None:
    """The other way round of `negative_data_rejection`: no `validation_failed` for what the document allows."""
    meta = case.meta
    if meta is None or meta.generation.mode != GenerationMode.POSITIVE or response.status_code != 400:
        return None
    problem = response.json()
    if problem.get("code") != "validation_failed":
        return None
    errors = [error for error in problem.get("errors", []) if not beyond_the_schema(case, error)]
    if errors:
        told = ", ".join(f"{error['field'] or 'body'}: {error['reason']}" for error in errors)
        raise ValidDataRefused(operation=case.operation.label, title="Valid by the document, refused as invalid", message=told)
    return None
