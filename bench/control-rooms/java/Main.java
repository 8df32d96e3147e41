import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The situation screen of a control room: webhooks first, everything in memory.
 *
 * <p>It compares itself with the API at its start, at intervals, and when the contact was lost. Batteries and silent
 * watches are for the maintenance desk, which takes charge of them through the API at once.
 */
public final class Main {
    private static final int PAGE = 25;
    private static final int TRIES = 4;
    private static final int MOST_BYTES = 1024 * 1024;
    private static final long RETRY_MS = Long.parseLong(System.getenv().getOrDefault("RETRY_MS", "100"));
    private static final Set<String> FOR_MAINTENANCE = Set.of("low_battery", "device_offline");
    private static final String BUG = System.getenv().getOrDefault("BUG", "");

    private Main() {}

    /** One planted mistake for each value of BUG; switches.json describes them. */
    static boolean bug(String name) {
        return BUG.equals(name);
    }

    // ------------------------------------------------------------ the API

    /** The API refused a call, and a repetition would not help now. */
    @SuppressWarnings("serial")
    static final class Refused extends RuntimeException {
        final int status;

        Refused(int status) {
            super("the API answered " + status);
            this.status = status;
        }
    }

    record Reply(int status, Map<String, Object> body, String retryAfter) {}

    /** Renews the token, obeys Retry-After, repeats after a 5xx. */
    static final class Api {
        private final HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();
        private final String url;
        private final String form;
        private Supplier<String> token;
        private String current;
        private long renewAt;
        private int failures;

        Api(Map<String, Object> settings) {
            url = String.valueOf(settings.get("SANDBOX_API_URL"));
            form = "grant_type=client_credentials&client_id=" + encoded(settings.get("SANDBOX_CLIENT_ID"))
                    + "&client_secret=" + encoded(settings.get("SANDBOX_CLIENT_SECRET"));
        }

        static String encoded(Object value) {
            return URLEncoder.encode(String.valueOf(value), StandardCharsets.UTF_8);
        }

        Map<String, Object> call(String method, String path, Map<String, Object> body) {
            boolean renewed = false;
            for (int attempt = 1; ; attempt++) {
                String bearer = token();
                Reply reply = send(method, path, bearer, "application/json", body == null ? null : Json.write(body));
                if (reply.status == 200) return reply.body;
                if (reply.status == 401 && !renewed) {
                    renewed = true;
                    forget(bearer);
                } else {
                    pauseOrThrow(reply, attempt);
                }
            }
        }

        /** All items of a list; with pages: to the end. */
        List<Map<String, Object>> list(String path, String query) {
            List<Map<String, Object>> items = new ArrayList<>();
            String cursor = null;
            do {
                String more = cursor == null ? "" : "&cursor=" + encoded(cursor);
                Map<String, Object> page = call("GET", path + "?" + query + more, null);
                for (Object one : (List<?>) page.get("data")) items.add(Json.object(one));
                cursor = (String) page.get("next_cursor");
            } while (cursor != null && !bug("reconcile-first-page"));
            return items;
        }

        /** True once after three calls in a row without an answer of the service. */
        synchronized boolean contactIsBack() {
            boolean back = failures >= 3;
            failures = 0;
            return back;
        }

        private synchronized void forget(String ended) {
            if (ended.equals(current)) token = null;
        }

        private synchronized String token() {
            if (token == null || System.nanoTime() > renewAt) token = memoised(this::requestToken);
            try {
                current = token.get();
                return current;
            } catch (Refused refused) {
                // The next call asks again.
                if (!bug("cached-token-failure")) token = null;
                throw refused;
            }
        }

        /** The outcome of the first call, a value or a failure, for every later call. */
        private static Supplier<String> memoised(Supplier<String> make) {
            return new Supplier<>() {
                private String value;
                private Refused failure;

                @Override
                public String get() {
                    if (failure != null) throw failure;
                    if (value != null) return value;
                    try {
                        return value = make.get();
                    } catch (Refused refused) {
                        throw failure = refused;
                    }
                }
            };
        }

