"""The schemas of the API. Written by `npm run generate` from the OpenAPI document."""

from typing import Any, Dict, List, Literal, Union

from typing_extensions import NotRequired, TypedDict


class WebhookEventAgentPublished(TypedDict):
    type: Literal["agent.published"]
    data: "WebhookEventAgentPublishedData"
    timestamp: str


class WebhookEventAgentPublishedData(TypedDict):
    agent_id: str
    slug: str
    publication: "WebhookEventAgentPublishedDataPublication"
    revision: "WebhookEventAgentPublishedDataRevision"


class WebhookEventAgentPublishedDataPublication(TypedDict):
    id: str
    version: int


class WebhookEventAgentPublishedDataRevision(TypedDict):
    id: str
    version: int


class WebhookEventAgentSessionStarted(TypedDict):
    type: Literal["agent_session.started"]
    data: "WebhookEventAgentSessionStartedData"
    timestamp: str


class WebhookEventAgentSessionStartedData(TypedDict):
    session_id: str
    agent_id: str
    publication: "WebhookEventAgentSessionStartedDataPublication"
    end_user_id: Union[str, None]
    transport: str
    started_at: Union[str, None]


class WebhookEventAgentSessionStartedDataPublication(TypedDict):
    id: str
    version: int


class WebhookEventAgentSessionEnded(TypedDict):
    type: Literal["agent_session.ended"]
    data: "WebhookEventAgentSessionEndedData"
    timestamp: str


class WebhookEventAgentSessionEndedData(TypedDict):
    session_id: str
    agent_id: str
    publication: "WebhookEventAgentSessionEndedDataPublication"
    end_user_id: Union[str, None]
    transport: str
    started_at: Union[str, None]
    ended_at: str
    duration_seconds: float
    end_reason: Literal["user_disconnected", "agent_ended", "api_ended", "silence_timeout", "max_duration", "connection_lost", "ice_failed", "insufficient_credit", "drained", "llm_error", "stt_error", "tts_error", "internal_error"]
    error: Union["WebhookEventAgentSessionEndedDataError", None]
    credit_used: str


class WebhookEventAgentSessionEndedDataPublication(TypedDict):
    id: str
    version: int


class WebhookEventAgentSessionEndedDataError(TypedDict):
    code: str
    detail: str


class WebhookEventAgentSessionFailed(TypedDict):
    type: Literal["agent_session.failed"]
    data: "WebhookEventAgentSessionFailedData"
    timestamp: str


class WebhookEventAgentSessionFailedData(TypedDict):
    session_id: str
    agent_id: str
    publication: "WebhookEventAgentSessionFailedDataPublication"
    end_user_id: Union[str, None]
    transport: str
    started_at: Union[str, None]
    ended_at: str
    duration_seconds: float
    end_reason: Literal["user_disconnected", "agent_ended", "api_ended", "silence_timeout", "max_duration", "connection_lost", "ice_failed", "insufficient_credit", "drained", "llm_error", "stt_error", "tts_error", "internal_error"]
    error: Union["WebhookEventAgentSessionFailedDataError", None]
    credit_used: str


class WebhookEventAgentSessionFailedDataPublication(TypedDict):
    id: str
    version: int


class WebhookEventAgentSessionFailedDataError(TypedDict):
    code: str
    detail: str


class WebhookEventAgentSessionAnalyzed(TypedDict):
    type: Literal["agent_session.analyzed"]
    data: "WebhookEventAgentSessionAnalyzedData"
    timestamp: str


class WebhookEventAgentSessionAnalyzedData(TypedDict):
    session_id: str
    agent_id: str
    end_user_id: Union[str, None]
    status: Literal["pending", "succeeded", "failed"]
    criteria: List["WebhookEventAgentSessionAnalyzedDataCriteria"]
    data: List["WebhookEventAgentSessionAnalyzedDataData"]
    error: Union[str, None]
    analyzed_at: Union[str, None]


class WebhookEventAgentSessionAnalyzedDataCriteria(TypedDict):
    name: str
    description: str
    result: Literal["success", "failure", "unknown"]
    reason: str


class WebhookEventAgentSessionAnalyzedDataData(TypedDict):
    name: str
    type: Literal["string", "number", "integer", "boolean"]
    description: str
    value: Union[str, float, bool, None]


class WebhookEventCreditLow(TypedDict):
    type: Literal["credit.low"]
    data: "WebhookEventCreditLowData"
    timestamp: str


class WebhookEventCreditLowData(TypedDict):
    balance: str
    unit: Literal["credit"]
    threshold: str


class WebhookEventCreditExhausted(TypedDict):
    type: Literal["credit.exhausted"]
    data: "WebhookEventCreditExhaustedData"
    timestamp: str


class WebhookEventCreditExhaustedData(TypedDict):
    balance: str
    unit: Literal["credit"]


class WebhookEventApiKeyRevoked(TypedDict):
    type: Literal["api_key.revoked"]
    data: "WebhookEventApiKeyRevokedData"
    timestamp: str


class WebhookEventApiKeyRevokedData(TypedDict):
    key_id: str
    label: str
    prefix: str


WebhookEvent = Union["WebhookEventAgentPublished", "WebhookEventAgentSessionStarted", "WebhookEventAgentSessionEnded", "WebhookEventAgentSessionFailed", "WebhookEventAgentSessionAnalyzed", "WebhookEventCreditLow", "WebhookEventCreditExhausted", "WebhookEventApiKeyRevoked"]


class SpeechAudio(TypedDict):
    event: Literal["audio"]
    seq: int
    segment: int
    start_ms: float
    duration_ms: float
    data: str
    """The audio in base64."""


class SpeechAlignment(TypedDict):
    event: Literal["alignment"]
    segment: int
    words: List["SpeechAlignmentWords"]
    phonemes: List["SpeechAlignmentPhonemes"]
    visemes: List["SpeechAlignmentVisemes"]


class SpeechAlignmentWords(TypedDict):
    text: str
    start_ms: float
    end_ms: float


class SpeechAlignmentPhonemes(TypedDict):
    text: str
    start_ms: float
    end_ms: float


class SpeechAlignmentVisemes(TypedDict):
    id: Literal["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U"]
    start_ms: float
    end_ms: float


class SpeechDone(TypedDict):
    event: Literal["done"]
    audio_duration_ms: float
    characters_billed: int
    ttfa_ms: float


class OpenaiSpeechDelta(TypedDict):
    type: Literal["speech.audio.delta"]
    audio: str


class OpenaiSpeechDone(TypedDict):
    type: Literal["speech.audio.done"]
    usage: "OpenaiSpeechDoneUsage"


class OpenaiSpeechDoneUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    total_tokens: int


class TranscriptionDelta(TypedDict):
    type: Literal["transcript.text.delta"]
    delta: str


class TranscriptionDone(TypedDict):
    type: Literal["transcript.text.done"]
    text: str
    usage: "TranscriptionDoneUsage"


class TranscriptionDoneUsage(TypedDict):
    type: Literal["duration"]
    seconds: int


class Agent(TypedDict):
    slug: str
    display_name: str
    description: NotRequired[str]
    avatar_id: NotRequired[Union[str, None]]
    voice_id: str
    voice_config: NotRequired["AgentVoiceConfig"]
    system_prompt: NotRequired[str]
    first_message: NotRequired[Union[str, None]]
    first_message_interruptible: NotRequired[bool]
    llm_provider: str
    llm_model: str
    llm_config: NotRequired["AgentLlmConfig"]
    stt_config: NotRequired["AgentSttConfig"]
    audio_config: NotRequired["AgentAudioConfig"]
    turn_config: NotRequired["AgentTurnConfig"]
    session_config: NotRequired["AgentSessionConfig"]
    tools: NotRequired[List[Union["AgentToolsClient", "AgentToolsWebhook", "AgentToolsMcp", "AgentToolsBuiltin"]]]
    knowledge_files: NotRequired[List[str]]
    web_search_enabled: NotRequired[bool]
    memory_enabled: NotRequired[bool]
    calendar_enabled: NotRequired[bool]
    metadata: NotRequired[Dict[str, Any]]
    id: str
    state: Literal["draft", "published"]
    api_ready: bool
    draft_revision: "AgentDraftRevision"
    active_publication: Union["AgentActivePublication", None]
    created_at: str
    updated_at: str


