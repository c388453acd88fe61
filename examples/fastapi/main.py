"""A page that talks, and the backend that mints its tokens."""

import json
import os
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse, JSONResponse
from parlance_client import Parlance, ParlanceError


def read_local() -> dict[str, str]:
    """Reads what `npm start` of Parlance in the folder above writes: its address and a key."""
    file = Path(__file__).parent / "../../.parlance/dev.json"
    return json.loads(file.read_text()) if file.exists() else {}


local = read_local()
url = os.environ.get("PARLANCE_URL") or local.get("url", "http://127.0.0.1:8080")
key = os.environ.get("PARLANCE_API_KEY") or local.get("api_key", "")
parlance = Parlance(url, key)


def find_agent() -> str:
    """Returns the id of an Agent to talk with, which is created at the first start."""
    for agent in parlance.list_agents(slug="example-guide"):
        return agent["id"]
    # The list begins with the best voice.
    voice = next(voice for voice in parlance.list_voices(language="en") if voice["status"] == "available")
    variant = next(variant for variant in voice["variants"] if variant["streaming"])
    agent = parlance.create_agent(
        {
            "slug": "example-guide",
            "display_name": "Guide",
            "voice_id": voice["id"],
            "voice_config": {"tts_variant": variant["id"], "language": "en"},
            "stt_config": {"language": "en"},
            "llm_provider": "builtin",
            "llm_model": "rules",
            "first_message": "Hello! Ask me anything, or just say hi.",
        }
    )
    parlance.publish_agent(agent["id"])
    return agent["id"]


try:
    agent_id = find_agent()
except ParlanceError as error:
    sys.exit(f"{error} Start Parlance, or set PARLANCE_URL and PARLANCE_API_KEY to a key of your workspace.")

app = FastAPI()


@app.get("/", response_class=HTMLResponse)
def page() -> str:
    return f"""<!doctype html>
<html lang="en"><meta name="viewport" content="width=device-width"><title>Talk with an Agent</title>
<script src="{url}/widget.js"></script>
<h1>Talk with an Agent</h1>
<parlance-agent agent-id="{agent_id}" token-url="/session-token">Guide</parlance-agent></html>"""


@app.post("/session-token")
def session_token() -> JSONResponse:
    """A real backend authenticates the user first: a conversation costs credit."""
    return JSONResponse(parlance.create_session_token(agent_id), headers={"Cache-Control": "no-store"})


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")))
