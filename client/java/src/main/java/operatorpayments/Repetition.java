package operatorpayments;

import java.util.List;

/** The repetition rule: what a refusal means for the payment, and how long to wait before a repeat. */
public final class Repetition {
    private Repetition() {}

    /** By code and kind of endpoint. An unknown answer is judged by its HTTP class, and never decides a payment. */
    public static Verdict verdictOf(Endpoint endpoint, int status, String code, boolean retryable, List<String> fields) {
        VerdictTable.Row row = VerdictTable.ROWS.get(rowName(status, code, fields));
        if (row != null && row.status() == status) {
            return switch (endpoint) {
                case CREATE -> row.create();
                case ACT -> row.act();
                case OTHER_POST -> row.otherPost();
                case READ -> row.read();
            };
        }
        boolean temporary = status == 429 || status >= 500 || (status == 409 && retryable);
        return temporary ? Verdict.REPEAT : Verdict.NOTHING_KNOWN;
    }

    /** Only a refusal of body or query decides: an Idempotency-Key does not cover headers. */
    private static String rowName(int status, String code, List<String> fields) {
        if (!code.equals("validation_failed")) return code;
        if (status == 413) return "validation_failed_too_large";
        boolean ofBody = !fields.isEmpty() && fields.stream().allMatch(field -> field.matches("(?s)[a-z].*"));
        return ofBody ? "validation_failed_body" : "validation_failed_other";
    }

    /** After attempt number {@code attempt} (from 1): 1 s, 2 s … 60 s with jitter, never less than Retry-After (-1: absent). */
    public static long pauseBeforeRepeatMillis(int attempt, long retryAfterSeconds, double random) {
        if (retryAfterSeconds >= 0) return retryAfterSeconds * 1000 + Math.round(250 * random);
        double ceiling = Math.min(1000 * Math.pow(2, attempt - 1), 60_000);
        return Math.round(ceiling / 2 + ceiling / 2 * random);
    }
}