class AgentVoiceConfig(TypedDict):
    tts_variant: NotRequired[Union[str, None]]
    language: NotRequired[Union[str, None]]
    speed: NotRequired[float]
    volume: NotRequired[float]


class AgentLlmConfig(TypedDict):
    temperature: NotRequired[float]
    max_output_tokens: NotRequired[int]
    timeout_ms: NotRequired[int]


class AgentSttConfig(TypedDict):
    language: NotRequired[str]


class AgentAudioConfig(TypedDict):
    noise_suppression: NotRequired[bool]


class AgentTurnConfig(TypedDict):
    endpointing_min_ms: NotRequired[int]
    """At most `endpointing_max_ms`."""
    endpointing_max_ms: NotRequired[int]
    interruptions_enabled: NotRequired[bool]
    interruption_min_ms: NotRequired[int]
    false_interruption_timeout_ms: NotRequired[int]
    preemptive: NotRequired[bool]


class AgentSessionConfig(TypedDict):
    max_duration_seconds: NotRequired[int]
    silence_timeout_seconds: NotRequired[int]
    max_concurrent_sessions: NotRequired[Union[int, None]]
    allowed_origins: NotRequired[List[str]]
    store_transcript: NotRequired[bool]
    overrides: NotRequired[List[Literal["system_prompt", "first_message", "voice_id", "language"]]]
    """What the start of a session may set in its `overrides`."""
    public: NotRequired["AgentSessionConfigPublic"]


class AgentSessionConfigPublic(TypedDict):
    enabled: NotRequired[bool]
    """Whether pages of `origins` may mint session tokens without a key, once this is published."""
    origins: NotRequired[List[str]]
    per_address_per_hour: NotRequired[int]
    """Tokens that a network address may mint in an hour."""
    daily_credit: NotRequired[Union[str, None]]
    """What public conversations may use in a day in UTC. Required where `enabled` is true."""


class AgentToolsClient(TypedDict):
    type: Literal["client"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]


class AgentToolsWebhook(TypedDict):
    type: Literal["webhook"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]
    url: str


class AgentToolsMcp(TypedDict):
    type: Literal["mcp"]
    name: str
    url: str
    """The address of an MCP server that speaks Streamable HTTP."""
    headers: NotRequired[Dict[str, str]]
    """Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server."""
    allowed_tools: NotRequired[Union[List[str], None]]
    """The tools of the server that the Agent may call. Null for all."""


class AgentToolsBuiltin(TypedDict):
    type: Literal["builtin"]
    name: Literal["end_call", "skip_turn", "transfer_to_agent", "transfer_call"]
    agents: NotRequired[Union[List[str], None]]
    """The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all."""
    numbers: NotRequired[List[str]]
    """The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool."""


class AgentDraftRevision(TypedDict):
    id: str
    version: int


class AgentActivePublication(TypedDict):
    id: str
    version: int
    revision: "AgentActivePublicationRevision"
    memory_enabled: bool
    calendar_enabled: bool
    created_at: str


class AgentActivePublicationRevision(TypedDict):
    id: str
    version: int


class Error(TypedDict):
    """Every error has these five keys. Match on `code`; `detail` is for people and may change."""

    event: Literal["error"]
    request_id: str
    code: Literal["invalid_request", "invalid_json", "alignment_requires_json", "text_not_speakable", "unsupported_format", "memory_identity_required", "invalid_sdp", "unauthorized", "session_token_expired", "stream_token_invalid", "insufficient_credit", "capability_disabled", "organization_suspended", "session_token_agent_mismatch", "origin_not_allowed", "forbidden_role", "agent_not_found", "session_not_found", "voice_not_found", "avatar_not_found", "not_found", "method_not_allowed", "not_acceptable", "agent_not_published", "agent_not_api_ready", "slug_taken", "session_token_used", "session_ended", "idempotency_conflict", "context_exists", "revision_conflict", "text_too_long", "payload_too_large", "unsupported_media_type", "range_not_satisfiable", "agent_not_publishable", "rate_limited", "concurrency_limited", "too_many_contexts", "internal_error", "upstream_error", "capacity_exhausted", "draining", "unavailable", "upstream_timeout"]
    retryable: bool
    detail: str


class AgentConfig(TypedDict):
    slug: str
    display_name: str
    description: NotRequired[str]
    avatar_id: NotRequired[Union[str, None]]
    voice_id: str
    voice_config: NotRequired["AgentConfigVoiceConfig"]
    system_prompt: NotRequired[str]
    first_message: NotRequired[Union[str, None]]
    first_message_interruptible: NotRequired[bool]
    llm_provider: str
    llm_model: str
    llm_config: NotRequired["AgentConfigLlmConfig"]
    stt_config: NotRequired["AgentConfigSttConfig"]
    audio_config: NotRequired["AgentConfigAudioConfig"]
    turn_config: NotRequired["AgentConfigTurnConfig"]
    session_config: NotRequired["AgentConfigSessionConfig"]
    tools: NotRequired[List[Union["AgentConfigToolsClient", "AgentConfigToolsWebhook", "AgentConfigToolsMcp", "AgentConfigToolsBuiltin"]]]
    knowledge_files: NotRequired[List[str]]
    web_search_enabled: NotRequired[bool]
    memory_enabled: NotRequired[bool]
    calendar_enabled: NotRequired[bool]
    metadata: NotRequired[Dict[str, Any]]


class AgentConfigVoiceConfig(TypedDict):
    tts_variant: NotRequired[Union[str, None]]
    language: NotRequired[Union[str, None]]
    speed: NotRequired[float]
    volume: NotRequired[float]


class AgentConfigLlmConfig(TypedDict):
    temperature: NotRequired[float]
    max_output_tokens: NotRequired[int]
    timeout_ms: NotRequired[int]


class AgentConfigSttConfig(TypedDict):
    language: NotRequired[str]


class AgentConfigAudioConfig(TypedDict):
    noise_suppression: NotRequired[bool]


class AgentConfigTurnConfig(TypedDict):
    endpointing_min_ms: NotRequired[int]
    """At most `endpointing_max_ms`."""
    endpointing_max_ms: NotRequired[int]
    interruptions_enabled: NotRequired[bool]
    interruption_min_ms: NotRequired[int]
    false_interruption_timeout_ms: NotRequired[int]
    preemptive: NotRequired[bool]


class AgentConfigSessionConfig(TypedDict):
    max_duration_seconds: NotRequired[int]
    silence_timeout_seconds: NotRequired[int]
    max_concurrent_sessions: NotRequired[Union[int, None]]
    allowed_origins: NotRequired[List[str]]
    store_transcript: NotRequired[bool]
    overrides: NotRequired[List[Literal["system_prompt", "first_message", "voice_id", "language"]]]
    """What the start of a session may set in its `overrides`."""
    public: NotRequired["AgentConfigSessionConfigPublic"]


class AgentConfigSessionConfigPublic(TypedDict):
    enabled: NotRequired[bool]
    """Whether pages of `origins` may mint session tokens without a key, once this is published."""
    origins: NotRequired[List[str]]
    per_address_per_hour: NotRequired[int]
    """Tokens that a network address may mint in an hour."""
    daily_credit: NotRequired[Union[str, None]]
    """What public conversations may use in a day in UTC. Required where `enabled` is true."""


class AgentConfigToolsClient(TypedDict):
    type: Literal["client"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]


class AgentConfigToolsWebhook(TypedDict):
    type: Literal["webhook"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]
    url: str


