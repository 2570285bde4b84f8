package operatorpayments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The published vectors, the positive ones and those that must be refused. */
class VectorsTest {
    private static final JsonNode VECTORS = read();

    private static JsonNode read() {
        try {
            return new ObjectMapper().readTree(Files.readAllBytes(Path.of("..", "test-vectors.json")));
        } catch (java.io.IOException error) {
            throw new IllegalStateException(error);
        }
    }

    @Test
    void signs() {
        for (JsonNode one : VECTORS.path("requests")) {
            byte[] body = bytes(one, "body");
            long timestamp = one.path("timestamp").asLong();
            String lines = Signing.canonicalRequest(
                    timestamp, text(one, "nonce"), text(one, "method"), text(one, "target"), body);
            assertEquals(text(one, "canonical_request"), lines, text(one, "name"));
            Map<String, String> headers = Signing.headers(
                    text(one, "key_id"), text(one, "secret"), timestamp, text(one, "nonce"), text(one, "method"),
                    text(one, "target"), body);
            assertEquals(text(one, "signature_header"), headers.get("Svc-Signature"), text(one, "name"));
        }
    }

    @Test
    void verifiesWebhooks() throws WebhookRefused {
        for (JsonNode one : VECTORS.path("webhooks")) {
            long now = one.path("headers").path("Svc-Timestamp").asLong();
            JsonNode event = Webhooks.verify(headers(one), bytes(one, "body"), texts(one, "verifying_secrets"), now);
            assertEquals(text(one.path("headers"), "Svc-Event-Id"), event.path("id").asText(), text(one, "name"));
        }
    }

    @Test
    void refusesWebhooks() {
        assertFalse(VECTORS.path("refused_webhooks").isEmpty());
        for (JsonNode one : VECTORS.path("refused_webhooks")) {
            WebhookRefused refused = assertThrows(WebhookRefused.class, () -> Webhooks.verify(
                    headers(one), bytes(one, "body"), texts(one, "verifying_secrets"), one.path("now").asLong()),
                    text(one, "name"));
            assertEquals(
                    text(one, "refusal"), refused.refusal().name().toLowerCase(Locale.ROOT), text(one, "name"));
            assertEquals(one.path("answer").asInt(), refused.status(), text(one, "name"));
        }
    }

    @Test
    void reconciles() {
        for (JsonNode one : VECTORS.path("reconciliation")) {
            String list = new String(Reconciliation.canonicalList(one.path("items")), StandardCharsets.UTF_8);
            assertEquals(text(one, "canonical_list"), list, text(one, "name"));
            assertTrue(Reconciliation.isOrdered(one.path("items")), text(one, "name"));
            assertEquals(text(one, "digest"), Reconciliation.digestOf(one.path("items")), text(one, "name"));
            assertTrue(verifyDay(one, "signing_secrets"), text(one, "name"));
        }
        for (JsonNode one : VECTORS.path("refused_reconciliation"))
            assertFalse(verifyDay(one, "verifying_secrets"), text(one, "name"));
    }

    @Test
    void judgesRefusals() {
        for (JsonNode one : VECTORS.path("verdicts")) {
            Endpoint endpoint = Endpoint.valueOf(text(one, "endpoint").toUpperCase(Locale.ROOT));
            Verdict verdict = Repetition.verdictOf(
                    endpoint, one.path("status").asInt(), text(one, "code"), one.path("retryable").asBoolean(),
                    texts(one, "fields"));
            assertEquals(text(one, "verdict"), verdict.name().toLowerCase(Locale.ROOT), one.toString());
        }
    }

    @Test
    void waitsLongerEachTimeAndNeverLessThanToldTo() {
        assertEquals(500, Repetition.pauseBeforeRepeatMillis(1, -1, 0));
        assertEquals(4_000, Repetition.pauseBeforeRepeatMillis(3, -1, 1));
        assertEquals(60_000, Repetition.pauseBeforeRepeatMillis(30, -1, 1));
        assertEquals(30_000, Repetition.pauseBeforeRepeatMillis(1, 30, 0));
    }

    private static boolean verifyDay(JsonNode one, String secrets) {
        String signature = one.path("signature_header").isNull() ? null : text(one, "signature_header");
        return Reconciliation.verifyDay(
                text(one, "date"), text(one, "currency"), text(one, "digest"), signature, texts(one, secrets));
    }

    private static String text(JsonNode one, String name) {
        return one.path(name).asText();
    }

    private static byte[] bytes(JsonNode one, String name) {
        return text(one, name).getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> texts(JsonNode one, String name) {
        List<String> texts = new ArrayList<>();
        one.path(name).forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static Map<String, String> headers(JsonNode one) {
        Map<String, String> headers = new HashMap<>();
        one.path("headers").fields().forEachRemaining(entry -> headers.put(entry.getKey(), entry.getValue().asText()));
        return headers;
    }
}
