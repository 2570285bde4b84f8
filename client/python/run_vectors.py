"""Checks this client against the published vectors: ``python3 run_vectors.py ../test-vectors.json``."""

import hashlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import operator_payments as client  # noqa: E402

count = 0


def check(name: str, actual: object, expected: object) -> None:
    global count
    count += 1
    if actual != expected:
        sys.exit(f"{name}: expected {expected!r}, got {actual!r}")


vectors = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
for one in vectors["requests"]:
    parts = (one["timestamp"], one["nonce"], one["method"], one["target"], one["body"].encode("utf-8"))
    check(one["name"], client.canonical_request(*parts), one["canonical_request"])
    headers = client.signature_headers(one["key_id"], one["secret"], *parts)
    check(one["name"], headers["Svc-Signature"], one["signature_header"])
for one in vectors["webhooks"]:
    now = int(one["headers"]["Svc-Timestamp"])
    event = client.verify_webhook(one["headers"], one["body"].encode("utf-8"), one["verifying_secrets"], now)
    check(one["name"], event, json.loads(one["body"]))
for one in vectors["refused_webhooks"]:
    try:
        client.verify_webhook(one["headers"], one["body"].encode("utf-8"), one["verifying_secrets"], one["now"])
        refused = ("accepted", 200)
    except client.WebhookRefused as refusal:
        refused = (refusal.refusal, refusal.status)
    check(one["name"], refused, (one["refusal"], one["answer"]))
for one in vectors["reconciliation"]:
    check(one["name"], client.canonical_list(one["items"]).decode("utf-8"), one["canonical_list"])
    check(one["name"], client.digest_of(one["items"]), one["digest"])
    check(one["name"], client.is_ordered(one["items"]), True)
    keys = {(item["object_id"], item["kind"]) for item in one["items"]}
    check(one["name"], client.is_ordered(one["items"][::-1]), len(keys) < 2)
    day = (one["date"], one["currency"], one["digest"], one["signature_header"])
    check(one["name"], client.verify_day(*day, one["signing_secrets"]), True)
for one in vectors["refused_reconciliation"]:
    day = (one["date"], one["currency"], one["digest"], one["signature_header"])
    check(one["name"], client.verify_day(*day, one["verifying_secrets"]), False)
for one in vectors["verdicts"]:
    verdict = client.verdict_of(one["endpoint"], one["status"], one["code"], one["retryable"], one["fields"])
    check(f"{one['endpoint']} {one['status']} {one['code']} {one['fields']}", verdict, one["verdict"])
print(f"{count} checks passed, {hashlib.sha256(pathlib.Path(sys.argv[1]).read_bytes()).hexdigest()[:12]}")
