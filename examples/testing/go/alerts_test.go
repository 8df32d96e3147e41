package alerts

import "testing"

func TestAFallIsAnAlert(t *testing.T) {
	t.Parallel()
	sandbox := startSandbox(t)
	fall := sandbox.act("fall", fields{"who": "W-001"})
	alert := sandbox.wait(fields{"alert": fall["alert_id"]})
	if alert["type"] != "fall_detected" {
		t.Errorf("got %v", alert["type"])
	}
}

func TestAnUnansweredFallBecomesAnSos(t *testing.T) {
	t.Parallel()
	sandbox := startSandbox(t)
	sandbox.act("fall", fields{"who": "W-001", "answers": "never"})
	sandbox.advance("31s")
	sos := sandbox.wait(fields{"alert": "sos", "match": fields{"of": "W-001"}})
	if trigger := object(sos["details"])["trigger"]; trigger != "after_fall" {
		t.Errorf("got %v", trigger)
	}
}

func TestMyReceiverGetsAFallAndItsSos(t *testing.T) {
	t.Parallel()
	sandbox, receiver := startSandbox(t), startReceiver(t)
	receiver.use(sandbox.listen(receiver.url))
	fall := sandbox.act("fall", fields{"who": "W-001", "answers": "never"})
	if id := object(object(receiver.next("alert.created")["data"])["alert"])["id"]; id != fall["alert_id"] {
		t.Errorf("got %v", id)
	}
	sandbox.advance("31s")
	if kind := object(object(receiver.next("alert.created")["data"])["alert"])["type"]; kind != "sos" {
		t.Errorf("got %v", kind)
	}
}

func TestMyReceiverRefusesAnotherSecret(t *testing.T) {
	t.Parallel()
	sandbox, receiver := startSandbox(t), startReceiver(t)
	sandbox.listen(receiver.url)
	receiver.use("whsec_another")
	sos := sandbox.act("sos", fields{"who": "W-001"})
	match := fields{"about": sos["alert_id"], "status": 401}
	if result := sandbox.wait(fields{"delivery": "any", "match": match})["result"]; result != "waiting" {
		t.Errorf("got %v", result)
	}
}
