import pytest
from receiver import Receiver


@pytest.fixture
def receiver(sandbox):
    receiver = Receiver()
    made = sandbox.listen(receiver.url)
    receiver.secret = made["secret"]
    yield receiver
    sandbox.forget(made["id"])
    receiver.close()


def test_my_receiver_gets_a_fall_and_its_sos(sandbox, receiver):
    fall = sandbox.act("fall", who="W-001", answers="never")
    created = receiver.next("alert.created")
    assert created["data"]["alert"]["id"] == fall["alert_id"]
    sandbox.advance("31s")
    assert receiver.next("alert.created")["data"]["alert"]["type"] == "sos"


def test_my_receiver_refuses_another_secret(sandbox, receiver):
    receiver.secret = "whsec_another"
    sos = sandbox.act("sos", who="W-001")
    refused = sandbox.wait(delivery="any", match={"about": sos["alert_id"], "status": 401})
    assert refused["result"] == "waiting"
