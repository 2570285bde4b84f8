package operatorpayments;

/** A delivery that is not the gateway's. Answer {@link #status()}. */
public final class WebhookRefused extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why it is refused. */
    public enum Refusal {
        MISSING_HEADER(401),
        MALFORMED_HEADER(401),
        TIMESTAMP_OUT_OF_WINDOW(401),
        SIGNATURE_MISMATCH(401),
        MALFORMED_BODY(400),
        EVENT_ID_MISMATCH(400);

        private final int status;

        Refusal(int status) {
            this.status = status;
        }
    }

    private final Refusal refusal;

    WebhookRefused(Refusal refusal) {
        super(refusal.name());
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }

    /** What to answer. */
    public int status() {
        return refusal.status;
    }
}