class AgentConfigToolsMcp(TypedDict):
    type: Literal["mcp"]
    name: str
    url: str
    """The address of an MCP server that speaks Streamable HTTP."""
    headers: NotRequired[Dict[str, str]]
    """Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server."""
    allowed_tools: NotRequired[Union[List[str], None]]
    """The tools of the server that the Agent may call. Null for all."""


class AgentConfigToolsBuiltin(TypedDict):
    type: Literal["builtin"]
    name: Literal["end_call", "skip_turn", "transfer_to_agent", "transfer_call"]
    agents: NotRequired[Union[List[str], None]]
    """The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all."""
    numbers: NotRequired[List[str]]
    """The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool."""


class AgentPatch(TypedDict):
    """Every field may be left out; null resets a field to its default."""

    slug: NotRequired[str]
    display_name: NotRequired[str]
    description: NotRequired[Union[str, None]]
    avatar_id: NotRequired[Union[str, None]]
    voice_id: NotRequired[str]
    voice_config: NotRequired[Union["AgentPatchVoiceConfig", None]]
    system_prompt: NotRequired[Union[str, None]]
    first_message: NotRequired[Union[str, None]]
    first_message_interruptible: NotRequired[Union[bool, None]]
    llm_provider: NotRequired[str]
    llm_model: NotRequired[str]
    llm_config: NotRequired[Union["AgentPatchLlmConfig", None]]
    stt_config: NotRequired[Union["AgentPatchSttConfig", None]]
    audio_config: NotRequired[Union["AgentPatchAudioConfig", None]]
    turn_config: NotRequired[Union["AgentPatchTurnConfig", None]]
    session_config: NotRequired[Union["AgentPatchSessionConfig", None]]
    tools: NotRequired[Union[List[Union["AgentPatchToolsClient", "AgentPatchToolsWebhook", "AgentPatchToolsMcp", "AgentPatchToolsBuiltin"]], None]]
    knowledge_files: NotRequired[Union[List[str], None]]
    web_search_enabled: NotRequired[Union[bool, None]]
    memory_enabled: NotRequired[Union[bool, None]]
    calendar_enabled: NotRequired[Union[bool, None]]
    metadata: NotRequired[Union[Dict[str, Any], None]]


class AgentPatchVoiceConfig(TypedDict):
    tts_variant: NotRequired[Union[str, None]]
    language: NotRequired[Union[str, None]]
    speed: NotRequired[Union[float, None]]
    volume: NotRequired[Union[float, None]]


class AgentPatchLlmConfig(TypedDict):
    temperature: NotRequired[Union[float, None]]
    max_output_tokens: NotRequired[Union[int, None]]
    timeout_ms: NotRequired[Union[int, None]]


class AgentPatchSttConfig(TypedDict):
    language: NotRequired[Union[str, None]]


class AgentPatchAudioConfig(TypedDict):
    noise_suppression: NotRequired[Union[bool, None]]


class AgentPatchTurnConfig(TypedDict):
    endpointing_min_ms: NotRequired[Union[int, None]]
    endpointing_max_ms: NotRequired[Union[int, None]]
    interruptions_enabled: NotRequired[Union[bool, None]]
    interruption_min_ms: NotRequired[Union[int, None]]
    false_interruption_timeout_ms: NotRequired[Union[int, None]]
    preemptive: NotRequired[Union[bool, None]]


class AgentPatchSessionConfig(TypedDict):
    max_duration_seconds: NotRequired[Union[int, None]]
    silence_timeout_seconds: NotRequired[Union[int, None]]
    max_concurrent_sessions: NotRequired[Union[int, None]]
    allowed_origins: NotRequired[Union[List[str], None]]
    store_transcript: NotRequired[Union[bool, None]]
    overrides: NotRequired[Union[List[Literal["system_prompt", "first_message", "voice_id", "language"]], None]]
    public: NotRequired[Union["AgentPatchSessionConfigPublic", None]]


class AgentPatchSessionConfigPublic(TypedDict):
    enabled: NotRequired[bool]
    """Whether pages of `origins` may mint session tokens without a key, once this is published."""
    origins: NotRequired[List[str]]
    per_address_per_hour: NotRequired[int]
    """Tokens that a network address may mint in an hour."""
    daily_credit: NotRequired[Union[str, None]]
    """What public conversations may use in a day in UTC. Required where `enabled` is true."""


class AgentPatchToolsClient(TypedDict):
    type: Literal["client"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]


class AgentPatchToolsWebhook(TypedDict):
    type: Literal["webhook"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]
    url: str


class AgentPatchToolsMcp(TypedDict):
    type: Literal["mcp"]
    name: str
    url: str
    """The address of an MCP server that speaks Streamable HTTP."""
    headers: NotRequired[Dict[str, str]]
    """Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server."""
    allowed_tools: NotRequired[Union[List[str], None]]
    """The tools of the server that the Agent may call. Null for all."""


class AgentPatchToolsBuiltin(TypedDict):
    type: Literal["builtin"]
    name: Literal["end_call", "skip_turn", "transfer_to_agent", "transfer_call"]
    agents: NotRequired[Union[List[str], None]]
    """The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all."""
    numbers: NotRequired[List[str]]
    """The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool."""


class Published(TypedDict):
    id: str
    version: int
    revision: "PublishedRevision"
    memory_enabled: bool
    calendar_enabled: bool
    created_at: str
    api_ready: bool


class PublishedRevision(TypedDict):
    id: str
    version: int


class PublishCheck(TypedDict):
    publishable: bool
    api_ready: bool
    problems: List["PublishCheckProblems"]
    warnings: List["PublishCheckWarnings"]


class PublishCheckProblems(TypedDict):
    field: str
    code: Literal["voice_not_found", "variant_not_found", "language_not_spoken", "avatar_not_found", "llm_provider_unknown", "tool_schema_invalid", "daily_credit_missing", "not_for_public_agents"]
    detail: str


class PublishCheckWarnings(TypedDict):
    field: str
    code: Literal["variant_not_chosen", "language_not_spoken", "knowledge_file_not_found", "knowledge_file_not_ready"]
    detail: str


class Revision(TypedDict):
    id: str
    version: int
    config: "RevisionConfig"
    created_at: str


class RevisionConfig(TypedDict):
    slug: str
    display_name: str
    description: NotRequired[str]
    avatar_id: NotRequired[Union[str, None]]
    voice_id: str
    voice_config: NotRequired["RevisionConfigVoiceConfig"]
    system_prompt: NotRequired[str]
    first_message: NotRequired[Union[str, None]]
    first_message_interruptible: NotRequired[bool]
    llm_provider: str
    llm_model: str
    llm_config: NotRequired["RevisionConfigLlmConfig"]
    stt_config: NotRequired["RevisionConfigSttConfig"]
    audio_config: NotRequired["RevisionConfigAudioConfig"]
    turn_config: NotRequired["RevisionConfigTurnConfig"]
    session_config: NotRequired["RevisionConfigSessionConfig"]
    tools: NotRequired[List[Union["RevisionConfigToolsClient", "RevisionConfigToolsWebhook", "RevisionConfigToolsMcp", "RevisionConfigToolsBuiltin"]]]
    knowledge_files: NotRequired[List[str]]
    web_search_enabled: NotRequired[bool]
    memory_enabled: NotRequired[bool]
    calendar_enabled: NotRequired[bool]
    metadata: NotRequired[Dict[str, Any]]


class RevisionConfigVoiceConfig(TypedDict):
    tts_variant: NotRequired[Union[str, None]]
    language: NotRequired[Union[str, None]]
    speed: NotRequired[float]
    volume: NotRequired[float]


class RevisionConfigLlmConfig(TypedDict):
    temperature: NotRequired[float]
    max_output_tokens: NotRequired[int]
    timeout_ms: NotRequired[int]


class RevisionConfigSttConfig(TypedDict):
    language: NotRequired[str]


class RevisionConfigAudioConfig(TypedDict):
    noise_suppression: NotRequired[bool]


