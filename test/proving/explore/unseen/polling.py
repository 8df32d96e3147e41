"""A control room that polls: the event log by cursor, from the newest event that it has, with an overlap.

Python 3, standard library only. No webhook receiver. It keeps an inbox, pages the two on call for each open critical alert,
acknowledges it, follows musters and their missing lists, and keeps a journal of the events of the shift.
BUG=<name> plants one bug of bugs.json.

Without wake calls it polls every 10 s of wall time. The first POST /poll makes the wake calls its clock.
"""
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from zoneinfo import ZoneInfo

BUG = os.environ.get("BUG", "")
WAKE_S = 10
PAGE = 50
OVERLAP = timedelta(minutes=5)
ON_CALL = ("shift-lead", "safety-officer")
PLANT_ZONE = ZoneInfo("Europe/Madrid")


def log(*words):
    print(*words, flush=True)


class Later(Exception):
    """The call failed in a way that passes: poll again later, not before `wait` seconds."""

    def __init__(self, why, wait=0):
        super().__init__(why)
        self.wait = wait


class Api:
    """Calls of the API with a token that is renewed, and an end of patience for each."""

    def __init__(self, env):
        self.base = env["SANDBOX_API_URL"]
        self.client = (env["SANDBOX_CLIENT_ID"], env["SANDBOX_CLIENT_SECRET"])
        self.token = None

    def _send(self, method, path, headers, body):
        request = urllib.request.Request(self.base + path, data=body, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()
        except (OSError, urllib.error.URLError) as error:
            raise Later(f"{path}: {error}") from error

    def _login(self):
        form = urllib.parse.urlencode(
            {"grant_type": "client_credentials", "client_id": self.client[0], "client_secret": self.client[1]}
        ).encode()
        status, headers, body = self._send(
            "POST", "/v1/oauth/token", {"Content-Type": "application/x-www-form-urlencoded"}, form
        )
        if status != 200:
            raise Later(f"no token: {status}", retry_after(headers) if status == 429 else 0)
        self.token = json.loads(body)["access_token"]

    def call(self, method, path, body=None):
        for last in (False, True):
            if self.token is None:
                self._login()
            headers = {"Authorization": f"Bearer {self.token}"}
            data = None
            if body is not None:
                headers["Content-Type"] = "application/json"
                data = json.dumps(body).encode()
            status, answered, text = self._send(method, path, headers, data)
            if status == 401 and not last and BUG != "token-kept":
                self.token = None
                continue
            if status == 429:
                raise Later(f"{path}: 429", retry_after(answered))
            if status >= 500 and BUG == "dies-at-5xx":
                raise RuntimeError(f"{path}: {status}")
            if status >= 500 or status in (401, 403):
                if BUG != "token-kept":
                    self.token = None if status != 503 else self.token
                raise Later(f"{path}: {status}")
            return status, json.loads(text) if text else None

    def walk(self, path, **query):
        """Every item of a list of pages."""
        cursor = None
        while True:
            parts = {**query, "limit": PAGE, **({"cursor": cursor} if cursor else {})}
            status, page = self.call("GET", f"{path}?{urllib.parse.urlencode(parts, doseq=True)}")
            if status != 200:
                raise Later(f"{path}: {status}")
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None or BUG == "first-page":
                return


def retry_after(headers):
    try:
        seconds = max(1, int(headers.get("Retry-After", "1")))
    except ValueError:
        seconds = WAKE_S
    return seconds / 1000 if BUG == "retry-after-ms" else seconds


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def written(moment):
    if BUG == "local-time":
        moment = moment.astimezone(PLANT_ZONE)
    else:
        moment = moment.astimezone(timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


class Room:
    """What the control room knows, from one reset to the next."""

    def __init__(self, env):
        self.api = Api(env)
        self.alerts = {}
        self.musters = {}
        self.missing = {}
        self.seen = set()
        self.journal = []
        self.pages = []
        self.paged = {}
        self.acknowledged = []
        self.newest = None
        self.started = False
        self.site = None
        self.not_before = 0.0
        self.dead = False

    def poll(self, now):
        if self.dead or now < self.not_before:
            return
        for _ in range(20):
            try:
                if not self.started:
                    self.start()
                self.read_events()
                self.act()
                return
            except Later as later:
                log("later:", later)
                self.not_before = now + later.wait
                if BUG == "429-final" and later.wait > 0:
                    self.not_before = float("inf")
                # What is shorter than a second is not worth a poll.
                if not 0 < later.wait < 1:
                    return
                time.sleep(later.wait)
            except RuntimeError as error:
                log("stopped:", error)
                self.dead = True
                return

    def start(self):
        """What is open already, so that nothing depends on how far back the log goes."""
        if BUG == "first-site" and self.site is None:
            status, sites = self.api.call("GET", "/v1/sites")
            self.site = sites["data"][0]["id"]
        for alert in self.api.walk("/v1/alerts", status=["unacknowledged", "acknowledged"], **self.where()):
            self.take_alert(alert)
        for muster in self.api.walk("/v1/musters", status="active", **self.where()):
            self.musters.setdefault(muster["id"], ("", muster))
        self.started = True

    def where(self):
        return {"site_id": self.site} if self.site else {}

    def read_events(self):
        since = {"created_after": written(self.newest - OVERLAP)} if self.newest else {}
        for event in self.api.walk("/v1/events", **since, **self.where()):
            if event["id"] in self.seen:
                continue
            if "alert" in event["data"]:
                self.take_alert(event["data"]["alert"], event["type"])
            elif "muster" in event["data"]:
                self.take_muster(event["data"]["muster"], event["created_at"])
            self.seen.add(event["id"])
            self.journal.append({"id": event["id"], "type": event["type"]})
            created = instant(event["created_at"])
            self.newest = max(created, self.newest or created)

    def take_alert(self, alert, kind=None):
        held = self.alerts.get(alert["id"])
        if held and instant(held["date_last_modified"]) > instant(alert["date_last_modified"]):
            return
        if BUG == "resolved-unacknowledged-kept" and alert["status"] == "resolved" and alert["acknowledged"] is None:
            return
        self.alerts[alert["id"]] = alert
        if alert["status"] == "resolved" or kind == "alert.reopened":
            self.paged.pop(alert["id"], None)

    def take_muster(self, muster, at):
        held = self.musters.get(muster["id"])
        if held and held[0] >= at:
            return
        over = muster["status"] == "completed" if BUG == "cancelled-kept" else muster["status"] != "active"
        if over:
            self.missing.pop(muster["id"], None)
        self.musters[muster["id"]] = (at, {**muster, "over": over})

    def open_alerts(self):
        return [alert for alert in list(self.alerts.values()) if alert["status"] != "resolved"]

    def active_musters(self):
        return [muster for _, muster in list(self.musters.values()) if not muster.get("over")]

    def act(self):
        critical = [alert for alert in self.open_alerts() if alert["severity"] == "critical"]
        for alert in sorted(critical, key=lambda alert: alert["date_created"]):
            self.page(alert)
        for alert in critical:
            if alert["status"] == "unacknowledged":
                self.acknowledge(alert["id"])
        for muster in self.active_musters():
            status, answer = self.api.call("GET", f"/v1/musters/{muster['id']}/missing")
            if status == 200:
                self.missing[muster["id"]] = answer["data"]

    def page(self, alert):
        if alert["id"] in self.paged:
            return
        worker = alert["worker"]
        if BUG == "same-worker-once" and worker:
            open_ids = {one["id"] for one in self.open_alerts()}
            if any(self.alerts[one]["worker"] and self.alerts[one]["worker"]["id"] == worker["id"]
                   for one in self.paged if one in open_ids):
                return
        who = (worker.get("name") or worker["external_id"] or "unknown worker") if worker else "the whole site"
        cause = alert["date_last_modified"]
        self.paged[alert["id"]] = cause
        for person in ON_CALL:
            self.pages.append({"id": f"{alert['id']} {person} {cause}", "alert": alert["id"], "person": person})
            log("page", person, alert["title"], who)

    def acknowledge(self, alert_id):
        status, answer = self.api.call(
            "PATCH", f"/v1/alerts/{alert_id}", {"status": "acknowledged", "actor": {"name": "Control room"}}
        )
        if status == 409:
            status, answer = self.api.call("GET", f"/v1/alerts/{alert_id}")
        elif status == 200:
            self.acknowledged.append(alert_id)
        if status == 200:
            self.take_alert(answer)
        else:
            log("cannot acknowledge", alert_id, status)


LOCK = threading.Lock()
ROOM = Room(os.environ)
DRIVEN = {"wakes": 0}


def now():
    return DRIVEN["wakes"] * WAKE_S if DRIVEN["wakes"] else time.monotonic()


def brief(alert):
    return {key: alert[key] for key in ("id", "type", "severity", "status", "title")}


def view(path, query):
    room = ROOM
    if path == "/health":
        return {"ok": True}
    if path == "/open-alerts":
        return [brief(a) for a in room.open_alerts() if all(str(a.get(key)) == value for key, value in query)]
    if path == "/musters":
        return [
            {key: m[key] for key in ("id", "kind", "phase", "status", "totals")}
            for m in room.active_musters() if all(str(m.get(key)) == value for key, value in query)
        ]
    if path == "/pages":
        return room.pages
    if path == "/paged-open":
        open_ids = {alert["id"] for alert in room.open_alerts()}
        return [one for one in list(room.paged) if one in open_ids]
    if path == "/acknowledgements":
        return room.acknowledged
    if path == "/journal":
        return room.journal
    if path == "/missing":
        return [{"muster": muster, "people": people} for muster, people in list(room.missing.items())]
    return None


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # The probes of a sandbox come many at a time; by default five may wait.
    request_queue_size = 128


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self, status, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        body = view(url.path, urllib.parse.parse_qsl(url.query))
        self.answer(404 if body is None else 200, body)

    def do_POST(self):
        global ROOM
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path == "/reset":
            with LOCK:
                ROOM = Room(json.loads(body))
                DRIVEN["wakes"] = 0
        elif self.path == "/poll":
            with LOCK:
                DRIVEN["wakes"] += 1
                if DRIVEN["wakes"] == 1:
                    ROOM.not_before = 0.0
                ROOM.poll(now())
        else:
            return self.answer(404)
        self.answer(200, {})

    def log_message(self, *_):
        pass


def by_the_wall():
    while True:
        with LOCK:
            if DRIVEN["wakes"] == 0:
                ROOM.poll(now())
        time.sleep(WAKE_S)


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(os.environ["PORT"])), Handler)
    threading.Thread(target=by_the_wall, daemon=True).start()
    log("listening on", os.environ["PORT"])
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
