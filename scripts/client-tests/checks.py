"""What the clients in Python share. This file drives no client itself."""

import json
import os
import re
import time
import urllib.request
from pathlib import Path

url = os.environ["PARLANCE_URL"]
key = os.environ["PARLANCE_API_KEY"]
voice = os.environ["PARLANCE_VOICE_ID"]
agent = os.environ["PARLANCE_AGENT_ID"]


def check(client, name, work):
    """Runs one check and prints its result. It is ok when `work` returns something true; a string is its detail."""
    try:
        result = work()
        ok, detail = bool(result), result if isinstance(result, str) else ""
    except Exception as error:
        ok, detail = False, f"{type(error).__name__}: {error}"
    print(json.dumps({"client": client, "check": name, "ok": ok, "detail": detail[:500]}), flush=True)


def credit(changed_from=None):
    """The credit of the workspace. With `changed_from`, waits for it to be another."""
    for _ in range(100):
        request = urllib.request.Request(f"{url}/v1/credit", headers={"authorization": f"Bearer {key}"})
        with urllib.request.urlopen(request) as response:
            balance = float(json.load(response)["balance"])
        if balance != changed_from:
            return balance
        time.sleep(0.1)
    raise TimeoutError("the credit did not change")


def run_documented(page, word="", **given):
    """Runs what a page of the documentation has in Python, or its blocks with a word, at this Parlance, with names that the page
    explains. Returns all names."""
    text = Path(os.environ["PARLANCE_REPOSITORY"], page).read_text()
    blocks = [block for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S) if word in block]
    if not blocks:
        raise ValueError(f"{page} has no such block")
    program = re.sub(r"(http|ws)s://\w+\.example\.com", lambda address: url.replace("http", address[1], 1), "".join(blocks))
    names = {"KEY": key, "VOICE": voice, **given}
    exec(compile(program, page, "exec"), names)
    return names


def pcm_of(text):
    """What a caller says: speech of Parlance's own API, 16-bit samples at 16 kHz."""
    output = {"format": "pcm_s16le", "sample_rate": 16_000}
    request = urllib.request.Request(
        f"{url}/v1/tts",
        json.dumps({"text": text, "voice_id": voice, "output": output}).encode(),
        {"authorization": f"Bearer {key}", "content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return response.read()
