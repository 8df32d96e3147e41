import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceiverTest {
    static Sandbox sandbox;
    Receiver receiver;

    @BeforeAll
    static void start() throws Exception {
        sandbox = Sandbox.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (sandbox != null) sandbox.close();
    }

    @BeforeEach
    void listen() throws Exception {
        // A reset ends all subscriptions, so each test has its own.
        sandbox.reset();
        receiver = new Receiver();
        receiver.secret = (String) sandbox.listen(receiver.url).get("secret");
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void myReceiverGetsAFallAndItsSos() throws Exception {
        Object id = sandbox.act("fall", Map.of("who", "W-001", "answers", "never")).get("alert_id");
        assertEquals(id, alertOf(receiver.next("alert.created")).get("id"));
        sandbox.advance("31s");
        assertEquals("sos", alertOf(receiver.next("alert.created")).get("type"));
    }

    @Test
    void myReceiverRefusesAnotherSecret() throws Exception {
        receiver.secret = "whsec_another";
        Object id = sandbox.act("sos", Map.of("who", "W-001")).get("alert_id");
        Map<String, Object> match = Map.of("about", id, "status", 401);
        assertEquals("waiting", sandbox.await(Map.of("delivery", "any", "match", match)).get("result"));
    }

    private static Map<String, Object> alertOf(Map<String, Object> event) {
        return Json.object(Json.object(event.get("data")).get("alert"));
    }
}
