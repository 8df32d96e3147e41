"""The alert desk of a control room: webhooks and polling, with its state in SQLite.

A delivery and a poll of the event log come through the same `take`. What must be acknowledged waits in a table, and
one thread empties it.
"""
import hashlib
import hmac
import json
import os
import re
import sqlite3
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(os.environ.get("PORT", 3000))
# Named in the environment, the database survives a restart of the process; else it is the process's own.
OWN_FOLDER = None if "DATABASE" in os.environ else tempfile.TemporaryDirectory(prefix="alert-desk-")
DATABASE = os.environ.get("DATABASE") or os.path.join(OWN_FOLDER.name, "desk.sqlite")
RETRY_S = float(os.environ.get("RETRY_MS", 100)) / 1000
# As the worker processes of an application server, the desk starts afresh from its database now and then.
RECYCLE_AFTER = int(os.environ.get("RECYCLE_AFTER", 20))
MOST_BYTES = 1024 * 1024

SCHEMA = """
CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, created_at TEXT NOT NULL, type TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS alerts (id TEXT PRIMARY KEY, modified REAL NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS musters (id TEXT PRIMARY KEY, as_of TEXT NOT NULL, body TEXT NOT NULL, missing INTEGER);
CREATE TABLE IF NOT EXISTS positions (worker TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pages (number INTEGER PRIMARY KEY, alert TEXT NOT NULL, opening TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS acknowledgements (alert TEXT PRIMARY KEY, done INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


def bug(name):
    """One planted mistake for each value of BUG; switches.json describes them."""
    return os.environ.get("BUG") == name


def seconds_of(text):
    """An API time as Unix seconds."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


# ---------------------------------------------------------------- the API


class Refused(Exception):
    """The API refused a call, and a repetition would not help now."""

    def __init__(self, status):
        super().__init__(f"the API answered {status}")
        self.status = status


