"""Fills gaps: fetches what no delivery brought from GET /v1/events, at the start and every minute."""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

EVERY_S = float(os.environ.get("POLL_SECONDS", 60))


class Client:
    def __init__(self):
        self.api = os.environ["SANDBOX_API_URL"]
        self.token = None

    def new_token(self):
        form = {
            "grant_type": "client_credentials",
            "client_id": os.environ["SANDBOX_CLIENT_ID"],
            "client_secret": os.environ["SANDBOX_CLIENT_SECRET"],
        }
        body = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(self.api + "/v1/oauth/token", body, timeout=30) as answer:
            return json.load(answer)["access_token"]

    def get(self, path):
        """One GET: a token that has ended is renewed once, and a limit is waited for."""
        renewed = False
        while True:
            if self.token is None:
                self.token = self.new_token()
            request = urllib.request.Request(self.api + path, headers={"Authorization": "Bearer " + self.token})
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code == 401 and not renewed:
                    self.token, renewed = None, True
                elif error.code == 429:
                    time.sleep(int(error.headers.get("Retry-After", 1)))
                else:
                    raise


def poll_events(take, last=None):
    """last: the created_at of the last event that your database holds; at the very first start None, for 30 days."""
    client = Client()
    while True:
        try:
            query = {"limit": 200}
            if last is not None:
                query["created_after"] = last
            while True:
                page = client.get("/v1/events?" + urllib.parse.urlencode(query))
                for event in page["data"]:
                    take(event)
                    last = event["created_at"]
                if page["next_cursor"] is None:
                    break
                query["cursor"] = page["next_cursor"]
        except (OSError, ValueError) as error:
            print(f"Events are fetched again in {EVERY_S} s: {error}", file=sys.stderr)
        time.sleep(EVERY_S)
