package operatorpayments;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Request signatures as pure functions of bytes: clock and randomness stay outside. */
public final class Signing {
    private Signing() {}

    /** The six lines that are signed. IllegalArgumentException for input that no server would accept. */
    public static String canonicalRequest(long timestamp, String nonce, String method, String target, byte[] body) {
        if (timestamp <= 0) throw new IllegalArgumentException("timestamp must be whole Unix seconds");
        if (!nonce.matches("[0-9a-f]{32}"))
            throw new IllegalArgumentException("nonce must be 32 lower-case hex characters");
        // A line feed in the target would forge a line of the canonical request.
        if (!target.matches("/[\\x21-\\x7e]*"))
            throw new IllegalArgumentException("target must be a percent-encoded path that begins with \"/\"");
        String verb = method.toUpperCase(Locale.ROOT);
        return String.join("\n", "v1", Long.toString(timestamp), nonce, verb, target, sha256Hex(body));
    }

    /** The four Svc- headers. The secret is used as the text that you received, never decoded. */
    public static Map<String, String> headers(
            String keyId, String secret, long timestamp, String nonce, String method, String target, byte[] body) {
        String lines = canonicalRequest(timestamp, nonce, method, target, body);
        return Map.of(
                "Svc-Key-Id", keyId,
                "Svc-Timestamp", Long.toString(timestamp),
                "Svc-Nonce", nonce,
                "Svc-Signature", "v1=" + hmacHex(secret, lines));
    }

    static String sha256Hex(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    static String hmacHex(String secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
