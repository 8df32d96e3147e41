import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies a webhook delivery. No dependencies: copy this file. */
final class Verify {
    private static final long TOLERANCE_MS = 300_000;

    private Verify() {}

    /**
     * True for a genuine delivery that is no older (and no newer) than 5 minutes.
     *
     * @param body the raw request body, before any parser
     * @param secret the whole text that starts with whsec_
     * @param signature during a rotation it holds two signatures; either may fit
     */
    static boolean isGenuine(String timestamp, String signature, byte[] body, String secret, Instant now) {
        if (timestamp == null || signature == null || !timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now.toEpochMilli() - Long.parseLong(timestamp) * 1000) > TOLERANCE_MS) return false;
        byte[] expected = ("v1=" + hmac(timestamp, body, secret)).getBytes(StandardCharsets.UTF_8);
        boolean fits = false;
        for (String one : signature.split(","))
            fits |= MessageDigest.isEqual(one.trim().getBytes(StandardCharsets.UTF_8), expected);
        return fits;
    }

    private static String hmac(String timestamp, byte[] body, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
            StringBuilder hex = new StringBuilder();
            for (byte one : mac.doFinal(body)) hex.append(String.format("%02x", one));
            return hex.toString();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
