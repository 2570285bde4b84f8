"""Every call of the API, one method each. Bodies are dicts, or bytes that are sent as they are."""

# Written by `npm run docs` from the service's own routes.
# fmt: off

import urllib.parse
from typing import Any, Optional

from .answer import Answer


def _segment(text: str) -> str:
    return urllib.parse.quote(text, safe="")


class Calls:
    def get(self, path: str, **query: Any) -> Answer:
        raise NotImplementedError

    def post(self, endpoint: str, path: str, key: str, body: Any = None, **headers: str) -> Answer:
        raise NotImplementedError

    def ping(self) -> Answer:
        """Check the credential and the clock: `GET /ping`."""
        return self.get("/ping")

    def list_currencies(self) -> Answer:
        """List currencies and methods: `GET /currencies`."""
        return self.get("/currencies")

    def list_balances(self) -> Answer:
        """Read the operation's balances: `GET /balances`."""
        return self.get("/balances")

    def get_player_limits(self, external_ref: str, *, currency: Optional[Any] = None) -> Answer:
        """Read what a player may still withdraw automatically: `GET /players/{external_ref}/limits`."""
        return self.get("/players/" + _segment(external_ref) + "/limits", currency=currency)

    def list_events(self, *, after: Optional[Any] = None, object_id: Optional[Any] = None, cursor: Optional[Any] = None, limit: Optional[Any] = None) -> Answer:
        """Replay events: `GET /events`."""
        return self.get("/events", after=after, object_id=object_id, cursor=cursor, limit=limit)

    def get_reconciliation(self, *, date: Optional[Any] = None, currency: Optional[Any] = None, cursor: Optional[Any] = None, limit: Optional[Any] = None) -> Answer:
        """Read a closed day: `GET /reconciliation`."""
        return self.get("/reconciliation", date=date, currency=currency, cursor=cursor, limit=limit)

    def get_rules(self) -> Answer:
        """Read the active rule set: `GET /rules`."""
        return self.get("/rules")

    def propose_rule_change(self, body: Any, key: str, **headers: str) -> Answer:
        """Propose a change of the rules: `POST /rules/change-requests`."""
        return self.post("other_post", "/rules/change-requests", key, body, **headers)

    def create_deposit(self, body: Any, key: str, **headers: str) -> Answer:
        """Create a deposit: `POST /deposits`."""
        return self.post("create", "/deposits", key, body, **headers)

    def list_deposits(self, *, external_id: Optional[Any] = None, player_ref: Optional[Any] = None, updated_since: Optional[Any] = None, cursor: Optional[Any] = None, limit: Optional[Any] = None, status: Optional[Any] = None) -> Answer:
        """List deposits, newest first: `GET /deposits`."""
        return self.get("/deposits", external_id=external_id, player_ref=player_ref, updated_since=updated_since, cursor=cursor, limit=limit, status=status)

    def get_deposit(self, id: str) -> Answer:
        """Read a deposit (the authoritative fetch-back): `GET /deposits/{id}`."""
        return self.get("/deposits/" + _segment(id))

    def cancel_deposit(self, id: str, key: str, **headers: str) -> Answer:
        """Cancel a pending deposit: `POST /deposits/{id}/cancel`."""
        return self.post("act", "/deposits/" + _segment(id) + "/cancel", key, None, **headers)

    def create_withdrawal(self, body: Any, key: str, **headers: str) -> Answer:
        """Request a withdrawal: `POST /withdrawals`."""
        return self.post("create", "/withdrawals", key, body, **headers)

    def list_withdrawals(self, *, external_id: Optional[Any] = None, player_ref: Optional[Any] = None, updated_since: Optional[Any] = None, cursor: Optional[Any] = None, limit: Optional[Any] = None, status: Optional[Any] = None) -> Answer:
        """List withdrawals, newest first: `GET /withdrawals`."""
        return self.get("/withdrawals", external_id=external_id, player_ref=player_ref, updated_since=updated_since, cursor=cursor, limit=limit, status=status)

    def get_withdrawal(self, id: str) -> Answer:
        """Read a withdrawal: `GET /withdrawals/{id}`."""
        return self.get("/withdrawals/" + _segment(id))

    def cancel_withdrawal(self, id: str, key: str, **headers: str) -> Answer:
        """Cancel a withdrawal whose send has not left: `POST /withdrawals/{id}/cancel`."""
        return self.post("act", "/withdrawals/" + _segment(id) + "/cancel", key, None, **headers)

    def recall_withdrawal(self, id: str, body: Any, key: str, **headers: str) -> Answer:
        """Recall a transfer (not for PIX): `POST /withdrawals/{id}/recall`."""
        return self.post("act", "/withdrawals/" + _segment(id) + "/recall", key, body, **headers)

    def list_requests(self, *, trace_id: Optional[Any] = None, refused: Optional[Any] = None, cursor: Optional[Any] = None, limit: Optional[Any] = None) -> Answer:
        """Read the log of your own calls, newest first: `GET /request-log`."""
        return self.get("/request-log", trace_id=trace_id, refused=refused, cursor=cursor, limit=limit)

    def list_webhook_deliveries(self, *, event_id: Optional[Any] = None, cursor: Optional[Any] = None, limit: Optional[Any] = None) -> Answer:
        """Read the log of webhook deliveries, newest first: `GET /webhook-deliveries`."""
        return self.get("/webhook-deliveries", event_id=event_id, cursor=cursor, limit=limit)

    def redeliver_webhook(self, body: Any, key: str, **headers: str) -> Answer:
        """Deliver an event once more: `POST /webhook-deliveries/redeliver`."""
        return self.post("other_post", "/webhook-deliveries/redeliver", key, body, **headers)

    def sandbox_receive_webhooks(self, *, after: Optional[Any] = None, event_id: Optional[Any] = None, wait_seconds: Optional[Any] = None) -> Answer:
        """Receive signed webhooks by asking for them: `GET /sandbox/webhooks/inbox`."""
        return self.get("/sandbox/webhooks/inbox", after=after, event_id=event_id, wait_seconds=wait_seconds)

    def sandbox_pay_deposit(self, id: str, body: Any, key: str, **headers: str) -> Answer:
        """Pay a deposit: `POST /sandbox/deposits/{id}/pay`."""
        return self.post("act", "/sandbox/deposits/" + _segment(id) + "/pay", key, body, **headers)

    def sandbox_expire_deposit(self, id: str, key: str, **headers: str) -> Answer:
        """Let a pending deposit expire now: `POST /sandbox/deposits/{id}/expire`."""
        return self.post("act", "/sandbox/deposits/" + _segment(id) + "/expire", key, None, **headers)

    def sandbox_refund_deposit(self, id: str, key: str, **headers: str) -> Answer:
        """Refund a paid deposit: `POST /sandbox/deposits/{id}/refund`."""
        return self.post("act", "/sandbox/deposits/" + _segment(id) + "/refund", key, None, **headers)

    def sandbox_charge_back_deposit(self, id: str, key: str, **headers: str) -> Answer:
        """Charge a paid deposit back: `POST /sandbox/deposits/{id}/chargeback`."""
        return self.post("act", "/sandbox/deposits/" + _segment(id) + "/chargeback", key, None, **headers)

    def sandbox_reverse_deposit_in_part(self, id: str, body: Any, key: str, **headers: str) -> Answer:
        """Send a part of a paid deposit back: `POST /sandbox/deposits/{id}/partial-reversal`."""
        return self.post("act", "/sandbox/deposits/" + _segment(id) + "/partial-reversal", key, body, **headers)

    def sandbox_review_deposit(self, id: str, decision: str, key: str, **headers: str) -> Answer:
        """Decide the review of a deposit: `POST /sandbox/deposits/{id}/review/{decision}`."""
        return self.post("act", "/sandbox/deposits/" + _segment(id) + "/review/" + _segment(decision), key, None, **headers)

    def sandbox_act_on_withdrawal(self, id: str, action: str, key: str, **headers: str) -> Answer:
        """Move a withdrawal on: `POST /sandbox/withdrawals/{id}/{action}`."""
        return self.post("act", "/sandbox/withdrawals/" + _segment(id) + "/" + _segment(action), key, None, **headers)

    def sandbox_receive_transfer(self, body: Any, key: str, **headers: str) -> Answer:
        """Simulate a bank credit (disabled): `POST /sandbox/bank-transfers/incoming`."""
        return self.post("other_post", "/sandbox/bank-transfers/incoming", key, body, **headers)

    def sandbox_set_outage(self, body: Any, key: str, **headers: str) -> Answer:
        """Simulate an outage of the service: `POST /sandbox/outage`."""
        return self.post("other_post", "/sandbox/outage", key, body, **headers)

    def sandbox_get_clock(self) -> Answer:
        """Read the operation's clock: `GET /sandbox/clock`."""
        return self.get("/sandbox/clock")

    def sandbox_set_clock(self, body: Any, key: str, **headers: str) -> Answer:
        """Advance the operation's clock, stop it, or let it run: `POST /sandbox/clock`."""
        return self.post("other_post", "/sandbox/clock", key, body, **headers)

    def sandbox_close_day(self, date: str, key: str, **headers: str) -> Answer:
        """Advance the clock until a day is closed, so that it can be reconciled: `POST /sandbox/days/{date}/close`."""
        return self.post("other_post", "/sandbox/days/" + _segment(date) + "/close", key, None, **headers)

    def sandbox_list_webhooks(self, *, event_id: Optional[Any] = None, cursor: Optional[Any] = None, limit: Optional[Any] = None) -> Answer:
        """Read the delivery log, newest first: `GET /sandbox/webhooks`."""
        return self.get("/sandbox/webhooks", event_id=event_id, cursor=cursor, limit=limit)

    def sandbox_redeliver_webhook(self, body: Any, key: str, **headers: str) -> Answer:
        """Deliver an event once more: `POST /sandbox/webhooks/redeliver`."""
        return self.post("other_post", "/sandbox/webhooks/redeliver", key, body, **headers)
