"""Written by `npm run generate` from the OpenAPI document."""

from typing import Any, Dict, List, Literal, Union
from urllib.parse import quote

from . import types
from ._requests import AsyncItems, AsyncRequests, FileContent, Items, Requests

class Operations:
    """One method for each operation of the API that takes a key."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list_agents(self, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, slug: str | None = None, state: Literal["draft", "published"] | None = None, q: str | None = None) -> Items[types.ListAgentsResult, types.Agent]:
        """List the Agents. `GET /v1/agents`"""
        return Items(self._requests, "agents", "/v1/agents", query={"limit": limit, "cursor": cursor, "order": order, "slug": slug, "state": state, "q": q})

    def create_agent(self, body: types.AgentConfig, *, idempotency_key: str | None = None) -> types.Agent:
        """Create an Agent. `POST /v1/agents`"""
        result: types.Agent = self._requests.json("POST", "/v1/agents", body=body, idempotency_key=idempotency_key)
        return result

    def get_agent(self, agent_id: str) -> types.Agent:
        """Read an Agent. `GET /v1/agents/{agentId}`"""
        result: types.Agent = self._requests.json("GET", f"/v1/agents/{quote(agent_id, safe='')}")
        return result

    def update_agent(self, agent_id: str, body: types.AgentPatch, *, if_match: str | None = None) -> types.Agent:
        """Change the draft of an Agent. `PATCH /v1/agents/{agentId}`"""
        result: types.Agent = self._requests.json("PATCH", f"/v1/agents/{quote(agent_id, safe='')}", body=body, if_match=if_match)
        return result

    def delete_agent(self, agent_id: str, *, if_match: str | None = None) -> None:
        """Delete an Agent. `DELETE /v1/agents/{agentId}`"""
        self._requests.json("DELETE", f"/v1/agents/{quote(agent_id, safe='')}", if_match=if_match)

    def publish_agent(self, agent_id: str, body: types.PublishAgentBody | None = None, *, dry_run: Literal["true", "false"] | None = None, idempotency_key: str | None = None, if_match: str | None = None) -> Union[types.Published, types.PublishCheck]:
        """Publish an Agent. `POST /v1/agents/{agentId}/publish`"""
        result: Union[types.Published, types.PublishCheck] = self._requests.json("POST", f"/v1/agents/{quote(agent_id, safe='')}/publish", body=body or {}, query={"dry_run": dry_run}, idempotency_key=idempotency_key, if_match=if_match)
        return result

    def list_revisions(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> Items[types.ListRevisionsResult, types.Revision]:
        """List the revisions of an Agent. `GET /v1/agents/{agentId}/revisions`"""
        return Items(self._requests, "revisions", f"/v1/agents/{quote(agent_id, safe='')}/revisions", query={"limit": limit, "cursor": cursor, "order": order})

    def list_publications(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> Items[types.ListPublicationsResult, types.Publication]:
        """List the publications of an Agent. `GET /v1/agents/{agentId}/publications`"""
        return Items(self._requests, "publications", f"/v1/agents/{quote(agent_id, safe='')}/publications", query={"limit": limit, "cursor": cursor, "order": order})

    def list_knowledge_files(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> Items[types.ListKnowledgeFilesResult, types.KnowledgeFile]:
        """List the files that an Agent answers from. `GET /v1/agents/{agentId}/knowledge`"""
        return Items(self._requests, "files", f"/v1/agents/{quote(agent_id, safe='')}/knowledge", query={"limit": limit, "cursor": cursor, "order": order})

    def add_knowledge_file(self, agent_id: str, file: FileContent, *, idempotency_key: str | None = None) -> types.KnowledgeFile:
        """Add a file that an Agent answers from. `POST /v1/agents/{agentId}/knowledge`"""
        result: types.KnowledgeFile = self._requests.json("POST", f"/v1/agents/{quote(agent_id, safe='')}/knowledge", file=file, idempotency_key=idempotency_key)
        return result

    def get_knowledge_file(self, agent_id: str, file_id: str) -> types.KnowledgeFile:
        """Read a file that an Agent answers from. `GET /v1/agents/{agentId}/knowledge/{fileId}`"""
        result: types.KnowledgeFile = self._requests.json("GET", f"/v1/agents/{quote(agent_id, safe='')}/knowledge/{quote(file_id, safe='')}")
        return result

    def delete_knowledge_file(self, agent_id: str, file_id: str) -> None:
        """Delete a file that an Agent answers from. `DELETE /v1/agents/{agentId}/knowledge/{fileId}`"""
        self._requests.json("DELETE", f"/v1/agents/{quote(agent_id, safe='')}/knowledge/{quote(file_id, safe='')}")

    def create_session_token(self, agent_id: str, body: types.CreateSessionTokenBody | None = None, *, idempotency_key: str | None = None) -> types.SessionToken:
        """Mint a session token. `POST /v1/agents/{agentId}/session-tokens`"""
        result: types.SessionToken = self._requests.json("POST", f"/v1/agents/{quote(agent_id, safe='')}/session-tokens", body=body or {}, idempotency_key=idempotency_key)
        return result

    def create_stream_token(self, body: types.CreateStreamTokenBody | None = None, *, idempotency_key: str | None = None) -> types.StreamToken:
        """Mint a stream token. `POST /v1/tts/stream-tokens`"""
        result: types.StreamToken = self._requests.json("POST", "/v1/tts/stream-tokens", body=body or {}, idempotency_key=idempotency_key)
        return result

    def create_listen_token(self, body: Dict[str, Any] | None = None, *, idempotency_key: str | None = None) -> types.ListenToken:
        """Mint a listen token. `POST /v1/listen/tokens`"""
        result: types.ListenToken = self._requests.json("POST", "/v1/listen/tokens", body=body or {}, idempotency_key=idempotency_key)
        return result

    def create_realtime_client_secret(self, body: types.CreateRealtimeClientSecretBody, *, idempotency_key: str | None = None) -> types.RealtimeClientSecret:
        """Mint a client secret of OpenAI's Realtime protocol. `POST /v1/realtime/client_secrets`"""
        result: types.RealtimeClientSecret = self._requests.json("POST", "/v1/realtime/client_secrets", body=body, idempotency_key=idempotency_key)
        return result

    def create_realtime_call(self, body: str, *, model: str | None = None) -> None:
        """Talk over WebRTC with OpenAI's Realtime protocol. `POST /v1/realtime/calls`"""
        self._requests.json("POST", "/v1/realtime/calls", body=body, query={"model": model})

    def hang_up_realtime_call(self, session_id: str) -> None:
        """End a call. `POST /v1/realtime/calls/{sessionId}/hangup`"""
        self._requests.json("POST", f"/v1/realtime/calls/{quote(session_id, safe='')}/hangup")

    def list_sessions(self, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, agent_id: str | None = None, end_user_id: str | None = None, status: Literal["connecting", "active", "ending", "ended", "failed"] | None = None, started_after: str | None = None, started_before: str | None = None) -> Items[types.ListSessionsResult, types.SessionSummary]:
        """List conversations. `GET /v1/agent-sessions`"""
        return Items(self._requests, "sessions", "/v1/agent-sessions", query={"limit": limit, "cursor": cursor, "order": order, "agent_id": agent_id, "end_user_id": end_user_id, "status": status, "started_after": started_after, "started_before": started_before})

    def get_session(self, session_id: str) -> types.Session:
        """Read a conversation. `GET /v1/agent-sessions/{sessionId}`"""
        result: types.Session = self._requests.json("GET", f"/v1/agent-sessions/{quote(session_id, safe='')}")
        return result

    def delete_session(self, session_id: str) -> None:
        """Delete a conversation. `DELETE /v1/agent-sessions/{sessionId}`"""
        self._requests.json("DELETE", f"/v1/agent-sessions/{quote(session_id, safe='')}")

    def list_messages(self, session_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> Items[types.ListMessagesResult, types.SessionMessage]:
        """List the messages of a conversation. `GET /v1/agent-sessions/{sessionId}/messages`"""
        return Items(self._requests, "messages", f"/v1/agent-sessions/{quote(session_id, safe='')}/messages", query={"limit": limit, "cursor": cursor, "order": order})

    def give_feedback(self, session_id: str, body: types.GiveFeedbackBody, *, idempotency_key: str | None = None) -> types.Feedback:
        """Rate a conversation. `POST /v1/agent-sessions/{sessionId}/feedback`"""
        result: types.Feedback = self._requests.json("POST", f"/v1/agent-sessions/{quote(session_id, safe='')}/feedback", body=body, idempotency_key=idempotency_key)
        return result

    def get_calendar(self, end_user_id: str, *, from_: Any | None = None, to: Any | None = None) -> types.Calendar:
        """Read an end user's calendar. `GET /v1/end-users/{endUserId}/calendar`"""
        result: types.Calendar = self._requests.json("GET", f"/v1/end-users/{quote(end_user_id, safe='')}/calendar", query={"from": from_, "to": to})
        return result

    def delete_calendar(self, end_user_id: str) -> None:
        """Delete an end user's calendar. `DELETE /v1/end-users/{endUserId}/calendar`"""
        self._requests.json("DELETE", f"/v1/end-users/{quote(end_user_id, safe='')}/calendar")

    def list_memories(self, end_user_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, agent_id: str | None = None) -> Items[types.ListMemoriesResult, types.Memory]:
        """List the memory of an end user. `GET /v1/end-users/{endUserId}/memory`"""
        return Items(self._requests, "memories", f"/v1/end-users/{quote(end_user_id, safe='')}/memory", query={"limit": limit, "cursor": cursor, "order": order, "agent_id": agent_id})

    def forget_end_user(self, end_user_id: str, *, agent_id: str | None = None) -> None:
        """Delete the memory of an end user. `DELETE /v1/end-users/{endUserId}/memory`"""
        self._requests.json("DELETE", f"/v1/end-users/{quote(end_user_id, safe='')}/memory", query={"agent_id": agent_id})

    def list_voices(self, *, limit: int | None = None, cursor: str | None = None, language: str | None = None) -> Items[types.ListVoicesResult, types.Voice]:
        """List the voices. `GET /v1/voices`"""
        return Items(self._requests, "voices", "/v1/voices", query={"limit": limit, "cursor": cursor, "language": language})

    def list_avatars(self, *, limit: int | None = None, cursor: str | None = None) -> Items[types.ListAvatarsResult, types.Avatar]:
        """List the avatars. `GET /v1/avatars`"""
        return Items(self._requests, "avatars", "/v1/avatars", query={"limit": limit, "cursor": cursor})

    def get_credit(self) -> types.Credit:
        """Read the credit. `GET /v1/credit`"""
        result: types.Credit = self._requests.json("GET", "/v1/credit")
        return result

    def get_usage(self, *, from_: Any | None = None, to: Any | None = None, group_by: Literal["day", "agent", "api_key", "kind"] | None = None) -> types.UsageReport:
        """Read the usage, and its cost. `GET /v1/usage`"""
        result: types.UsageReport = self._requests.json("GET", "/v1/usage", query={"from": from_, "to": to, "group_by": group_by})
        return result

    def list_webhooks(self, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> Items[types.ListWebhooksResult, types.Webhook]:
        """List webhooks. `GET /v1/webhooks`"""
        return Items(self._requests, "webhooks", "/v1/webhooks", query={"limit": limit, "cursor": cursor, "order": order})

    def create_webhook(self, body: types.CreateWebhookBody, *, idempotency_key: str | None = None) -> types.CreatedWebhook:
        """Create a webhook. `POST /v1/webhooks`"""
        result: types.CreatedWebhook = self._requests.json("POST", "/v1/webhooks", body=body, idempotency_key=idempotency_key)
        return result

    def get_webhook(self, webhook_id: str) -> types.Webhook:
        """Read a webhook. `GET /v1/webhooks/{webhookId}`"""
        result: types.Webhook = self._requests.json("GET", f"/v1/webhooks/{quote(webhook_id, safe='')}")
        return result

    def update_webhook(self, webhook_id: str, body: types.UpdateWebhookBody) -> types.Webhook:
        """Change a webhook. `PATCH /v1/webhooks/{webhookId}`"""
        result: types.Webhook = self._requests.json("PATCH", f"/v1/webhooks/{quote(webhook_id, safe='')}", body=body)
        return result

    def delete_webhook(self, webhook_id: str) -> None:
        """Delete a webhook. `DELETE /v1/webhooks/{webhookId}`"""
        self._requests.json("DELETE", f"/v1/webhooks/{quote(webhook_id, safe='')}")

    def rotate_webhook_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> types.RotatedWebhook:
        """Make a new secret. `POST /v1/webhooks/{webhookId}/rotate-secret`"""
        result: types.RotatedWebhook = self._requests.json("POST", f"/v1/webhooks/{quote(webhook_id, safe='')}/rotate-secret", idempotency_key=idempotency_key)
        return result

    def list_webhook_deliveries(self, webhook_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, status: Literal["pending", "succeeded", "failed"] | None = None) -> Items[types.ListWebhookDeliveriesResult, types.WebhookDelivery]:
        """List the deliveries of a webhook. `GET /v1/webhooks/{webhookId}/deliveries`"""
        return Items(self._requests, "deliveries", f"/v1/webhooks/{quote(webhook_id, safe='')}/deliveries", query={"limit": limit, "cursor": cursor, "order": order, "status": status})

    def replay_webhook_delivery(self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> types.WebhookDelivery:
        """Deliver an event again. `POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay`"""
        result: types.WebhookDelivery = self._requests.json("POST", f"/v1/webhooks/{quote(webhook_id, safe='')}/deliveries/{quote(delivery_id, safe='')}/replay", idempotency_key=idempotency_key)
        return result


class AsyncOperations:
    """One method for each operation of the API that takes a key."""

    def __init__(self, requests: AsyncRequests) -> None:
        self._requests = requests

    def list_agents(self, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, slug: str | None = None, state: Literal["draft", "published"] | None = None, q: str | None = None) -> AsyncItems[types.ListAgentsResult, types.Agent]:
        """List the Agents. `GET /v1/agents`"""
        return AsyncItems(self._requests, "agents", "/v1/agents", query={"limit": limit, "cursor": cursor, "order": order, "slug": slug, "state": state, "q": q})

    async def create_agent(self, body: types.AgentConfig, *, idempotency_key: str | None = None) -> types.Agent:
        """Create an Agent. `POST /v1/agents`"""
        result: types.Agent = await self._requests.json("POST", "/v1/agents", body=body, idempotency_key=idempotency_key)
        return result

    async def get_agent(self, agent_id: str) -> types.Agent:
        """Read an Agent. `GET /v1/agents/{agentId}`"""
        result: types.Agent = await self._requests.json("GET", f"/v1/agents/{quote(agent_id, safe='')}")
        return result

    async def update_agent(self, agent_id: str, body: types.AgentPatch, *, if_match: str | None = None) -> types.Agent:
        """Change the draft of an Agent. `PATCH /v1/agents/{agentId}`"""
        result: types.Agent = await self._requests.json("PATCH", f"/v1/agents/{quote(agent_id, safe='')}", body=body, if_match=if_match)
        return result

    async def delete_agent(self, agent_id: str, *, if_match: str | None = None) -> None:
        """Delete an Agent. `DELETE /v1/agents/{agentId}`"""
        await self._requests.json("DELETE", f"/v1/agents/{quote(agent_id, safe='')}", if_match=if_match)

    async def publish_agent(self, agent_id: str, body: types.PublishAgentBody | None = None, *, dry_run: Literal["true", "false"] | None = None, idempotency_key: str | None = None, if_match: str | None = None) -> Union[types.Published, types.PublishCheck]:
        """Publish an Agent. `POST /v1/agents/{agentId}/publish`"""
        result: Union[types.Published, types.PublishCheck] = await self._requests.json("POST", f"/v1/agents/{quote(agent_id, safe='')}/publish", body=body or {}, query={"dry_run": dry_run}, idempotency_key=idempotency_key, if_match=if_match)
        return result

    def list_revisions(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> AsyncItems[types.ListRevisionsResult, types.Revision]:
        """List the revisions of an Agent. `GET /v1/agents/{agentId}/revisions`"""
        return AsyncItems(self._requests, "revisions", f"/v1/agents/{quote(agent_id, safe='')}/revisions", query={"limit": limit, "cursor": cursor, "order": order})

    def list_publications(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> AsyncItems[types.ListPublicationsResult, types.Publication]:
        """List the publications of an Agent. `GET /v1/agents/{agentId}/publications`"""
        return AsyncItems(self._requests, "publications", f"/v1/agents/{quote(agent_id, safe='')}/publications", query={"limit": limit, "cursor": cursor, "order": order})

    def list_knowledge_files(self, agent_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> AsyncItems[types.ListKnowledgeFilesResult, types.KnowledgeFile]:
        """List the files that an Agent answers from. `GET /v1/agents/{agentId}/knowledge`"""
        return AsyncItems(self._requests, "files", f"/v1/agents/{quote(agent_id, safe='')}/knowledge", query={"limit": limit, "cursor": cursor, "order": order})

    async def add_knowledge_file(self, agent_id: str, file: FileContent, *, idempotency_key: str | None = None) -> types.KnowledgeFile:
        """Add a file that an Agent answers from. `POST /v1/agents/{agentId}/knowledge`"""
        result: types.KnowledgeFile = await self._requests.json("POST", f"/v1/agents/{quote(agent_id, safe='')}/knowledge", file=file, idempotency_key=idempotency_key)
        return result

    async def get_knowledge_file(self, agent_id: str, file_id: str) -> types.KnowledgeFile:
        """Read a file that an Agent answers from. `GET /v1/agents/{agentId}/knowledge/{fileId}`"""
        result: types.KnowledgeFile = await self._requests.json("GET", f"/v1/agents/{quote(agent_id, safe='')}/knowledge/{quote(file_id, safe='')}")
        return result

    async def delete_knowledge_file(self, agent_id: str, file_id: str) -> None:
        """Delete a file that an Agent answers from. `DELETE /v1/agents/{agentId}/knowledge/{fileId}`"""
        await self._requests.json("DELETE", f"/v1/agents/{quote(agent_id, safe='')}/knowledge/{quote(file_id, safe='')}")

    async def create_session_token(self, agent_id: str, body: types.CreateSessionTokenBody | None = None, *, idempotency_key: str | None = None) -> types.SessionToken:
        """Mint a session token. `POST /v1/agents/{agentId}/session-tokens`"""
        result: types.SessionToken = await self._requests.json("POST", f"/v1/agents/{quote(agent_id, safe='')}/session-tokens", body=body or {}, idempotency_key=idempotency_key)
        return result

    async def create_stream_token(self, body: types.CreateStreamTokenBody | None = None, *, idempotency_key: str | None = None) -> types.StreamToken:
        """Mint a stream token. `POST /v1/tts/stream-tokens`"""
        result: types.StreamToken = await self._requests.json("POST", "/v1/tts/stream-tokens", body=body or {}, idempotency_key=idempotency_key)
        return result

    async def create_listen_token(self, body: Dict[str, Any] | None = None, *, idempotency_key: str | None = None) -> types.ListenToken:
        """Mint a listen token. `POST /v1/listen/tokens`"""
        result: types.ListenToken = await self._requests.json("POST", "/v1/listen/tokens", body=body or {}, idempotency_key=idempotency_key)
        return result

    async def create_realtime_client_secret(self, body: types.CreateRealtimeClientSecretBody, *, idempotency_key: str | None = None) -> types.RealtimeClientSecret:
        """Mint a client secret of OpenAI's Realtime protocol. `POST /v1/realtime/client_secrets`"""
        result: types.RealtimeClientSecret = await self._requests.json("POST", "/v1/realtime/client_secrets", body=body, idempotency_key=idempotency_key)
        return result

    async def create_realtime_call(self, body: str, *, model: str | None = None) -> None:
        """Talk over WebRTC with OpenAI's Realtime protocol. `POST /v1/realtime/calls`"""
        await self._requests.json("POST", "/v1/realtime/calls", body=body, query={"model": model})

    async def hang_up_realtime_call(self, session_id: str) -> None:
        """End a call. `POST /v1/realtime/calls/{sessionId}/hangup`"""
        await self._requests.json("POST", f"/v1/realtime/calls/{quote(session_id, safe='')}/hangup")

    def list_sessions(self, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, agent_id: str | None = None, end_user_id: str | None = None, status: Literal["connecting", "active", "ending", "ended", "failed"] | None = None, started_after: str | None = None, started_before: str | None = None) -> AsyncItems[types.ListSessionsResult, types.SessionSummary]:
        """List conversations. `GET /v1/agent-sessions`"""
        return AsyncItems(self._requests, "sessions", "/v1/agent-sessions", query={"limit": limit, "cursor": cursor, "order": order, "agent_id": agent_id, "end_user_id": end_user_id, "status": status, "started_after": started_after, "started_before": started_before})

    async def get_session(self, session_id: str) -> types.Session:
        """Read a conversation. `GET /v1/agent-sessions/{sessionId}`"""
        result: types.Session = await self._requests.json("GET", f"/v1/agent-sessions/{quote(session_id, safe='')}")
        return result

    async def delete_session(self, session_id: str) -> None:
        """Delete a conversation. `DELETE /v1/agent-sessions/{sessionId}`"""
        await self._requests.json("DELETE", f"/v1/agent-sessions/{quote(session_id, safe='')}")

    def list_messages(self, session_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> AsyncItems[types.ListMessagesResult, types.SessionMessage]:
        """List the messages of a conversation. `GET /v1/agent-sessions/{sessionId}/messages`"""
        return AsyncItems(self._requests, "messages", f"/v1/agent-sessions/{quote(session_id, safe='')}/messages", query={"limit": limit, "cursor": cursor, "order": order})

    async def give_feedback(self, session_id: str, body: types.GiveFeedbackBody, *, idempotency_key: str | None = None) -> types.Feedback:
        """Rate a conversation. `POST /v1/agent-sessions/{sessionId}/feedback`"""
        result: types.Feedback = await self._requests.json("POST", f"/v1/agent-sessions/{quote(session_id, safe='')}/feedback", body=body, idempotency_key=idempotency_key)
        return result

    async def get_calendar(self, end_user_id: str, *, from_: Any | None = None, to: Any | None = None) -> types.Calendar:
        """Read an end user's calendar. `GET /v1/end-users/{endUserId}/calendar`"""
        result: types.Calendar = await self._requests.json("GET", f"/v1/end-users/{quote(end_user_id, safe='')}/calendar", query={"from": from_, "to": to})
        return result

    async def delete_calendar(self, end_user_id: str) -> None:
        """Delete an end user's calendar. `DELETE /v1/end-users/{endUserId}/calendar`"""
        await self._requests.json("DELETE", f"/v1/end-users/{quote(end_user_id, safe='')}/calendar")

    def list_memories(self, end_user_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, agent_id: str | None = None) -> AsyncItems[types.ListMemoriesResult, types.Memory]:
        """List the memory of an end user. `GET /v1/end-users/{endUserId}/memory`"""
        return AsyncItems(self._requests, "memories", f"/v1/end-users/{quote(end_user_id, safe='')}/memory", query={"limit": limit, "cursor": cursor, "order": order, "agent_id": agent_id})

    async def forget_end_user(self, end_user_id: str, *, agent_id: str | None = None) -> None:
        """Delete the memory of an end user. `DELETE /v1/end-users/{endUserId}/memory`"""
        await self._requests.json("DELETE", f"/v1/end-users/{quote(end_user_id, safe='')}/memory", query={"agent_id": agent_id})

    def list_voices(self, *, limit: int | None = None, cursor: str | None = None, language: str | None = None) -> AsyncItems[types.ListVoicesResult, types.Voice]:
        """List the voices. `GET /v1/voices`"""
        return AsyncItems(self._requests, "voices", "/v1/voices", query={"limit": limit, "cursor": cursor, "language": language})

    def list_avatars(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncItems[types.ListAvatarsResult, types.Avatar]:
        """List the avatars. `GET /v1/avatars`"""
        return AsyncItems(self._requests, "avatars", "/v1/avatars", query={"limit": limit, "cursor": cursor})

    async def get_credit(self) -> types.Credit:
        """Read the credit. `GET /v1/credit`"""
        result: types.Credit = await self._requests.json("GET", "/v1/credit")
        return result

    async def get_usage(self, *, from_: Any | None = None, to: Any | None = None, group_by: Literal["day", "agent", "api_key", "kind"] | None = None) -> types.UsageReport:
        """Read the usage, and its cost. `GET /v1/usage`"""
        result: types.UsageReport = await self._requests.json("GET", "/v1/usage", query={"from": from_, "to": to, "group_by": group_by})
        return result

    def list_webhooks(self, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None) -> AsyncItems[types.ListWebhooksResult, types.Webhook]:
        """List webhooks. `GET /v1/webhooks`"""
        return AsyncItems(self._requests, "webhooks", "/v1/webhooks", query={"limit": limit, "cursor": cursor, "order": order})

    async def create_webhook(self, body: types.CreateWebhookBody, *, idempotency_key: str | None = None) -> types.CreatedWebhook:
        """Create a webhook. `POST /v1/webhooks`"""
        result: types.CreatedWebhook = await self._requests.json("POST", "/v1/webhooks", body=body, idempotency_key=idempotency_key)
        return result

    async def get_webhook(self, webhook_id: str) -> types.Webhook:
        """Read a webhook. `GET /v1/webhooks/{webhookId}`"""
        result: types.Webhook = await self._requests.json("GET", f"/v1/webhooks/{quote(webhook_id, safe='')}")
        return result

    async def update_webhook(self, webhook_id: str, body: types.UpdateWebhookBody) -> types.Webhook:
        """Change a webhook. `PATCH /v1/webhooks/{webhookId}`"""
        result: types.Webhook = await self._requests.json("PATCH", f"/v1/webhooks/{quote(webhook_id, safe='')}", body=body)
        return result

    async def delete_webhook(self, webhook_id: str) -> None:
        """Delete a webhook. `DELETE /v1/webhooks/{webhookId}`"""
        await self._requests.json("DELETE", f"/v1/webhooks/{quote(webhook_id, safe='')}")

    async def rotate_webhook_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> types.RotatedWebhook:
        """Make a new secret. `POST /v1/webhooks/{webhookId}/rotate-secret`"""
        result: types.RotatedWebhook = await self._requests.json("POST", f"/v1/webhooks/{quote(webhook_id, safe='')}/rotate-secret", idempotency_key=idempotency_key)
        return result

    def list_webhook_deliveries(self, webhook_id: str, *, limit: int | None = None, cursor: str | None = None, order: Literal["asc", "desc"] | None = None, status: Literal["pending", "succeeded", "failed"] | None = None) -> AsyncItems[types.ListWebhookDeliveriesResult, types.WebhookDelivery]:
        """List the deliveries of a webhook. `GET /v1/webhooks/{webhookId}/deliveries`"""
        return AsyncItems(self._requests, "deliveries", f"/v1/webhooks/{quote(webhook_id, safe='')}/deliveries", query={"limit": limit, "cursor": cursor, "order": order, "status": status})

    async def replay_webhook_delivery(self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> types.WebhookDelivery:
        """Deliver an event again. `POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay`"""
        result: types.WebhookDelivery = await self._requests.json("POST", f"/v1/webhooks/{quote(webhook_id, safe='')}/deliveries/{quote(delivery_id, safe='')}/replay", idempotency_key=idempotency_key)
        return result