class RevisionConfigTurnConfig(TypedDict):
    endpointing_min_ms: NotRequired[int]
    """At most `endpointing_max_ms`."""
    endpointing_max_ms: NotRequired[int]
    interruptions_enabled: NotRequired[bool]
    interruption_min_ms: NotRequired[int]
    false_interruption_timeout_ms: NotRequired[int]
    preemptive: NotRequired[bool]


class RevisionConfigSessionConfig(TypedDict):
    max_duration_seconds: NotRequired[int]
    silence_timeout_seconds: NotRequired[int]
    max_concurrent_sessions: NotRequired[Union[int, None]]
    allowed_origins: NotRequired[List[str]]
    store_transcript: NotRequired[bool]
    overrides: NotRequired[List[Literal["system_prompt", "first_message", "voice_id", "language"]]]
    """What the start of a session may set in its `overrides`."""
    public: NotRequired["RevisionConfigSessionConfigPublic"]


class RevisionConfigSessionConfigPublic(TypedDict):
    enabled: NotRequired[bool]
    """Whether pages of `origins` may mint session tokens without a key, once this is published."""
    origins: NotRequired[List[str]]
    per_address_per_hour: NotRequired[int]
    """Tokens that a network address may mint in an hour."""
    daily_credit: NotRequired[Union[str, None]]
    """What public conversations may use in a day in UTC. Required where `enabled` is true."""


class RevisionConfigToolsClient(TypedDict):
    type: Literal["client"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]


class RevisionConfigToolsWebhook(TypedDict):
    type: Literal["webhook"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]
    timeout_ms: NotRequired[int]
    url: str


class RevisionConfigToolsMcp(TypedDict):
    type: Literal["mcp"]
    name: str
    url: str
    """The address of an MCP server that speaks Streamable HTTP."""
    headers: NotRequired[Dict[str, str]]
    """Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server."""
    allowed_tools: NotRequired[Union[List[str], None]]
    """The tools of the server that the Agent may call. Null for all."""


class RevisionConfigToolsBuiltin(TypedDict):
    type: Literal["builtin"]
    name: Literal["end_call", "skip_turn", "transfer_to_agent", "transfer_call"]
    agents: NotRequired[Union[List[str], None]]
    """The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all."""
    numbers: NotRequired[List[str]]
    """The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool."""


class Publication(TypedDict):
    id: str
    version: int
    revision: "PublicationRevision"
    memory_enabled: bool
    calendar_enabled: bool
    created_at: str


class PublicationRevision(TypedDict):
    id: str
    version: int


class KnowledgeFile(TypedDict):
    id: str
    name: str
    content_type: Literal["application/pdf", "text/html", "text/markdown", "text/plain"]
    size_bytes: int
    status: Literal["indexing", "ready", "failed"]
    error: Union[str, None]
    passages: int
    created_at: str


class SessionToken(TypedDict):
    token: str
    expires_at: str
    agent_id: str
    capabilities: "SessionTokenCapabilities"


class SessionTokenCapabilities(TypedDict):
    managed_voice_agent: bool
    transport: str


class StreamToken(TypedDict):
    token: str
    expires_at: str
    websocket_url: str
    protocol: Literal["awp.tts.v1"]


class ListenToken(TypedDict):
    token: str
    expires_at: str
    websocket_url: str
    protocol: Literal["awp.stt.v1"]


class StartedSession(TypedDict):
    session_id: str
    agent_id: str
    publication: "StartedSessionPublication"
    status: Literal["connecting", "active", "ending", "ended", "failed"]
    sdp: NotRequired["StartedSessionSdp"]
    """For the transport `webrtc`."""
    ice_servers: List["StartedSessionIceServers"]
    max_duration_seconds: int
    avatar: Union["StartedSessionAvatar", None]
    websocket_url: NotRequired[str]
    """For the transport `websocket`: the URL to connect to, with the subprotocol `awp.session.v1`."""


class StartedSessionPublication(TypedDict):
    id: str
    version: int


class StartedSessionSdp(TypedDict):
    """For the transport `webrtc`."""

    type: Literal["answer"]
    sdp: str


class StartedSessionIceServers(TypedDict):
    urls: List[str]
    username: NotRequired[str]
    credential: NotRequired[str]


class StartedSessionAvatar(TypedDict):
    id: str
    display_name: str
    status: Literal["available", "unavailable"]
    thumbnail_url: str
    license: str
    asset: "StartedSessionAvatarAsset"
    viseme_set: Literal["oculus15"]
    viseme_morph_targets: Dict[str, str]
    expression_morph_targets: Dict[str, str]


class StartedSessionAvatarAsset(TypedDict):
    url: str
    format: Literal["glb"]
    content_type: Literal["model/gltf-binary"]
    size_bytes: int
    sha256: str


class RealtimeClientSecret(TypedDict):
    value: str
    """Starts with `ek_`."""
    expires_at: int
    """In seconds since 1970."""
    session: Dict[str, Any]


class OpenaiError(TypedDict):
    """An `Error`, with an `error` object for OpenAI's clients: its `message` is the `detail`, its `code` the `code`."""

    event: Literal["error"]
    request_id: str
    code: Literal["invalid_request", "invalid_json", "alignment_requires_json", "text_not_speakable", "unsupported_format", "memory_identity_required", "invalid_sdp", "unauthorized", "session_token_expired", "stream_token_invalid", "insufficient_credit", "capability_disabled", "organization_suspended", "session_token_agent_mismatch", "origin_not_allowed", "forbidden_role", "agent_not_found", "session_not_found", "voice_not_found", "avatar_not_found", "not_found", "method_not_allowed", "not_acceptable", "agent_not_published", "agent_not_api_ready", "slug_taken", "session_token_used", "session_ended", "idempotency_conflict", "context_exists", "revision_conflict", "text_too_long", "payload_too_large", "unsupported_media_type", "range_not_satisfiable", "agent_not_publishable", "rate_limited", "concurrency_limited", "too_many_contexts", "internal_error", "upstream_error", "capacity_exhausted", "draining", "unavailable", "upstream_timeout"]
    retryable: bool
    detail: str
    error: "OpenaiErrorError"


class OpenaiErrorError(TypedDict):
    message: str
    type: str
    code: str
    param: Union[str, None]


class IceServers(TypedDict):
    ice_servers: List["IceServersIceServers"]
    ttl_seconds: int


class IceServersIceServers(TypedDict):
    urls: List[str]
    username: NotRequired[str]
    credential: NotRequired[str]


class SessionSummary(TypedDict):
    id: str
    agent_id: str
    publication: "SessionSummaryPublication"
    end_user_id: Union[str, None]
    status: Literal["connecting", "active", "ending", "ended", "failed"]
    transport: Literal["webrtc", "websocket", "phone"]
    input_mode: Literal["push-to-talk", "automatic"]
    created_at: str
    started_at: Union[str, None]
    ended_at: Union[str, None]
    duration_seconds: float
    end_reason: Literal["user_disconnected", "agent_ended", "api_ended", "silence_timeout", "max_duration", "connection_lost", "ice_failed", "insufficient_credit", "drained", "llm_error", "stt_error", "tts_error", "internal_error", None]
    error: Union["SessionSummaryError", None]
    usage: "SessionSummaryUsage"
    credit_used: str
    latency: Union["SessionSummaryLatency", None]
    feedback: Union["SessionSummaryFeedback", None]
    metadata: Dict[str, Any]


class SessionSummaryPublication(TypedDict):
    id: str
    version: int


class SessionSummaryError(TypedDict):
    code: str
    detail: str


class SessionSummaryUsage(TypedDict):
    stt_seconds: float
    llm_input_tokens: int
    llm_output_tokens: int
    tts_characters: int


class SessionSummaryLatency(TypedDict):
    voice_to_voice_ms: "SessionSummaryLatencyVoiceToVoiceMs"


class SessionSummaryLatencyVoiceToVoiceMs(TypedDict):
    p50: float
    p95: float


class SessionSummaryFeedback(TypedDict):
    score: Union[Literal[-1], Literal[1]]
    comment: Union[str, None]
    created_at: str


