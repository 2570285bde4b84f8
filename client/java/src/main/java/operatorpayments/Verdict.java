package operatorpayments;

/** What a refusal means for the payment. */
public enum Verdict {
    /** Nothing was done, by no attempt with this key: a reserve may be released. */
    PAYMENT_DECIDED,
    /** The payment exists: act on its state. */
    PAYMENT_EXISTS,
    /** This request did nothing, an earlier attempt may have: keep the reserve. */
    NOTHING_KNOWN,
    /** The outcome is not known: send the same key and bytes again. */
    REPEAT
}
