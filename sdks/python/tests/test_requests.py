import asyncio
import json
from typing import Any, Callable, List, Optional

import pytest
from parlance_client import AsyncParlance, Parlance, ParlanceError, types

from stand_in import Answer, Received, StandIn, error

agent: types.AgentConfig = {
    "slug": "desk",
    "display_name": "Desk",
    "voice_id": "v",
    "llm_provider": "builtin",
    "llm_model": "rules",
}


def in_turn(*answers: Optional[Answer]) -> Callable[[Received], Optional[Answer]]:
    waiting = list(answers)
    return lambda _: waiting.pop(0)


@pytest.mark.parametrize("status", [429, 503])
def test_a_refused_post_is_sent_again_under_the_same_key(status: int) -> None:
    refused: Answer = (status, error("rate_limited", True), {"retry-after": "0"})
    with StandIn(in_turn(refused, (201, {"id": "a"}, {}))) as stand_in, Parlance(stand_in.url, "awp_test") as parlance:
        assert parlance.create_agent(agent)["id"] == "a"
        first, second = stand_in.requests
    assert len(first.headers["idempotency-key"]) == 36
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert second.headers["authorization"] == "Bearer awp_test"
    assert json.loads(second.body) == agent


@pytest.mark.parametrize("status", [429, 503])
def test_asyncio_sends_a_refused_post_again_under_the_same_key(status: int) -> None:
    refused: Answer = (status, error("rate_limited", True), {"retry-after": "0"})

    async def create(url: str) -> types.Agent:
        async with AsyncParlance(url, "awp_test") as parlance:
            return await parlance.create_agent(agent, idempotency_key="order-1")

    with StandIn(in_turn(refused, (201, {"id": "a"}, {}))) as stand_in:
        assert asyncio.run(create(stand_in.url))["id"] == "a"
        assert [request.headers["idempotency-key"] for request in stand_in.requests] == ["order-1", "order-1"]


def test_a_request_whose_connection_breaks_is_sent_again() -> None:
    with StandIn(in_turn(None, (200, {"balance": "1"}, {}))) as stand_in, Parlance(stand_in.url, "k") as parlance:
        assert parlance.get_credit()["balance"] == "1"


def raised_by(call: Callable[[], Any]) -> ParlanceError:
    with pytest.raises(ParlanceError) as raised:
        call()
    return raised.value


def test_an_error_that_is_not_retryable_is_raised_at_once() -> None:
    with StandIn(in_turn((404, error("agent_not_found", False), {}))) as stand_in, Parlance(stand_in.url, "k") as parlance:
        found = raised_by(lambda: parlance.get_agent("a b"))
        assert (found.code, found.status, found.request_id, found.detail) == ("agent_not_found", 404, "r-1", "Why.")
        assert [request.path for request in stand_in.requests] == ["/v1/agents/a%20b"]


def test_an_error_that_stays_is_raised_after_the_last_retry_and_one_with_a_long_wait_at_once() -> None:
    def refuse(after: str) -> Callable[[Received], Answer]:
        return lambda _: (503, error("draining", True), {"retry-after": after})

    for after, count in (("0", 4), ("3600", 1)):
        with StandIn(refuse(after)) as stand_in, Parlance(stand_in.url, "k", max_retries=3) as parlance:
            assert raised_by(parlance.get_credit).code == "draining"
            assert len(stand_in.requests) == count


def test_an_answer_of_a_proxy_is_an_error_too() -> None:
    with StandIn(lambda _: (502, None, {})) as stand_in, Parlance(stand_in.url, "k", max_retries=0) as parlance:
        assert raised_by(parlance.get_credit).code == "unavailable"


def pages(request: Received) -> Answer:
    is_first = "cursor" not in request.path
    return 200, {"voices": [{"id": "a" if is_first else "b"}], "next_cursor": "next" if is_first else None}, {}


def test_a_list_is_iterated_over_all_of_its_pages() -> None:
    with StandIn(pages) as stand_in, Parlance(stand_in.url, "k") as parlance:
        voices = parlance.list_voices(language="en")
        assert voices.first_page()["next_cursor"] == "next"
        assert [voice["id"] for voice in voices] == ["a", "b"]
        assert stand_in.requests[-1].path == "/v1/voices?cursor=next&language=en"


def test_asyncio_iterates_a_list_over_all_of_its_pages() -> None:
    async def ids(url: str) -> List[str]:
        async with AsyncParlance(url, "k") as parlance:
            voices = parlance.list_voices()
            assert (await voices)["next_cursor"] == "next"
            return [voice["id"] async for voice in voices]

    with StandIn(pages) as stand_in:
        assert asyncio.run(ids(stand_in.url)) == ["a", "b"]