class Session(TypedDict):
    id: str
    agent_id: str
    publication: "SessionPublication"
    end_user_id: Union[str, None]
    status: Literal["connecting", "active", "ending", "ended", "failed"]
    transport: Literal["webrtc", "websocket", "phone"]
    input_mode: Literal["push-to-talk", "automatic"]
    created_at: str
    started_at: Union[str, None]
    ended_at: Union[str, None]
    duration_seconds: float
    end_reason: Literal["user_disconnected", "agent_ended", "api_ended", "silence_timeout", "max_duration", "connection_lost", "ice_failed", "insufficient_credit", "drained", "llm_error", "stt_error", "tts_error", "internal_error", None]
    error: Union["SessionError", None]
    usage: "SessionUsage"
    credit_used: str
    latency: Union["SessionLatency", None]
    feedback: Union["SessionFeedback", None]
    metadata: Dict[str, Any]
    transcript: List["SessionTranscript"]


class SessionPublication(TypedDict):
    id: str
    version: int


class SessionError(TypedDict):
    code: str
    detail: str


class SessionUsage(TypedDict):
    stt_seconds: float
    llm_input_tokens: int
    llm_output_tokens: int
    tts_characters: int


class SessionLatency(TypedDict):
    voice_to_voice_ms: "SessionLatencyVoiceToVoiceMs"


class SessionLatencyVoiceToVoiceMs(TypedDict):
    p50: float
    p95: float


class SessionFeedback(TypedDict):
    score: Union[Literal[-1], Literal[1]]
    comment: Union[str, None]
    created_at: str


class SessionTranscript(TypedDict):
    id: str
    role: Literal["user", "agent"]
    text: str
    created_at: str
    interrupted: bool
    sources: NotRequired[List[Union["SessionTranscriptSources1", "SessionTranscriptSources2"]]]


class SessionTranscriptSources1(TypedDict):
    title: str
    url: str


class SessionTranscriptSources2(TypedDict):
    title: str
    file_id: str
    passage: str


class SessionMessage(TypedDict):
    id: str
    role: Literal["user", "agent"]
    text: str
    created_at: str
    interrupted: bool
    sources: NotRequired[List[Union["SessionMessageSources1", "SessionMessageSources2"]]]


class SessionMessageSources1(TypedDict):
    title: str
    url: str


class SessionMessageSources2(TypedDict):
    title: str
    file_id: str
    passage: str


class Feedback(TypedDict):
    score: Union[Literal[-1], Literal[1]]
    comment: Union[str, None]
    created_at: str


class Calendar(TypedDict):
    occurrences: List["Occurrence"]
    """The occurrences that begin from `from` up to `to`, by their beginning; at most 500."""
    feed_url: str
    """An iCalendar feed to subscribe to. The address is a secret: anyone who knows it can read the calendar."""


class Occurrence(TypedDict):
    event_id: str
    title: str
    starts_at: str
    ends_at: str
    time_zone: str
    recurring: bool


class Memory(TypedDict):
    id: str
    agent_id: str
    text: str
    session_id: str
    message_id: Union[str, None]
    created_at: str


class TtsJsonResponse(TypedDict):
    request_id: str
    audio_base64: str
    output: "TtsJsonResponseOutput"
    audio_duration_ms: float
    characters_billed: int
    alignment: "TtsJsonResponseAlignment"


class TtsJsonResponseOutput(TypedDict):
    format: Literal["mp3", "wav", "pcm_s16le", "opus", "flac", "ulaw", "alaw"]
    sample_rate: int
    bit_rate: Union[int, None]


class TtsJsonResponseAlignment(TypedDict):
    words: List["TtsJsonResponseAlignmentWords"]
    phonemes: List["TtsJsonResponseAlignmentPhonemes"]
    visemes: List["TtsJsonResponseAlignmentVisemes"]


class TtsJsonResponseAlignmentWords(TypedDict):
    text: str
    start_ms: float
    end_ms: float


class TtsJsonResponseAlignmentPhonemes(TypedDict):
    text: str
    start_ms: float
    end_ms: float


class TtsJsonResponseAlignmentVisemes(TypedDict):
    id: Literal["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U"]
    start_ms: float
    end_ms: float


class SpeechEventAudio(TypedDict):
    event: Literal["audio"]
    data: str


class SpeechEventAlignment(TypedDict):
    event: Literal["alignment"]
    data: str


class SpeechEventDone(TypedDict):
    event: Literal["done"]
    data: str


class SpeechEventError(TypedDict):
    event: Literal["error"]
    data: str


SpeechEvent = Union["SpeechEventAudio", "SpeechEventAlignment", "SpeechEventDone", "SpeechEventError"]


class TtsRequest(TypedDict):
    text: str
    """The text to speak, of at most 5,000 code points. Markup is not interpreted."""
    voice_id: str
    """The `id` of a voice in `GET /v1/voices`."""
    tts_variant: NotRequired[str]
    """One of the voice's `variants`; the first one when left out."""
    language: NotRequired[str]
    """A BCP 47 tag that the voice speaks; the voice's main language when left out."""
    output: NotRequired["TtsRequestOutput"]
    """Sample rates in Hz: PCM, WAV and FLAC 8000, 16000, 22050, 24000, 44100, 48000; MP3 22050, 24000, 44100; Opus 48000; µ-law and A-law 8000. Only MP3 and Opus have a bit rate, in bits per second."""
    speed: NotRequired[float]
    """1 is the voice's own pace."""
    volume: NotRequired[float]
    """1 is the voice's own loudness."""
    response_mode: NotRequired[Literal["audio", "json", "sse"]]
    """`audio` streams the audio as the body; `json` responds once all audio is complete; `sse` streams events, with audio in base64."""
    alignment: NotRequired[List[Literal["word", "phoneme", "viseme"]]]
    """The times to include, measured from the start of the audio. Requires `response_mode` `json` or `sse`."""


class TtsRequestOutput(TypedDict):
    """Sample rates in Hz: PCM, WAV and FLAC 8000, 16000, 22050, 24000, 44100, 48000; MP3 22050, 24000, 44100; Opus 48000; µ-law and A-law 8000. Only MP3 and Opus have a bit rate, in bits per second."""

    format: NotRequired[Literal["mp3", "wav", "pcm_s16le", "opus", "flac", "ulaw", "alaw"]]
    sample_rate: NotRequired[Literal[8000, 16000, 22050, 24000, 44100, 48000]]
    bit_rate: NotRequired[int]


class OpenaiSpeechEventSpeechAudioDelta(TypedDict):
    event: Literal["speech.audio.delta"]
    data: str


class OpenaiSpeechEventSpeechAudioDone(TypedDict):
    event: Literal["speech.audio.done"]
    data: str


class OpenaiSpeechEventError(TypedDict):
    event: Literal["error"]
    data: str


OpenaiSpeechEvent = Union["OpenaiSpeechEventSpeechAudioDelta", "OpenaiSpeechEventSpeechAudioDone", "OpenaiSpeechEventError"]


class OpenaiSpeechRequest(TypedDict):
    model: str
    """A variant of the voice. `tts-1`, `tts-1-hd` and `gpt-4o-mini-tts` stand for the voice's first."""
    input: str
    """The text to speak, of at most 5,000 code points. Markup is not interpreted."""
    voice: Union[str, "OpenaiSpeechRequestVoice2"]
    """The id or the display name of a voice in `GET /v1/voices`. OpenAI’s names, such as `alloy`, each stand for one of the best voices of the same gender."""
    instructions: NotRequired[str]
    """Ignored, and named in `x-parlance-ignored`."""
    response_format: NotRequired[Literal["mp3", "opus", "aac", "flac", "wav", "pcm"]]
    """`pcm` is 24 kHz, signed 16 bits, little endian."""
    speed: NotRequired[float]
    """1 is the voice's own pace. A value below 0.5 or above 2 is replaced by that limit, which `x-speed-applied` reports."""
    stream_format: NotRequired[Literal["audio", "sse"]]


