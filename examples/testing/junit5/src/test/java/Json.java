import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON in a few lines, since Java has none of its own: use Jackson or Gson in your project. */
final class Json {
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
}
