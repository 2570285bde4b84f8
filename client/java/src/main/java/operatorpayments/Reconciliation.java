package operatorpayments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A closed day: the digest computed again, and its signature. */
public final class Reconciliation {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private Reconciliation() {}

    /** The RFC 8785 bytes of the day's items, in the order served. Items hold only objects, text and null. */
    public static byte[] canonicalList(JsonNode items) {
        try {
            Object sorted = JSON.treeToValue(items, Object.class);
            return JSON.writeValueAsString(sorted).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException error) {
            throw new IllegalArgumentException("the items are no JSON", error);
        }
    }

    /** Whether the items are sorted by (object_id, kind). Parts of one payment repeat the pair. */
    public static boolean isOrdered(JsonNode items) {
        for (int index = 1; index < items.size(); index++) {
            JsonNode before = items.get(index - 1);
            JsonNode item = items.get(index);
            int order = before.path("object_id").asText().compareTo(item.path("object_id").asText());
            if (order == 0) order = before.path("kind").asText().compareTo(item.path("kind").asText());
            if (order > 0) return false;
        }
        return true;
    }

    /** A closed day, read whole; `signature` may be null. Compare `digest` with {@link #digestOf}. */
    public record Day(String date, String currency, ArrayNode items, String digest, String signature) {}

    /** Reads every page of a closed day. An open day is a ProblemException with the code day_open. */
    public static Day readDay(Gateway gateway, String date, String currency)
            throws ProblemException, NoAnswerException, InterruptedException {
        ArrayNode items = JSON.createArrayNode();
        String path = "/reconciliation?date=" + date + "&currency=" + currency + "&limit=200";
        String cursor = "";
        while (true) {
            Gateway.Answer answer = gateway.get(path + cursor);
            answer.body().path("items").forEach(items::add);
            JsonNode next = answer.body().path("next_cursor");
            if (!next.isTextual()) {
                List<String> signatures = answer.headers().getOrDefault("svc-signature", List.of());
                return new Day(date, currency, items, answer.body().path("digest").asText(),
                        signatures.size() == 1 ? signatures.get(0) : null);
            }
            cursor = "&cursor=" + URLEncoder.encode(next.asText(), StandardCharsets.UTF_8);
        }
    }

    /** The digest that the last page must state. */
    public static String digestOf(JsonNode items) {
        return Signing.sha256Hex(canonicalList(items));
    }

    /** Whether one of these webhook secrets signed the day. Give the digest that you computed. */
    public static boolean verifyDay(
            String date, String currency, String digest, String signature, List<String> secrets) {
        String signed = String.join("\n", "v1", "reconciliation", date, currency, digest);
        return signature != null && Signatures.anyMatches(secrets, signed, Signatures.values(signature));
    }
}
