package operatorpayments;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** The Svc-Signature header of webhooks and of closed days. */
final class Signatures {
    /** The gateway sends one value, two during a rotation. The bound keeps a hostile header from costing many. */
    private static final int MAX_VALUES = 8;

    private Signatures() {}

    /** The v1 values; empty if there is none or there are too many. Other schemes are ignored. */
    static List<String> values(String header) {
        String[] entries = header.split(",", -1);
        List<String> values = new ArrayList<>();
        if (entries.length > MAX_VALUES) return values;
        for (String entry : entries)
            if (entry.strip().matches("v1=[0-9a-f]{64}")) values.add(entry.strip().substring(3));
        return values;
    }

    /** Compares every secret with every value and never stops early, so that the time reveals no near match. */
    static boolean anyMatches(List<String> secrets, String signed, List<String> values) {
        boolean matched = false;
        for (String secret : secrets) {
            if (secret.isEmpty()) throw new IllegalArgumentException("a webhook secret must not be empty");
            byte[] expected = Signing.hmacHex(secret, signed).getBytes(StandardCharsets.US_ASCII);
            for (String value : values)
                matched |= MessageDigest.isEqual(expected, value.getBytes(StandardCharsets.US_ASCII));
        }
        return matched;
    }
}
