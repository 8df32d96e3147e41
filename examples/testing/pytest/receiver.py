"""A small receiver of your own: it verifies each delivery, and keeps each event once. Nothing but the standard library."""
import hashlib
import hmac
import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def is_genuine(headers, body, secret):
    stamp = headers.get("X-Service-Timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return False
    expected = "v1=" + hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # Two signatures, separated by a comma, while a secret is rotated.
    given = headers.get("X-Service-Signature", "").split(",")
    return any(hmac.compare_digest(expected.encode(), one.strip().encode()) for one in given)


class Receiver:
    def __init__(self):
        self.secret = ""
        self.events = queue.Queue()
        self.seen = set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                receiver.take(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"]))
        genuine = is_genuine(request.headers, body, self.secret)
        request.send_response(204 if genuine else 401)
        request.end_headers()
        event = json.loads(body) if genuine else None
        if event and event["id"] not in self.seen:
            self.seen.add(event["id"])
            self.events.put(event)

    def next(self, event_type, seconds=5):
        """The next event of this type; an error with the events that came if it does not come in time."""
        others = []
        while True:
            try:
                event = self.events.get(timeout=seconds)
            except queue.Empty:
                raise AssertionError(f"No {event_type} came within {seconds} s, but {others or 'nothing'}.") from None
            if event["type"] == event_type:
                return event
            others.append(event["type"])

    def close(self):
        self.server.shutdown()
        self.server.server_close()
