package operatorpayments;

/** What a request is about: it decides what a refusal means. */
public enum Endpoint {
    /** POST that creates a payment. */
    CREATE,
    /** POST that acts on a payment. */
    ACT,
    /** Any other POST. */
    OTHER_POST,
    /** GET. */
    READ
}
