package operatorpayments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Signed calls of one operation's key; repeats follow the repetition rule. */
public final class Gateway implements Calls {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAX_ANSWER_BYTES = 8 * 1024 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ATTEMPTS = 6;
    private static final long GIVE_UP_AFTER_MILLIS = 60_000;

    private final URI base;
    private final String keyId;
    private final String secret;
    private final HttpClient http;
    private final Map<String, String> everywhere;

    /** A 2xx answer. `replayed`: the recorded answer of an earlier request with the same key. */
    public record Answer(int status, JsonNode body, Map<String, java.util.List<String>> headers, boolean replayed) {}

    public Gateway(String baseUrl, String keyId, String secret) {
        this(baseUrl, keyId, secret, HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build());
    }

    /** With an HttpClient of your own, which presents the client certificate that production demands. */
    public Gateway(String baseUrl, String keyId, String secret, HttpClient http) {
        this(baseUrl, keyId, secret, http, Map.of());
    }

    /** With headers that go with every request, such as Sandbox-Later-Version in a test. */
    public Gateway(String baseUrl, String keyId, String secret, HttpClient http, Map<String, String> everywhere) {
        this.base = URI.create(baseUrl.replaceAll("/+$", ""));
        if (!base.getPath().endsWith("/v1")) throw new IllegalArgumentException("the base URL must end in /v1");
        this.keyId = keyId;
        this.secret = secret;
        this.http = http;
        this.everywhere = Map.copyOf(everywhere);
    }

    /** Reads path, such as "/deposits/dep_…"; the query is part of it, already encoded. */
    @Override
    public Answer get(String path) throws ProblemException, NoAnswerException, InterruptedException {
        return send(Endpoint.READ, "GET", path, new byte[0], Map.of());
    }

    /** Sends the bytes under the Idempotency-Key, which you store with them before the first attempt. */
    @Override
    public Answer post(Endpoint endpoint, String path, String idempotencyKey, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        if (!idempotencyKey.matches("[A-Za-z0-9_.:-]{16,128}"))
            throw new IllegalArgumentException("an Idempotency-Key has 16 to 128 characters of A-Z a-z 0-9 _ . : -");
        Map<String, String> all = new HashMap<>(headers);
        all.put("Idempotency-Key", idempotencyKey);
        all.put("Content-Type", "application/json; charset=utf-8");
        return send(endpoint, "POST", path, body, all);
    }

    private Answer send(Endpoint endpoint, String method, String path, byte[] body, Map<String, String> headers)
            throws ProblemException, NoAnswerException, InterruptedException {
        String name = method + " " + path.split("\\?", 2)[0];
        long began = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            long retryAfter = -1;
            ProblemException problem = null;
            NoAnswerException silence = null;
            try {
                return attempt(endpoint, name, method, path, body, headers);
            } catch (ProblemException refused) {
                if (refused.verdict() != Verdict.REPEAT) throw refused;
                problem = refused;
                retryAfter = refused.retryAfterSeconds();
            } catch (IOException error) {
                silence = new NoAnswerException(name, error);
            }
            long pause = Repetition.pauseBeforeRepeatMillis(
                    attempt, retryAfter, ThreadLocalRandom.current().nextDouble());
            long sinceMillis = (System.nanoTime() - began) / 1_000_000;
            if (attempt >= MAX_ATTEMPTS || sinceMillis + pause > GIVE_UP_AFTER_MILLIS) {
                if (problem != null) throw problem;
                throw silence;
            }
            Thread.sleep(pause);
        }
    }

    private Answer attempt(
            Endpoint endpoint, String name, String method, String path, byte[] body, Map<String, String> headers)
            throws ProblemException, IOException, InterruptedException {
        String target = base.getRawPath() + path;
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        Map<String, String> signed = Signing.headers(
                keyId, secret, System.currentTimeMillis() / 1000, HexFormat.of().formatHex(random), method, target, body);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT);
        everywhere.forEach(request::header);
        headers.forEach(request::header);
        signed.forEach(request::header);
        request.method(method, method.equals("POST")
                ? HttpRequest.BodyPublishers.ofByteArray(body) : HttpRequest.BodyPublishers.noBody());
        HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        byte[] raw;
        try (InputStream stream = response.body()) {
            raw = stream.readNBytes(MAX_ANSWER_BYTES + 1);
        }
        if (raw.length > MAX_ANSWER_BYTES) throw new IOException("the answer is too long");
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            boolean replayed = response.headers().firstValue("Idempotent-Replayed").orElse("").equals("true");
            return new Answer(status, JSON.readTree(raw), response.headers().map(), replayed);
        }
        if (status < 400) throw new IOException("unexpected status " + status);
        String retryAfter = response.headers().firstValue("Retry-After").orElse("");
        throw new ProblemException(
                name, status, problemOf(response, raw), retryAfter.matches("[0-9]{1,9}") ? Long.parseLong(retryAfter) : -1,
                endpoint);
    }

    private static JsonNode problemOf(HttpResponse<InputStream> response, byte[] raw) throws IOException {
        if (response.headers().firstValue("Content-Type").orElse("").startsWith("application/problem+json")) {
            try {
                JsonNode problem = JSON.readTree(raw);
                if (problem.path("code").isTextual()) return problem;
            } catch (JsonProcessingException error) {
                // No problem of the gateway, as an edge proxy's page.
            }
        }
        return JSON.createObjectNode().put("code", "unrecognised_answer");
    }
}
