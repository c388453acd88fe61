"""Runs the programs of documents in Python, with the values that their pages explain. Fails as they fail."""

import base64
import hashlib
import hmac
import json
import os
import time
import uuid
from pathlib import Path

from fastapi import FastAPI
from fastapi.testclient import TestClient


class User:
    id = str(uuid.uuid4())


class Sink:
    received = 0

    def write(self, chunk: bytes) -> None:
        self.received += len(chunk)

    def show(self, words: list) -> None:
        self.received += len(words)


class Request:
    def __init__(self, body: str) -> None:
        timestamp = str(int(time.time()))
        key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
        digest = hmac.new(key, f"an-event.{timestamp}.{body}".encode(), hashlib.sha256).digest()
        signature = "v1," + base64.b64encode(digest).decode()
        self.headers = {"webhook-id": "an-event", "webhook-timestamp": timestamp, "webhook-signature": signature}


def run(name: str, **given: object) -> None:
    file = Path(__file__).parent / name
    exec(compile(file.read_text(), str(file), "exec"), dict(given))


app, player, captions = FastAPI(), Sink(), Sink()
body = json.dumps({"type": "agent_session.ended", "data": {"duration_seconds": 12.5}})
run(
    "docs-server-python-md-0.py",
    **{"User": User, "signed_in_user": User, "app": app, "player": player, "captions": captions},
    **{"tokens": iter(["Hello, ", "and ", "welcome."]), "body": body, "request": Request(body)},
)
assert player.received > 0 and captions.received > 0
assert TestClient(app).post("/api/voice-token").text.startswith("awst_")

player = Sink()
run("sdks-python-README-md-0.py", player=player, tokens_of_your_model=iter(["Hello, ", "and ", "welcome."]))
assert player.received > 0
print("All programs in Python have run.")
