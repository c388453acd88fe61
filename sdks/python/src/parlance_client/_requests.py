"""Requests with retries, errors and pages."""

import asyncio
import json
import random
import time
import uuid
from typing import Any, AsyncIterator, Generator, Generic, Iterator, Mapping, TypeVar, cast

import httpx

FileContent = tuple[str, bytes, str]
"""The name of a file, its bytes, and its media type."""

MAX_WAIT_SECONDS = 60.0


class ParlanceError(Exception):
    """Every error of this library. Match on ``code``: a code of the API, ``connection_failed`` or ``timeout``."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        retryable: bool,
        status: int | None = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        """A description for people, which may change."""
        self.retryable = retryable
        """Whether the same request may succeed later."""
        self.status = status
        self.request_id = request_id
        """The id of the request in the log of the installation."""
        self.retry_after_seconds = retry_after_seconds


def error_of_response(status: int, body: bytes, retry_after: str | None) -> ParlanceError:
    """The error of a response, from its body where that is ours. A proxy may have answered instead of the gateway."""
    try:
        seconds = float(retry_after) if retry_after else None
    except ValueError:
        seconds = None
    try:
        error = json.loads(body)
        return ParlanceError(
            error["code"],
            error["detail"],
            retryable=error["retryable"],
            status=status,
            request_id=error["request_id"],
            retry_after_seconds=seconds,
        )
    except (ValueError, KeyError, TypeError):
        retryable = status in (429, 502, 503, 504)
        return ParlanceError(
            "unavailable" if retryable else "internal_error",
            f"The response has the status {status}.",
            retryable=retryable,
            status=status,
            retry_after_seconds=seconds,
        )


def connection_error(error: httpx.TransportError) -> ParlanceError:
    if isinstance(error, httpx.TimeoutException):
        return ParlanceError("timeout", "No response in time.", retryable=True)
    return ParlanceError("connection_failed", f"Parlance cannot be reached: {error}", retryable=True)


def retry_delay(error: ParlanceError, retries: int) -> float:
    """As the server says, else 0.25 to 0.5 s, twice as much after each attempt, and at most 8 s."""
    if error.retry_after_seconds is not None:
        return error.retry_after_seconds
    return min(8.0, 0.5 * 2.0**retries) * (0.5 + random.random() / 2)


def delay_before_retry(error: ParlanceError, retries: int, max_retries: int) -> float:
    """The seconds to wait before the next attempt. Raises the error where no attempt should follow."""
    delay = retry_delay(error, retries)
    if not error.retryable or retries >= max_retries or delay > MAX_WAIT_SECONDS:
        raise error
    return delay


def _request_of(
    method: str,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    file: FileContent | None = None,
    query: Mapping[str, Any] | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> dict[str, Any]:
    headers = {}
    if if_match is not None:
        headers["if-match"] = if_match
    if method == "POST":
        # The same for all attempts, so that a call has its effect once.
        headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
    request: dict[str, Any] = {"method": method, "url": path, "headers": headers}
    if body is not None:
        request["json"] = body
    if file is not None:
        request["files"] = {"file": file}
    if query is not None:
        request["params"] = {name: value for name, value in query.items() if value is not None}
    return request


class Requests:
    """Sends requests with the key of a workspace."""

    def __init__(self, url: str, api_key: str, max_retries: int, timeout: float) -> None:
        self.url = url.rstrip("/")
        self.api_key = api_key
        self.max_retries = max_retries
        self.timeout = timeout
        self.http = httpx.Client(
            base_url=self.url, headers={"authorization": f"Bearer {api_key}"}, timeout=timeout
        )

    def send(self, method: str, path: str, *, stream: bool = False, **content: Any) -> httpx.Response:
        request = self.http.build_request(**_request_of(method, path, **content))
        retries = 0
        while True:
            try:
                response = self.http.send(request, stream=stream)
                if response.is_success:
                    return response
                raw = response.read()
                response.close()
                error = error_of_response(response.status_code, raw, response.headers.get("retry-after"))
            except httpx.TransportError as cause:
                error = connection_error(cause)
                error.__cause__ = cause
            time.sleep(delay_before_retry(error, retries, self.max_retries))
            retries += 1

    def json(self, method: str, path: str, **content: Any) -> Any:
        response = self.send(method, path, **content)
        return response.json() if response.content else None


class AsyncRequests:
    """The same for asyncio."""

    def __init__(self, url: str, api_key: str, max_retries: int, timeout: float) -> None:
        self.url = url.rstrip("/")
        self.max_retries = max_retries
        self.http = httpx.AsyncClient(
            base_url=self.url, headers={"authorization": f"Bearer {api_key}"}, timeout=timeout
        )

    async def send(self, method: str, path: str, *, stream: bool = False, **content: Any) -> httpx.Response:
        request = self.http.build_request(**_request_of(method, path, **content))
        retries = 0
        while True:
            try:
                response = await self.http.send(request, stream=stream)
                if response.is_success:
                    return response
                raw = await response.aread()
                await response.aclose()
                error = error_of_response(response.status_code, raw, response.headers.get("retry-after"))
            except httpx.TransportError as cause:
                error = connection_error(cause)
                error.__cause__ = cause
            await asyncio.sleep(delay_before_retry(error, retries, self.max_retries))
            retries += 1

    async def json(self, method: str, path: str, **content: Any) -> Any:
        response = await self.send(method, path, **content)
        return response.json() if response.content else None


Page = TypeVar("Page")
Item = TypeVar("Item")


class Items(Generic[Page, Item]):
    """A list: iterated it is all items of all pages."""

    def __init__(self, requests: Requests, key: str, path: str, *, query: Mapping[str, Any]) -> None:
        self._requests = requests
        self._key = key
        self._path = path
        self._query = query

    def first_page(self) -> Page:
        """The first page alone, with its ``next_cursor``."""
        return cast(Page, self._requests.json("GET", self._path, query=self._query))

    def __iter__(self) -> Iterator[Item]:
        cursor = self._query.get("cursor")
        while True:
            page = self._requests.json("GET", self._path, query={**self._query, "cursor": cursor})
            yield from page[self._key]
            cursor = page["next_cursor"]
            if cursor is None:
                return


class AsyncItems(Generic[Page, Item]):
    """A list: awaited it is its first page, iterated it is all items of all pages."""

    def __init__(self, requests: AsyncRequests, key: str, path: str, *, query: Mapping[str, Any]) -> None:
        self._requests = requests
        self._key = key
        self._path = path
        self._query = query

    async def first_page(self) -> Page:
        """The first page alone, with its ``next_cursor``."""
        return cast(Page, await self._requests.json("GET", self._path, query=self._query))

    def __await__(self) -> Generator[Any, None, Page]:
        return self.first_page().__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        cursor = self._query.get("cursor")
        while True:
            page = await self._requests.json("GET", self._path, query={**self._query, "cursor": cursor})
            for item in page[self._key]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return
