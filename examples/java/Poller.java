import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Fills gaps: fetches what no delivery brought from GET /v1/events, at the start and every minute. */
final class Poller implements Runnable {
    private static final double EVERY_S = Double.parseDouble(System.getenv().getOrDefault("POLL_SECONDS", "60"));

    private final String api = System.getenv("SANDBOX_API_URL");
    private final HttpClient http = HttpClient.newHttpClient();
    private final Consumer<Map<String, Object>> take;
    private String token;
    /** To be the created_at of the last event that your database holds; null means the last 30 days. */
    private String last;

    Poller(Consumer<Map<String, Object>> take) {
        this.take = take;
    }

    @Override
    public void run() {
        try {
            while (true) {
                try {
                    fetch();
                } catch (IOException | RuntimeException error) {
                    System.err.println("Events are fetched again in " + EVERY_S + " s: " + error.getMessage());
                }
                Thread.sleep((long) (EVERY_S * 1000));
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void fetch() throws IOException, InterruptedException {
        String query = "/v1/events?limit=200" + (last == null ? "" : "&created_after=" + encoded(last));
        String cursor = "";
        while (cursor != null) {
            Map<String, Object> page = get(query + (cursor.isEmpty() ? "" : "&cursor=" + encoded(cursor)));
            for (Object one : (List<?>) page.get("data")) {
                Map<String, Object> event = Json.object(one);
                take.accept(event);
                last = (String) event.get("created_at");
            }
            cursor = (String) page.get("next_cursor");
        }
    }

    /** One GET: a token that has ended is renewed once, and a limit is waited for. */
    private Map<String, Object> get(String path) throws IOException, InterruptedException {
        boolean renewed = false;
        while (true) {
            if (token == null) token = newToken();
            HttpResponse<String> answer = send(request(path).header("Authorization", "Bearer " + token).build());
            int status = answer.statusCode();
            if (status == 200) return Json.object(Json.parse(answer.body()));
            if (status == 401 && !renewed) {
                token = null;
                renewed = true;
            } else if (status == 429) {
                Thread.sleep(1000 * Long.parseLong(answer.headers().firstValue("Retry-After").orElse("1")));
            } else throw new IOException("GET " + path + ": " + status);
        }
    }

    private String newToken() throws IOException, InterruptedException {
        String form = "grant_type=client_credentials&client_id=" + encoded(System.getenv("SANDBOX_CLIENT_ID"))
                + "&client_secret=" + encoded(System.getenv("SANDBOX_CLIENT_SECRET"));
        HttpResponse<String> answer = send(request("/v1/oauth/token")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)).build());
        if (answer.statusCode() != 200) throw new IOException("No token: " + answer.statusCode());
        return (String) Json.object(Json.parse(answer.body())).get("access_token");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(api + path)).timeout(Duration.ofSeconds(30));
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
