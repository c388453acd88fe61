/** Written by `npm run generate` from the OpenAPI document. */
export interface paths {
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the Agents
         * @description Also how a slug is resolved to an `id`.
         */
        get: operations["listAgents"];
        put?: never;
        /** Create an Agent */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an Agent */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /** Delete an Agent */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change the draft of an Agent
         * @description Fields replace, config objects and `metadata` merge one level deep, arrays replace, and `null` clears. The published revision does not change until the next publication.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/v1/agents/{agentId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish an Agent
         * @description Publishes the draft, or an older revision to go back to it. `dry_run=true` only checks whether it could be published. An Agent without a TTS variant can be published, but no session tokens are minted for it: `api_ready` is false then.
         */
        post: operations["publishAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the revisions of an Agent */
        get: operations["listRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the publications of an Agent */
        get: operations["listPublications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files that an Agent answers from */
        get: operations["listKnowledgeFiles"];
        put?: never;
        /**
         * Add a file that an Agent answers from
         * @description The file is added to `knowledge_files` of the draft; publish the Agent to use it. It is indexed in the background: its `status` is `indexing`, then `ready` or `failed`. An Agent has at most 100 files.
         */
        post: operations["addKnowledgeFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/knowledge/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file that an Agent answers from
         * @description Its name, its size and its `status`. The content is not kept once it is indexed.
         */
        get: operations["getKnowledgeFile"];
        put?: never;
        post?: never;
        /**
         * Delete a file that an Agent answers from
         * @description It is removed from the draft, and no conversation finds it any more, live ones included. Records of conversations keep the passages that they quote.
         */
        delete: operations["deleteKnowledgeFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/session-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a session token
         * @description For a browser, to start one conversation with a published Agent within 15 minutes. `end_user_id` is required where the Agent has memory or a calendar. `variables` fill `{{name}}` in the system prompt and the first message of the Agent, and `metadata` is passed to its model unchanged. Neither the browser nor the user can change them.
         */
        post: operations["createSessionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/agents/{agentId}/session-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a session token for a visitor of a page
         * @description Called by pages, without a key, for an Agent whose published `session_config.public` is enabled and lists the `Origin` of the page. An address may mint `per_address_per_hour` tokens in an hour (`rate_limited`), and all public conversations of the Agent may use `daily_credit` in a day in UTC (`insufficient_credit`). The token starts one conversation, which has no end user, no variables and no overrides. Any other Agent is `agent_not_found`.
         */
        post: operations["createPublicSessionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tts/stream-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a stream token
         * @description To open one connection that streams speech, within 2 minutes.
         */
        post: operations["createStreamToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tts/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream speech over a WebSocket
         * @description Subprotocol `awp.tts.v1`, with a stream token beside it as `awp.token.<token>`, in the Authorization header, or as `?token=`. Text goes in while it is being written, speech comes out while it is being made; several contexts run side by side. An error of the token is sent in an `error` event and the close code 4401, 4402, 4403 or 4429, or, where many such sockets are open, by HTTP; overload and draining refuse the upgrade. The number of streams that a workspace may have at once is limited (`concurrency_limited`). A context ends with the error `text_not_speakable`, and costs nothing, when the voice cannot say any of its text. A stream ends with 4401 or 4403 within 5 s of the revocation of the key that minted its token, or the suspension of the workspace.
         */
        get: operations["streamSpeech"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/listen/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a listen token
         * @description To open one connection that recognizes speech, within 2 minutes.
         */
        post: operations["createListenToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recognize speech over a WebSocket
         * @description Subprotocol `awp.stt.v1`, with a listen token beside it as `awp.token.<token>`, in the Authorization header, or as `?token=`. Audio goes in while it is spoken, its text comes out. The audio is billed by the second. Errors of the token, limits and revocation are as for streams of speech.
         */
        get: operations["listen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a conversation
         * @description Called by browsers, from any origin that the Agent allows, with a session token, which is consumed. A request that fails does not consume the token. The number of conversations that a workspace may have at once is limited (`concurrency_limited`); a workspace that starts many without connecting to them must wait (`rate_limited`).
         */
        post: operations["startSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agentId}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Hang up
         * @description With the token that started the conversation, for as long as it lives. The record ends with `user_disconnected`.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        /**
         * Add candidates, or connect again
         * @description With the token that started the conversation, for as long as it lives.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/v1/agents/{agentId}/sessions/{sessionId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Talk over a WebSocket
         * @description Subprotocol `awp.session.v1`, with the token that started the conversation beside it as `awp.token.<token>`, in the Authorization header, or as `?token=`. Events are JSON in text frames; audio is binary frames of 20 ms of pcm_s16le, mono, at 24 kHz, both ways. The server sends `session.ready`, `transcript`, `agent.state`, `user.speech` (with `recognized: false` when no words were recognized), `alignment`, `interruption`, `tool.call`, `metrics`, `session.ending`, `session.ended`, `error` and `pong`. Closing with 1000 hangs up. Errors are sent in an `error` event and the close code 4401, 4403, 4404, 4409 or 4429, or, where many such sockets are open, by HTTP.
         */
        get: operations["connectSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/realtime/client_secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a client secret of OpenAI's Realtime protocol
         * @description For a browser, to start one conversation over `WS /v1/realtime` or `POST /v1/realtime/calls`. The model of the session is the id of an Agent. What the Agent allows in `session_config.overrides` may be set: `instructions` and `audio.output.voice`. A session of the type `transcription` recognizes speech over the WebSocket, without an Agent. Fields without effect are listed in `x-parlance-ignored`.
         */
        post: operations["createRealtimeClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/realtime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Talk over OpenAI's Realtime protocol
         * @description A WebSocket for clients of OpenAI’s Realtime API (general availability), with a key or a client secret in the Authorization header. A browser offers the subprotocols `realtime` and `openai-insecure-api-key.<client secret>`. The model is the id of an Agent. With `intent=transcription` speech is recognized, without an Agent. `docs/openai-realtime` lists the events and fields.
         */
        get: operations["connectRealtime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/realtime/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Talk over WebRTC with OpenAI's Realtime protocol
         * @description The offer is the body, or the field `sdp` of a form with the JSON of a session in `session`. A client secret goes into the Authorization header, or a key, with the id of the Agent as the `model` of the session or of the query. The data channel `oai-events` carries the events.
         */
        post: operations["createRealtimeCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/realtime/calls/{sessionId}/hangup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a call
         * @description Ends a conversation of `POST /v1/realtime/calls`. Its record ends with `api_ended`.
         */
        post: operations["hangUpRealtimeCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ice-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get STUN and TURN servers
         * @description With time-limited credentials. The session token is not consumed, and may have been consumed before.
         */
        get: operations["getIceServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List conversations */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversation
         * @description With its transcript, up to a limit. `messages` has the whole transcript, page by page.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description Deletes its record, its messages and its recording. A live conversation is ended first, with `api_ended`.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a conversation */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent-sessions/{sessionId}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rate a conversation
         * @description With a key, or with the token that started the conversation, while it lives and for an hour after its end. Later feedback replaces earlier feedback.
         */
        post: operations["giveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end-users/{endUserId}/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an end user's calendar
         * @description The appointments that Agents have made, and the address of a feed for calendar programs.
         */
        get: operations["getCalendar"];
        put?: never;
        post?: never;
        /**
         * Delete an end user's calendar
         * @description Deletes all appointments. The address of the feed is no longer valid.
         */
        delete: operations["deleteCalendar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calendar-feeds/{signature}.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a calendar as iCalendar
         * @description For calendar programs. No key: the address is the secret. Occurrences of the last month and the next year.
         */
        get: operations["readCalendarFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/end-users/{endUserId}/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the memory of an end user
         * @description Facts that Agents with memory have extracted from conversations with the end user, each with its source message if the conversation is stored. The list of an unknown end user is empty.
         */
        get: operations["listMemories"];
        put?: never;
        post?: never;
        /**
         * Delete the memory of an end user
         * @description Permanently, with the recordings of the conversations of the end user. A conversation in progress does not store anything that was said before this request.
         */
        delete: operations["forgetEndUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn text into speech
         * @description The first byte is sent as soon as there is audio. Hanging up stops the synthesis. A failure after the first byte cuts the chunked body, or is an `error` event. Credit for all of the text is reserved first. A speech that fails after the first byte is charged for the segments that were sent completely. When the client hangs up, it is also charged for the text of the next segment, up to the end of the word that the sent audio reached. With `response_mode` `json`, hanging up before the answer costs nothing.
         */
        post: operations["synthesize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn text into speech, with OpenAI's body
         * @description For OpenAI's client libraries: set their base URL to this host's `/v1` and their key to a workspace key. Errors carry an `error` object beside the five keys, since those libraries read nothing else.
         */
        post: operations["synthesizeAsOpenai"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn a recording into text
         * @description For OpenAI's client libraries: it accepts their form. The audio is billed by the second, rounded up. Credit for all of it is reserved before it is recognized. A transcription that fails costs nothing, except for the segments that were streamed. When the client hangs up, or the file turns out to be too long or broken, the decoded part is charged.
         */
        post: operations["transcribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the voices by id and name
         * @description For Open WebUI. `GET /v1/voices` lists the same voices in the same order, with all their properties.
         */
        get: operations["listVoicesAsOpenWebui"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the voices */
        get: operations["listVoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/voices/{voiceId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a short sample of a voice
         * @description The `preview_url` of a voice: an MP3 of one sentence in the language of the voice. It is made on the first request, kept for an hour, and costs no credit. With `If-None-Match` the answer may be 304.
         */
        get: operations["voicePreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/avatars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the avatars */
        get: operations["listAvatars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models
         * @description For OpenAI's client libraries. `POST /v1/audio/speech` takes the variants of voices as models, and `POST /v1/audio/transcriptions` takes the recognizers. OpenAI’s names stand for the best of them. `created` is 0 where it is unknown.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a model */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/avatars/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an avatar, or its picture
         * @description The file at `asset.url` or `thumbnail_url` of an avatar. Its name is its SHA-256, and it never changes. No key is needed, pages of any origin may load it, and `Range` is supported.
         */
        get: operations["avatarFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the credit
         * @description Work reserves credit before it begins, and is charged when it ends.
         */
        get: operations["getCredit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the usage, and its cost
         * @description Groups without usage are left out. Usage without an Agent, or without a key, has the key `null`. Groups beyond the 1,000 of the highest cost are combined in a last one with the key `other`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The address receives the events of these types that happen from now on.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Also deletes its deliveries. Pending deliveries are not sent.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Fields replace; a field that is left out does not change. Disabling a webhook gives up its pending deliveries, which can be replayed. Enabling it, or giving it another address, resets the count of its failures.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret
         * @description For 24 hours requests are signed with the earlier secrets as well, so that receivers have time to change.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Each with its last seven attempts. Deliveries are kept for 30 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event again
         * @description The same event, with the same id, is sent at once, and again on the schedule if that fails. A webhook that is disabled must be enabled first.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The protocols of WebSockets and data channels, as AsyncAPI 3 */
        get: operations["asyncapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the packages for integrators
         * @description Each can be installed by its address: `npm install https://speech.example.com/packages/client.tgz`, and `pip install https://speech.example.com/packages/python.tgz` for the one of Python.
         */
        get: operations["listPackages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/packages/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tarball of a package
         * @description With `If-None-Match` the answer may be 304.
         */
        get: operations["getPackage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The web component `<parlance-agent>` */
        get: operations["getWidget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/avatar.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The renderer that the widget loads for an avatar */
        get: operations["getWidgetAvatar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address of the dashboard */
        get: operations["redirectDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address of the page to try the voices, with a key */
        get: operations["redirectPlay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/talk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address of the page to talk with an Agent, with a key */
        get: operations["redirectTalk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An event of the workspace, signed by Standard Webhooks */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same in every attempt. */
                    "webhook-id": string;
                    /** @description When it was sent, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /** @description Signatures of id, timestamp and body, separated by spaces. */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
            responses: {
                /** @description The event was received. It is sent again after any other status. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The body of a request to a webhook. Later versions may add fields to `data`. */
        WebhookEvent: {
            /** @enum {string} */
            type: "agent.published";
            data: {
                /** Format: uuid */
                agent_id: string;
                slug: string;
                publication: {
                    /** Format: uuid */
                    id: string;
                    version: number;
                } & {
                    [key: string]: unknown;
                };
                revision: {
                    /** Format: uuid */
                    id: string;
                    version: number;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        } | {
            /** @enum {string} */
            type: "agent_session.started";
            data: {
                /** Format: uuid */
                session_id: string;
                /** Format: uuid */
                agent_id: string;
                publication: {
                    /** Format: uuid */
                    id: string;
                    version: number;
                } & {
                    [key: string]: unknown;
                };
                /** Format: uuid */
                end_user_id: string | null;
                transport: string;
                /** Format: date-time */
                started_at: string | null;
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        } | {
            /** @enum {string} */
            type: "agent_session.ended";
            data: {
                /** Format: uuid */
                session_id: string;
                /** Format: uuid */
                agent_id: string;
                publication: {
                    /** Format: uuid */
                    id: string;
                    version: number;
                } & {
                    [key: string]: unknown;
                };
                /** Format: uuid */
                end_user_id: string | null;
                transport: string;
                /** Format: date-time */
                started_at: string | null;
                /** Format: date-time */
                ended_at: string;
                duration_seconds: number;
                /** @enum {string} */
                end_reason: "user_disconnected" | "agent_ended" | "api_ended" | "silence_timeout" | "max_duration" | "connection_lost" | "ice_failed" | "insufficient_credit" | "drained" | "llm_error" | "stt_error" | "tts_error" | "internal_error";
                error: {
                    code: string;
                    detail: string;
                } | null;
                credit_used: string;
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        } | {
            /** @enum {string} */
            type: "agent_session.failed";
            data: {
                /** Format: uuid */
                session_id: string;
                /** Format: uuid */
                agent_id: string;
                publication: {
                    /** Format: uuid */
                    id: string;
                    version: number;
                } & {
                    [key: string]: unknown;
                };
                /** Format: uuid */
                end_user_id: string | null;
                transport: string;
                /** Format: date-time */
                started_at: string | null;
                /** Format: date-time */
                ended_at: string;
                duration_seconds: number;
                /** @enum {string} */
                end_reason: "user_disconnected" | "agent_ended" | "api_ended" | "silence_timeout" | "max_duration" | "connection_lost" | "ice_failed" | "insufficient_credit" | "drained" | "llm_error" | "stt_error" | "tts_error" | "internal_error";
                error: {
                    code: string;
                    detail: string;
                } | null;
                credit_used: string;
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        } | {
            /** @enum {string} */
            type: "agent_session.analyzed";
            data: {
                /** Format: uuid */
                session_id: string;
                /** Format: uuid */
                agent_id: string;
                /** Format: uuid */
                end_user_id: string | null;
                /** @enum {string} */
                status: "pending" | "succeeded" | "failed";
                criteria: {
                    name: string;
                    description: string;
                    /** @enum {string} */
                    result: "success" | "failure" | "unknown";
                    reason: string;
                }[];
                data: {
                    name: string;
                    /** @enum {string} */
                    type: "string" | "number" | "integer" | "boolean";
                    description: string;
                    value: string | number | boolean | null;
                }[];
                error: string | null;
                /** Format: date-time */
                analyzed_at: string | null;
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        } | {
            /** @enum {string} */
            type: "credit.low";
            data: {
                balance: string;
                /** @enum {string} */
                unit: "credit";
                threshold: string;
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        } | {
            /** @enum {string} */
            type: "credit.exhausted";
            data: {
                balance: string;
                /** @enum {string} */
                unit: "credit";
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        } | {
            /** @enum {string} */
            type: "api_key.revoked";
            data: {
                /** Format: uuid */
                key_id: string;
                label: string;
                prefix: string;
            } & {
                [key: string]: unknown;
            };
            /** Format: date-time */
            timestamp: string;
        };
        SpeechAudio: {
            /** @enum {string} */
            event: "audio";
            seq: number;
            segment: number;
            start_ms: number;
            duration_ms: number;
            /** @description The audio in base64. */
            data: string;
        };
        SpeechAlignment: {
            /** @enum {string} */
            event: "alignment";
            segment: number;
            words: {
                text: string;
                start_ms: number;
                end_ms: number;
            }[];
            phonemes: {
                text: string;
                start_ms: number;
                end_ms: number;
            }[];
            visemes: {
                /** @enum {string} */
                id: "sil" | "PP" | "FF" | "TH" | "DD" | "kk" | "CH" | "SS" | "nn" | "RR" | "aa" | "E" | "I" | "O" | "U";
                start_ms: number;
                end_ms: number;
            }[];
        };
        SpeechDone: {
            /** @enum {string} */
            event: "done";
            audio_duration_ms: number;
            characters_billed: number;
            ttfa_ms: number;
        };
        OpenaiSpeechDelta: {
            /** @enum {string} */
            type: "speech.audio.delta";
            audio: string;
        };
        OpenaiSpeechDone: {
            /** @enum {string} */
            type: "speech.audio.done";
            usage: {
                input_tokens: number;
                output_tokens: number;
                total_tokens: number;
            };
        };
        TranscriptionDelta: {
            /** @enum {string} */
            type: "transcript.text.delta";
            delta: string;
        };
        TranscriptionDone: {
            /** @enum {string} */
            type: "transcript.text.done";
            text: string;
            usage: {
                /** @enum {string} */
                type: "duration";
                seconds: number;
            };
        };
        Agent: {
            slug: string;
            display_name: string;
            /** @default  */
            description?: string;
            /** @default null */
            avatar_id?: string | null;
            voice_id: string;
            /** @default {} */
            voice_config?: {
                /** @default null */
                tts_variant?: string | null;
                /** @default null */
                language?: string | null;
                /** @default 1 */
                speed?: number;
                /** @default 1 */
                volume?: number;
            };
            /** @default  */
            system_prompt?: string;
            /** @default null */
            first_message?: string | null;
            /** @default true */
            first_message_interruptible?: boolean;
            llm_provider: string;
            llm_model: string;
            /** @default {} */
            llm_config?: {
                /** @default 0.7 */
                temperature?: number;
                /** @default 512 */
                max_output_tokens?: number;
                /** @default 8000 */
                timeout_ms?: number;
            };
            /** @default {} */
            stt_config?: {
                /** @default en */
                language?: string;
            };
            /** @default {} */
            audio_config?: {
                /** @default true */
                noise_suppression?: boolean;
            };
            /** @default {} */
            turn_config?: {
                /**
                 * @description At most `endpointing_max_ms`.
                 * @default 300
                 */
                endpointing_min_ms?: number;
                /** @default 3000 */
                endpointing_max_ms?: number;
                /** @default true */
                interruptions_enabled?: boolean;
                /** @default 200 */
                interruption_min_ms?: number;
                /** @default 2000 */
                false_interruption_timeout_ms?: number;
                /** @default true */
                preemptive?: boolean;
            };
            /** @default {} */
            session_config?: {
                /** @default 600 */
                max_duration_seconds?: number;
                /** @default 60 */
                silence_timeout_seconds?: number;
                /** @default null */
                max_concurrent_sessions?: number | null;
                /** @default [] */
                allowed_origins?: string[];
                /** @default true */
                store_transcript?: boolean;
                /**
                 * @description What the start of a session may set in its `overrides`.
                 * @default []
                 */
                overrides?: ("system_prompt" | "first_message" | "voice_id" | "language")[];
                /** @default {} */
                public?: {
                    /**
                     * @description Whether pages of `origins` may mint session tokens without a key, once this is published.
                     * @default false
                     */
                    enabled?: boolean;
                    /** @default [] */
                    origins?: string[];
                    /**
                     * @description Tokens that a network address may mint in an hour.
                     * @default 20
                     */
                    per_address_per_hour?: number;
                    /**
                     * @description What public conversations may use in a day in UTC. Required where `enabled` is true.
                     * @default null
                     */
                    daily_credit?: string | null;
                };
            };
            /** @default [] */
            tools?: ({
                /** @enum {string} */
                type: "client";
                name: string;
                /** @default  */
                description?: string;
                /** @default {} */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @default 10000 */
                timeout_ms?: number;
            } | {
                /** @enum {string} */
                type: "webhook";
                name: string;
                /** @default  */
                description?: string;
                /** @default {} */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @default 10000 */
                timeout_ms?: number;
                /** Format: uri */
                url: string;
            } | {
                /** @enum {string} */
                type: "mcp";
                name: string;
                /**
                 * Format: uri
                 * @description The address of an MCP server that speaks Streamable HTTP.
                 */
                url: string;
                /**
                 * @description Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server.
                 * @default {}
                 */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * @description The tools of the server that the Agent may call. Null for all.
                 * @default null
                 */
                allowed_tools?: string[] | null;
            } | {
                /** @enum {string} */
                type: "builtin";
                /** @enum {string} */
                name: "end_call" | "skip_turn" | "transfer_to_agent" | "transfer_call";
                /**
                 * @description The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all.
                 * @default null
                 */
                agents?: string[] | null;
                /** @description The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool. */
                numbers?: string[];
            })[];
            /** @default [] */
            knowledge_files?: string[];
            /** @default false */
            web_search_enabled?: boolean;
            /** @default false */
            memory_enabled?: boolean;
            /** @default false */
            calendar_enabled?: boolean;
            /** @default {} */
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "draft" | "published";
            api_ready: boolean;
            draft_revision: {
                /** Format: uuid */
                id: string;
                version: number;
            };
            active_publication: {
                /** Format: uuid */
                id: string;
                version: number;
                revision: {
                    /** Format: uuid */
                    id: string;
                    version: number;
                };
                memory_enabled: boolean;
                calendar_enabled: boolean;
                /** Format: date-time */
                created_at: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Every error has these five keys. Match on `code`; `detail` is for people and may change. */
        Error: {
            /** @enum {string} */
            event: "error";
            request_id: string;
            /** @enum {string} */
            code: "invalid_request" | "invalid_json" | "alignment_requires_json" | "text_not_speakable" | "unsupported_format" | "memory_identity_required" | "invalid_sdp" | "unauthorized" | "session_token_expired" | "stream_token_invalid" | "insufficient_credit" | "capability_disabled" | "organization_suspended" | "session_token_agent_mismatch" | "origin_not_allowed" | "forbidden_role" | "agent_not_found" | "session_not_found" | "voice_not_found" | "avatar_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "agent_not_published" | "agent_not_api_ready" | "slug_taken" | "session_token_used" | "session_ended" | "idempotency_conflict" | "context_exists" | "revision_conflict" | "text_too_long" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "agent_not_publishable" | "rate_limited" | "concurrency_limited" | "too_many_contexts" | "internal_error" | "upstream_error" | "capacity_exhausted" | "draining" | "unavailable" | "upstream_timeout";
            retryable: boolean;
            detail: string;
        };
        AgentConfig: {
            slug: string;
            display_name: string;
            /** @default  */
            description?: string;
            /** @default null */
            avatar_id?: string | null;
            voice_id: string;
            /** @default {} */
            voice_config?: {
                /** @default null */
                tts_variant?: string | null;
                /** @default null */
                language?: string | null;
                /** @default 1 */
                speed?: number;
                /** @default 1 */
                volume?: number;
            };
            /** @default  */
            system_prompt?: string;
            /** @default null */
            first_message?: string | null;
            /** @default true */
            first_message_interruptible?: boolean;
            llm_provider: string;
            llm_model: string;
            /** @default {} */
            llm_config?: {
                /** @default 0.7 */
                temperature?: number;
                /** @default 512 */
                max_output_tokens?: number;
                /** @default 8000 */
                timeout_ms?: number;
            };
            /** @default {} */
            stt_config?: {
                /** @default en */
                language?: string;
            };
            /** @default {} */
            audio_config?: {
                /** @default true */
                noise_suppression?: boolean;
            };
            /** @default {} */
            turn_config?: {
                /**
                 * @description At most `endpointing_max_ms`.
                 * @default 300
                 */
                endpointing_min_ms?: number;
                /** @default 3000 */
                endpointing_max_ms?: number;
                /** @default true */
                interruptions_enabled?: boolean;
                /** @default 200 */
                interruption_min_ms?: number;
                /** @default 2000 */
                false_interruption_timeout_ms?: number;
                /** @default true */
                preemptive?: boolean;
            };
            /** @default {} */
            session_config?: {
                /** @default 600 */
                max_duration_seconds?: number;
                /** @default 60 */
                silence_timeout_seconds?: number;
                /** @default null */
                max_concurrent_sessions?: number | null;
                /** @default [] */
                allowed_origins?: string[];
                /** @default true */
                store_transcript?: boolean;
                /**
                 * @description What the start of a session may set in its `overrides`.
                 * @default []
                 */
                overrides?: ("system_prompt" | "first_message" | "voice_id" | "language")[];
                /** @default {} */
                public?: {
                    /**
                     * @description Whether pages of `origins` may mint session tokens without a key, once this is published.
                     * @default false
                     */
                    enabled?: boolean;
                    /** @default [] */
                    origins?: string[];
                    /**
                     * @description Tokens that a network address may mint in an hour.
                     * @default 20
                     */
                    per_address_per_hour?: number;
                    /**
                     * @description What public conversations may use in a day in UTC. Required where `enabled` is true.
                     * @default null
                     */
                    daily_credit?: string | null;
                };
            };
            /** @default [] */
            tools?: ({
                /** @enum {string} */
                type: "client";
                name: string;
                /** @default  */
                description?: string;
                /** @default {} */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @default 10000 */
                timeout_ms?: number;
            } | {
                /** @enum {string} */
                type: "webhook";
                name: string;
                /** @default  */
                description?: string;
                /** @default {} */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @default 10000 */
                timeout_ms?: number;
                /** Format: uri */
                url: string;
            } | {
                /** @enum {string} */
                type: "mcp";
                name: string;
                /**
                 * Format: uri
                 * @description The address of an MCP server that speaks Streamable HTTP.
                 */
                url: string;
                /**
                 * @description Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server.
                 * @default {}
                 */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * @description The tools of the server that the Agent may call. Null for all.
                 * @default null
                 */
                allowed_tools?: string[] | null;
            } | {
                /** @enum {string} */
                type: "builtin";
                /** @enum {string} */
                name: "end_call" | "skip_turn" | "transfer_to_agent" | "transfer_call";
                /**
                 * @description The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all.
                 * @default null
                 */
                agents?: string[] | null;
                /** @description The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool. */
                numbers?: string[];
            })[];
            /** @default [] */
            knowledge_files?: string[];
            /** @default false */
            web_search_enabled?: boolean;
            /** @default false */
            memory_enabled?: boolean;
            /** @default false */
            calendar_enabled?: boolean;
            /** @default {} */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Every field may be left out; null resets a field to its default. */
        AgentPatch: {
            slug?: string;
            display_name?: string;
            description?: string | null;
            avatar_id?: string | null;
            voice_id?: string;
            voice_config?: {
                tts_variant?: string | null;
                language?: string | null;
                speed?: number | null;
                volume?: number | null;
            } | null;
            system_prompt?: string | null;
            first_message?: string | null;
            first_message_interruptible?: boolean | null;
            llm_provider?: string;
            llm_model?: string;
            llm_config?: {
                temperature?: number | null;
                max_output_tokens?: number | null;
                timeout_ms?: number | null;
            } | null;
            stt_config?: {
                language?: string | null;
            } | null;
            audio_config?: {
                noise_suppression?: boolean | null;
            } | null;
            turn_config?: {
                endpointing_min_ms?: number | null;
                endpointing_max_ms?: number | null;
                interruptions_enabled?: boolean | null;
                interruption_min_ms?: number | null;
                false_interruption_timeout_ms?: number | null;
                preemptive?: boolean | null;
            } | null;
            session_config?: {
                max_duration_seconds?: number | null;
                silence_timeout_seconds?: number | null;
                max_concurrent_sessions?: number | null;
                allowed_origins?: string[] | null;
                store_transcript?: boolean | null;
                overrides?: ("system_prompt" | "first_message" | "voice_id" | "language")[] | null;
                public?: {
                    /**
                     * @description Whether pages of `origins` may mint session tokens without a key, once this is published.
                     * @default false
                     */
                    enabled?: boolean;
                    /** @default [] */
                    origins?: string[];
                    /**
                     * @description Tokens that a network address may mint in an hour.
                     * @default 20
                     */
                    per_address_per_hour?: number;
                    /**
                     * @description What public conversations may use in a day in UTC. Required where `enabled` is true.
                     * @default null
                     */
                    daily_credit?: string | null;
                } | null;
            } | null;
            tools?: ({
                /** @enum {string} */
                type: "client";
                name: string;
                /** @default  */
                description?: string;
                /** @default {} */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @default 10000 */
                timeout_ms?: number;
            } | {
                /** @enum {string} */
                type: "webhook";
                name: string;
                /** @default  */
                description?: string;
                /** @default {} */
                parameters?: {
                    [key: string]: unknown;
                };
                /** @default 10000 */
                timeout_ms?: number;
                /** Format: uri */
                url: string;
            } | {
                /** @enum {string} */
                type: "mcp";
                name: string;
                /**
                 * Format: uri
                 * @description The address of an MCP server that speaks Streamable HTTP.
                 */
                url: string;
                /**
                 * @description Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server.
                 * @default {}
                 */
                headers?: {
                    [key: string]: string;
                };
                /**
                 * @description The tools of the server that the Agent may call. Null for all.
                 * @default null
                 */
                allowed_tools?: string[] | null;
            } | {
                /** @enum {string} */
                type: "builtin";
                /** @enum {string} */
                name: "end_call" | "skip_turn" | "transfer_to_agent" | "transfer_call";
                /**
                 * @description The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all.
                 * @default null
                 */
                agents?: string[] | null;
                /** @description The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool. */
                numbers?: string[];
            })[] | null;
            knowledge_files?: string[] | null;
            web_search_enabled?: boolean | null;
            memory_enabled?: boolean | null;
            calendar_enabled?: boolean | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        Published: {
            /** Format: uuid */
            id: string;
            version: number;
            revision: {
                /** Format: uuid */
                id: string;
                version: number;
            };
            memory_enabled: boolean;
            calendar_enabled: boolean;
            /** Format: date-time */
            created_at: string;
            api_ready: boolean;
        };
        PublishCheck: {
            publishable: boolean;
            api_ready: boolean;
            problems: {
                field: string;
                /** @enum {string} */
                code: "voice_not_found" | "variant_not_found" | "language_not_spoken" | "avatar_not_found" | "llm_provider_unknown" | "tool_schema_invalid" | "daily_credit_missing" | "not_for_public_agents";
                detail: string;
            }[];
            warnings: {
                field: string;
                /** @enum {string} */
                code: "variant_not_chosen" | "language_not_spoken" | "knowledge_file_not_found" | "knowledge_file_not_ready";
                detail: string;
            }[];
        };
        Revision: {
            /** Format: uuid */
            id: string;
            version: number;
            config: {
                slug: string;
                display_name: string;
                /** @default  */
                description?: string;
                /** @default null */
                avatar_id?: string | null;
                voice_id: string;
                /** @default {} */
                voice_config?: {
                    /** @default null */
                    tts_variant?: string | null;
                    /** @default null */
                    language?: string | null;
                    /** @default 1 */
                    speed?: number;
                    /** @default 1 */
                    volume?: number;
                };
                /** @default  */
                system_prompt?: string;
                /** @default null */
                first_message?: string | null;
                /** @default true */
                first_message_interruptible?: boolean;
                llm_provider: string;
                llm_model: string;
                /** @default {} */
                llm_config?: {
                    /** @default 0.7 */
                    temperature?: number;
                    /** @default 512 */
                    max_output_tokens?: number;
                    /** @default 8000 */
                    timeout_ms?: number;
                };
                /** @default {} */
                stt_config?: {
                    /** @default en */
                    language?: string;
                };
                /** @default {} */
                audio_config?: {
                    /** @default true */
                    noise_suppression?: boolean;
                };
                /** @default {} */
                turn_config?: {
                    /**
                     * @description At most `endpointing_max_ms`.
                     * @default 300
                     */
                    endpointing_min_ms?: number;
                    /** @default 3000 */
                    endpointing_max_ms?: number;
                    /** @default true */
                    interruptions_enabled?: boolean;
                    /** @default 200 */
                    interruption_min_ms?: number;
                    /** @default 2000 */
                    false_interruption_timeout_ms?: number;
                    /** @default true */
                    preemptive?: boolean;
                };
                /** @default {} */
                session_config?: {
                    /** @default 600 */
                    max_duration_seconds?: number;
                    /** @default 60 */
                    silence_timeout_seconds?: number;
                    /** @default null */
                    max_concurrent_sessions?: number | null;
                    /** @default [] */
                    allowed_origins?: string[];
                    /** @default true */
                    store_transcript?: boolean;
                    /**
                     * @description What the start of a session may set in its `overrides`.
                     * @default []
                     */
                    overrides?: ("system_prompt" | "first_message" | "voice_id" | "language")[];
                    /** @default {} */
                    public?: {
                        /**
                         * @description Whether pages of `origins` may mint session tokens without a key, once this is published.
                         * @default false
                         */
                        enabled?: boolean;
                        /** @default [] */
                        origins?: string[];
                        /**
                         * @description Tokens that a network address may mint in an hour.
                         * @default 20
                         */
                        per_address_per_hour?: number;
                        /**
                         * @description What public conversations may use in a day in UTC. Required where `enabled` is true.
                         * @default null
                         */
                        daily_credit?: string | null;
                    };
                };
                /** @default [] */
                tools?: ({
                    /** @enum {string} */
                    type: "client";
                    name: string;
                    /** @default  */
                    description?: string;
                    /** @default {} */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @default 10000 */
                    timeout_ms?: number;
                } | {
                    /** @enum {string} */
                    type: "webhook";
                    name: string;
                    /** @default  */
                    description?: string;
                    /** @default {} */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @default 10000 */
                    timeout_ms?: number;
                    /** Format: uri */
                    url: string;
                } | {
                    /** @enum {string} */
                    type: "mcp";
                    name: string;
                    /**
                     * Format: uri
                     * @description The address of an MCP server that speaks Streamable HTTP.
                     */
                    url: string;
                    /**
                     * @description Sent to the server. Values are stored sealed and never returned: they are read as `sealed:` and an id, which keeps the value when it is sent again for the same server.
                     * @default {}
                     */
                    headers?: {
                        [key: string]: string;
                    };
                    /**
                     * @description The tools of the server that the Agent may call. Null for all.
                     * @default null
                     */
                    allowed_tools?: string[] | null;
                } | {
                    /** @enum {string} */
                    type: "builtin";
                    /** @enum {string} */
                    name: "end_call" | "skip_turn" | "transfer_to_agent" | "transfer_call";
                    /**
                     * @description The slugs of the Agents to which `transfer_to_agent` may transfer. Null for all.
                     * @default null
                     */
                    agents?: string[] | null;
                    /** @description The telephone numbers to which `transfer_call` may transfer, such as `+4930123456`. Without any, and in conversations that are no telephone calls, the Agent does not have the tool. */
                    numbers?: string[];
                })[];
                /** @default [] */
                knowledge_files?: string[];
                /** @default false */
                web_search_enabled?: boolean;
                /** @default false */
                memory_enabled?: boolean;
                /** @default false */
                calendar_enabled?: boolean;
                /** @default {} */
                metadata?: {
                    [key: string]: unknown;
                };
            };
            /** Format: date-time */
            created_at: string;
        };
        Publication: {
            /** Format: uuid */
            id: string;
            version: number;
            revision: {
                /** Format: uuid */
                id: string;
                version: number;
            };
            memory_enabled: boolean;
            calendar_enabled: boolean;
            /** Format: date-time */
            created_at: string;
        };
        KnowledgeFile: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            content_type: "application/pdf" | "text/html" | "text/markdown" | "text/plain";
            size_bytes: number;
            /** @enum {string} */
            status: "indexing" | "ready" | "failed";
            error: string | null;
            passages: number;
            /** Format: date-time */
            created_at: string;
        };
        SessionToken: {
            token: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            agent_id: string;
            capabilities: {
                managed_voice_agent: boolean;
                transport: string;
            };
        };
        StreamToken: {
            token: string;
            /** Format: date-time */
            expires_at: string;
            websocket_url: string;
            /** @enum {string} */
            protocol: "awp.tts.v1";
        };
        ListenToken: {
            token: string;
            /** Format: date-time */
            expires_at: string;
            websocket_url: string;
            /** @enum {string} */
            protocol: "awp.stt.v1";
        };
        StartedSession: {
            /** Format: uuid */
            session_id: string;
            /** Format: uuid */
            agent_id: string;
            publication: {
                /** Format: uuid */
                id: string;
                version: number;
            };
            /** @enum {string} */
            status: "connecting" | "active" | "ending" | "ended" | "failed";
            /** @description For the transport `webrtc`. */
            sdp?: {
                /** @enum {string} */
                type: "answer";
                sdp: string;
            };
            ice_servers: {
                urls: string[];
                username?: string;
                credential?: string;
            }[];
            max_duration_seconds: number;
            avatar: {
                /** Format: uuid */
                id: string;
                display_name: string;
                /** @enum {string} */
                status: "available" | "unavailable";
                thumbnail_url: string;
                license: string;
                asset: {
                    url: string;
                    /** @enum {string} */
                    format: "glb";
                    /** @enum {string} */
                    content_type: "model/gltf-binary";
                    size_bytes: number;
                    sha256: string;
                };
                /** @enum {string} */
                viseme_set: "oculus15";
                viseme_morph_targets: {
                    [key: string]: string;
                };
                expression_morph_targets: {
                    [key: string]: string;
                };
            } | null;
            /** @description For the transport `websocket`: the URL to connect to, with the subprotocol `awp.session.v1`. */
            websocket_url?: string;
        };
        RealtimeClientSecret: {
            /** @description Starts with `ek_`. */
            value: string;
            /** @description In seconds since 1970. */
            expires_at: number;
            session: {
                [key: string]: unknown;
            };
        };
        /** @description An `Error`, with an `error` object for OpenAI's clients: its `message` is the `detail`, its `code` the `code`. */
        OpenaiError: {
            /** @enum {string} */
            event: "error";
            request_id: string;
            /** @enum {string} */
            code: "invalid_request" | "invalid_json" | "alignment_requires_json" | "text_not_speakable" | "unsupported_format" | "memory_identity_required" | "invalid_sdp" | "unauthorized" | "session_token_expired" | "stream_token_invalid" | "insufficient_credit" | "capability_disabled" | "organization_suspended" | "session_token_agent_mismatch" | "origin_not_allowed" | "forbidden_role" | "agent_not_found" | "session_not_found" | "voice_not_found" | "avatar_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "agent_not_published" | "agent_not_api_ready" | "slug_taken" | "session_token_used" | "session_ended" | "idempotency_conflict" | "context_exists" | "revision_conflict" | "text_too_long" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "agent_not_publishable" | "rate_limited" | "concurrency_limited" | "too_many_contexts" | "internal_error" | "upstream_error" | "capacity_exhausted" | "draining" | "unavailable" | "upstream_timeout";
            retryable: boolean;
            detail: string;
            error: {
                message: string;
                type: string;
                code: string;
                param: string | null;
            };
        };
        IceServers: {
            ice_servers: {
                urls: string[];
                username?: string;
                credential?: string;
            }[];
            ttl_seconds: number;
        };
        SessionSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            agent_id: string;
            publication: {
                /** Format: uuid */
                id: string;
                version: number;
            };
            /** Format: uuid */
            end_user_id: string | null;
            /** @enum {string} */
            status: "connecting" | "active" | "ending" | "ended" | "failed";
            /** @enum {string} */
            transport: "webrtc" | "websocket" | "phone";
            /** @enum {string} */
            input_mode: "push-to-talk" | "automatic";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            duration_seconds: number;
            /** @enum {string|null} */
            end_reason: "user_disconnected" | "agent_ended" | "api_ended" | "silence_timeout" | "max_duration" | "connection_lost" | "ice_failed" | "insufficient_credit" | "drained" | "llm_error" | "stt_error" | "tts_error" | "internal_error" | null;
            error: {
                code: string;
                detail: string;
            } | null;
            usage: {
                stt_seconds: number;
                llm_input_tokens: number;
                llm_output_tokens: number;
                tts_characters: number;
            };
            credit_used: string;
            latency: {
                voice_to_voice_ms: {
                    p50: number;
                    p95: number;
                };
            } | null;
            feedback: {
                score: -1 | 1;
                comment: string | null;
                /** Format: date-time */
                created_at: string;
            } | null;
            metadata: {
                [key: string]: unknown;
            };
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            agent_id: string;
            publication: {
                /** Format: uuid */
                id: string;
                version: number;
            };
            /** Format: uuid */
            end_user_id: string | null;
            /** @enum {string} */
            status: "connecting" | "active" | "ending" | "ended" | "failed";
            /** @enum {string} */
            transport: "webrtc" | "websocket" | "phone";
            /** @enum {string} */
            input_mode: "push-to-talk" | "automatic";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            duration_seconds: number;
            /** @enum {string|null} */
            end_reason: "user_disconnected" | "agent_ended" | "api_ended" | "silence_timeout" | "max_duration" | "connection_lost" | "ice_failed" | "insufficient_credit" | "drained" | "llm_error" | "stt_error" | "tts_error" | "internal_error" | null;
            error: {
                code: string;
                detail: string;
            } | null;
            usage: {
                stt_seconds: number;
                llm_input_tokens: number;
                llm_output_tokens: number;
                tts_characters: number;
            };
            credit_used: string;
            latency: {
                voice_to_voice_ms: {
                    p50: number;
                    p95: number;
                };
            } | null;
            feedback: {
                score: -1 | 1;
                comment: string | null;
                /** Format: date-time */
                created_at: string;
            } | null;
            metadata: {
                [key: string]: unknown;
            };
            transcript: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                role: "user" | "agent";
                text: string;
                /** Format: date-time */
                created_at: string;
                interrupted: boolean;
                sources?: ({
                    title: string;
                    /** Format: uri */
                    url: string;
                } | {
                    title: string;
                    /** Format: uuid */
                    file_id: string;
                    passage: string;
                })[];
            }[];
        };
        SessionMessage: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            role: "user" | "agent";
            text: string;
            /** Format: date-time */
            created_at: string;
            interrupted: boolean;
            sources?: ({
                title: string;
                /** Format: uri */
                url: string;
            } | {
                title: string;
                /** Format: uuid */
                file_id: string;
                passage: string;
            })[];
        };
        Feedback: {
            score: -1 | 1;
            comment: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Calendar: {
            /** @description The occurrences that begin from `from` up to `to`, by their beginning; at most 500. */
            occurrences: components["schemas"]["Occurrence"][];
            /**
             * Format: uri
             * @description An iCalendar feed to subscribe to. The address is a secret: anyone who knows it can read the calendar.
             * @example https://speech.example.com/v1/calendar-feeds/….ics
             */
            feed_url: string;
        };
        Occurrence: {
            /** Format: uuid */
            event_id: string;
            title: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            ends_at: string;
            time_zone: string;
            recurring: boolean;
        };
        Memory: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            agent_id: string;
            text: string;
            /** Format: uuid */
            session_id: string;
            /** Format: uuid */
            message_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        TtsJsonResponse: {
            request_id: string;
            audio_base64: string;
            output: {
                /** @enum {string} */
                format: "mp3" | "wav" | "pcm_s16le" | "opus" | "flac" | "ulaw" | "alaw";
                sample_rate: number;
                bit_rate: number | null;
            };
            audio_duration_ms: number;
            characters_billed: number;
            alignment: {
                words: {
                    text: string;
                    start_ms: number;
                    end_ms: number;
                }[];
                phonemes: {
                    text: string;
                    start_ms: number;
                    end_ms: number;
                }[];
                visemes: {
                    /** @enum {string} */
                    id: "sil" | "PP" | "FF" | "TH" | "DD" | "kk" | "CH" | "SS" | "nn" | "RR" | "aa" | "E" | "I" | "O" | "U";
                    start_ms: number;
                    end_ms: number;
                }[];
            };
        };
        SpeechEvent: {
            /** @enum {string} */
            event: "audio";
            data: string;
        } | {
            /** @enum {string} */
            event: "alignment";
            data: string;
        } | {
            /** @enum {string} */
            event: "done";
            data: string;
        } | {
            /** @enum {string} */
            event: "error";
            data: string;
        };
        TtsRequest: {
            /**
             * @description The text to speak, of at most 5,000 code points. Markup is not interpreted.
             * @example Hello, and welcome.
             */
            text: string;
            /** @description The `id` of a voice in `GET /v1/voices`. */
            voice_id: string;
            /** @description One of the voice's `variants`; the first one when left out. */
            tts_variant?: string;
            /**
             * @description A BCP 47 tag that the voice speaks; the voice's main language when left out.
             * @example en
             */
            language?: string;
            /**
             * @description Sample rates in Hz: PCM, WAV and FLAC 8000, 16000, 22050, 24000, 44100, 48000; MP3 22050, 24000, 44100; Opus 48000; µ-law and A-law 8000. Only MP3 and Opus have a bit rate, in bits per second.
             * @default {
             *       "format": "mp3"
             *     }
             */
            output?: {
                /**
                 * @default mp3
                 * @enum {string}
                 */
                format?: "mp3" | "wav" | "pcm_s16le" | "opus" | "flac" | "ulaw" | "alaw";
                /** @enum {integer} */
                sample_rate?: 8000 | 16000 | 22050 | 24000 | 44100 | 48000;
                bit_rate?: number;
            };
            /**
             * @description 1 is the voice's own pace.
             * @default 1
             */
            speed?: number;
            /**
             * @description 1 is the voice's own loudness.
             * @default 1
             */
            volume?: number;
            /**
             * @description `audio` streams the audio as the body; `json` responds once all audio is complete; `sse` streams events, with audio in base64.
             * @default audio
             * @enum {string}
             */
            response_mode?: "audio" | "json" | "sse";
            /**
             * @description The times to include, measured from the start of the audio. Requires `response_mode` `json` or `sse`.
             * @default []
             */
            alignment?: ("word" | "phoneme" | "viseme")[];
        };
        OpenaiSpeechEvent: {
            /** @enum {string} */
            event: "speech.audio.delta";
            data: string;
        } | {
            /** @enum {string} */
            event: "speech.audio.done";
            data: string;
        } | {
            /** @enum {string} */
            event: "error";
            data: string;
        };
        OpenaiSpeechRequest: {
            /**
             * @description A variant of the voice. `tts-1`, `tts-1-hd` and `gpt-4o-mini-tts` stand for the voice's first.
             * @example tts-1
             */
            model: string;
            /**
             * @description The text to speak, of at most 5,000 code points. Markup is not interpreted.
             * @example Hello, and welcome.
             */
            input: string;
            /** @description The id or the display name of a voice in `GET /v1/voices`. OpenAI’s names, such as `alloy`, each stand for one of the best voices of the same gender. */
            voice: string | {
                id: string;
            };
            /** @description Ignored, and named in `x-parlance-ignored`. */
            instructions?: string;
            /**
             * @description `pcm` is 24 kHz, signed 16 bits, little endian.
             * @default mp3
             * @enum {string}
             */
            response_format?: "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm";
            /**
             * @description 1 is the voice's own pace. A value below 0.5 or above 2 is replaced by that limit, which `x-speed-applied` reports.
             * @default 1
             */
            speed?: number;
            /**
             * @default audio
             * @enum {string}
             */
            stream_format?: "audio" | "sse";
        };
        Transcription: {
            text: string;
            usage: {
                /** @enum {string} */
                type: "duration";
                seconds: number;
            };
        };
        /** @description `avg_logprob`, `compression_ratio`, `no_speech_prob` and `tokens` of a segment exist for clients that require them, and are always the same. */
        VerboseTranscription: {
            /** @enum {string} */
            task: "transcribe";
            language: string;
            duration: number;
            text: string;
            segments: {
                id: number;
                seek: number;
                start: number;
                end: number;
                text: string;
                tokens: number[];
                temperature: number;
                avg_logprob: number;
                compression_ratio: number;
                no_speech_prob: number;
            }[];
            usage: {
                /** @enum {string} */
                type: "duration";
                seconds: number;
            };
        };
        TranscriptionEvent: {
            /** @enum {string} */
            event: "transcript.text.delta";
            data: string;
        } | {
            /** @enum {string} */
            event: "transcript.text.done";
            data: string;
        } | {
            /** @enum {string} */
            event: "error";
            data: string;
        };
        TranscriptionForm: {
            /**
             * Format: binary
             * @description A recording of at most 25 MiB: WAV, MP3, FLAC, Ogg (Opus, Vorbis, FLAC) or WebM (Opus, Vorbis), by its content.
             */
            file: string;
            /**
             * @description The name of a recognizer in `GET /v1/models`. `whisper-1`, `gpt-4o-transcribe` and `gpt-4o-mini-transcribe` stand for the best one that knows the language.
             * @example whisper-1
             */
            model: string;
            /**
             * @description A BCP 47 tag. English when left out, or the recognizer's main language where it does not know English.
             * @example en
             */
            language?: string;
            /** @description Ignored, and named in `x-parlance-ignored`. */
            prompt?: string;
            /** @description Ignored, and named in `x-parlance-ignored`. */
            temperature?: number;
            /**
             * @description `verbose_json`, `srt` and `vtt` have the times of the segments.
             * @default json
             * @enum {string}
             */
            response_format?: "json" | "text" | "srt" | "verbose_json" | "vtt";
            /** @description For `verbose_json`, which has the times of segments. `word` is ignored: recognizers do not provide such times. */
            "timestamp_granularities[]"?: ("segment" | "word")[];
            /**
             * @description Send events while the text is recognized. For `json` and `text`.
             * @default false
             */
            stream?: boolean;
            /** @description Ignored: recordings are cut at pauses. */
            chunking_strategy?: string;
            /** @description Ignored, and named in `x-parlance-ignored`. */
            "chunking_strategy[type]"?: string;
            /** @description Ignored, and named in `x-parlance-ignored`. */
            "chunking_strategy[prefix_padding_ms]"?: string;
            /** @description Ignored, and named in `x-parlance-ignored`. */
            "chunking_strategy[silence_duration_ms]"?: string;
            /** @description Ignored, and named in `x-parlance-ignored`. */
            "chunking_strategy[threshold]"?: string;
            /** @description Ignored, and named in `x-parlance-ignored`. */
            "include[]"?: string[];
            /** @description Ignored, and named in `x-parlance-ignored`. */
            "known_speaker_names[]"?: string[];
            /** @description Ignored, and named in `x-parlance-ignored`. */
            "known_speaker_references[]"?: string[];
        };
        Voice: {
            id: string;
            display_name: string;
            description: string;
            languages: string[];
            /** @enum {string} */
            gender: "female" | "male" | "neutral";
            tags: string[];
            /** @enum {string} */
            status: "available" | "unavailable";
            preview_url: string | null;
            license: string;
            variants: {
                id: string;
                display_name: string;
                sample_rates: number[];
                formats: ("mp3" | "wav" | "pcm_s16le" | "opus" | "flac" | "ulaw" | "alaw")[];
                streaming: boolean;
                alignment: ("word" | "phoneme" | "viseme")[];
                credit_per_1k_characters: string;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Avatar: {
            /** Format: uuid */
            id: string;
            display_name: string;
            /** @enum {string} */
            status: "available" | "unavailable";
            thumbnail_url: string;
            license: string;
            asset: {
                url: string;
                /** @enum {string} */
                format: "glb";
                /** @enum {string} */
                content_type: "model/gltf-binary";
                size_bytes: number;
                sha256: string;
            };
            /** @enum {string} */
            viseme_set: "oculus15";
            viseme_morph_targets: {
                [key: string]: string;
            };
            expression_morph_targets: {
                [key: string]: string;
            };
        };
        Model: {
            id: string;
            /** @enum {string} */
            object: "model";
            created: number;
            owned_by: string;
        };
        Credit: {
            /**
             * @description The credit that is not spent.
             * @example 12.40
             */
            balance: string;
            /** @enum {string} */
            unit: "credit";
            /**
             * @description The part of the balance that is reserved for work in progress. It is charged or returned when the work ends.
             * @example 0.10
             */
            reserved: string;
            /** Format: date-time */
            updated_at: string;
        };
        UsageReport: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            group_by: "day" | "agent" | "api_key" | "kind";
            usage: {
                key: string | null;
                credit_used: string;
                operations: number;
                /** @default 0 */
                tts_characters?: number;
                /** @default 0 */
                session_seconds?: number;
                /** @default 0 */
                stt_seconds?: number;
                /** @default 0 */
                llm_input_tokens?: number;
                /** @default 0 */
                llm_output_tokens?: number;
            }[];
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("agent.published" | "agent_session.started" | "agent_session.ended" | "agent_session.failed" | "agent_session.analyzed" | "credit.low" | "credit.exhausted" | "api_key.revoked")[];
            description: string;
            enabled: boolean;
            /** @enum {string|null} */
            disabled_reason: "requested" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** Format: date-time */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CreatedWebhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("agent.published" | "agent_session.started" | "agent_session.ended" | "agent_session.failed" | "agent_session.analyzed" | "credit.low" | "credit.exhausted" | "api_key.revoked")[];
            description: string;
            enabled: boolean;
            /** @enum {string|null} */
            disabled_reason: "requested" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** Format: date-time */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            secret: string;
        };
        RotatedWebhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("agent.published" | "agent_session.started" | "agent_session.ended" | "agent_session.failed" | "agent_session.analyzed" | "credit.low" | "credit.exhausted" | "api_key.revoked")[];
            description: string;
            enabled: boolean;
            /** @enum {string|null} */
            disabled_reason: "requested" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /** Format: date-time */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            secret: string;
            /** Format: date-time */
            previous_secrets_expire_at: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhook_id: string;
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            type: "agent.published" | "agent_session.started" | "agent_session.ended" | "agent_session.failed" | "agent_session.analyzed" | "credit.low" | "credit.exhausted" | "api_key.revoked";
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            attempts: {
                /** Format: date-time */
                attempted_at: string;
                duration_ms: number;
                status: number | null;
                response: string | null;
                error: string | null;
            }[];
        };
        /** @description Opens a context: one text in one voice. `started` answers it, or an `error`. */
        StreamStart: {
            /** @constant */
            event: "start";
            /** @default default */
            context_id?: string;
            /** @description Optional when the token has a voice. */
            voice_id?: string;
            tts_variant?: string;
            language?: string;
            /**
             * @default {
             *       "format": "pcm_s16le"
             *     }
             */
            output?: {
                /**
                 * @default pcm_s16le
                 * @enum {string}
                 */
                format?: "mp3" | "wav" | "pcm_s16le" | "opus" | "flac" | "ulaw" | "alaw";
                sample_rate?: number;
            };
            /**
             * @description `binary` sends audio in binary frames instead of `audio` messages.
             * @default base64
             * @enum {string}
             */
            audio_frames?: "base64" | "binary";
            /** @default 1 */
            speed?: number;
            /** @default 1 */
            volume?: number;
            /** @default [] */
            alignment?: ("word" | "phoneme" | "viseme")[];
            /**
             * @description `auto` joins the parts and speaks sentences; the first speech may begin within a sentence, once text has waited for `max_delay_ms`. `none` speaks each `text` as it is.
             * @default {
             *       "mode": "auto",
             *       "max_delay_ms": 150
             *     }
             */
            buffering?: {
                /**
                 * @default auto
                 * @enum {string}
                 */
                mode?: "auto" | "none";
                /** @default 150 */
                max_delay_ms?: number;
            };
        };
        /** @description A part of the text, such as a token of a language model. Parts are joined as they are. */
        StreamText: {
            /** @constant */
            event: "text";
            /** @default default */
            context_id?: string;
            text: string;
        };
        /** @description Speaks the text so far without waiting for more. `flushed` follows its audio. */
        StreamFlush: {
            /** @constant */
            event: "flush";
            /** @default default */
            context_id?: string;
            flush_id?: string;
        };
        /** @description The text is complete. `done` follows its audio. */
        StreamEnd: {
            /** @constant */
            event: "end";
            /** @default default */
            context_id?: string;
        };
        /** @description Stops the context at once. No audio of it follows `cancelled`. */
        StreamCancel: {
            /** @constant */
            event: "cancel";
            /** @default default */
            context_id?: string;
            /** @description How much of the context's audio was played. Default: all audio that was sent and could have been played by now. */
            played_ms?: number;
        };
        /** @description Restarts the inactivity timeout. */
        StreamKeepalive: {
            /** @constant */
            event: "keepalive";
        };
        /** @description Closes the connection with 1000. */
        StreamClose: {
            /** @constant */
            event: "close";
        };
        /** @description The first message: contexts may be started. */
        StreamReady: {
            /** @constant */
            event: "ready";
            /** Format: uuid */
            connection_id: string;
            request_id: string;
            /**
             * Format: date-time
             * @description The latest time at which the server closes the connection.
             */
            expires_at: string;
            limits: Record<string, never>;
        };
        /** @description The context is open, and its audio will have this form. */
        StreamStarted: {
            /** @constant */
            event: "started";
            context_id: string;
            /** @description The number of the context in binary frames, from 1. */
            context_index: number;
            output: {
                /** @enum {string} */
                format: "mp3" | "wav" | "pcm_s16le" | "opus" | "flac" | "ulaw" | "alaw";
                sample_rate: number;
                bit_rate: number | null;
            };
        };
        /** @description Audio in base64, for contexts with `audio_frames` `base64`. */
        StreamAudio: {
            /** @constant */
            event: "audio";
            context_id: string;
            /** @description Counts the context's frames from 0. */
            seq: number;
            segment: number;
            /** @description On the context's clock, from its first sample. */
            start_ms: number;
            duration_ms: number;
            /** Format: base64 */
            data: string;
        };
        /** @description The requested times of a segment, in ms on the context's clock. */
        StreamAlignment: {
            /** @constant */
            event: "alignment";
            context_id: string;
            segment: number;
            words: {
                text: string;
                start_ms: number;
                end_ms: number;
            }[];
            phonemes: {
                text: string;
                start_ms: number;
                end_ms: number;
            }[];
            visemes: {
                /** @enum {string} */
                id: "sil" | "PP" | "FF" | "TH" | "DD" | "kk" | "CH" | "SS" | "nn" | "RR" | "aa" | "E" | "I" | "O" | "U";
                start_ms: number;
                end_ms: number;
            }[];
        };
        /** @description All audio of the text before the `flush` was sent. */
        StreamFlushed: {
            /** @constant */
            event: "flushed";
            context_id: string;
            flush_id?: string;
        };
        /** @description The context has ended: all its audio was sent. */
        StreamDone: {
            /** @constant */
            event: "done";
            context_id: string;
            audio_duration_ms: number;
            characters_billed: number;
            /** @description The time from the first text that could be spoken to its first audio; null when there was no audio. */
            ttfa_ms: number | null;
        };
        /** @description The context has ended: it was cancelled. `text_spoken` is the part that was played. */
        StreamCancelled: {
            /** @constant */
            event: "cancelled";
            context_id: string;
            characters_billed: number;
            text_spoken: string;
            text_remaining: string;
        };
        /** @description The server stops within this time. Contexts are finished, and none can be started. */
        StreamDraining: {
            /** @constant */
            event: "draining";
            deadline_ms: number;
        };
        /** @description An error. With a `context_id` it concerns that context alone, and the connection stays open. */
        StreamError: {
            /** @constant */
            event: "error";
            request_id: string;
            /** @enum {string} */
            code: "invalid_request" | "invalid_json" | "alignment_requires_json" | "text_not_speakable" | "unsupported_format" | "memory_identity_required" | "invalid_sdp" | "unauthorized" | "session_token_expired" | "stream_token_invalid" | "insufficient_credit" | "capability_disabled" | "organization_suspended" | "session_token_agent_mismatch" | "origin_not_allowed" | "forbidden_role" | "agent_not_found" | "session_not_found" | "voice_not_found" | "avatar_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "agent_not_published" | "agent_not_api_ready" | "slug_taken" | "session_token_used" | "session_ended" | "idempotency_conflict" | "context_exists" | "revision_conflict" | "text_too_long" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "agent_not_publishable" | "rate_limited" | "concurrency_limited" | "too_many_contexts" | "internal_error" | "upstream_error" | "capacity_exhausted" | "draining" | "unavailable" | "upstream_timeout";
            retryable: boolean;
            detail: string;
            context_id?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
                slug?: string;
                state?: "draft" | "published";
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of Agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: components["schemas"]["Agent"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentConfig"];
            };
        };
        responses: {
            /** @description The Agent, a draft. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The Agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the Agent must still have. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The Agent was deleted. Its slug can be reused. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that the Agent must still have. */
                "if-match"?: string;
            };
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPatch"];
            };
        };
        responses: {
            /** @description The Agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    publishAgent: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                /** @description The `ETag` that the Agent must still have. */
                "if-match"?: string;
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    revision_id?: string;
                };
            };
        };
        responses: {
            /** @description The active publication, which is already of this revision; with `dry_run`, the problems that prevent publishing, and warnings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Published"] | components["schemas"]["PublishCheck"];
                };
            };
            /** @description The new publication. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Published"];
                };
            };
        };
    };
    listRevisions: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of revisions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        revisions: components["schemas"]["Revision"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listPublications: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of publications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        publications: components["schemas"]["Publication"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listKnowledgeFiles: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: components["schemas"]["KnowledgeFile"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    addKnowledgeFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A PDF, HTML, Markdown or plain text file (UTF-8) of at most 20 MiB, with its name.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The file. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeFile"];
                };
            };
        };
    };
    getKnowledgeFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
                /** @description The `id` of the file. */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeFile"];
                };
            };
        };
    };
    deleteKnowledgeFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
                /** @description The `id` of the file. */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createSessionToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    end_user_id?: string;
                    /** @default {} */
                    variables?: {
                        [key: string]: string;
                    };
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The token. It is in this response only. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionToken"];
                };
            };
        };
    };
    createPublicSessionToken: {
        parameters: {
            query?: never;
            header?: {
                origin?: string;
            };
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The token. It is in this response only. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        agent_id: string;
                        capabilities: {
                            managed_voice_agent: boolean;
                            transport: string;
                        };
                    };
                };
            };
        };
    };
    createStreamToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    voice_id?: string;
                    max_characters?: number;
                };
            };
        };
        responses: {
            /** @description The token. It is in this response only. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamToken"];
                };
            };
        };
    };
    streamSpeech: {
        parameters: {
            query?: {
                token?: string;
                /** @description In seconds. */
                inactivity_timeout?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is now a WebSocket. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createListenToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The token. It is in this response only. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListenToken"];
                };
            };
        };
    };
    listen: {
        parameters: {
            query?: {
                token?: string;
                /** @description In seconds. */
                inactivity_timeout?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is now a WebSocket. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    startSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default webrtc
                     * @enum {string}
                     */
                    transport?: "webrtc" | "websocket";
                    sdp?: {
                        /** @enum {string} */
                        type: "offer";
                        sdp: string;
                    };
                    /**
                     * @default push-to-talk
                     * @enum {string}
                     */
                    input_mode?: "push-to-talk" | "automatic";
                    /**
                     * @description With `text` alone nothing is spoken: the user types, and the Agent answers in text.
                     * @default [
                     *       "audio",
                     *       "text"
                     *     ]
                     */
                    modalities?: ("audio" | "text")[];
                    client?: {
                        name: string;
                        version: string;
                        /** @description An IANA name, such as Europe/Berlin. */
                        time_zone?: string;
                    };
                    /**
                     * @description Only what the Agent allows in `session_config.overrides`.
                     * @default {}
                     */
                    overrides?: {
                        system_prompt?: string;
                        first_message?: string | null;
                        voice_id?: string;
                        /** @description A BCP 47 tag: the language of the user and of the voice, which must speak it. */
                        language?: string;
                    };
                    /** @default {} */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The conversation, which its peer may connect to within 8 s. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedSession"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    candidates?: {
                        candidate: string;
                        sdpMid?: string | null;
                        sdpMLineIndex?: number | null;
                        usernameFragment?: string | null;
                    }[];
                    sdp?: {
                        /** @enum {string} */
                        type: "offer";
                        sdp: string;
                    };
                };
            };
        };
        responses: {
            /** @description To an offer, the answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sdp?: {
                            /** @enum {string} */
                            type: "answer";
                            sdp: string;
                        };
                    };
                };
            };
        };
    };
    connectSession: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is now a WebSocket. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createRealtimeClientSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default {} */
                    expires_after?: {
                        /**
                         * @default created_at
                         * @enum {string}
                         */
                        anchor?: "created_at";
                        /** @default 600 */
                        seconds?: number;
                    };
                    session: {
                        /**
                         * @default realtime
                         * @enum {string}
                         */
                        type?: "realtime";
                        /** @description The id of the Agent. */
                        model: string;
                        /** @description In place of the system prompt, where the Agent allows it in `session_config.overrides`. */
                        instructions?: string;
                        output_modalities?: [
                            "audio" | "text"
                        ];
                        audio?: {
                            input?: {
                                format?: {
                                    /** @enum {string} */
                                    type: "audio/pcm";
                                    /**
                                     * @default 24000
                                     * @enum {number}
                                     */
                                    rate?: 24000;
                                } | {
                                    /** @enum {string} */
                                    type: "audio/pcmu";
                                } | {
                                    /** @enum {string} */
                                    type: "audio/pcma";
                                };
                                /** @description Null for no events with the transcript of the user. */
                                transcription?: {
                                    delay?: unknown;
                                    keywords?: unknown;
                                    languages?: unknown;
                                    prompt?: unknown;
                                    model?: unknown;
                                    language?: unknown;
                                } | null;
                                noise_reduction?: unknown;
                                /** @description Null where the client commits the audio and creates the responses. */
                                turn_detection?: {
                                    /** @enum {string} */
                                    type: "server_vad";
                                    create_response?: boolean;
                                    interrupt_response?: boolean;
                                    idle_timeout_ms?: number | null;
                                    prefix_padding_ms?: number;
                                    silence_duration_ms?: number;
                                    threshold?: number;
                                } | {
                                    /** @enum {string} */
                                    type: "semantic_vad";
                                    create_response?: boolean;
                                    interrupt_response?: boolean;
                                    /** @enum {string} */
                                    eagerness?: "low" | "medium" | "high" | "auto";
                                } | null;
                            };
                            output?: {
                                format?: {
                                    /** @enum {string} */
                                    type: "audio/pcm";
                                    /**
                                     * @default 24000
                                     * @enum {number}
                                     */
                                    rate?: 24000;
                                } | {
                                    /** @enum {string} */
                                    type: "audio/pcmu";
                                } | {
                                    /** @enum {string} */
                                    type: "audio/pcma";
                                };
                                /** @description A voice of `GET /v1/voices`, where the Agent allows it in `session_config.overrides`. */
                                voice?: string | {
                                    id: string;
                                };
                                speed?: number;
                            };
                        };
                        tools?: {
                            /** @enum {string} */
                            type: "function";
                            name: string;
                            /** @default  */
                            description?: string;
                            /** @default {} */
                            parameters?: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @enum {string} */
                        tool_choice?: "auto";
                        max_output_tokens?: unknown;
                        parallel_tool_calls?: unknown;
                        reasoning?: unknown;
                        tracing?: unknown;
                        truncation?: unknown;
                        include?: unknown;
                        prompt?: null;
                        id?: unknown;
                        object?: unknown;
                        expires_at?: unknown;
                    } | {
                        /** @enum {string} */
                        type: "transcription";
                        audio?: {
                            input?: {
                                format?: {
                                    /** @enum {string} */
                                    type: "audio/pcm";
                                    /**
                                     * @default 24000
                                     * @enum {number}
                                     */
                                    rate?: 24000;
                                } | {
                                    /** @enum {string} */
                                    type: "audio/pcmu";
                                } | {
                                    /** @enum {string} */
                                    type: "audio/pcma";
                                };
                                transcription?: {
                                    delay?: unknown;
                                    keywords?: unknown;
                                    languages?: unknown;
                                    prompt?: unknown;
                                    /** @description A model of `GET /v1/models`. OpenAI's names stand for the best of the language. */
                                    model?: string;
                                    language?: string;
                                } | null;
                                noise_reduction?: unknown;
                                /** @description Null where the client commits the audio. */
                                turn_detection?: {
                                    /** @enum {string} */
                                    type: "server_vad";
                                    create_response?: boolean;
                                    interrupt_response?: boolean;
                                    idle_timeout_ms?: number | null;
                                    prefix_padding_ms?: number;
                                    silence_duration_ms?: number;
                                    threshold?: number;
                                } | {
                                    /** @enum {string} */
                                    type: "semantic_vad";
                                    create_response?: boolean;
                                    interrupt_response?: boolean;
                                    /** @enum {string} */
                                    eagerness?: "low" | "medium" | "high" | "auto";
                                } | null;
                            };
                        };
                        include?: unknown;
                        id?: unknown;
                        object?: unknown;
                        expires_at?: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The secret. It is in this response only. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RealtimeClientSecret"];
                };
            };
        };
    };
    connectRealtime: {
        parameters: {
            query?: {
                /** @description The id of the Agent. A client secret has it already. */
                model?: string;
                /** @description `realtime` or `transcription`. */
                intent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is now a WebSocket. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createRealtimeCall: {
        parameters: {
            query?: {
                /** @description The id of the Agent. */
                model?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/sdp": string;
                "multipart/form-data": {
                    /**
                     * @description SDP.
                     * @example v=0
                     *     …
                     */
                    sdp: string;
                    /** @description JSON. */
                    session?: string;
                };
            };
        };
        responses: {
            /** @description The answer. The client may connect within 8 s. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/sdp": string;
                };
            };
        };
    };
    hangUpRealtimeCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id in the `Location` of the call. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getIceServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The servers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IceServers"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
                agent_id?: string;
                end_user_id?: string;
                status?: "connecting" | "active" | "ending" | "ended" | "failed";
                started_after?: string;
                started_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of conversations, live and past. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["SessionSummary"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: components["schemas"]["SessionMessage"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    giveFeedback: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    score: -1 | 1;
                    comment?: string;
                };
            };
        };
        responses: {
            /** @description The feedback. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feedback"];
                };
            };
        };
    };
    getCalendar: {
        parameters: {
            query?: {
                /** @description A date is its beginning in UTC. Now when left out. */
                from?: string | unknown | unknown;
                /** @description At most 366 days after `from`. 30 days after it when left out. */
                to?: string | unknown | unknown;
            };
            header?: never;
            path: {
                /** @description The `end_user_id` that session tokens are minted with. */
                endUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Calendar"];
                };
            };
        };
    };
    deleteCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `end_user_id` that session tokens are minted with. */
                endUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calendar was deleted or did not exist. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readCalendarFeed: {
        parameters: {
            query?: never;
            header?: {
                "if-none-match"?: string;
            };
            path: {
                signature: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RFC 5545, with times in UTC. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMemories: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
                /** @description Only the memories of this Agent. */
                agent_id?: string;
            };
            header?: never;
            path: {
                /** @description The `end_user_id` that session tokens are minted with. */
                endUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of memories. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        memories: components["schemas"]["Memory"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    forgetEndUser: {
        parameters: {
            query?: {
                /** @description Only the memories of this Agent; all when left out. */
                agent_id?: string;
            };
            header?: never;
            path: {
                /** @description The `end_user_id` that session tokens are minted with. */
                endUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The memory was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    synthesize: {
        parameters: {
            query?: never;
            header?: {
                /** @description For `response_mode` `json`; streamed speech cannot be replayed. The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TtsRequest"];
            };
        };
        responses: {
            /** @description The speech, in the form that `response_mode` chose. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/mpeg": string;
                    "audio/wav": string;
                    "audio/pcm": string;
                    "audio/ogg": string;
                    "audio/flac": string;
                    "audio/basic": string;
                    "audio/x-alaw-basic": string;
                    "application/json": components["schemas"]["TtsJsonResponse"];
                    "text/event-stream": components["schemas"]["SpeechEvent"];
                };
            };
        };
    };
    synthesizeAsOpenai: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenaiSpeechRequest"];
            };
        };
        responses: {
            /** @description The speech. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/mpeg": string;
                    "audio/wav": string;
                    "audio/pcm": string;
                    "audio/ogg": string;
                    "audio/aac": string;
                    "audio/flac": string;
                    "text/event-stream": components["schemas"]["OpenaiSpeechEvent"];
                };
            };
        };
    };
    transcribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Unless `stream` is true: streamed text cannot be replayed. The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["TranscriptionForm"];
            };
        };
        responses: {
            /** @description The text, in the form that `response_format` chose. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcription"] | components["schemas"]["VerboseTranscription"];
                    "text/plain": string;
                    "application/x-subrip": string;
                    "text/vtt": string;
                    "text/event-stream": components["schemas"]["TranscriptionEvent"];
                };
            };
        };
    };
    listVoicesAsOpenWebui: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All voices, the best first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        voices: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
        };
    };
    listVoices: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A BCP 47 tag. Keeps the voices that speak it: `en` keeps `en-GB` too, `en-GB` keeps only that. */
                language?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The voices of the running engines, the best first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        voices: components["schemas"]["Voice"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    voicePreview: {
        parameters: {
            query?: {
                /** @description Default: the first variant of the voice. */
                variant?: string;
            };
            header?: never;
            path: {
                voiceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sample. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/mpeg": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAvatars: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The avatars that an Agent can have. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        avatars: components["schemas"]["Avatar"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models that requests may name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Model"][];
                    };
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the model. A slash in it is written as %2F. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
        };
    };
    avatarFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "model/gltf-binary": string;
                    "image/webp": string;
                };
            };
            /** @description The requested part. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "model/gltf-binary": string;
                    "image/webp": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getCredit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credit"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The beginning of the period. A date is its beginning in UTC. 30 days before `to` when left out. */
                from?: string | unknown | unknown;
                /** @description The end of the period, at most 366 days after `from`. Now when left out. */
                to?: string | unknown | unknown;
                /** @description Days are those of UTC. */
                group_by?: "day" | "agent" | "api_key" | "kind";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["Webhook"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uri */
                    url: string;
                    events: ("agent.published" | "agent_session.started" | "agent_session.ended" | "agent_session.failed" | "agent_session.analyzed" | "credit.low" | "credit.exhausted" | "api_key.revoked")[];
                    /** @default  */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description The webhook, with its secret, which is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uri */
                    url?: string;
                    events?: ("agent.published" | "agent_session.started" | "agent_session.ended" | "agent_session.failed" | "agent_session.analyzed" | "credit.low" | "credit.exhausted" | "api_key.revoked")[];
                    description?: string;
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, with its new secret, which is shown this once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhook"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description By time of creation. */
                order?: "asc" | "desc";
                status?: "pending" | "succeeded" | "failed";
            };
            header?: never;
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description The `id` of the webhook. */
                webhookId: string;
                /** @description The `id` of the delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, whose attempt is due. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    asyncapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    listPackages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The packages, in the version of this installation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        packages: {
                            /** @example @parlance/client */
                            name: string;
                            version: string;
                            bytes: number;
                            sha256: string;
                            /** @description As in the lock file of npm. */
                            integrity: string;
                            /**
                             * Format: uri
                             * @description The tarball of this installation. After an upgrade it is another one.
                             */
                            url: string;
                            /**
                             * Format: uri
                             * @description The same, at an address that never serves another one.
                             */
                            version_url: string;
                        }[];
                    };
                };
            };
        };
    };
    getPackage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tarball, as npm or pip installs it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getWidget: {
        parameters: {
            query?: never;
            header?: {
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getWidgetAvatar: {
        parameters: {
            query?: never;
            header?: {
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    redirectDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page is elsewhere. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    redirectPlay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page is elsewhere. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    redirectTalk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page is elsewhere. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
