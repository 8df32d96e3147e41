"""A webhook receiver: verifies, stores each event once, answers at once, and works afterwards."""
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from poller import poll_events
from verify import is_genuine

SECRET = os.environ["SANDBOX_WEBHOOK_SECRET"]
MOST_BYTES = 1024 * 1024


class Store:
    """In memory, to keep the example short: use your database, with a unique key on the event id."""

    def __init__(self):
        self.lock = threading.Lock()
        self.seen, self.alerts, self.musters, self.acted = set(), {}, {}, []

    def take(self, event):
        """Deliveries come more than once, out of order, and beside what the poller fetched: all come through here."""
        with self.lock:
            if event["id"] in self.seen:
                return
            self.seen.add(event["id"])
            # A test event proves the connection; the API knows no such alert.
            if event.get("organization_id") is None:
                return
            data = event.get("data") or {}
            alert, muster = data.get("alert"), data.get("muster")
            if alert:
                held = self.alerts.get(alert["id"])
                if held is None or held["date_last_modified"] < alert["date_last_modified"]:
                    self.alerts[alert["id"]] = alert
            if muster:
                held = self.musters.get(muster["id"])
                if held is None or held["as_of"] < event["created_at"]:
                    self.musters[muster["id"]] = {**muster, "as_of": event["created_at"]}
            # Here the work begins that may take long: page somebody, open a door, write a report.
            self.acted.append(event["id"])

    def state(self):
        with self.lock:
            alerts, musters = list(self.alerts.values()), list(self.musters.values())
            return {"alerts": alerts, "musters": musters, "acted": list(self.acted)}


STORE = Store()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept open
    disable_nagle_algorithm = True
    timeout = 60

    def answer(self, status, body=b""):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        # For `sandbox certify --probe`; leave it out, or protect it, in production.
        if self.path == "/state":
            self.answer(200, json.dumps(STORE.state()).encode())
        else:
            self.answer(404)

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST_BYTES:
            self.close_connection = True
            self.answer(413)
            return
        body = self.rfile.read(length)
        # self.headers ignores the case of names.
        timestamp, signature = self.headers.get("X-Service-Timestamp"), self.headers.get("X-Service-Signature")
        if not is_genuine(timestamp, signature, body, SECRET):
            self.answer(401)
            return
        STORE.take(json.loads(body))
        self.answer(204)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if "SANDBOX_API_URL" in os.environ:
        threading.Thread(target=poll_events, args=(STORE.take,), daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Handler)
    server.daemon_threads = True
    server.serve_forever()
