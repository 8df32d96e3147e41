import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AlertsTest {
    static Sandbox sandbox;

    @BeforeAll
    static void start() throws Exception {
        sandbox = Sandbox.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (sandbox != null) sandbox.close();
    }

    @BeforeEach
    void reset() throws Exception {
        sandbox.reset();
    }

    @Test
    void aFallIsAnAlert() throws Exception {
        Object id = sandbox.act("fall", Map.of("who", "W-001")).get("alert_id");
        Map<String, Object> alert = sandbox.await(Map.of("alert", id));
        assertEquals("fall_detected", alert.get("type"));
    }

    @Test
    void anUnansweredFallBecomesAnSos() throws Exception {
        sandbox.act("fall", Map.of("who", "W-001", "answers", "never"));
        sandbox.advance("31s");
        Map<String, Object> sos = sandbox.await(Map.of("alert", "sos", "match", Map.of("of", "W-001")));
        assertEquals(Map.of("trigger", "after_fall"), sos.get("details"));
    }
}
