package operatorpayments

// Written by `npm run docs` from the service's own routes.

import (
	"context"
	"net/url"
)

func withQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// Ping: Check the credential and the clock: `GET /ping`.
func (gateway *Gateway) Ping(ctx context.Context) (*Answer, error) {
	return gateway.Get(ctx, "/ping")
}

// ListCurrencies: List currencies and methods: `GET /currencies`.
func (gateway *Gateway) ListCurrencies(ctx context.Context) (*Answer, error) {
	return gateway.Get(ctx, "/currencies")
}

// ListBalances: Read the operation's balances: `GET /balances`.
func (gateway *Gateway) ListBalances(ctx context.Context) (*Answer, error) {
	return gateway.Get(ctx, "/balances")
}

// GetPlayerLimits: Read what a player may still withdraw automatically: `GET /players/{external_ref}/limits`.
func (gateway *Gateway) GetPlayerLimits(ctx context.Context, externalRef string, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/players/"+url.PathEscape(externalRef)+"/limits", query))
}

// ListEvents: Replay events: `GET /events`.
func (gateway *Gateway) ListEvents(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/events", query))
}

// GetReconciliation: Read a closed day: `GET /reconciliation`.
func (gateway *Gateway) GetReconciliation(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/reconciliation", query))
}

// GetRules: Read the active rule set: `GET /rules`.
func (gateway *Gateway) GetRules(ctx context.Context) (*Answer, error) {
	return gateway.Get(ctx, "/rules")
}

// ProposeRuleChange: Propose a change of the rules: `POST /rules/change-requests`.
func (gateway *Gateway) ProposeRuleChange(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, OtherPost, "/rules/change-requests", idempotencyKey, body, header)
}

// CreateDeposit: Create a deposit: `POST /deposits`.
func (gateway *Gateway) CreateDeposit(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, Create, "/deposits", idempotencyKey, body, header)
}

// ListDeposits: List deposits, newest first: `GET /deposits`.
func (gateway *Gateway) ListDeposits(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/deposits", query))
}

// GetDeposit: Read a deposit (the authoritative fetch-back): `GET /deposits/{id}`.
func (gateway *Gateway) GetDeposit(ctx context.Context, id string) (*Answer, error) {
	return gateway.Get(ctx, "/deposits/"+url.PathEscape(id))
}

// CancelDeposit: Cancel a pending deposit: `POST /deposits/{id}/cancel`.
func (gateway *Gateway) CancelDeposit(ctx context.Context, id string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/deposits/"+url.PathEscape(id)+"/cancel", idempotencyKey, nil, nil)
}

// CreateWithdrawal: Request a withdrawal: `POST /withdrawals`.
func (gateway *Gateway) CreateWithdrawal(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, Create, "/withdrawals", idempotencyKey, body, header)
}

// ListWithdrawals: List withdrawals, newest first: `GET /withdrawals`.
func (gateway *Gateway) ListWithdrawals(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/withdrawals", query))
}

// GetWithdrawal: Read a withdrawal: `GET /withdrawals/{id}`.
func (gateway *Gateway) GetWithdrawal(ctx context.Context, id string) (*Answer, error) {
	return gateway.Get(ctx, "/withdrawals/"+url.PathEscape(id))
}

// CancelWithdrawal: Cancel a withdrawal whose send has not left: `POST /withdrawals/{id}/cancel`.
func (gateway *Gateway) CancelWithdrawal(ctx context.Context, id string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/withdrawals/"+url.PathEscape(id)+"/cancel", idempotencyKey, nil, nil)
}

// RecallWithdrawal: Recall a transfer (not for PIX): `POST /withdrawals/{id}/recall`.
func (gateway *Gateway) RecallWithdrawal(ctx context.Context, id string, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/withdrawals/"+url.PathEscape(id)+"/recall", idempotencyKey, body, header)
}

// ListRequests: Read the log of your own calls, newest first: `GET /request-log`.
func (gateway *Gateway) ListRequests(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/request-log", query))
}

// ListWebhookDeliveries: Read the log of webhook deliveries, newest first: `GET /webhook-deliveries`.
func (gateway *Gateway) ListWebhookDeliveries(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/webhook-deliveries", query))
}

// RedeliverWebhook: Deliver an event once more: `POST /webhook-deliveries/redeliver`.
func (gateway *Gateway) RedeliverWebhook(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, OtherPost, "/webhook-deliveries/redeliver", idempotencyKey, body, header)
}

// SandboxReceiveWebhooks: Receive signed webhooks by asking for them: `GET /sandbox/webhooks/inbox`.
func (gateway *Gateway) SandboxReceiveWebhooks(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/sandbox/webhooks/inbox", query))
}

