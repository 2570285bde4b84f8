package operatorpayments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Webhook verification. A genuine webhook is only a trigger: read the object and act on what that says. */
public final class Webhooks {
    private static final long TOLERANCE_SECONDS = 300;
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Webhooks() {}

    /** The event of a genuine delivery. Give the raw bytes. */
    public static JsonNode verify(Map<String, String> headers, byte[] rawBody, List<String> secrets, long nowSeconds)
            throws WebhookRefused {
        Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.putAll(headers);
        String eventId = given.getOrDefault("Svc-Event-Id", "").strip();
        String timestamp = given.getOrDefault("Svc-Timestamp", "").strip();
        String signature = given.getOrDefault("Svc-Signature", "").strip();
        if (eventId.isEmpty() || timestamp.isEmpty() || signature.isEmpty())
            throw new WebhookRefused(WebhookRefused.Refusal.MISSING_HEADER);
        List<String> values = Signatures.values(signature);
        if (values.isEmpty() || !timestamp.matches("[1-9][0-9]{0,11}"))
            throw new WebhookRefused(WebhookRefused.Refusal.MALFORMED_HEADER);
        if (Math.abs(nowSeconds - Long.parseLong(timestamp)) > TOLERANCE_SECONDS)
            throw new WebhookRefused(WebhookRefused.Refusal.TIMESTAMP_OUT_OF_WINDOW);
        String signed = String.join("\n", "v1", timestamp, eventId, Signing.sha256Hex(rawBody));
        if (!Signatures.anyMatches(secrets, signed, values))
            throw new WebhookRefused(WebhookRefused.Refusal.SIGNATURE_MISMATCH);
        JsonNode event = eventOf(rawBody);
        if (!event.path("id").asText().equals(eventId))
            throw new WebhookRefused(WebhookRefused.Refusal.EVENT_ID_MISMATCH);
        return event;
    }

    private static JsonNode eventOf(byte[] rawBody) throws WebhookRefused {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(rawBody)).toString();
            JsonNode event = JSON.readTree(text);
            if (isEvent(event)) return event;
        } catch (CharacterCodingException | JsonProcessingException error) {
            // No event: refused below.
        }
        throw new WebhookRefused(WebhookRefused.Refusal.MALFORMED_BODY);
    }

    /** Unknown additional fields are allowed. */
    private static boolean isEvent(JsonNode event) {
        for (String name : List.of("id", "type", "created_at", "operation_id", "object_id"))
            if (!event.path(name).isTextual() || event.path(name).asText().isEmpty()) return false;
        return event.path("object_version").isIntegralNumber() && event.path("data").path("object").isObject();
    }
}
