package operatorpayments;

import java.util.Map;
import java.util.stream.Collectors;

// Written by `npm run docs` from the service's own routes.
/** Every call of the API, one method each. Bodies are sent as they are. */
public interface Calls {
    Gateway.Answer get(String path) throws ProblemException, NoAnswerException, InterruptedException;

    Gateway.Answer post(
            Endpoint endpoint, String path, String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException;

    private static String segment(String text) {
        return java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String queryOf(Map<String, String> query) {
        return query.isEmpty() ? "" : query.entrySet().stream()
                .map(entry -> segment(entry.getKey()) + "=" + segment(entry.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    }

    /** Check the credential and the clock: GET /ping. */
    default Gateway.Answer ping()
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/ping");
    }

    /** List currencies and methods: GET /currencies. */
    default Gateway.Answer listCurrencies()
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/currencies");
    }

    /** Read the operation's balances: GET /balances. */
    default Gateway.Answer listBalances()
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/balances");
    }

    /** Read what a player may still withdraw automatically: GET /players/{external_ref}/limits. */
    default Gateway.Answer getPlayerLimits(String externalRef, Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/players/" + segment(externalRef) + "/limits" + queryOf(query));
    }

    /** Replay events: GET /events. */
    default Gateway.Answer listEvents(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/events" + queryOf(query));
    }

    /** Read a closed day: GET /reconciliation. */
    default Gateway.Answer getReconciliation(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/reconciliation" + queryOf(query));
    }

    /** Read the active rule set: GET /rules. */
    default Gateway.Answer getRules()
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/rules");
    }