class OpenaiSpeechRequestVoice2(TypedDict):
    id: str


class Transcription(TypedDict):
    text: str
    usage: "TranscriptionUsage"


class TranscriptionUsage(TypedDict):
    type: Literal["duration"]
    seconds: int


class VerboseTranscription(TypedDict):
    """`avg_logprob`, `compression_ratio`, `no_speech_prob` and `tokens` of a segment exist for clients that require them, and are always the same."""

    task: Literal["transcribe"]
    language: str
    duration: float
    text: str
    segments: List["VerboseTranscriptionSegments"]
    usage: "VerboseTranscriptionUsage"


class VerboseTranscriptionSegments(TypedDict):
    id: int
    seek: int
    start: float
    end: float
    text: str
    tokens: List[int]
    temperature: float
    avg_logprob: float
    compression_ratio: float
    no_speech_prob: float


class VerboseTranscriptionUsage(TypedDict):
    type: Literal["duration"]
    seconds: int


class TranscriptionEventTranscriptTextDelta(TypedDict):
    event: Literal["transcript.text.delta"]
    data: str


class TranscriptionEventTranscriptTextDone(TypedDict):
    event: Literal["transcript.text.done"]
    data: str


class TranscriptionEventError(TypedDict):
    event: Literal["error"]
    data: str


TranscriptionEvent = Union["TranscriptionEventTranscriptTextDelta", "TranscriptionEventTranscriptTextDone", "TranscriptionEventError"]


TranscriptionForm = TypedDict("TranscriptionForm", {"file": str, "model": str, "language": NotRequired[str], "prompt": NotRequired[str], "temperature": NotRequired[float], "response_format": NotRequired[Literal["json", "text", "srt", "verbose_json", "vtt"]], "timestamp_granularities[]": NotRequired[List[Literal["segment", "word"]]], "stream": NotRequired[bool], "chunking_strategy": NotRequired[str], "chunking_strategy[type]": NotRequired[str], "chunking_strategy[prefix_padding_ms]": NotRequired[str], "chunking_strategy[silence_duration_ms]": NotRequired[str], "chunking_strategy[threshold]": NotRequired[str], "include[]": NotRequired[List[str]], "known_speaker_names[]": NotRequired[List[str]], "known_speaker_references[]": NotRequired[List[str]]})


class Voice(TypedDict):
    id: str
    display_name: str
    description: str
    languages: List[str]
    gender: Literal["female", "male", "neutral"]
    tags: List[str]
    status: Literal["available", "unavailable"]
    preview_url: Union[str, None]
    license: str
    variants: List["VoiceVariants"]
    created_at: str
    updated_at: str


class VoiceVariants(TypedDict):
    id: str
    display_name: str
    sample_rates: List[int]
    formats: List[Literal["mp3", "wav", "pcm_s16le", "opus", "flac", "ulaw", "alaw"]]
    streaming: bool
    alignment: List[Literal["word", "phoneme", "viseme"]]
    credit_per_1k_characters: str


class Avatar(TypedDict):
    id: str
    display_name: str
    status: Literal["available", "unavailable"]
    thumbnail_url: str
    license: str
    asset: "AvatarAsset"
    viseme_set: Literal["oculus15"]
    viseme_morph_targets: Dict[str, str]
    expression_morph_targets: Dict[str, str]


class AvatarAsset(TypedDict):
    url: str
    format: Literal["glb"]
    content_type: Literal["model/gltf-binary"]
    size_bytes: int
    sha256: str


class Model(TypedDict):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class Credit(TypedDict):
    balance: str
    """The credit that is not spent."""
    unit: Literal["credit"]
    reserved: str
    """The part of the balance that is reserved for work in progress. It is charged or returned when the work ends."""
    updated_at: str


UsageReport = TypedDict("UsageReport", {"from": str, "to": str, "group_by": Literal["day", "agent", "api_key", "kind"], "usage": List["UsageReportUsage"]})


class UsageReportUsage(TypedDict):
    key: Union[str, None]
    credit_used: str
    operations: int
    tts_characters: NotRequired[int]
    session_seconds: NotRequired[float]
    stt_seconds: NotRequired[float]
    llm_input_tokens: NotRequired[int]
    llm_output_tokens: NotRequired[int]


class Webhook(TypedDict):
    id: str
    url: str
    events: List[Literal["agent.published", "agent_session.started", "agent_session.ended", "agent_session.failed", "agent_session.analyzed", "credit.low", "credit.exhausted", "api_key.revoked"]]
    description: str
    enabled: bool
    disabled_reason: Literal["requested", "failing", None]
    disabled_at: Union[str, None]
    failing_since: Union[str, None]
    created_at: str
    updated_at: str


class CreatedWebhook(TypedDict):
    id: str
    url: str
    events: List[Literal["agent.published", "agent_session.started", "agent_session.ended", "agent_session.failed", "agent_session.analyzed", "credit.low", "credit.exhausted", "api_key.revoked"]]
    description: str
    enabled: bool
    disabled_reason: Literal["requested", "failing", None]
    disabled_at: Union[str, None]
    failing_since: Union[str, None]
    created_at: str
    updated_at: str
    secret: str


class RotatedWebhook(TypedDict):
    id: str
    url: str
    events: List[Literal["agent.published", "agent_session.started", "agent_session.ended", "agent_session.failed", "agent_session.analyzed", "credit.low", "credit.exhausted", "api_key.revoked"]]
    description: str
    enabled: bool
    disabled_reason: Literal["requested", "failing", None]
    disabled_at: Union[str, None]
    failing_since: Union[str, None]
    created_at: str
    updated_at: str
    secret: str
    previous_secrets_expire_at: str


class WebhookDelivery(TypedDict):
    id: str
    webhook_id: str
    event_id: str
    type: Literal["agent.published", "agent_session.started", "agent_session.ended", "agent_session.failed", "agent_session.analyzed", "credit.low", "credit.exhausted", "api_key.revoked"]
    status: Literal["pending", "succeeded", "failed"]
    next_attempt_at: Union[str, None]
    created_at: str
    attempts: List["WebhookDeliveryAttempts"]


class WebhookDeliveryAttempts(TypedDict):
    attempted_at: str
    duration_ms: int
    status: Union[int, None]
    response: Union[str, None]
    error: Union[str, None]


class StreamStart(TypedDict):
    """Opens a context: one text in one voice. `started` answers it, or an `error`."""

    event: Literal["start"]
    context_id: NotRequired[str]
    voice_id: NotRequired[str]
    """Optional when the token has a voice."""
    tts_variant: NotRequired[str]
    language: NotRequired[str]
    output: NotRequired["StreamStartOutput"]
    audio_frames: NotRequired[Literal["base64", "binary"]]
    """`binary` sends audio in binary frames instead of `audio` messages."""
    speed: NotRequired[float]
    volume: NotRequired[float]
    alignment: NotRequired[List[Literal["word", "phoneme", "viseme"]]]
    buffering: NotRequired["StreamStartBuffering"]
    """`auto` joins the parts and speaks sentences; the first speech may begin within a sentence, once text has waited for `max_delay_ms`. `none` speaks each `text` as it is."""


class StreamStartOutput(TypedDict):
    format: NotRequired[Literal["mp3", "wav", "pcm_s16le", "opus", "flac", "ulaw", "alaw"]]
    sample_rate: NotRequired[int]


class StreamStartBuffering(TypedDict):
    """`auto` joins the parts and speaks sentences; the first speech may begin within a sentence, once text has waited for `max_delay_ms`. `none` speaks each `text` as it is."""

    mode: NotRequired[Literal["auto", "none"]]
    max_delay_ms: NotRequired[float]


class StreamText(TypedDict):
    """A part of the text, such as a token of a language model. Parts are joined as they are."""

    event: Literal["text"]
    context_id: NotRequired[str]
    text: str


