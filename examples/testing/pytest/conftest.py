"""pytest: one sandbox for the session, back at its beginning before each test. Nothing but the standard library."""
import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

# With pytest-xdist each worker has a session, and so a sandbox, of its own.
COMMAND = os.environ.get("SANDBOX_COMMAND", "npx muster-sandbox").split()
UP = [*COMMAND, "up", "--memory", "--port", "0", "--mqtt-port", "0", "--seed", "7", "--watches", "12", "--json"]


class Sandbox:
    """A running sandbox: `act` makes things happen, `wait` waits for their effect, `call` is the API as your client sees it."""

    def __init__(self, ready):
        self.api_url = ready["api_url"]
        self.control_token = ready["control_token"]
        self.client = ready["clients"][0]
        self._token = None

    def call(self, method, path, body=None, token=None):
        token = token or self.token()
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.api_url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{method} {path}: {refused.code} {refused.read().decode()}") from None
        return json.loads(text) if text else None

    def act(self, action, **fields):
        body = {"action": action, **fields}
        return self.call("POST", "/v1/sandbox/actions", body, self.control_token)["result"]

    def wait(self, **wanted):
        return self.call("POST", "/v1/sandbox/wait", wanted)["found"]

    def advance(self, duration):
        self.call("POST", "/v1/sandbox/clock", {"advance": duration}, self.control_token)

    def reset(self):
        self.call("POST", "/v1/sandbox/reset", {}, self.control_token)

    def token(self):
        if self._token is None:
            names = ("client_id", "client_secret")
            form = {"grant_type": "client_credentials", **{name: self.client[name] for name in names}}
            data = urllib.parse.urlencode(form).encode()
            with urllib.request.urlopen(f"{self.api_url}/v1/oauth/token", data) as answer:
                self._token = json.load(answer)["access_token"]
        return self._token


@pytest.fixture(scope="session")
def running():
    process = subprocess.Popen(UP, stdout=subprocess.PIPE, text=True)
    ready = json.loads(process.stdout.readline() or '{"status": "error"}')
    if ready["status"] != "ok":
        pytest.exit("The sandbox did not start; its error stands above.")
    yield Sandbox(ready["data"])
    process.terminate()
    process.wait()


@pytest.fixture
def sandbox(running):
    running.reset()
    return running
