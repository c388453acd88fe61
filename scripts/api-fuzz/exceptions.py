"""Answers that Schemathesis takes for failures and that are right, each with the reason."""
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Accepted:
    operations: str
    """A pattern of `METHOD /path`."""
    code: str
    detail: str
    """A pattern of the error's detail."""
    reason: str


# Of requests that the document allows and that are refused.
REFUSED = [
    Accepted(
        operations=r"GET /v1/(agents|agent-sessions|voices|avatars|end-users)\b.*",
        code="invalid_request",
        detail=r"cursor: must be the next_cursor of the page before",
        reason="A cursor is valid only as an answer gave it. Its form is not part of the contract.",
    ),
    Accepted(
        operations=r"GET /v1/(usage|end-users/\{endUserId\}/calendar)",
        code="invalid_request",
        detail=r"(from|to): must be (before|after|at most|of the years) .*",
        reason="JSON Schema cannot say that a period ends after it begins and how long it may be, nor name the years.",
    ),
    Accepted(
        operations=r"GET /v1/(tts/stream|agents/\{agentId\}/sessions/\{sessionId\}/stream)",
        code="invalid_request",
        detail=r"This is a WebSocket: .*",
        reason="Schemathesis does not upgrade connections.",
    ),
    Accepted(
        operations=r"POST /v1/tts",
        code="(alignment_requires_json|unsupported_format)",
        detail=r".*",
        reason="Which sample and bit rates a format has, and which modes an alignment, depends on other fields of the body.",
    ),
    Accepted(
        operations=r"POST /v1/(tts|audio/speech)",
        code="invalid_request",
        detail=r"(tts_variant|language): the voice .*",
        reason="Which variants and languages a voice has is in the catalog.",
    ),
    Accepted(
        operations=r"(POST|PATCH) /v1/agents(/\{agentId\})?",
        code="invalid_request",
        detail=r"session_config\.allowed_origins\.\d+: must be an origin such as .*",
        reason="The pattern leaves IPv6 addresses, punycode and a port that is the scheme's own to the rules of URLs.",
    ),
    Accepted(
        operations=r"(POST|PATCH) /v1/agents(/\{agentId\})?",
        code="invalid_request",
        detail=r"(slug: must not look like an id|tools: must have different names|.*: must be at most (16 KiB of JSON|endpointing_max_ms))",
        reason="JSON Schema cannot say that names differ, how long JSON is, or which of two numbers is greater.",
    ),
    Accepted(
        operations=r"(POST|PATCH) /v1/agents/\{agentId\}/sessions(/\{sessionId\})?",
        code="invalid_request",
        detail=r"(sdp: is required for the transport webrtc|needs candidates or sdp, and not both)",
        reason="Which of the fields there must be depends on the others.",
    ),
    Accepted(
        operations=r"POST /v1/agents/\{agentId\}/session-tokens",
        code="memory_identity_required",
        detail=r".*",
        reason="Whether end_user_id may be left out depends on the Agent.",
    ),
    Accepted(
        operations=r"(POST|PATCH) /v1/agents/\{agentId\}/sessions(/\{sessionId\})?",
        code="invalid_sdp",
        detail=r".*",
        reason="The grammar of SDP is not that of JSON Schema.",
    ),
]


def is_accepted(case, response):
    if response.status_code != 400:
        return False
    error = response.json()
    return any(
        re.fullmatch(one.operations, case.operation.label)
        and re.fullmatch(one.code, error["code"])
        and re.fullmatch(one.detail, error["detail"], re.DOTALL)
        for one in REFUSED
    )
