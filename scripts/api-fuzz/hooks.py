"""What Schemathesis cannot know by itself: how to come by credentials, and which of its findings are none."""
import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import schemathesis
from exceptions import is_accepted
from schemathesis.checks import CHECKS
from schemathesis.specs.openapi import checks

ORIGIN = os.environ["PARLANCE_URL"]
KEY = os.environ["PARLANCE_API_KEY"]
PREPARED_AGENT = os.environ["PARLANCE_AGENT_ID"]

schemathesis.serializer.alias("application/sdp", "text/plain")


def needs(scheme):
    """Matches the operations that the document says take these credentials."""
    return lambda context: any(scheme in one for one in context.operation.definition.raw.get("security", []))


def mint_session_token(agent_id):
    path = f"{ORIGIN}/v1/agents/{agent_id}/session-tokens"
    request = Request(path, method="POST", headers={"authorization": f"Bearer {KEY}"})
    try:
        with urlopen(request, timeout=20) as response:
            return json.load(response)["token"]
    except (HTTPError, ValueError):
        return None


def bear(case, token):
    case.headers["authorization"] = f"Bearer {token}"


@schemathesis.auth(refresh_interval=None).apply_to(needs("key"))
class Key:
    def get(self, case, context):
        return KEY

    def set(self, case, token, context):
        bear(case, token)


@schemathesis.auth(refresh_interval=None).apply_to(needs("sessionToken"))
class SessionToken:
    """One token starts one conversation with one Agent."""

    def get(self, case, context):
        agent_id = case.path_parameters.get("agentId", PREPARED_AGENT)
        return mint_session_token(agent_id) or mint_session_token(PREPARED_AGENT)

    def set(self, case, token, context):
        bear(case, token)


@schemathesis.hook("map_path_parameters").apply_to(path_regex=r"/session(s|-tokens)\b")
def reach_prepared_agent(context, path_parameters):
    """Lets every other request be for an Agent that there is."""
    agent_id = path_parameters.get("agentId")
    if isinstance(agent_id, str) and agent_id[-1:] in tuple("02468ace"):
        path_parameters["agentId"] = PREPARED_AGENT
    return path_parameters


@schemathesis.hook
def before_call(context, case, kwargs):
    """Schemathesis fills If-Match with the number 0 where it tests another part of a valid request."""
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if is_valid and str(case.headers.get("if-match")) == "0":
        del case.headers["if-match"]


check_positive_data = checks.positive_data_acceptance
check_negative_data = checks.negative_data_rejection
for name in ("positive_data_acceptance", "negative_data_rejection"):
    CHECKS.unregister(name)


@schemathesis.check
def positive_data_acceptance(ctx, response, case):
    """In place of the check of the same name."""
    return None if is_accepted(case, response) else check_positive_data(ctx, response, case)


@schemathesis.check
def negative_data_rejection(ctx, response, case):
    """In place of the check of the same name. HTTP has servers ignore the headers that they do not know."""
    has_unknown_header = "x-schemathesis-unknown-property" in case.headers
    return None if has_unknown_header else check_negative_data(ctx, response, case)
