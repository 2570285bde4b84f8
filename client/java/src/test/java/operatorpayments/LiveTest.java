package operatorpayments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Runs against a sandbox: BASE_URL, KEY_ID and SECRET are an operation's. */
@EnabledIfEnvironmentVariable(named = "BASE_URL", matches = "http.*")
class LiveTest {
    @Test
    void paysADepositOnce() throws Exception {
        Gateway gateway =
                new Gateway(System.getenv("BASE_URL"), System.getenv("KEY_ID"), System.getenv("SECRET"));
        assertTrue(gateway.get("/ping").body().path("ok").asBoolean());
        String external = "java-" + System.nanoTime();
        byte[] body = ("{\"external_id\":\"" + external + "\",\"player\":{\"external_ref\":\"player-" + external
                + "\",\"document\":{\"type\":\"CPF\",\"number\":\"52998224725\",\"country\":\"BR\"}},"
                + "\"amount\":{\"amount\":\"5000\",\"currency\":\"BRL\"},\"method\":\"pix\"}")
                .getBytes(StandardCharsets.UTF_8);
        String key = "deposit-create:" + external;
        Gateway.Answer created = gateway.createDeposit(key, body, Map.of());
        Gateway.Answer again = gateway.createDeposit(key, body, Map.of());
        assertTrue(again.replayed());
        assertEquals(created.body(), again.body());
        String id = created.body().path("id").asText();
        gateway.sandboxPayDeposit(id, "pay:" + id, new byte[0], Map.of());
        assertEquals("paid", gateway.get("/deposits/" + id).body().path("status").asText());
        ProblemException refused = assertThrows(ProblemException.class, () -> gateway.post(
                Endpoint.ACT, "/deposits/" + id + "/cancel", "cancel:" + id, new byte[0], Map.of()));
        assertEquals("invalid_state_transition", refused.code());
        assertEquals(Verdict.PAYMENT_EXISTS, refused.verdict());
        assertEquals(id, refused.problem().path("existing").path("id").asText());
    }
}
