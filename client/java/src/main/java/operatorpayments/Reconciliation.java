package operatorpayments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
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