        private String requestToken() {
            for (int attempt = 1; ; attempt++) {
                Reply reply = send("POST", "/v1/oauth/token", null, "application/x-www-form-urlencoded", form);
                if (reply.status == 200) {
                    long lifeS = ((Double) reply.body.get("expires_in")).longValue();
                    renewAt = System.nanoTime() + Duration.ofSeconds(lifeS - 60).toNanos();
                    return (String) reply.body.get("access_token");
                }
                pauseOrThrow(reply, attempt);
            }
        }

        /** Returns when the call may be repeated. */
        private void pauseOrThrow(Reply reply, int attempt) {
            if (reply.status == 429 && !bug("refused-is-final")) {
                sleep(1000 * Long.parseLong(reply.retryAfter == null ? "1" : reply.retryAfter));
            } else if ((reply.status == 0 || reply.status >= 500) && attempt < TRIES) {
                sleep(RETRY_MS << (attempt - 1));
            } else {
                throw new Refused(reply.status);
            }
        }

        private static void sleep(long ms) {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException stopped) {
                throw new Refused(0);
            }
        }

        /** Status 0: there was no answer, or one that was cut off. */
        private Reply send(String method, String path, String bearer, String type, String body) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(20));
            if (bearer != null) request.header("Authorization", "Bearer " + bearer);
            if (body == null) request.method(method, HttpRequest.BodyPublishers.noBody());
            else request.header("Content-Type", type).method(method, HttpRequest.BodyPublishers.ofString(body));
            Reply reply;
            try {
                HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
                Map<String, Object> parsed = answer.statusCode() == 200 ? Json.object(Json.parse(answer.body())) : null;
                reply = new Reply(answer.statusCode(), parsed, answer.headers().firstValue("Retry-After").orElse(null));
            } catch (IOException | IllegalArgumentException broken) {
                reply = new Reply(0, null, null);
            } catch (InterruptedException stopped) {
                throw new Refused(0);
            }
            synchronized (this) {
                if (reply.status == 0 || reply.status >= 500) failures++;
            }
            return reply;
        }
    }

    // ------------------------------------------------------------ the screen

    /** What is held of an alert or a muster; `read`: the API answered it, so an event that comes later may be older. */
    record Held(Map<String, Object> body, Instant asOf, boolean read) {
        Held(Map<String, Object> body, Instant asOf) {
            this(body, asOf, false);
        }
    }

    static final class Screen {
        private final Api api;
        private final Set<String> seen = new HashSet<>();
        private final Map<String, Held> alerts = new LinkedHashMap<>();
        private final Map<String, Held> musters = new LinkedHashMap<>();
        private final Map<String, List<Map<String, Object>>> missing = new LinkedHashMap<>();
        private List<Map<String, Object>> positions = List.of();
        private final List<String> secrets = new ArrayList<>();
        /** Ids of alerts of which the maintenance desk has yet to take charge. */
        private final Set<String> pending = new LinkedHashSet<>();
        /** Calls of the API, one after the other, so that a delivery is answered at once. */
        private final ExecutorService work = Executors.newSingleThreadExecutor(runnable -> {
            Thread thread = new Thread(runnable);
            thread.setDaemon(true);
            return thread;
        });

        Screen(Map<String, Object> settings) {
            api = new Api(settings);
            if (settings.get("SANDBOX_WEBHOOK_SECRET") instanceof String secret) secrets.add(secret);
        }

        // ---- events

        synchronized void take(Map<String, Object> event) {
            String id = (String) event.get("id");
            String type = (String) event.get("type");
            Map<String, Object> data = Json.object(event.get("data"));
            Map<String, Object> alert = Json.object(data.get("alert"));
            Map<String, Object> muster = Json.object(data.get("muster"));
            // A test event proves the connection; the API knows no such alert.
            if (event.get("organization_id") == null) return;
            String object = (String) (alert == null ? muster : alert).get("id");
            String key = bug("dedupe-by-type") ? type + " " + object : id;
            if (seen.contains(key)) return;
            if (alert != null && !(bug("reopened-unknown") && type.equals("alert.reopened"))) keepAlert(alert);
            if (muster != null) keepMuster(muster, Instant.parse((String) event.get("created_at")));
            seen.add(key); // after the work: a delivery that failed comes again
        }

        /** Keeps the newest version; what is for the maintenance desk is acknowledged. */
        private synchronized void keepAlert(Map<String, Object> alert) {
            String id = (String) alert.get("id");
            Instant modified = Instant.parse((String) alert.get("date_last_modified"));
            if (bug("second-precision")) modified = modified.truncatedTo(ChronoUnit.SECONDS);
            Held held = alerts.get(id);
            if (held != null && !modified.isAfter(held.asOf)) return;
            shown(alert); // refuses what cannot be shown, before it is kept
            alerts.put(id, new Held(alert, modified));
            if (!FOR_MAINTENANCE.contains(alert.get("type")) || !alert.get("status").equals("unacknowledged")) return;
            pending.add(id);
            work.submit(this::takeCharge);
        }

        private synchronized void keepMuster(Map<String, Object> muster, Instant asOf) {
            String id = (String) muster.get("id");
            Held held = musters.get(id);
            if (held != null && !asOf.isAfter(held.asOf)) return;
            if (held != null && !isActive(held.body)) return; // what has ended does not begin again
            musters.put(id, new Held(muster, asOf));
            if (held != null && held.read) work.submit(() -> readMuster(id));
            if (muster.get("status").equals("active")) work.submit(() -> readMissing(id));
            else missing.remove(id);
        }

        // ---- calls of the API

        /** Acknowledges what waits for it; what fails waits for the next tick. */
        private void takeCharge() {
            List<String> waiting;
            synchronized (this) {
                waiting = List.copyOf(pending);
            }
            Map<String, Object> body = Map.of("status", "acknowledged", "actor", Map.of("name", "Maintenance desk"));
            for (String id : waiting) {
                attempt("acknowledge " + id, () -> {
                    try {
                        Map<String, Object> answer = api.call("PATCH", "/v1/alerts/" + id, body);
                        keepAlert(answer);
                        if (bug("own-ack-hides-later")) hold(id, answer, Instant.now());
                    } catch (Refused refused) {
                        // 404: hidden by now. 409: somebody resolved it. Everything else waits.
                        boolean isOver = refused.status == 404 || refused.status == 409;
                        if (!isOver && !bug("refused-is-final")) throw refused;
                        settle(id, true);
                        return;
                    }
                    settle(id, false);
                });
            }
        }

        private synchronized void hold(String id, Map<String, Object> alert, Instant asOf) {
            alerts.put(id, new Held(alert, asOf));
        }

        /** Still unacknowledged after a success: it was reopened meanwhile, and needs another call. */
        private synchronized void settle(String id, boolean refused) {
            Held held = alerts.get(id);
            if (refused || held == null || !held.body.get("status").equals("unacknowledged")) pending.remove(id);
        }

        private void readMuster(String id) {
            Held before;
            synchronized (this) {
                before = musters.get(id);
            }
            attempt("muster " + id, () ->
                    read("/v1/musters/" + id, one -> replaceMuster(one, before), () -> musters.remove(id)));
        }

        private void readMissing(String id) {
            attempt("missing of " + id, () -> {
                List<Map<String, Object>> people = api.list("/v1/musters/" + id + "/missing", "");
                synchronized (this) {
                    Held held = musters.get(id);
                    if (held != null && isActive(held.body)) missing.put(id, people);
                }
            });
        }

        /** Reads what is open and active, and asks about what is held as open but not listed any more. */
        void reconcile() {
            work.submit(this::takeCharge);
            work.submit(() -> attempt("reconcile", () -> {
                reconcileAlerts();
                reconcileMusters();
                List<Map<String, Object>> seenNow = api.list("/v1/positions", "");
                synchronized (this) {
                    positions = seenNow;
                }
            }));
        }

        private void reconcileAlerts() {
            List<String> held = openAlerts();
            Set<String> listed = new HashSet<>();
            for (Map<String, Object> one : api.list("/v1/alerts", "status=unacknowledged,acknowledged&limit=" + PAGE)) {
                listed.add((String) one.get("id"));
                keepAlert(one);
            }
            for (String id : held) {
                if (listed.contains(id)) continue;
                if (bug("reconcile-first-page")) forget(id);
                else read("/v1/alerts/" + id, this::keepAlert, () -> alerts.remove(id));
            }
        }

        private synchronized void forget(String id) {
            alerts.remove(id);
        }

        /** A muster has no time: an answer is at least as new as each event that had come before the question. */
        private void reconcileMusters() {
            Map<String, Held> before;
            synchronized (this) {
                before = new LinkedHashMap<>(musters);
            }
            Set<String> listed = new HashSet<>();
            for (Map<String, Object> one : api.list("/v1/musters", "status=active&limit=" + PAGE)) {
                listed.add((String) one.get("id"));
                replaceMuster(one, before.get(one.get("id")));
            }
            before.forEach((id, held) -> {
                if (!isActive(held.body) || listed.contains(id)) return;
                read("/v1/musters/" + id, one -> replaceMuster(one, held), () -> musters.remove(id));
            });
        }

        private synchronized void replaceMuster(Map<String, Object> muster, Held before) {
            String id = (String) muster.get("id");
            if (musters.get(id) != before) return; // an event came meanwhile, and the next one is at least as new
            musters.put(id, new Held(muster, before == null ? Instant.EPOCH : before.asOf, true));
            if (!isActive(muster)) missing.remove(id);
        }

        /** Reads one object; an object that is hidden by now is removed. */
        private void read(String path, Consumer<Map<String, Object>> keep, Runnable remove) {
            try {
                keep.accept(api.call("GET", path, null));
            } catch (Refused refused) {
                if (refused.status != 404) throw refused;
                synchronized (this) {
                    remove.run();
                }
            }
        }

        /** Runs a piece of work; after a lost contact, everything is compared with the API again. */
        private void attempt(String what, Runnable piece) {
            try {
                piece.run();
                if (api.contactIsBack()) rebuild();
            } catch (RuntimeException failed) {
                System.err.println(what + ": " + failed);
            }
        }

        private void rebuild() {
            if (bug("rebuild-without-musters")) {
                synchronized (this) {
                    alerts.clear();
                    musters.clear();
                    missing.clear();
                }
                reconcileAlerts();
            } else {
                reconcile();
            }
        }

        // ---- what the screen shows

        private synchronized List<String> openAlerts() {
            List<String> open = new ArrayList<>();
            alerts.forEach((id, held) -> {
                if (!held.body.get("status").equals("resolved")) open.add(id);
            });
            return open;
        }

        private static boolean isActive(Map<String, Object> muster) {
            if (bug("cancelled-stays")) return !muster.get("status").equals("completed");
            return muster.get("status").equals("active");
        }

        private static Map<String, Object> shown(Map<String, Object> alert) {
            Map<String, Object> row = new LinkedHashMap<>();
            for (String key : List.of("id", "type", "severity", "status", "location_withheld")) row.put(key, alert.get(key));
            Map<String, Object> zone = Json.object(alert.get("zone"));
            Map<String, Object> worker = Json.object(alert.get("worker"));
            Map<String, Object> place = Json.object(alert.get("location"));
            Map<String, Object> acknowledged = Json.object(alert.get("acknowledged"));
            row.put("site", Json.object(alert.get("site")).get("name"));
            row.put("zone", zone == null ? null : zone.get("name"));
            row.put("person", worker == null ? null : nameOf(worker));
            row.put("acknowledged_by", acknowledged == null ? null : acknowledged.get("by"));
            row.put("on_watch_at", alert.get("worker_acknowledged_at"));
            if (place != null) row.put("point", List.of(place.get("latitude"), place.get("longitude")));
            else row.put("point", bug("null-location-origin") ? List.of(0.0, 0.0) : null);
            return row;
        }

        /** The contract may hide names; then the code of the worker is shown. */
        private static String nameOf(Map<String, Object> worker) {
            if (bug("name-required")) return worker.get("name").toString();
            Object name = worker.get("name") == null ? worker.get("external_id") : worker.get("name");
            return name == null ? "unknown" : name.toString();
        }

        synchronized String alertsJson(Predicate<Map<String, Object>> filter) {
            List<Object> rows = new ArrayList<>();
            for (String id : openAlerts()) {
                Map<String, Object> row = shown(alerts.get(id).body);
                if (filter.test(row)) rows.add(row);
            }
            return Json.write(Map.of("alerts", rows));
        }

        synchronized String mustersJson(Predicate<Map<String, Object>> filter) {
            List<Object> rows = new ArrayList<>();
            musters.forEach((id, held) -> {
                Map<String, Object> muster = held.body;
                if (!isActive(muster) || !filter.test(muster)) return;
                Map<String, Object> row = new LinkedHashMap<>();
                for (String key : List.of("id", "kind", "phase", "status", "deadline", "totals")) row.put(key, muster.get(key));
                row.put("site", Json.object(muster.get("site")).get("name"));
                List<Object> people = new ArrayList<>();
                for (Map<String, Object> one : missing.getOrDefault(id, List.of()))
                    people.add(nameOf(Json.object(one.get("worker"))) + ": " + one.get("status"));
                row.put("missing", people);
                rows.add(row);
            });
            return Json.write(Map.of("musters", rows));
        }

        synchronized String peopleJson() {
            return Json.write(Map.of("people", positions));
        }

        // ---- signatures

        synchronized void addSecret(String secret) {
            if (bug("secret-not-stored")) return;
            secrets.add(0, secret);
            if (secrets.size() > 2) secrets.remove(2);
        }

        synchronized boolean isGenuine(String timestamp, String signature, byte[] body) {
            if (timestamp == null || signature == null || !timestamp.matches("[0-9]{1,12}")) return false;
            if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
            boolean fits = false;
            for (String secret : secrets) {
                byte[] expected = ("v1=" + hmac(secret, timestamp, body)).getBytes(StandardCharsets.UTF_8);
                for (String one : signature.split(","))
                    fits |= MessageDigest.isEqual(one.trim().getBytes(StandardCharsets.UTF_8), expected);
            }
            return fits;
        }

        private static String hmac(String secret, String timestamp, byte[] body) {
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

        void stop() {
            work.shutdownNow();
        }
    }

    // ------------------------------------------------------------ the server

    private static volatile Screen screen;

    private static synchronized void begin(Map<String, Object> settings) {
        if (screen != null) screen.stop();
        screen = new Screen(settings);
        if (settings.get("SANDBOX_API_URL") != null) screen.reconcile();
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        begin(new LinkedHashMap<>(System.getenv()));
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", Main::serve);
        server.start();
    }

    private static void serve(HttpExchange exchange) throws IOException {
        String answer = "{}";
        int status = 200;
        try {
            byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
            String text = new String(body, StandardCharsets.UTF_8);
            switch (exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath()) {
                case "GET /health" -> answer = "{\"status\":\"ok\"}";
                case "GET /alerts" -> answer = screen.alertsJson(row -> true);
                case "GET /alerts/unacknowledged" -> answer = screen.alertsJson(row -> row.get("status").equals("unacknowledged"));
                case "GET /alerts/mapped" -> answer = screen.alertsJson(row -> row.get("point") != null);
                case "GET /alerts/withheld" -> answer = screen.alertsJson(row -> row.get("location_withheld").equals(true));
                case "GET /musters" -> answer = screen.mustersJson(muster -> true);
                case "GET /musters/inspecting" -> answer = screen.mustersJson(muster -> muster.get("phase").equals("inspecting"));
                case "GET /musters/help" -> answer = screen.mustersJson(Main::hasCalls);
                case "GET /people" -> answer = screen.peopleJson();
                case "POST /hook" -> {
                    String timestamp = exchange.getRequestHeaders().getFirst("X-Service-Timestamp");
                    String signature = exchange.getRequestHeaders().getFirst("X-Service-Signature");
                    if (body.length > MOST_BYTES) status = 413;
                    else if (!screen.isGenuine(timestamp, signature, body)) status = 401;
                    else screen.take(Json.object(Json.parse(text)));
                }
                case "POST /reconcile" -> screen.reconcile();
                case "POST /secret" -> screen.addSecret((String) Json.object(Json.parse(text)).get("secret"));
                case "POST /reset" -> begin(Json.object(Json.parse(text)));
                default -> status = 404;
            }
        } catch (RuntimeException broken) {
            broken.printStackTrace();
            status = 500;
        }
        byte[] content = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
    }

    private static boolean hasCalls(Map<String, Object> muster) {
        return Json.object(muster.get("totals")).get("help") instanceof Double help && help > 0;
    }

    // ------------------------------------------------------------ JSON

    /** JSON in a few lines, since Java has none of its own: use Jackson or Gson in your project. */
    static final class Json {
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        static Object parse(String text) {
            Json json = new Json(text);
            Object value = json.value();
            json.space();
            if (json.at < text.length()) throw json.wrong();
            return value;
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            return value instanceof Map ? (Map<String, Object>) value : null;
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                List<String> parts = new ArrayList<>();
                map.forEach((key, one) -> parts.add(write(key) + ":" + write(one)));
                return "{" + String.join(",", parts) + "}";
            }
            if (value instanceof Iterable<?> items) {
                List<String> parts = new ArrayList<>();
                items.forEach(one -> parts.add(write(one)));
                return "[" + String.join(",", parts) + "]";
            }
            if (!(value instanceof String words)) return String.valueOf(value);
            StringBuilder quoted = new StringBuilder("\"");
            for (char one : words.toCharArray())
                if (one == '"' || one == '\\') quoted.append('\\').append(one);
                else if (one < ' ') quoted.append(String.format("\\u%04x", (int) one));
                else quoted.append(one);
            return quoted.append('"').toString();
        }

        private Object value() {
            space();
            char first = peek();
            if (first == '{') return object();
            if (first == '[') return array();
            if (first == '"') return string();
            int from = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(from, at);
            return switch (word) {
                case "null" -> null;
                case "true" -> true;
                case "false" -> false;
                default -> Double.valueOf(word);
            };
        }

        private Map<String, Object> object() {
            Map<String, Object> map = new LinkedHashMap<>();
            at++;
            space();
            while (peek() != '}') {
                space();
                String key = string();
                space();
                expect(':');
                map.put(key, value());
                space();
                if (peek() != '}') expect(',');
            }
            at++;
            return map;
        }

        private List<Object> array() {
            List<Object> items = new ArrayList<>();
            at++;
            space();
            while (peek() != ']') {
                items.add(value());
                space();
                if (peek() != ']') expect(',');
            }
            at++;
            return items;
        }

        private String string() {
            expect('"');
            StringBuilder words = new StringBuilder();
            while (peek() != '"') {
                char one = text.charAt(at++);
                if (one != '\\') {
                    words.append(one);
                    continue;
                }
                char escaped = peek();
                at++;
                switch (escaped) {
                    case 'n' -> words.append('\n');
                    case 't' -> words.append('\t');
                    case 'r' -> words.append('\r');
                    case 'b' -> words.append('\b');
                    case 'f' -> words.append('\f');
                    case 'u' -> {
                        words.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                        at += 4;
                    }
                    default -> words.append(escaped);
                }
            }
            at++;
            return words.toString();
        }

        private void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        private char peek() {
            if (at >= text.length()) throw wrong();
            return text.charAt(at);
        }

        private void expect(char one) {
            if (peek() != one) throw wrong();
            at++;
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("No JSON at " + at);
        }
    }}