class StreamFlush(TypedDict):
    """Speaks the text so far without waiting for more. `flushed` follows its audio."""

    event: Literal["flush"]
    context_id: NotRequired[str]
    flush_id: NotRequired[str]


class StreamEnd(TypedDict):
    """The text is complete. `done` follows its audio."""

    event: Literal["end"]
    context_id: NotRequired[str]


class StreamCancel(TypedDict):
    """Stops the context at once. No audio of it follows `cancelled`."""

    event: Literal["cancel"]
    context_id: NotRequired[str]
    played_ms: NotRequired[float]
    """How much of the context's audio was played. Default: all audio that was sent and could have been played by now."""


class StreamKeepalive(TypedDict):
    """Restarts the inactivity timeout."""

    event: Literal["keepalive"]


class StreamClose(TypedDict):
    """Closes the connection with 1000."""

    event: Literal["close"]


class StreamReady(TypedDict):
    """The first message: contexts may be started."""

    event: Literal["ready"]
    connection_id: str
    request_id: str
    expires_at: str
    """The latest time at which the server closes the connection."""
    limits: Dict[str, Any]


class StreamStarted(TypedDict):
    """The context is open, and its audio will have this form."""

    event: Literal["started"]
    context_id: str
    context_index: int
    """The number of the context in binary frames, from 1."""
    output: "StreamStartedOutput"


class StreamStartedOutput(TypedDict):
    format: Literal["mp3", "wav", "pcm_s16le", "opus", "flac", "ulaw", "alaw"]
    sample_rate: int
    bit_rate: Union[int, None]


class StreamAudio(TypedDict):
    """Audio in base64, for contexts with `audio_frames` `base64`."""

    event: Literal["audio"]
    context_id: str
    seq: int
    """Counts the context's frames from 0."""
    segment: int
    start_ms: float
    """On the context's clock, from its first sample."""
    duration_ms: float
    data: str


class StreamAlignment(TypedDict):
    """The requested times of a segment, in ms on the context's clock."""

    event: Literal["alignment"]
    context_id: str
    segment: int
    words: List["StreamAlignmentWords"]
    phonemes: List["StreamAlignmentPhonemes"]
    visemes: List["StreamAlignmentVisemes"]


class StreamAlignmentWords(TypedDict):
    text: str
    start_ms: float
    end_ms: float


class StreamAlignmentPhonemes(TypedDict):
    text: str
    start_ms: float
    end_ms: float


class StreamAlignmentVisemes(TypedDict):
    id: Literal["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U"]
    start_ms: float
    end_ms: float


class StreamFlushed(TypedDict):
    """All audio of the text before the `flush` was sent."""

    event: Literal["flushed"]
    context_id: str
    flush_id: NotRequired[str]


class StreamDone(TypedDict):
    """The context has ended: all its audio was sent."""

    event: Literal["done"]
    context_id: str
    audio_duration_ms: float
    characters_billed: int
    ttfa_ms: Union[float, None]
    """The time from the first text that could be spoken to its first audio; null when there was no audio."""


class StreamCancelled(TypedDict):
    """The context has ended: it was cancelled. `text_spoken` is the part that was played."""

    event: Literal["cancelled"]
    context_id: str
    characters_billed: int
    text_spoken: str
    text_remaining: str


class StreamDraining(TypedDict):
    """The server stops within this time. Contexts are finished, and none can be started."""

    event: Literal["draining"]
    deadline_ms: float


class StreamError(TypedDict):
    """An error. With a `context_id` it concerns that context alone, and the connection stays open."""

    event: Literal["error"]
    request_id: str
    code: Literal["invalid_request", "invalid_json", "alignment_requires_json", "text_not_speakable", "unsupported_format", "memory_identity_required", "invalid_sdp", "unauthorized", "session_token_expired", "stream_token_invalid", "insufficient_credit", "capability_disabled", "organization_suspended", "session_token_agent_mismatch", "origin_not_allowed", "forbidden_role", "agent_not_found", "session_not_found", "voice_not_found", "avatar_not_found", "not_found", "method_not_allowed", "not_acceptable", "agent_not_published", "agent_not_api_ready", "slug_taken", "session_token_used", "session_ended", "idempotency_conflict", "context_exists", "revision_conflict", "text_too_long", "payload_too_large", "unsupported_media_type", "range_not_satisfiable", "agent_not_publishable", "rate_limited", "concurrency_limited", "too_many_contexts", "internal_error", "upstream_error", "capacity_exhausted", "draining", "unavailable", "upstream_timeout"]
    retryable: bool
    detail: str
    context_id: NotRequired[str]


class ListAgentsResult(TypedDict):
    agents: List["Agent"]
    next_cursor: Union[str, None]


class PublishAgentBody(TypedDict):
    revision_id: NotRequired[str]


class ListRevisionsResult(TypedDict):
    revisions: List["Revision"]
    next_cursor: Union[str, None]


class ListPublicationsResult(TypedDict):
    publications: List["Publication"]
    next_cursor: Union[str, None]


class ListKnowledgeFilesResult(TypedDict):
    files: List["KnowledgeFile"]
    next_cursor: Union[str, None]


class CreateSessionTokenBody(TypedDict):
    end_user_id: NotRequired[str]
    variables: NotRequired[Dict[str, str]]
    metadata: NotRequired[Dict[str, Any]]


class CreateStreamTokenBody(TypedDict):
    voice_id: NotRequired[str]
    max_characters: NotRequired[int]


class CreateRealtimeClientSecretBody(TypedDict):
    expires_after: NotRequired["CreateRealtimeClientSecretBodyExpiresAfter"]
    session: Union["CreateRealtimeClientSecretBodySessionRealtime", "CreateRealtimeClientSecretBodySessionTranscription"]


class CreateRealtimeClientSecretBodyExpiresAfter(TypedDict):
    anchor: NotRequired[Literal["created_at"]]
    seconds: NotRequired[int]


class CreateRealtimeClientSecretBodySessionRealtime(TypedDict):
    type: NotRequired[Literal["realtime"]]
    model: str
    """The id of the Agent."""
    instructions: NotRequired[str]
    """In place of the system prompt, where the Agent allows it in `session_config.overrides`."""
    output_modalities: NotRequired[List[Any]]
    audio: NotRequired["CreateRealtimeClientSecretBodySessionRealtimeAudio"]
    tools: NotRequired[List["CreateRealtimeClientSecretBodySessionRealtimeTools"]]
    tool_choice: NotRequired[Literal["auto"]]
    max_output_tokens: NotRequired[Any]
    parallel_tool_calls: NotRequired[Any]
    reasoning: NotRequired[Any]
    tracing: NotRequired[Any]
    truncation: NotRequired[Any]
    include: NotRequired[Any]
    prompt: NotRequired[None]
    id: NotRequired[Any]
    object: NotRequired[Any]
    expires_at: NotRequired[Any]


class CreateRealtimeClientSecretBodySessionRealtimeAudio(TypedDict):
    input: NotRequired["CreateRealtimeClientSecretBodySessionRealtimeAudioInput"]
    output: NotRequired["CreateRealtimeClientSecretBodySessionRealtimeAudioOutput"]


class CreateRealtimeClientSecretBodySessionRealtimeAudioInput(TypedDict):
    format: NotRequired[Union["CreateRealtimeClientSecretBodySessionRealtimeAudioInputFormatAudioPcm", "CreateRealtimeClientSecretBodySessionRealtimeAudioInputFormatAudioPcmu", "CreateRealtimeClientSecretBodySessionRealtimeAudioInputFormatAudioPcma"]]
    transcription: NotRequired[Union["CreateRealtimeClientSecretBodySessionRealtimeAudioInputTranscription", None]]
    """Null for no events with the transcript of the user."""
    noise_reduction: NotRequired[Any]
    turn_detection: NotRequired[Union["CreateRealtimeClientSecretBodySessionRealtimeAudioInputTurnDetectionServerVad", "CreateRealtimeClientSecretBodySessionRealtimeAudioInputTurnDetectionSemanticVad", None]]
    """Null where the client commits the audio and creates the responses."""


