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
# `exec` runs a command beside the sandbox. This one prints its environment, which has the addresses and credentials, and
# ends when its stdin ends: when the fixture closes it, and also when pytest is killed. Then `exec` stops the sandbox.
UNTIL_STDIN_ENDS = "process.on('SIGINT', () => {}); console.log(JSON.stringify(process.env)); process.stdin.resume()"
EXEC = [*COMMAND, "exec", "--seed", "7", "--watches", "12", "--", "node", "-e", UNTIL_STDIN_ENDS]


class Sandbox:
    """A running sandbox: `act` makes things happen, `wait` waits for their effect, `call` is the API as your client sees it."""

    def __init__(self, env):
        self.api_url = env["SANDBOX_API_URL"]
        self.control_token = env["SANDBOX_CONTROL_TOKEN"]
        self.client = {"client_id": env["SANDBOX_CLIENT_ID"], "client_secret": env["SANDBOX_CLIENT_SECRET"]}
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
        """What fits, as soon as it is there; after `within` (5s), an error with the nearest candidate."""
        return self.call("POST", "/v1/sandbox/wait", wanted)["found"]

    def advance(self, duration):
        self.call("POST", "/v1/sandbox/clock", {"advance": duration}, self.control_token)

    def reset(self):
        self.call("POST", "/v1/sandbox/reset", {}, self.control_token)

    def listen(self, url):
        """Delivers all events of the first company to a local address; returns `id` and `secret`."""
        return self.call("POST", "/v1/sandbox/destinations", {"forward_to": url}, self.control_token)

    def forget(self, destination_id):
        self.call("DELETE", f"/v1/sandbox/destinations/{destination_id}", token=self.control_token)

    def token(self):
        if self._token is None:
            form = {"grant_type": "client_credentials", **self.client}
            data = urllib.parse.urlencode(form).encode()
            with urllib.request.urlopen(f"{self.api_url}/v1/oauth/token", data) as answer:
                self._token = json.load(answer)["access_token"]
        return self._token


@pytest.fixture(scope="session")
def running():
    # Ctrl-C is for pytest alone: the sandbox must live until the last test has cleaned up.
    process = subprocess.Popen(EXEC, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError("The sandbox did not start; its stderr has the reason.")
        yield Sandbox(json.loads(line))
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


@pytest.fixture
def sandbox(running):
    running.reset()
    return running
