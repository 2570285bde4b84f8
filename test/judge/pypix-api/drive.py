"""Drives an address as pypix-api drives its bank: an order a line on standard input, its answer a line on output.

Arguments: the class of the bank, the base address, the address of tokens, client id, client secret.
An order is {"call": "criar_cob", "args": [...]}; its answer {"answer": ...}, or {"refused": {...}} of the client's
own exception.
"""

import importlib
import json
import sys

from pypix_api.auth.oauth2 import OAuth2Client
from pypix_api.exceptions import PixAPIException


def bank_of(name, base_url, token_url, client_id, client_secret):
    module, class_name = name.rsplit(".", 1)
    bank = getattr(importlib.import_module(f"pypix_api.banks.{module}"), class_name)
    # Only its addresses are changed. The token client's sandbox needs no certificate; the bank's is off, so tokens are real.
    address = type(f"{class_name}Here", (bank,), {"BASE_URL": base_url, "TOKEN_URL": token_url})
    oauth = OAuth2Client(token_url, client_id=client_id, client_secret=client_secret or None, sandbox_mode=True)
    return address(oauth)


def answered(bank, order):
    try:
        return {"answer": getattr(bank, order["call"])(*order["args"])}
    except PixAPIException as refused:
        return {
            "refused": {
                "class": type(refused).__name__,
                "status": refused.status,
                "type": refused.type,
                "title": refused.title,
                "detail": refused.detail,
            }
        }


bank = bank_of(*sys.argv[1:])
for line in sys.stdin:
    print(json.dumps(answered(bank, json.loads(line))), flush=True)