class Api:
    """Renews the token, obeys Retry-After, repeats after a 5xx."""

    def __init__(self, url, client_id, client_secret):
        self.url, self.client_id, self.client_secret = url, client_id, client_secret
        self.token, self.renew_at = None, 0.0
        self.lock = threading.Lock()

    def call(self, method, path, body=None):
        renewed = False
        attempt = 0
        while True:
            attempt += 1
            token = self.current_token()
            status, answer, retry_after = self.send(method, path, token, body)
            if status in (200, 204):
                return answer
            if status == 401 and not renewed:
                renewed = True
                with self.lock:
                    if self.token == token:
                        self.token = None
                continue
            self.pause_or_raise(status, retry_after, attempt)

    def pages(self, path, query):
        """Each page of a list."""
        cursor = None
        while True:
            full = {**query, "limit": 50, **({} if cursor is None else {"cursor": cursor})}
            page = self.call("GET", f"{path}?{urllib.parse.urlencode(full)}")
            yield page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def current_token(self):
        with self.lock:
            attempt = 0
            while self.token is None or time.monotonic() >= self.renew_at:
                attempt += 1
                form = {
                    "grant_type": "client_credentials",
                    "client_id": self.client_id,
                    "client_secret": self.client_secret,
                }
                status, answer, retry_after = self.send("POST", "/v1/oauth/token", None, form, form=True)
                if status == 200:
                    self.token = answer["access_token"]
                    self.renew_at = time.monotonic() + answer["expires_in"] - 60
                else:
                    self.pause_or_raise(status, retry_after, attempt)
            return self.token

    def pause_or_raise(self, status, retry_after, attempt):
        """Returns when the call may be repeated."""
        if status == 429 and attempt < 200:
            if not bug("retry-at-once"):
                time.sleep(float(retry_after or 1))
        elif (status == 0 or status >= 500) and attempt < 4:
            time.sleep(RETRY_S * 2 ** (attempt - 1))
        else:
            raise Refused(status)

    def send(self, method, path, token, body=None, form=False):
        """Status, parsed body and Retry-After. Status 0: there was no answer."""
        content = None
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if body is not None:
            content = (urllib.parse.urlencode(body) if form else json.dumps(body)).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
        request = urllib.request.Request(self.url + path, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None, None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, None, error.headers.get("Retry-After")
        except (OSError, ValueError):
            return 0, None, None


# ---------------------------------------------------------------- the desk


class Desk:
    def __init__(self, settings):
        self.lock = threading.RLock()
        self.secrets = [settings["SANDBOX_WEBHOOK_SECRET"]] if settings.get("SANDBOX_WEBHOOK_SECRET") else []
        self.api = Api(
            settings.get("SANDBOX_API_URL", ""),
            settings.get("SANDBOX_CLIENT_ID", ""),
            settings.get("SANDBOX_CLIENT_SECRET", ""),
        )
        self.wanted = threading.Event()
        self.polling = threading.Lock()
        self.closed = False
        self.handled = 0
        self.db = None
        self.load()
        threading.Thread(target=self.acknowledge_all, daemon=True).start()

    def load(self):
        """Begins with what the database has."""
        if self.db is not None:
            self.db.close()
        self.db = sqlite3.connect(DATABASE, check_same_thread=False)
        self.db.executescript(SCHEMA)
        self.paged = {(alert, opening) for alert, opening in self.db.execute("SELECT alert, opening FROM pages")}
        if bug("paged-in-memory"):
            self.paged = set()
            self.db.execute("DELETE FROM events")
            self.db.commit()

    def close(self):
        with self.lock:
            self.closed = True
            self.wanted.set()
            self.db.close()

    def recycle(self):
        with self.lock:
            self.handled += 1
            if self.handled % RECYCLE_AFTER == 0 and not self.closed:
                self.load()

    # ---- events

    def take(self, event, delivered):
        """Deliveries come more than once, out of order, and beside what the poll fetched. False: it was known."""
        with self.lock, self.db:
            alert, muster = event["data"].get("alert"), event["data"].get("muster")
            if delivered and bug("page-per-delivery") and event["type"] == "alert.created":
                self.paged.discard((alert["id"], event["created_at"]))
                self.page(alert, event["created_at"])
            is_new = self.db.execute(
                "INSERT OR IGNORE INTO events VALUES (?, ?, ?)", (event["id"], event["created_at"], event["type"])
            ).rowcount
            if not is_new:
                return False
            # A test event proves the connection; the API knows no such alert.
            if event["organization_id"] is None:
                return True
            if alert is not None:
                self.keep_alert(alert, delivered)
                if event["type"] in ("alert.created", "alert.reopened"):
                    self.page(alert, event["created_at"])
            if muster is not None:
                self.keep_muster(muster, event["created_at"])
        self.wanted.set()
        return True

    def keep_alert(self, alert, delivered=False):
        """Keeps the newest version."""
        modified = seconds_of(alert["date_last_modified"])
        if delivered and bug("naive-webhook-time"):
            modified = datetime.strptime(alert["date_last_modified"], "%Y-%m-%dT%H:%M:%S.%fZ").timestamp()
        held = self.db.execute("SELECT modified FROM alerts WHERE id = ?", (alert["id"],)).fetchone()
        if held is not None and held[0] >= modified and not bug("last-arrival-wins"):
            return
        self.db.execute("INSERT OR REPLACE INTO alerts VALUES (?, ?, ?)", (alert["id"], modified, json.dumps(alert)))
        if alert["severity"] == "critical" and alert["status"] == "unacknowledged":
            self.queue(alert["id"])

    def keep_muster(self, muster, as_of):
        """Musters have no time of their own; their events order them. A closed muster has null counters."""
        totals = muster["totals"]
        counters = [totals[name] for name in ("help", "wrong_point", "pending", "no_signal", "not_worn")]
        if bug("null-counters"):
            missing = sum(counters)
        else:
            missing = None if None in counters else sum(counters)
        held = self.db.execute("SELECT as_of FROM musters WHERE id = ?", (muster["id"],)).fetchone()
        if held is not None and held[0] >= as_of and not bug("late-count-revives"):
            return
        body = json.dumps(muster)
        self.db.execute("INSERT OR REPLACE INTO musters VALUES (?, ?, ?, ?)", (muster["id"], as_of, body, missing))

    def page(self, alert, opening):
        """Calls the person on duty once for each time that a critical alert is opened, unless it is over already."""
        held = self.alert(alert["id"])
        if alert["severity"] != "critical" or (held is not None and held["status"] == "resolved"):
            return
        if (alert["id"], opening) in self.paged:
            return
        self.paged.add((alert["id"], opening))
        self.db.execute("INSERT INTO pages (alert, opening) VALUES (?, ?)", (alert["id"], opening))

    # ---- acknowledgements

    def queue(self, alert):
        """The desk takes charge of each critical alert as soon as the person on duty is called."""
        if bug("acknowledged-once"):
            self.db.execute("INSERT OR IGNORE INTO acknowledgements VALUES (?, 0)", (alert,))
        else:
            self.db.execute("INSERT OR REPLACE INTO acknowledgements VALUES (?, 0)", (alert,))

    def acknowledge_all(self):
        while True:
            self.wanted.wait()
            self.wanted.clear()
            if self.closed:
                return
            for alert in self.waiting():
                try:
                    self.acknowledge(alert)
                except (Refused, sqlite3.Error):
                    traceback.print_exc()  # the next event or poll tries again

    def waiting(self):
        with self.lock:
            if self.closed:
                return []
            return [one for (one,) in self.db.execute("SELECT alert FROM acknowledgements WHERE done = 0")]

    def acknowledge(self, alert):
        body = {"status": "acknowledged", "actor": {"name": "Alert desk"}}
        try:
            answer = self.api.call("PATCH", f"/v1/alerts/{alert}", body)
        except Refused as refused:
            # 404: hidden by now. 409: somebody resolved it. Everything else is tried again.
            if refused.status not in (404, 409):
                raise
            answer = None
        with self.lock, self.db:
            if answer is not None:
                self.keep_alert(answer)
            # Still unacknowledged: it was reopened while the call was under way, and needs another one.
            if answer is None or self.alert(alert)["status"] != "unacknowledged":
                self.db.execute("UPDATE acknowledgements SET done = 1 WHERE alert = ?", (alert,))

    # ---- polling

    def poll(self):
        """Reads the event log from the mark, which only the log moves, then the positions."""
        if not self.polling.acquire(blocking=False):
            return
        try:
            mark = self.mark()
            query = {} if mark is None else {"created_after": mark}
            for page in self.api.pages("/v1/events", query):
                known = [not self.take(event, delivered=False) for event in page]
                if bug("stops-at-known-page") and all(known):
                    break
                if page:
                    self.set("mark", page[-1]["created_at"])
            positions = self.api.call("GET", "/v1/positions")["data"]
            with self.lock, self.db:
                self.db.execute("DELETE FROM positions")
                for one in positions:
                    self.db.execute(
                        "INSERT OR REPLACE INTO positions VALUES (?, ?)", (one["worker"]["id"], json.dumps(one))
                    )
            self.wanted.set()
        except (Refused, sqlite3.Error):
            traceback.print_exc()  # the next poll continues from the mark
        finally:
            self.polling.release()

    def mark(self):
        with self.lock:
            if bug("mark-from-table"):
                return self.db.execute("SELECT max(created_at) FROM events").fetchone()[0]
            row = self.db.execute("SELECT value FROM settings WHERE name = 'mark'").fetchone()
            return None if row is None else row[0]

    def set(self, name, value):
        with self.lock, self.db:
            self.db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    # ---- what the desk shows

    def alert(self, alert):
        row = self.db.execute("SELECT body FROM alerts WHERE id = ?", (alert,)).fetchone()
        return None if row is None else json.loads(row[0])

    def alerts(self):
        with self.lock:
            bodies = [json.loads(body) for (body,) in self.db.execute("SELECT body FROM alerts ORDER BY modified")]
        return [shown_alert(body) for body in bodies]

    def musters(self):
        with self.lock:
            rows = [(json.loads(body), missing) for body, missing in self.db.execute("SELECT body, missing FROM musters")]
        return [
            {
                "id": muster["id"],
                "site": muster["site"]["name"],
                "kind": muster["kind"],
                "phase": muster["phase"],
                "status": muster["status"],
                "expected": muster["totals"]["expected"],
                "safe": muster["totals"]["safe"],
                "help": muster["totals"]["help"],
                "missing": missing,
            }
            for muster, missing in rows
        ]

    def pages(self):
        with self.lock:
            rows = self.db.execute("SELECT alert, opening FROM pages ORDER BY number").fetchall()
        return [{"alert": alert, "key": f"{alert}@{opening}"} for alert, opening in rows]

    def people(self):
        with self.lock:
            return [json.loads(body) for (body,) in self.db.execute("SELECT body FROM positions")]


def shown_alert(alert):
    worker, zone, place = alert["worker"], alert["zone"], alert["location"]
    return {
        "id": alert["id"],
        "type": alert["type"],
        "severity": alert["severity"],
        "status": alert["status"],
        "place": " / ".join(one["name"] for one in (alert["site"], zone) if one is not None),
        "person": None if worker is None else worker.get("name") or worker["external_id"],
        "acknowledged_by": None if alert["acknowledged"] is None else alert["acknowledged"]["by"],
        "on_watch": alert["worker_acknowledged_at"],
        "position": None if place is None else [place["latitude"], place["longitude"]],
        # A masked point is that of a privacy zone, not of the person.
        "exact": place is not None and (not place["masked"] or bug("masked-as-exact")),
        "withheld": alert["location_withheld"],
    }


# ---------------------------------------------------------------- webhooks and pages


def is_genuine(timestamp, signature, body, secrets):
    if timestamp is None or signature is None or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    given = [one.strip() for one in signature.split(",")]
    if bug("first-signature"):
        given = given[:1]
    for secret in secrets:
        digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        if any(hmac.compare_digest(one.encode(), f"v1={digest}".encode()) for one in given):
            return True
    return False


DESK = None


def start(settings, fresh=False):
    global DESK
    if DESK is not None:
        DESK.close()
    if fresh and os.path.exists(DATABASE):
        os.remove(DATABASE)
    DESK = Desk(settings)


def of_status(items, *statuses):
    return [one for one in items if one["status"] in statuses]


VIEWS = {
    "/health": lambda: {"status": "ok"},
    "/alerts": lambda: {"alerts": DESK.alerts()},
    "/alerts/open": lambda: {"alerts": of_status(DESK.alerts(), "unacknowledged", "acknowledged")},
    "/alerts/acknowledged": lambda: {"alerts": of_status(DESK.alerts(), "acknowledged")},
    "/alerts/exact": lambda: {"alerts": [one for one in DESK.alerts() if one["exact"]]},
    "/musters": lambda: {"musters": DESK.musters()},
    "/musters/active": lambda: {"musters": of_status(DESK.musters(), "active")},
    "/musters/tsunami": lambda: {"musters": [m for m in of_status(DESK.musters(), "active") if m["kind"] == "tsunami"]},
    "/musters/complete": lambda: {"musters": [m for m in of_status(DESK.musters(), "active") if m["missing"] == 0]},
    "/pages": lambda: {"pages": DESK.pages()},
    "/people": lambda: {"people": DESK.people()},
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60

    def do_GET(self):
        view = VIEWS.get(self.path)
        self.answer(404) if view is None else self.answer(200, view())

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST_BYTES:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        if self.path == "/hook":
            return self.hook(body)
        if self.path == "/poll":
            DESK.poll()
        elif self.path == "/secret":
            DESK.secrets = [json.loads(body)["secret"], *DESK.secrets][:2]
        elif self.path == "/reset":
            start(json.loads(body), fresh=True)
        else:
            return self.answer(404)
        return self.answer(200, {})

    def hook(self, body):
        if not is_genuine(
            self.headers.get("X-Service-Timestamp"), self.headers.get("X-Service-Signature"), body, DESK.secrets
        ):
            return self.answer(401)
        try:
            DESK.take(json.loads(body), delivered=True)
        except Exception:
            traceback.print_exc()
            return self.answer(500)
        DESK.recycle()
        return self.answer(200, {})

    def answer(self, status, value=None):
        content = json.dumps({} if value is None else value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    start(os.environ)
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    server.daemon_threads = True
    server.serve_forever()
