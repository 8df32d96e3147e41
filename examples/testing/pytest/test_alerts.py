def test_a_fall_is_an_alert(sandbox):
    fall = sandbox.act("fall", who="W-001")
    alert = sandbox.wait(alert=fall["alert_id"])
    assert (alert["type"], alert["status"]) == ("fall_detected", "unacknowledged")


def test_an_unanswered_fall_becomes_an_sos(sandbox):
    sandbox.act("fall", who="W-001", answers="never")
    sandbox.advance("31s")
    sos = sandbox.wait(alert="sos", match={"of": "W-001"})
    assert sos["details"] == {"trigger": "after_fall"}


def test_your_system_reads_it(sandbox):
    sandbox.act("sos", who="W-002")
    alerts = sandbox.call("GET", "/v1/alerts?status=unacknowledged")["data"]
    assert [alert["type"] for alert in alerts] == ["sos"]
