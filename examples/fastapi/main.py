"""A page that talks, and the backend that mints its tokens."""

import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse, JSONResponse


def read_local() -> dict[str, str]:
    """Reads what `npm start` of Parlance in the folder above writes: its address and a key."""
    file = Path(__file__).parent / "../../.parlance/dev.json"
    return json.loads(file.read_text()) if file.exists() else {}


local = read_local()
url = os.environ.get("PARLANCE_URL") or local.get("url", "http://127.0.0.1:8080")
key = os.environ.get("PARLANCE_API_KEY") or local.get("api_key")
parlance = httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {key}"})


async def call(method: str, path: str, body: dict | None = None) -> dict:
    response = await parlance.request(method, path, json=body)
    response.raise_for_status()
    return response.json()


async def find_agent() -> str:
    """Returns the id of an Agent to talk with, which is created at the first start."""
    agents = (await call("GET", "/v1/agents?slug=example-guide"))["agents"]
    if agents:
        return agents[0]["id"]
    voices = (await call("GET", "/v1/voices?language=en"))["voices"]
    # The list begins with the best voice.
    voice = next(voice for voice in voices if voice["status"] == "available")
    variant = next(variant for variant in voice["variants"] if variant["streaming"])
    agent = await call(
        "POST",
        "/v1/agents",
        {
            "slug": "example-guide",
            "display_name": "Guide",
            "voice_id": voice["id"],
            "voice_config": {"tts_variant": variant["id"], "language": "en"},
            "stt_config": {"language": "en"},
            "llm_provider": "builtin",
            "llm_model": "rules",
            "first_message": "Hello! Ask me anything, or just say hi.",
        },
    )
    await call("POST", f"/v1/agents/{agent['id']}/publish")
    return agent["id"]


@asynccontextmanager
async def lifespan(app: FastAPI):
    try:
        app.state.agent_id = await find_agent()
    except httpx.TransportError:
        sys.exit(f"Parlance does not answer at {url}. Start it, or set PARLANCE_URL and PARLANCE_API_KEY.")
    except httpx.HTTPStatusError as error:
        sys.exit(f"Parlance refused: {error.response.text} Set PARLANCE_API_KEY to a key of your workspace.")
    yield


app = FastAPI(lifespan=lifespan)


@app.get("/", response_class=HTMLResponse)
def page() -> str:
    return f"""<!doctype html>
<html lang="en"><meta name="viewport" content="width=device-width"><title>Talk with an Agent</title>
<script src="{url}/widget.js"></script>
<h1>Talk with an Agent</h1>
<parlance-agent agent-id="{app.state.agent_id}" token-url="/session-token">Guide</parlance-agent></html>"""


@app.post("/session-token")
async def session_token() -> JSONResponse:
    """A real backend authenticates the user first: a conversation costs credit."""
    minted = await parlance.post(f"/v1/agents/{app.state.agent_id}/session-tokens")
    return JSONResponse(minted.json(), minted.status_code, {"Cache-Control": "no-store"})


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")))
