import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/** A webhook receiver: verifies, stores each event once, answers at once, and works afterwards. */
public final class Receiver {
    private static final int MOST_BYTES = 1024 * 1024;

    /** In memory, to keep the example short: use your database, with a unique key on the event id. */
    static final class Store {
        private final Set<String> seen = new HashSet<>();
        private final Map<String, Map<String, Object>> alerts = new HashMap<>();
        private final Map<String, Map<String, Object>> musters = new HashMap<>();
        private final List<String> acted = new ArrayList<>();

        /** Deliveries come more than once, out of order, and beside what the poller fetched: all come through here. */
        synchronized void take(Map<String, Object> event) {
            String id = (String) event.get("id");
            if (!seen.add(id)) return;
            // A test event proves the connection; the API knows no such alert.
            if (event.get("organization_id") == null) return;
            Map<String, Object> data = Json.object(event.get("data"));
            Map<String, Object> alert = data == null ? null : Json.object(data.get("alert"));
            Map<String, Object> muster = data == null ? null : Json.object(data.get("muster"));
            if (alert != null) keepNewest(alerts, alert, (String) alert.get("date_last_modified"));
            if (muster != null) keepNewest(musters, muster, (String) event.get("created_at"));
            // Here the work begins that may take long: page somebody, open a door, write a report.
            acted.add(id);
        }

        /** All times of the API have the same form, so that they compare as text. */
        private static void keepNewest(Map<String, Map<String, Object>> held, Map<String, Object> one, String asOf) {
            one.put("as_of", asOf);
            held.merge((String) one.get("id"), one, (before, after) ->
                    ((String) before.get("as_of")).compareTo(asOf) < 0 ? after : before);
        }

        synchronized String state() {
            return Json.write(Map.of("alerts", alerts.values(), "musters", musters.values(), "acted", acted));
        }
    }

    public static void main(String[] arguments) throws IOException {
        String secret = System.getenv("SANDBOX_WEBHOOK_SECRET");
        if (secret == null || secret.isEmpty()) throw new IllegalStateException("SANDBOX_WEBHOOK_SECRET is not set.");
        Store store = new Store();
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        // For `sandbox certify --probe`; leave it out, or protect it, in production.
        server.createContext("/state", exchange -> answer(exchange, 200, store.state()));
        server.createContext("/", exchange -> {
            try {
                answer(exchange, receive(exchange, secret, store), "");
            } catch (RuntimeException broken) {
                answer(exchange, 500, "");
            }
        });
        server.start();
        if (System.getenv("SANDBOX_API_URL") != null) {
            Thread poller = new Thread(new Poller(store::take));
            poller.setDaemon(true);
            poller.start();
        }
    }

    private static int receive(HttpExchange exchange, String secret, Store store) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        if (!exchange.getRequestMethod().equals("POST")) return 405;
        if (body.length > MOST_BYTES) return 413;
        // Headers.getFirst ignores the case of names.
        String timestamp = exchange.getRequestHeaders().getFirst("X-Service-Timestamp");
        String signature = exchange.getRequestHeaders().getFirst("X-Service-Signature");
        if (!Verify.isGenuine(timestamp, signature, body, secret, Instant.now())) return 401;
        store.take(Json.object(Json.parse(new String(body, StandardCharsets.UTF_8))));
        return 204;
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) exchange.getResponseBody().write(body);
        exchange.close();
    }
}
