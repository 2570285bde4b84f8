package operatorpayments;

/** No usable answer: the request may have been carried out. Repeat it, or look the payment up. */
public final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1L;

    NoAnswerException(String request, Exception cause) {
        super(request + ": no answer", cause);
    }
}
