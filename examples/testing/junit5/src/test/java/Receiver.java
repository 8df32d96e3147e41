import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A small receiver of your own: it verifies each delivery, and keeps each event once. */
final class Receiver implements AutoCloseable {
    volatile String secret = "";
    final String url;
    private final HttpServer server;
    private final BlockingQueue<Map<String, Object>> events = new LinkedBlockingQueue<>();
    private final Set<Object> seen = ConcurrentHashMap.newKeySet();

    Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hook", this::take);
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String timestamp = exchange.getRequestHeaders().getFirst("X-Service-Timestamp");
            String signature = exchange.getRequestHeaders().getFirst("X-Service-Signature");
            boolean isGenuine = Verify.isGenuine(timestamp, signature, body, secret, Instant.now());
            exchange.sendResponseHeaders(isGenuine ? 204 : 401, -1);
            if (!isGenuine) return;
            Map<String, Object> event = Json.object(Json.parse(new String(body, StandardCharsets.UTF_8)));
            if (seen.add(event.get("id"))) events.add(event);
        }
    }

    /** The next event of this type; an error with the events that came if it does not come within 5 s. */
    Map<String, Object> next(String type) throws InterruptedException {
        List<Object> others = new ArrayList<>();
        while (true) {
            Map<String, Object> event = events.poll(5, TimeUnit.SECONDS);
            if (event == null) throw new AssertionError("No " + type + " came within 5 s, but " + others);
            if (event.get("type").equals(type)) return event;
            others.add(event.get("type"));
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