// SandboxPayDeposit: Pay a deposit: `POST /sandbox/deposits/{id}/pay`.
func (gateway *Gateway) SandboxPayDeposit(ctx context.Context, id string, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/sandbox/deposits/"+url.PathEscape(id)+"/pay", idempotencyKey, body, header)
}

// SandboxExpireDeposit: Let a pending deposit expire now: `POST /sandbox/deposits/{id}/expire`.
func (gateway *Gateway) SandboxExpireDeposit(ctx context.Context, id string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/sandbox/deposits/"+url.PathEscape(id)+"/expire", idempotencyKey, nil, nil)
}

// SandboxRefundDeposit: Refund a paid deposit: `POST /sandbox/deposits/{id}/refund`.
func (gateway *Gateway) SandboxRefundDeposit(ctx context.Context, id string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/sandbox/deposits/"+url.PathEscape(id)+"/refund", idempotencyKey, nil, nil)
}

// SandboxChargeBackDeposit: Charge a paid deposit back: `POST /sandbox/deposits/{id}/chargeback`.
func (gateway *Gateway) SandboxChargeBackDeposit(ctx context.Context, id string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/sandbox/deposits/"+url.PathEscape(id)+"/chargeback", idempotencyKey, nil, nil)
}

// SandboxReverseDepositInPart: Send a part of a paid deposit back: `POST /sandbox/deposits/{id}/partial-reversal`.
func (gateway *Gateway) SandboxReverseDepositInPart(ctx context.Context, id string, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/sandbox/deposits/"+url.PathEscape(id)+"/partial-reversal", idempotencyKey, body, header)
}

// SandboxReviewDeposit: Decide the review of a deposit: `POST /sandbox/deposits/{id}/review/{decision}`.
func (gateway *Gateway) SandboxReviewDeposit(ctx context.Context, id string, decision string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/sandbox/deposits/"+url.PathEscape(id)+"/review/"+url.PathEscape(decision), idempotencyKey, nil, nil)
}

// SandboxActOnWithdrawal: Move a withdrawal on: `POST /sandbox/withdrawals/{id}/{action}`.
func (gateway *Gateway) SandboxActOnWithdrawal(ctx context.Context, id string, action string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, Act, "/sandbox/withdrawals/"+url.PathEscape(id)+"/"+url.PathEscape(action), idempotencyKey, nil, nil)
}

// SandboxReceiveTransfer: Simulate a bank credit (disabled): `POST /sandbox/bank-transfers/incoming`.
func (gateway *Gateway) SandboxReceiveTransfer(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, OtherPost, "/sandbox/bank-transfers/incoming", idempotencyKey, body, header)
}

// SandboxSetOutage: Simulate an outage of the service: `POST /sandbox/outage`.
func (gateway *Gateway) SandboxSetOutage(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, OtherPost, "/sandbox/outage", idempotencyKey, body, header)
}

// SandboxGetClock: Read the operation's clock: `GET /sandbox/clock`.
func (gateway *Gateway) SandboxGetClock(ctx context.Context) (*Answer, error) {
	return gateway.Get(ctx, "/sandbox/clock")
}

// SandboxSetClock: Advance the operation's clock, stop it, or let it run: `POST /sandbox/clock`.
func (gateway *Gateway) SandboxSetClock(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, OtherPost, "/sandbox/clock", idempotencyKey, body, header)
}

// SandboxCloseDay: Advance the clock until a day is closed, so that it can be reconciled: `POST /sandbox/days/{date}/close`.
func (gateway *Gateway) SandboxCloseDay(ctx context.Context, date string, idempotencyKey string) (*Answer, error) {
	return gateway.Post(ctx, OtherPost, "/sandbox/days/"+url.PathEscape(date)+"/close", idempotencyKey, nil, nil)
}

// SandboxListWebhooks: Read the delivery log, newest first: `GET /sandbox/webhooks`.
func (gateway *Gateway) SandboxListWebhooks(ctx context.Context, query url.Values) (*Answer, error) {
	return gateway.Get(ctx, withQuery("/sandbox/webhooks", query))
}

// SandboxRedeliverWebhook: Deliver an event once more: `POST /sandbox/webhooks/redeliver`.
func (gateway *Gateway) SandboxRedeliverWebhook(ctx context.Context, idempotencyKey string, body []byte, header map[string]string) (*Answer, error) {
	return gateway.Post(ctx, OtherPost, "/sandbox/webhooks/redeliver", idempotencyKey, body, header)
}
