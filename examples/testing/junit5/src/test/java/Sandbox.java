import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sandbox for the tests of one class: `act` makes things happen, `await` waits for their effect, `call` is the API as your client sees it. */
final class Sandbox implements AutoCloseable {
    /**
     * `exec` runs a command beside the sandbox. This one prints its environment, which has the addresses and credentials,
     * and ends when its stdin ends: when `close` closes it, and also when the JVM is killed. Then `exec` stops the sandbox.
     */
    private static final String UNTIL_STDIN_ENDS =
            "process.on('SIGINT', () => {}); console.log(JSON.stringify(process.env)); process.stdin.resume()";

    private static final String COMMAND =
            Optional.ofNullable(System.getenv("SANDBOX_COMMAND")).orElse("npx muster-sandbox");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final Map<String, Object> env;
    private String token;

    private Sandbox(Process process, Map<String, Object> env) {
        this.process = process;
        this.env = env;
    }

    static Sandbox start() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(COMMAND.split(" ")));
        command.addAll(List.of("exec", "--seed", "7", "--watches", "12", "--", "node", "-e", UNTIL_STDIN_ENDS));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (line == null)
            throw new IllegalStateException("The sandbox did not start (" + process.waitFor() + "); its stderr has the reason.");
        return new Sandbox(process, Json.object(Json.parse(line)));
    }

    Map<String, Object> call(String method, String path, Object body) throws IOException, InterruptedException {
        return send(method, path, body, token());
    }

    Map<String, Object> act(String action, Map<String, Object> fields) throws IOException, InterruptedException {
        Map<String, Object> body = new HashMap<>(fields);
        body.put("action", action);
        return Json.object(control("POST", "/v1/sandbox/actions", body).get("result"));
    }

    /** What fits, as soon as it is there; after `within` (5s), an error with the nearest candidate. */
    Map<String, Object> await(Map<String, Object> wanted) throws IOException, InterruptedException {
        return Json.object(call("POST", "/v1/sandbox/wait", wanted).get("found"));
    }

    void advance(String duration) throws IOException, InterruptedException {
        control("POST", "/v1/sandbox/clock", Map.of("advance", duration));
    }

    void reset() throws IOException, InterruptedException {
        control("POST", "/v1/sandbox/reset", Map.of());
    }

    /** Delivers all events of the first company to a local address; returns `id` and `secret`. */
    Map<String, Object> listen(String url) throws IOException, InterruptedException {
        return control("POST", "/v1/sandbox/destinations", Map.of("forward_to", url));
    }

    void forget(Object destinationId) throws IOException, InterruptedException {
        control("DELETE", "/v1/sandbox/destinations/" + destinationId, null);
    }

    /** Waits until the sandbox has ended. */
    @Override
    public void close() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }

    private Map<String, Object> control(String method, String path, Object body) throws IOException, InterruptedException {
        return send(method, path, body, text("SANDBOX_CONTROL_TOKEN"));
    }

    private Map<String, Object> send(String method, String path, Object body, String bearer)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(text("SANDBOX_API_URL") + path))
                .header("Authorization", "Bearer " + bearer)
                .header("Content-Type", "application/json")
                .method(method, bytes(body == null ? "" : Json.write(body)))
                .build();
        return answer(method + " " + path, request);
    }

    private String token() throws IOException, InterruptedException {
        if (token != null) return token;
        String form = "grant_type=client_credentials&client_id=" + encoded("SANDBOX_CLIENT_ID")
                + "&client_secret=" + encoded("SANDBOX_CLIENT_SECRET");
        HttpRequest request = HttpRequest.newBuilder(URI.create(text("SANDBOX_API_URL") + "/v1/oauth/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(bytes(form))
                .build();
        token = (String) answer("POST /v1/oauth/token", request).get("access_token");
        return token;
    }

    private Map<String, Object> answer(String called, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new AssertionError(called + ": " + answer.statusCode() + " " + answer.body());
        return answer.body().isEmpty() ? Map.of() : Json.object(Json.parse(answer.body()));
    }

    private String text(String name) {
        return (String) env.get(name);
    }

    private String encoded(String name) {
        return URLEncoder.encode(text(name), StandardCharsets.UTF_8);
    }

    private static HttpRequest.BodyPublisher bytes(String text) {
        return HttpRequest.BodyPublishers.ofString(text);
    }
}
