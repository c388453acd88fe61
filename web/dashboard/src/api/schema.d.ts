/** Written by `npm run generate` from the OpenAPI document. */
export interface paths {
    "/dashboard/auth/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read about the account, or follow a link that was sent */
        get: operations["readAccount"];
        put?: never;
        /**
         * Sign in or out, change the account, invite or remove members
         * @description The path and the body are those of better-auth. Requests from pages of other origins are refused.
         */
        post: operations["changeAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/identity-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the ways to sign in besides a password */
        get: operations["listIdentityProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/signed-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the person who is signed in, with their workspaces and role in each */
        get: operations["getSignedIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an invitation */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/invitations/{invitationId}/person": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the account that an invitation is for */
        post: operations["createInvitedPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys, newest first
         * @description `member_keys`, only on the first page, are those to which the usage of people in the dashboard is attributed.
         */
        get: operations["listKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key, immediately and permanently */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the workspace with its limits, and the services and engines that are up
         * @description A service that does not answer within two seconds is not up. Its engines and recognizers are then not listed.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename the workspace */
        patch: operations["renameWorkspace"];
        trace?: never;
    };
    "/dashboard/api/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what in the workspace, newest first
         * @description Actions in other services appear in the log a few seconds later.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agents/{agentId}/draft-session-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a session token for the draft of an Agent
         * @description For the page on which a member edits the Agent, to start one conversation with the draft as it is when the conversation starts. The member is its user. `publication` of the conversation names the revision, and `metadata` has `draft`.
         */
        post: operations["createDraftSessionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many conversations there were, how many succeeded and how fast the Agents answered, by day
         * @description Days are those of UTC. Days without a conversation are left out. A conversation counts for the day on which it was created.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find conversations, also by what was said in them and by why they ended
         * @description `text` is a part of a message, in upper or lower case.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the times of the parts of each turn of a conversation
         * @description The n-th turn answers the n-th message of the user. A part that a turn did not have is null.
         */
        get: operations["listTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the calls of tools in a conversation
         * @description In the order in which they ended. Empty when the Agent does not store transcripts.
         */
        get: operations["listToolCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of a live conversation
         * @description Without its final messages. `in_progress` is the reply that the Agent is speaking, as far as it was played; it changes once a second.
         */
        get: operations["getSessionProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a live conversation
         * @description With `api_ended`. The record stays, and the audit log has an entry `conversation.ended`.
         */
        post: operations["endLiveSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/judgments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judge a conversation that has ended by its Agent’s model
         * @description For a test of the Agent. Nothing is stored but the tokens that it used.
         */
        post: operations["judgeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Listen to a live conversation
         * @description Both sides from now on, until the conversation ends. The audit log has an entry `conversation.listened` before there is audio. The body has a line of JSON for each piece of 100 ms. The samples are 16-bit little-endian PCM at 24000 Hz with two interleaved channels, the user on the left, the Agent on the right. The first piece has no samples, and is sent at once. A client that reads too slowly loses pieces: positions have a gap there. One that reads nothing for 30 s is disconnected.
         */
        post: operations["listenToSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the model providers of the workspace, oldest first
         * @description The `llm_provider` of an Agent may be the `id` of one. Keys are not shown.
         */
        get: operations["listProviders"];
        put?: never;
        /**
         * Add a model provider
         * @description Its key is stored encrypted, and is never returned.
         */
        post: operations["createProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/providers/{providerId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model of a provider for one word
         * @description A real request, for which the provider may charge. The failure of a provider is a result, not an error.
         */
        post: operations["testProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/providers/{providerId}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models of a provider, the most suitable first
         * @description Asks the provider. When it does not answer, or refuses its key, that is a result, not an error.
         */
        get: operations["listProviderModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/model-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the language models that are available without a provider of the workspace
         * @description Servers on this machine or where the operator looks for them, and the providers that the operator has set up.
         */
        get: operations["listModelServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/providers/{providerId}": {
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
         * Delete a model provider, with its key
         * @description Conversations in progress continue. Agents that use it cannot start new ones.
         */
        delete: operations["deleteProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/phone-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the telephone numbers of the workspace, oldest first */
        get: operations["listPhoneNumbers"];
        put?: never;
        /**
         * Let an Agent answer a telephone number
         * @description The auth token of its account is stored encrypted, and is never returned.
         */
        post: operations["addPhoneNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/phone-numbers/{numberId}": {
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
         * Delete a telephone number, with its auth token
         * @description Calls in progress continue.
         */
        delete: operations["deletePhoneNumber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/operator/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all workspaces with their credit, oldest first */
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/operator/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Suspend or resume a workspace, or change its limits or its capabilities
         * @description Streams and conversations of a workspace end when it is suspended. `capabilities` replaces what the workspace may use: from then on requests for the rest are refused with `capability_disabled`, and open streams and conversations continue. A limit of 0 means no limit.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/dashboard/api/operator/workspaces/{workspaceId}/credit-grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Grant credit to a workspace */
        post: operations["grantCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/try/natural-voice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A natural voice to install */
        get: operations["findNaturalVoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/try/recognizer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A recognizer to install */
        get: operations["findRecognizer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/try/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Install an offered model */
        post: operations["installOfferedModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the Agent’s model judged of a conversation after its end
         * @description Null when the Agent had no evaluation at the end of the conversation, or no message of the user is stored.
         */
        get: operations["getAnalysis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agents/{agentId}/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what is judged after the conversations of an Agent */
        get: operations["getEvaluation"];
        /**
         * Set what is judged after the conversations of an Agent
         * @description For conversations that end from now on. It is not part of a revision: nothing has to be published.
         */
        put: operations["putEvaluation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agents/{agentId}/tool-tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool as a conversation with the Agent would
         * @description The tool need not be saved. It is called from the server, signed and limited as in a conversation, with the member as the end user. A failure is in `result`, as the model would receive it. The tools of the calendar use that of the member in this workspace, as conversations on the page Talk do. Of an MCP server the tools are listed, and none is called. Client tools run in the page of a user, and cannot be called here.
         */
        post: operations["testTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/operator/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models that are installed */
        get: operations["listInstalledModels"];
        put?: never;
        /**
         * Install a model of the catalog
         * @description A client that hangs up stops the installation. The part that was downloaded is kept for the next one.
         */
        post: operations["installModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/operator/model-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models that can be installed, with their licenses and those that suit this machine */
        get: operations["listInstallableModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/operator/models/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a model */
        delete: operations["removeModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of the recording of a conversation
         * @description `recording` is null for a conversation of an Agent that is not recorded. `positions` has the beginning of each message.
         */
        get: operations["getRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agent-sessions/{sessionId}/recording/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the audio of the recording of a conversation
         * @description Opus in Ogg with two channels: the user on the left, the Agent on the right. `Range` is supported. A conversation without a stored recording is `not_found`.
         */
        get: operations["getRecordingAudio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/agents/{agentId}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read whether the conversations of an Agent are recorded */
        get: operations["getRecordingSettings"];
        /**
         * Set whether the conversations of an Agent are recorded
         * @description For conversations that start from now on. Nothing has to be published. The audit log has an entry `recording_settings.changed`.
         */
        put: operations["putRecordingSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getDashboardDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/static/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file that the pages of the dashboard load
         * @description The name has a hash of the content.
         */
        get: operations["getStaticFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/v1/agents": {
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
    "/dashboard/api/v1/agents/{agentId}": {
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
    "/dashboard/api/v1/agents/{agentId}/publish": {
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
    "/dashboard/api/v1/agents/{agentId}/revisions": {
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
    "/dashboard/api/v1/agents/{agentId}/publications": {
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
    "/dashboard/api/v1/agents/{agentId}/knowledge": {
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
    "/dashboard/api/v1/agents/{agentId}/knowledge/{fileId}": {
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
    "/dashboard/api/v1/agents/{agentId}/session-tokens": {
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
    "/dashboard/api/v1/tts/stream-tokens": {
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
    "/dashboard/api/v1/listen/tokens": {
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
    "/dashboard/api/v1/agent-sessions": {
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
    "/dashboard/api/v1/agent-sessions/{sessionId}": {
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
    "/dashboard/api/v1/agent-sessions/{sessionId}/messages": {
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
    "/dashboard/api/v1/end-users/{endUserId}/calendar": {
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
    "/dashboard/api/v1/end-users/{endUserId}/memory": {
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
    "/dashboard/api/v1/tts": {
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
    "/dashboard/api/v1/voices": {
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
    "/dashboard/api/v1/voices/{voiceId}/preview": {
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
    "/dashboard/api/v1/avatars": {
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
    "/dashboard/api/v1/credit": {
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
    "/dashboard/api/v1/usage": {
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
    "/dashboard/api/v1/webhooks": {
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
    "/dashboard/api/v1/webhooks/{webhookId}": {
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
    "/dashboard/api/v1/webhooks/{webhookId}/rotate-secret": {
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
    "/dashboard/api/v1/webhooks/{webhookId}/deliveries": {
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
    "/dashboard/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay": {
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        SignedIn: {
            person: {
                /** Format: uuid */
                id: string;
                /** Format: email */
                email: string;
                name: string;
            };
            workspaces: {
                /** Format: uuid */
                id: string;
                name: string;
                capabilities: ("tts" | "stt" | "agents")[];
                suspended: boolean;
                /** @enum {string} */
                role: "owner" | "admin" | "member";
            }[];
            is_operator: boolean;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            workspace_id: string;
            label: string;
            prefix: string;
            /** @enum {string} */
            status: "active" | "revoked";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        Settings: {
            workspace: {
                /** Format: uuid */
                id: string;
                name: string;
                capabilities: ("tts" | "stt" | "agents")[];
                suspended: boolean;
                max_concurrent_sessions: number;
                max_concurrent_streams: number;
                /** Format: date-time */
                created_at: string;
            };
            /** @description The limit of the workspace; 0 for no limit. */
            requests_per_minute: number;
            installation: {
                version: string;
                /** @enum {string} */
                key_environment: "prd" | "dev";
                services: {
                    name: string;
                    up: boolean;
                }[];
                engines: {
                    name: string;
                    /** @enum {string} */
                    synthesis: "neural" | "recorded" | "formant";
                    workers: number;
                    voices: number;
                }[];
                recognizers: {
                    name: string;
                    languages: string[] | null;
                    /** @default false */
                    is_slow?: boolean;
                }[];
            };
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            action: "person.signed_in" | "member.invited" | "member.invitation_canceled" | "member.added" | "member.role_changed" | "member.removed" | "api_key.created" | "api_key.revoked" | "agent.published" | "agent.rolled_back" | "agent.deleted" | "credit.granted" | "workspace.renamed" | "workspace.limits_changed" | "workspace.capabilities_changed" | "model_provider.created" | "model_provider.deleted" | "phone_number.created" | "phone_number.deleted" | "workspace.suspended" | "workspace.resumed" | "webhook.created" | "webhook.changed" | "webhook.secret_rotated" | "webhook.deleted" | "webhook.disabled" | "conversation.ended" | "conversation.listened" | "recording_settings.changed" | "recording.deleted";
            actor: {
                /** @enum {string} */
                kind: "person" | "api_key" | "operator";
                /** Format: uuid */
                id: string | null;
                name: string | null;
            };
            details: {
                [key: string]: string | number | null;
            };
            /** Format: date-time */
            created_at: string;
        };
        Overview: {
            total: {
                conversations: number;
                ended: number;
                succeeded: number;
                voice_to_voice_ms: {
                    p50: number;
                    p95: number;
                } | null;
            };
            days: {
                conversations: number;
                ended: number;
                succeeded: number;
                voice_to_voice_ms: {
                    p50: number;
                    p95: number;
                } | null;
                /** Format: date */
                day: string;
            }[];
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
        Turn: {
            endpointing_ms: number | null;
            stt_ms: number | null;
            llm_ttft_ms: number | null;
            tts_ttfa_ms: number | null;
            voice_to_voice_ms: number | null;
            prepared_ms: number | null;
            /** @enum {string} */
            speculation: "hit" | "miss" | "none";
        };
        ToolCall: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            message_id: string;
            name: string;
            arguments?: unknown;
            result: string | null;
            /** @enum {string} */
            outcome: "succeeded" | "failed" | "interrupted";
            /** Format: date-time */
            started_at: string;
            duration_ms: number;
        };
        SessionProgress: {
            session: components["schemas"]["SessionSummary"];
            final_messages: number;
            in_progress: {
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
            } | null;
        };
        PieceOfAudio: {
            /** @description The position of the first sample, in ms since the answer began. */
            at_ms: number;
            /** @description The samples. */
            audio_base64: string;
        };
        ModelProvider: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "openai" | "anthropic" | "openai_compatible";
            name: string;
            url: string | null;
            has_key: boolean;
            /** Format: date-time */
            created_at: string;
        };
        PhoneNumber: {
            /** Format: uuid */
            id: string;
            number: string;
            /** Format: uuid */
            agent_id: string;
            /** @enum {string} */
            provider: "twilio" | "telnyx" | "plivo";
            /** @description The account at the provider: the Account SID of Twilio, the public key of Telnyx, or the Auth ID of Plivo. */
            account_sid: string;
            /** Format: date-time */
            created_at: string;
            /** @description Where the provider of the number asks how to answer a call. */
            webhook_url: string;
        };
        OperatedWorkspace: {
            /** Format: uuid */
            id: string;
            name: string;
            capabilities: ("tts" | "stt" | "agents")[];
            suspended: boolean;
            max_concurrent_sessions: number;
            max_concurrent_streams: number;
            /** Format: date-time */
            created_at: string;
            balance: string;
            reserved: string;
        };
        InstallEvent: {
            /** @enum {string} */
            event: "license";
            model: string;
            license: string;
            source: string;
            lineage: string | null;
        } | {
            /** @enum {string} */
            event: "progress";
            file: string;
            received_bytes: number;
            total_bytes: number | null;
        } | {
            /** @enum {string} */
            event: "measuring";
            model: string;
        } | {
            /** @enum {string} */
            event: "installed";
            name: string;
            license: string;
            size_bytes: number;
        };
        InstalledModel: {
            name: string;
            /** @enum {string|null} */
            kind: "tts" | "stt" | "turn" | null;
            display_name: string | null;
            languages: string[];
            license: string | null;
            size_bytes: number | null;
            problems: string[];
        };
        InstallableModel: {
            name: string;
            /** @enum {string} */
            kind: "tts" | "stt" | "turn";
            display_name: string;
            languages: string[];
            size_bytes: number | null;
            license: string | null;
            license_source: string;
            license_lineage: string | null;
        };
        Recording: {
            /** @enum {string} */
            state: "recording" | "stored" | "failed" | "deleted" | "not_recorded";
            /** Format: date-time */
            started_at: string;
            duration_ms: number | null;
            size_bytes: number | null;
            /** Format: date-time */
            expires_at: string | null;
            failure: string | null;
            positions: {
                /** Format: uuid */
                message_id: string;
                start_ms: number;
            }[];
        } | null;
        AgentRecording: {
            settings: components["schemas"]["RecordingSettings"];
            /** @description False when the installation has no storage for recordings. */
            available: boolean;
        };
        RecordingSettings: {
            enabled: boolean;
            consent_required: boolean;
            retention_days: number;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
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
                    "application/json": unknown;
                };
            };
            /** @description The link was followed, and the cookies are set. A browser whose link failed goes to the page "Sign in". */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
        };
    };
    listIdentityProviders: {
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
                    "application/json": {
                        providers: {
                            id: string;
                            name: string;
                        }[];
                        passkeys: boolean;
                        /** @default false */
                        sends_mail?: boolean;
                    };
                };
            };
        };
    };
    getSignedIn: {
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
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitationId: string;
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
                    "application/json": {
                        /** Format: email */
                        email: string;
                        workspace: string;
                        has_account: boolean;
                    };
                };
            };
        };
    };
    createInvitedPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    password: string;
                    /**
                     * Format: uuid
                     * @description The token of the link. It proves that the address belongs to the person, and is required when invitations are mailed.
                     */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description The person, who can sign in and accept the invitation now. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: email */
                        email: string;
                        name: string;
                    };
                };
            };
        };
    };
    listKeys: {
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
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["ApiKey"][];
                        next_cursor: string | null;
                        member_keys: {
                            /** Format: uuid */
                            id: string;
                            person_name: string;
                        }[];
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label: string;
                };
            };
        };
        responses: {
            /** @description The key, with its value, which is shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        workspace_id: string;
                        label: string;
                        prefix: string;
                        /** @enum {string} */
                        status: "active" | "revoked";
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** Format: date-time */
                        revoked_at: string | null;
                        key: string;
                    };
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        workspace_id: string;
                        label: string;
                        prefix: string;
                        /** @enum {string} */
                        status: "active" | "revoked";
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        last_used_at: string | null;
                        /** Format: date-time */
                        revoked_at: string | null;
                    };
                };
            };
        };
    };
    getSettings: {
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
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    renameWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        capabilities: ("tts" | "stt" | "agents")[];
                        suspended: boolean;
                        max_concurrent_sessions: number;
                        max_concurrent_streams: number;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                action?: "person.signed_in" | "member.invited" | "member.invitation_canceled" | "member.added" | "member.role_changed" | "member.removed" | "api_key.created" | "api_key.revoked" | "agent.published" | "agent.rolled_back" | "agent.deleted" | "credit.granted" | "workspace.renamed" | "workspace.limits_changed" | "workspace.capabilities_changed" | "model_provider.created" | "model_provider.deleted" | "phone_number.created" | "phone_number.deleted" | "workspace.suspended" | "workspace.resumed" | "webhook.created" | "webhook.changed" | "webhook.secret_rotated" | "webhook.deleted" | "webhook.disabled" | "conversation.ended" | "conversation.listened" | "recording_settings.changed" | "recording.deleted";
                /** @description The id of a person or an API key, or `operator`. */
                actor?: string | "operator";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["AuditEntry"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createDraftSessionToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
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
    getOverview: {
        parameters: {
            query: {
                /** @description The day in UTC with which the period begins, or a time on that day. The period ends now. */
                from: string | unknown | unknown;
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
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    listConversations: {
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
                end_reason?: "user_disconnected" | "agent_ended" | "api_ended" | "silence_timeout" | "max_duration" | "connection_lost" | "ice_failed" | "insufficient_credit" | "drained" | "llm_error" | "stt_error" | "tts_error" | "internal_error";
                text?: string;
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
    listTurns: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
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
            /** @description A page of turns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        turns: components["schemas"]["Turn"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listToolCalls: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
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
            /** @description A page of calls. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tool_calls: components["schemas"]["ToolCall"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getSessionProgress: {
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
            /** @description The progress. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionProgress"];
                };
            };
        };
    };
    endLiveSession: {
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
            /** @description The conversation is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    judgeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `session_id` of the conversation. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    criteria: {
                        name: string;
                        description: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Each criterion with its result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        criteria: {
                            name: string;
                            description: string;
                            /** @enum {string} */
                            result: "success" | "failure" | "unknown";
                            reason: string;
                        }[];
                    };
                };
            };
        };
    };
    listenToSession: {
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
            /** @description The audio. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["PieceOfAudio"];
                };
            };
        };
    };
    listProviders: {
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
                    "application/json": {
                        providers: components["schemas"]["ModelProvider"][];
                    };
                };
            };
        };
    };
    createProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    kind: "openai" | "anthropic" | "openai_compatible";
                    name: string;
                    /** Format: uri */
                    url?: string;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description The provider. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProvider"];
                };
            };
        };
    };
    testProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model: string;
                };
            };
        };
        responses: {
            /** @description How it answered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        detail: string;
                        first_text_ms: number | null;
                    };
                };
            };
        };
    };
    listProviderModels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its models. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        detail: string;
                        models: string[];
                    };
                };
            };
        };
    };
    listModelServers: {
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
                    "application/json": {
                        found: {
                            name: string;
                            url: string;
                            models: string[];
                        }[];
                        configured: {
                            /** @enum {string} */
                            provider: "openai" | "anthropic" | "openai_compatible";
                            models: string[];
                        }[];
                    };
                };
            };
        };
    };
    deleteProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPhoneNumbers: {
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
                    "application/json": {
                        numbers: components["schemas"]["PhoneNumber"][];
                    };
                };
            };
        };
    };
    addPhoneNumber: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    number: string;
                    /** Format: uuid */
                    agent_id: string;
                    /**
                     * @default twilio
                     * @enum {string}
                     */
                    provider?: "twilio" | "telnyx" | "plivo";
                    /** @description The account at the provider: the Account SID of Twilio, the public key of Telnyx, or the Auth ID of Plivo. */
                    account_sid: string;
                    /** @description The auth token of Twilio or Plivo, or the API key of Telnyx. */
                    auth_token: string;
                };
            };
        };
        responses: {
            /** @description The number. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumber"];
                };
            };
        };
    };
    deletePhoneNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                numberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A part of the name in any case, or the id. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workspaces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: components["schemas"]["OperatedWorkspace"][];
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    suspended?: boolean;
                    capabilities?: ("tts" | "stt" | "agents")[];
                    max_concurrent_sessions?: number;
                    max_concurrent_streams?: number;
                };
            };
        };
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        capabilities: ("tts" | "stt" | "agents")[];
                        suspended: boolean;
                        max_concurrent_sessions: number;
                        max_concurrent_streams: number;
                        /** Format: date-time */
                        created_at: string;
                    };
                };
            };
        };
    };
    grantCredit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Chosen by the client. A grant with the same id takes effect once. */
                    id: string;
                    amount: string;
                    /** @description For the audit log, which members of the workspace read. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The credit after the grant. `replayed` is true when it had taken effect before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balance: string;
                        /** @enum {string} */
                        unit: "credit";
                        reserved: string;
                        /** Format: date-time */
                        updated_at: string;
                        replayed: boolean;
                    };
                };
            };
        };
    };
    findNaturalVoice: {
        parameters: {
            query: {
                languages: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A command that installs a voice, or finds one; and the voice, where the page may install it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        voice: {
                            name: string;
                            display_name: string;
                            language: string;
                            size_bytes: number | null;
                            licenses: {
                                of: string;
                                license: string | null;
                                source: string;
                                lineage: string | null;
                            }[];
                        } | null;
                    };
                };
            };
            /** @description There is a natural voice already. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    findRecognizer: {
        parameters: {
            query: {
                language: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A command that installs a recognizer, or finds one; and the recognizer, where the page may install it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        command: string;
                        recognizer: {
                            name: string;
                            display_name: string;
                            language: string;
                            size_bytes: number | null;
                            licenses: {
                                of: string;
                                license: string | null;
                                source: string;
                                lineage: string | null;
                            }[];
                        } | null;
                    };
                };
            };
            /** @description The language is recognized. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    installOfferedModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {boolean} */
                    accept_license: true;
                };
            };
        };
        responses: {
            /** @description A line of JSON for each event; the last one is `installed` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["InstallEvent"];
                };
            };
        };
    };
    getAnalysis: {
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
            /** @description The analysis. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        analysis: {
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
                        } | null;
                    };
                };
            };
        };
    };
    getEvaluation: {
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
            /** @description The evaluation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        criteria: {
                            name: string;
                            description: string;
                        }[];
                        data: {
                            name: string;
                            /** @enum {string} */
                            type: "string" | "number" | "integer" | "boolean";
                            description: string;
                        }[];
                    };
                };
            };
        };
    };
    putEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    criteria: {
                        name: string;
                        description: string;
                    }[];
                    data: {
                        name: string;
                        /** @enum {string} */
                        type: "string" | "number" | "integer" | "boolean";
                        description: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description The evaluation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        criteria: {
                            name: string;
                            description: string;
                        }[];
                        data: {
                            name: string;
                            /** @enum {string} */
                            type: "string" | "number" | "integer" | "boolean";
                            description: string;
                        }[];
                    };
                };
            };
        };
    };
    testTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    tool: {
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
                        type: "web_search";
                    } | {
                        /** @enum {string} */
                        type: "calendar_list";
                    } | {
                        /** @enum {string} */
                        type: "calendar_create";
                        /**
                         * @description Whether to make the event. Otherwise it is only proposed, with the other events at that time.
                         * @default false
                         */
                        confirmed?: boolean;
                    };
                    arguments: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description The time zone of the member, as an IANA name.
                     * @default UTC
                     */
                    time_zone?: string;
                };
            };
        };
        responses: {
            /** @description What the call came to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        outcome: "succeeded" | "failed";
                        result: string;
                        duration_ms: number;
                    };
                };
            };
        };
    };
    listInstalledModels: {
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
                    "application/json": {
                        /** @description Whether this process can install and remove models. */
                        is_managed: boolean;
                        models: components["schemas"]["InstalledModel"][];
                    };
                };
            };
        };
    };
    installModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {boolean} */
                    accept_license: true;
                };
            };
        };
        responses: {
            /** @description A line of JSON for each event; the last one is `installed` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["InstallEvent"];
                };
            };
        };
    };
    listInstallableModels: {
        parameters: {
            query?: {
                /** @description BCP 47 tags, separated by commas, the preferred one first. */
                languages?: string;
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
                    "application/json": {
                        models: components["schemas"]["InstallableModel"][];
                        recommended: {
                            tts: string | null;
                            stt: string | null;
                        };
                    };
                };
            };
        };
    };
    removeModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model is removed. Engines close it some seconds later. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRecording: {
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
            /** @description The recording, without its audio. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recording: components["schemas"]["Recording"];
                    };
                };
            };
        };
    };
    getRecordingAudio: {
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
            /** @description The whole recording. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/ogg": string;
                };
            };
            /** @description The requested part. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/ogg": string;
                };
            };
        };
    };
    getRecordingSettings: {
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
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRecording"];
                };
            };
        };
    };
    putRecordingSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the Agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordingSettings"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRecording"];
                };
            };
        };
    };
    getDashboardDocument: {
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
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getStaticFile: {
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
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                    "text/javascript": string;
                    "image/svg+xml": string;
                    "font/woff2": string;
                };
            };
        };
    };
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
}
