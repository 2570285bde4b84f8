package operatorpayments;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A refusal. Decide by {@link #verdict()} and {@link #code()}; the message is for people. */
public final class ProblemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient JsonNode problem;
    private final long retryAfterSeconds;
    private final Verdict verdict;

    ProblemException(String request, int status, JsonNode problem, long retryAfterSeconds, Endpoint endpoint) {
        super(request + ": " + status + " " + problem.path("code").asText() + ", trace "
                + problem.path("trace_id").asText());
        this.status = status;
        this.problem = problem;
        this.retryAfterSeconds = retryAfterSeconds;
        this.verdict = Repetition.verdictOf(
                endpoint, status, problem.path("code").asText(), problem.path("retryable").asBoolean(),
                texts(problem, "field"));
    }

    public int status() {
        return status;
    }

    public String code() {
        return problem.path("code").asText();
    }

    /** All fields; `existing` is the payment on duplicate_external_id and invalid_state_transition. */
    public JsonNode problem() {
        return problem;
    }

    /** Negative: absent. */
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    public Verdict verdict() {
        return verdict;
    }

    /** The only refusal after which a reserve may go back to the player. */
    public boolean isConclusive() {
        return verdict == Verdict.PAYMENT_DECIDED;
    }

    /** A player's hourly limit: ask the player before you wait, because it lasts up to an hour. */
    public boolean isPlayerLimit() {
        return texts(problem, "reason").contains("hourly_limit");
    }

    private static List<String> texts(JsonNode problem, String name) {
        List<String> texts = new ArrayList<>();
        for (JsonNode error : problem.path("errors")) if (error.path(name).isTextual()) texts.add(error.path(name).asText());
        return texts;
    }
}