    /** Propose a change of the rules: POST /rules/change-requests. */
    default Gateway.Answer proposeRuleChange(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.OTHER_POST, "/rules/change-requests", idempotencyKey, body, headers);
    }

    /** Create a deposit: POST /deposits. */
    default Gateway.Answer createDeposit(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.CREATE, "/deposits", idempotencyKey, body, headers);
    }

    /** List deposits, newest first: GET /deposits. */
    default Gateway.Answer listDeposits(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/deposits" + queryOf(query));
    }

    /** Read a deposit (the authoritative fetch-back): GET /deposits/{id}. */
    default Gateway.Answer getDeposit(String id)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/deposits/" + segment(id));
    }

    /** Cancel a pending deposit: POST /deposits/{id}/cancel. */
    default Gateway.Answer cancelDeposit(String id, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/deposits/" + segment(id) + "/cancel", idempotencyKey, new byte[0], Map.of());
    }

    /** Request a withdrawal: POST /withdrawals. */
    default Gateway.Answer createWithdrawal(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.CREATE, "/withdrawals", idempotencyKey, body, headers);
    }

    /** List withdrawals, newest first: GET /withdrawals. */
    default Gateway.Answer listWithdrawals(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/withdrawals" + queryOf(query));
    }

    /** Read a withdrawal: GET /withdrawals/{id}. */
    default Gateway.Answer getWithdrawal(String id)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/withdrawals/" + segment(id));
    }

    /** Cancel a withdrawal whose send has not left: POST /withdrawals/{id}/cancel. */
    default Gateway.Answer cancelWithdrawal(String id, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/withdrawals/" + segment(id) + "/cancel", idempotencyKey, new byte[0], Map.of());
    }

    /** Recall a transfer (not for PIX): POST /withdrawals/{id}/recall. */
    default Gateway.Answer recallWithdrawal(String id, String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/withdrawals/" + segment(id) + "/recall", idempotencyKey, body, headers);
    }

    /** Read the log of your own calls, newest first: GET /request-log. */
    default Gateway.Answer listRequests(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/request-log" + queryOf(query));
    }

    /** Read the log of webhook deliveries, newest first: GET /webhook-deliveries. */
    default Gateway.Answer listWebhookDeliveries(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/webhook-deliveries" + queryOf(query));
    }

    /** Deliver an event once more: POST /webhook-deliveries/redeliver. */
    default Gateway.Answer redeliverWebhook(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.OTHER_POST, "/webhook-deliveries/redeliver", idempotencyKey, body, headers);
    }

    /** Receive signed webhooks by asking for them: GET /sandbox/webhooks/inbox. */
    default Gateway.Answer sandboxReceiveWebhooks(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/sandbox/webhooks/inbox" + queryOf(query));
    }

    /** Pay a deposit: POST /sandbox/deposits/{id}/pay. */
    default Gateway.Answer sandboxPayDeposit(String id, String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/sandbox/deposits/" + segment(id) + "/pay", idempotencyKey, body, headers);
    }

    /** Let a pending deposit expire now: POST /sandbox/deposits/{id}/expire. */
    default Gateway.Answer sandboxExpireDeposit(String id, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/sandbox/deposits/" + segment(id) + "/expire", idempotencyKey, new byte[0], Map.of());
    }

    /** Refund a paid deposit: POST /sandbox/deposits/{id}/refund. */
    default Gateway.Answer sandboxRefundDeposit(String id, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/sandbox/deposits/" + segment(id) + "/refund", idempotencyKey, new byte[0], Map.of());
    }

    /** Charge a paid deposit back: POST /sandbox/deposits/{id}/chargeback. */
    default Gateway.Answer sandboxChargeBackDeposit(String id, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/sandbox/deposits/" + segment(id) + "/chargeback", idempotencyKey, new byte[0], Map.of());
    }

    /** Send a part of a paid deposit back: POST /sandbox/deposits/{id}/partial-reversal. */
    default Gateway.Answer sandboxReverseDepositInPart(String id, String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/sandbox/deposits/" + segment(id) + "/partial-reversal", idempotencyKey, body, headers);
    }

    /** Decide the review of a deposit: POST /sandbox/deposits/{id}/review/{decision}. */
    default Gateway.Answer sandboxReviewDeposit(String id, String decision, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/sandbox/deposits/" + segment(id) + "/review/" + segment(decision), idempotencyKey, new byte[0], Map.of());
    }

    /** Move a withdrawal on: POST /sandbox/withdrawals/{id}/{action}. */
    default Gateway.Answer sandboxActOnWithdrawal(String id, String action, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.ACT, "/sandbox/withdrawals/" + segment(id) + "/" + segment(action), idempotencyKey, new byte[0], Map.of());
    }

    /** Simulate a bank credit (disabled): POST /sandbox/bank-transfers/incoming. */
    default Gateway.Answer sandboxReceiveTransfer(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.OTHER_POST, "/sandbox/bank-transfers/incoming", idempotencyKey, body, headers);
    }

    /** Simulate an outage of the service: POST /sandbox/outage. */
    default Gateway.Answer sandboxSetOutage(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.OTHER_POST, "/sandbox/outage", idempotencyKey, body, headers);
    }

    /** Read the operation's clock: GET /sandbox/clock. */
    default Gateway.Answer sandboxGetClock()
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/sandbox/clock");
    }

    /** Advance the operation's clock, stop it, or let it run: POST /sandbox/clock. */
    default Gateway.Answer sandboxSetClock(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.OTHER_POST, "/sandbox/clock", idempotencyKey, body, headers);
    }

    /** Advance the clock until a day is closed, so that it can be reconciled: POST /sandbox/days/{date}/close. */
    default Gateway.Answer sandboxCloseDay(String date, String idempotencyKey)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.OTHER_POST, "/sandbox/days/" + segment(date) + "/close", idempotencyKey, new byte[0], Map.of());
    }

    /** Read the delivery log, newest first: GET /sandbox/webhooks. */
    default Gateway.Answer sandboxListWebhooks(Map<String, String> query)
            throws ProblemException, NoAnswerException, InterruptedException {
        return get("/sandbox/webhooks" + queryOf(query));
    }

    /** Deliver an event once more: POST /sandbox/webhooks/redeliver. */
    default Gateway.Answer sandboxRedeliverWebhook(String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        return post(Endpoint.OTHER_POST, "/sandbox/webhooks/redeliver", idempotencyKey, body, headers);
    }
}