class CreateRealtimeClientSecretBodySessionRealtimeAudioInputFormatAudioPcm(TypedDict):
    type: Literal["audio/pcm"]
    rate: NotRequired[Literal[24000]]


class CreateRealtimeClientSecretBodySessionRealtimeAudioInputFormatAudioPcmu(TypedDict):
    type: Literal["audio/pcmu"]


class CreateRealtimeClientSecretBodySessionRealtimeAudioInputFormatAudioPcma(TypedDict):
    type: Literal["audio/pcma"]


class CreateRealtimeClientSecretBodySessionRealtimeAudioInputTranscription(TypedDict):
    """Null for no events with the transcript of the user."""

    delay: NotRequired[Any]
    keywords: NotRequired[Any]
    languages: NotRequired[Any]
    prompt: NotRequired[Any]
    model: NotRequired[Any]
    language: NotRequired[Any]


class CreateRealtimeClientSecretBodySessionRealtimeAudioInputTurnDetectionServerVad(TypedDict):
    type: Literal["server_vad"]
    create_response: NotRequired[bool]
    interrupt_response: NotRequired[bool]
    idle_timeout_ms: NotRequired[Union[float, None]]
    prefix_padding_ms: NotRequired[float]
    silence_duration_ms: NotRequired[float]
    threshold: NotRequired[float]


class CreateRealtimeClientSecretBodySessionRealtimeAudioInputTurnDetectionSemanticVad(TypedDict):
    type: Literal["semantic_vad"]
    create_response: NotRequired[bool]
    interrupt_response: NotRequired[bool]
    eagerness: NotRequired[Literal["low", "medium", "high", "auto"]]


class CreateRealtimeClientSecretBodySessionRealtimeAudioOutput(TypedDict):
    format: NotRequired[Union["CreateRealtimeClientSecretBodySessionRealtimeAudioOutputFormatAudioPcm", "CreateRealtimeClientSecretBodySessionRealtimeAudioOutputFormatAudioPcmu", "CreateRealtimeClientSecretBodySessionRealtimeAudioOutputFormatAudioPcma"]]
    voice: NotRequired[Union[str, "CreateRealtimeClientSecretBodySessionRealtimeAudioOutputVoice2"]]
    """A voice of `GET /v1/voices`, where the Agent allows it in `session_config.overrides`."""
    speed: NotRequired[float]


class CreateRealtimeClientSecretBodySessionRealtimeAudioOutputFormatAudioPcm(TypedDict):
    type: Literal["audio/pcm"]
    rate: NotRequired[Literal[24000]]


class CreateRealtimeClientSecretBodySessionRealtimeAudioOutputFormatAudioPcmu(TypedDict):
    type: Literal["audio/pcmu"]


class CreateRealtimeClientSecretBodySessionRealtimeAudioOutputFormatAudioPcma(TypedDict):
    type: Literal["audio/pcma"]


class CreateRealtimeClientSecretBodySessionRealtimeAudioOutputVoice2(TypedDict):
    id: str


class CreateRealtimeClientSecretBodySessionRealtimeTools(TypedDict):
    type: Literal["function"]
    name: str
    description: NotRequired[str]
    parameters: NotRequired[Dict[str, Any]]


class CreateRealtimeClientSecretBodySessionTranscription(TypedDict):
    type: Literal["transcription"]
    audio: NotRequired["CreateRealtimeClientSecretBodySessionTranscriptionAudio"]
    include: NotRequired[Any]
    id: NotRequired[Any]
    object: NotRequired[Any]
    expires_at: NotRequired[Any]


class CreateRealtimeClientSecretBodySessionTranscriptionAudio(TypedDict):
    input: NotRequired["CreateRealtimeClientSecretBodySessionTranscriptionAudioInput"]


class CreateRealtimeClientSecretBodySessionTranscriptionAudioInput(TypedDict):
    format: NotRequired[Union["CreateRealtimeClientSecretBodySessionTranscriptionAudioInputFormatAudioPcm", "CreateRealtimeClientSecretBodySessionTranscriptionAudioInputFormatAudioPcmu", "CreateRealtimeClientSecretBodySessionTranscriptionAudioInputFormatAudioPcma"]]
    transcription: NotRequired[Union["CreateRealtimeClientSecretBodySessionTranscriptionAudioInputTranscription", None]]
    noise_reduction: NotRequired[Any]
    turn_detection: NotRequired[Union["CreateRealtimeClientSecretBodySessionTranscriptionAudioInputTurnDetectionServerVad", "CreateRealtimeClientSecretBodySessionTranscriptionAudioInputTurnDetectionSemanticVad", None]]
    """Null where the client commits the audio."""


class CreateRealtimeClientSecretBodySessionTranscriptionAudioInputFormatAudioPcm(TypedDict):
    type: Literal["audio/pcm"]
    rate: NotRequired[Literal[24000]]


class CreateRealtimeClientSecretBodySessionTranscriptionAudioInputFormatAudioPcmu(TypedDict):
    type: Literal["audio/pcmu"]


class CreateRealtimeClientSecretBodySessionTranscriptionAudioInputFormatAudioPcma(TypedDict):
    type: Literal["audio/pcma"]


class CreateRealtimeClientSecretBodySessionTranscriptionAudioInputTranscription(TypedDict):
    delay: NotRequired[Any]
    keywords: NotRequired[Any]
    languages: NotRequired[Any]
    prompt: NotRequired[Any]
    model: NotRequired[str]
    """A model of `GET /v1/models`. OpenAI's names stand for the best of the language."""
    language: NotRequired[str]


class CreateRealtimeClientSecretBodySessionTranscriptionAudioInputTurnDetectionServerVad(TypedDict):
    type: Literal["server_vad"]
    create_response: NotRequired[bool]
    interrupt_response: NotRequired[bool]
    idle_timeout_ms: NotRequired[Union[float, None]]
    prefix_padding_ms: NotRequired[float]
    silence_duration_ms: NotRequired[float]
    threshold: NotRequired[float]


class CreateRealtimeClientSecretBodySessionTranscriptionAudioInputTurnDetectionSemanticVad(TypedDict):
    type: Literal["semantic_vad"]
    create_response: NotRequired[bool]
    interrupt_response: NotRequired[bool]
    eagerness: NotRequired[Literal["low", "medium", "high", "auto"]]


class ListSessionsResult(TypedDict):
    sessions: List["SessionSummary"]
    next_cursor: Union[str, None]


class ListMessagesResult(TypedDict):
    messages: List["SessionMessage"]
    next_cursor: Union[str, None]


class GiveFeedbackBody(TypedDict):
    score: Union[Literal[-1], Literal[1]]
    comment: NotRequired[str]


class ListMemoriesResult(TypedDict):
    memories: List["Memory"]
    next_cursor: Union[str, None]


class ListVoicesResult(TypedDict):
    voices: List["Voice"]
    next_cursor: Union[str, None]


class ListAvatarsResult(TypedDict):
    avatars: List["Avatar"]
    next_cursor: Union[str, None]


class ListWebhooksResult(TypedDict):
    webhooks: List["Webhook"]
    next_cursor: Union[str, None]


class CreateWebhookBody(TypedDict):
    url: str
    events: List[Literal["agent.published", "agent_session.started", "agent_session.ended", "agent_session.failed", "agent_session.analyzed", "credit.low", "credit.exhausted", "api_key.revoked"]]
    description: NotRequired[str]


class UpdateWebhookBody(TypedDict):
    url: NotRequired[str]
    events: NotRequired[List[Literal["agent.published", "agent_session.started", "agent_session.ended", "agent_session.failed", "agent_session.analyzed", "credit.low", "credit.exhausted", "api_key.revoked"]]]
    description: NotRequired[str]
    enabled: NotRequired[bool]


class ListWebhookDeliveriesResult(TypedDict):
    deliveries: List["WebhookDelivery"]
    next_cursor: Union[str, None]
