"""Verifies a webhook delivery. No dependencies: copy this file."""
import hashlib
import hmac
import re
import time

TOLERANCE_S = 300


def is_genuine(timestamp, signature, body, secret, now=None):
    """True for a genuine delivery that is no older (and no newer) than 5 minutes.

    body: the raw request body as bytes, before any parser (Flask: request.get_data(), Django: request.body).
    secret: the whole text that starts with whsec_.
    During a rotation the signature header holds two signatures; either may fit.
    """
    if timestamp is None or signature is None or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_S:
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    expected = ("v1=" + digest).encode()
    # As bytes: compare_digest refuses text that is not ASCII.
    return any(hmac.compare_digest(one.strip().encode(), expected) for one in signature.split(","))
