/** Written by `npm run generate` from the OpenAPI document. */
import type { operations } from './openapi.js'
import { type ChangeOptions, createList, type List, type PostOptions, type RequestOptions, type Requests } from './request.js'

type Body<Id extends keyof operations> = operations[Id] extends { requestBody?: { content: { 'application/json': infer Content } } }
  ? Content
  : never
type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>
/** The JSON of each status below 300. */
type Result<Id extends keyof operations> = {
  [Status in keyof operations[Id]['responses'] & (200 | 201 | 202)]: operations[Id]['responses'][Status] extends {
    content: { 'application/json': infer Content }
  }
    ? Content
    : never
}[keyof operations[Id]['responses'] & (200 | 201 | 202)] extends infer Content
  ? [Content] extends [never]
    ? undefined
    : Content
  : never

/** One method for each operation of the API that takes a key. */
export const createOperations = ({ sendJson }: Requests) => ({
  /** List the Agents. `GET /v1/agents` */
  listAgents: (query?: Query<'listAgents'>, options?: RequestOptions): List<Result<'listAgents'>, Result<'listAgents'>['agents'][number]> =>
    createList((query): Promise<Result<'listAgents'>> => sendJson('GET', '/v1/agents', { query }, options), query ?? {}, (page) => page.agents),

  /** Create an Agent. `POST /v1/agents` */
  createAgent: (body: Body<'createAgent'>, options?: PostOptions): Promise<Result<'createAgent'>> =>
    sendJson('POST', '/v1/agents', { body }, options),

  /** Read an Agent. `GET /v1/agents/{agentId}` */
  getAgent: (agentId: string, options?: RequestOptions): Promise<Result<'getAgent'>> =>
    sendJson('GET', `/v1/agents/${encodeURIComponent(agentId)}`, {  }, options),

  /** Change the draft of an Agent. `PATCH /v1/agents/{agentId}` */
  updateAgent: (agentId: string, body: Body<'updateAgent'>, options?: ChangeOptions): Promise<Result<'updateAgent'>> =>
    sendJson('PATCH', `/v1/agents/${encodeURIComponent(agentId)}`, { body }, options),

  /** Delete an Agent. `DELETE /v1/agents/{agentId}` */
  deleteAgent: (agentId: string, options?: ChangeOptions): Promise<Result<'deleteAgent'>> =>
    sendJson('DELETE', `/v1/agents/${encodeURIComponent(agentId)}`, {  }, options),

  /** Publish an Agent. `POST /v1/agents/{agentId}/publish` */
  publishAgent: (agentId: string, body?: Body<'publishAgent'>, query?: Query<'publishAgent'>, options?: PostOptions & ChangeOptions): Promise<Result<'publishAgent'>> =>
    sendJson('POST', `/v1/agents/${encodeURIComponent(agentId)}/publish`, { body: body ?? {}, query }, options),

  /** List the revisions of an Agent. `GET /v1/agents/{agentId}/revisions` */
  listRevisions: (agentId: string, query?: Query<'listRevisions'>, options?: RequestOptions): List<Result<'listRevisions'>, Result<'listRevisions'>['revisions'][number]> =>
    createList((query): Promise<Result<'listRevisions'>> => sendJson('GET', `/v1/agents/${encodeURIComponent(agentId)}/revisions`, { query }, options), query ?? {}, (page) => page.revisions),

  /** List the publications of an Agent. `GET /v1/agents/{agentId}/publications` */
  listPublications: (agentId: string, query?: Query<'listPublications'>, options?: RequestOptions): List<Result<'listPublications'>, Result<'listPublications'>['publications'][number]> =>
    createList((query): Promise<Result<'listPublications'>> => sendJson('GET', `/v1/agents/${encodeURIComponent(agentId)}/publications`, { query }, options), query ?? {}, (page) => page.publications),

  /** List the files that an Agent answers from. `GET /v1/agents/{agentId}/knowledge` */
  listKnowledgeFiles: (agentId: string, query?: Query<'listKnowledgeFiles'>, options?: RequestOptions): List<Result<'listKnowledgeFiles'>, Result<'listKnowledgeFiles'>['files'][number]> =>
    createList((query): Promise<Result<'listKnowledgeFiles'>> => sendJson('GET', `/v1/agents/${encodeURIComponent(agentId)}/knowledge`, { query }, options), query ?? {}, (page) => page.files),

  /** Add a file that an Agent answers from. `POST /v1/agents/{agentId}/knowledge` */
  addKnowledgeFile: (agentId: string, form: FormData, options?: PostOptions): Promise<Result<'addKnowledgeFile'>> =>
    sendJson('POST', `/v1/agents/${encodeURIComponent(agentId)}/knowledge`, { body: form }, options),

  /** Read a file that an Agent answers from. `GET /v1/agents/{agentId}/knowledge/{fileId}` */
  getKnowledgeFile: (agentId: string, fileId: string, options?: RequestOptions): Promise<Result<'getKnowledgeFile'>> =>
    sendJson('GET', `/v1/agents/${encodeURIComponent(agentId)}/knowledge/${encodeURIComponent(fileId)}`, {  }, options),

  /** Delete a file that an Agent answers from. `DELETE /v1/agents/{agentId}/knowledge/{fileId}` */
  deleteKnowledgeFile: (agentId: string, fileId: string, options?: RequestOptions): Promise<Result<'deleteKnowledgeFile'>> =>
    sendJson('DELETE', `/v1/agents/${encodeURIComponent(agentId)}/knowledge/${encodeURIComponent(fileId)}`, {  }, options),

  /** Mint a session token. `POST /v1/agents/{agentId}/session-tokens` */
  createSessionToken: (agentId: string, body?: Body<'createSessionToken'>, options?: PostOptions): Promise<Result<'createSessionToken'>> =>
    sendJson('POST', `/v1/agents/${encodeURIComponent(agentId)}/session-tokens`, { body: body ?? {} }, options),

  /** Mint a stream token. `POST /v1/tts/stream-tokens` */
  createStreamToken: (body?: Body<'createStreamToken'>, options?: PostOptions): Promise<Result<'createStreamToken'>> =>
    sendJson('POST', '/v1/tts/stream-tokens', { body: body ?? {} }, options),

  /** Mint a listen token. `POST /v1/listen/tokens` */
  createListenToken: (body?: Body<'createListenToken'>, options?: PostOptions): Promise<Result<'createListenToken'>> =>
    sendJson('POST', '/v1/listen/tokens', { body: body ?? {} }, options),

  /** Mint a client secret of OpenAI's Realtime protocol. `POST /v1/realtime/client_secrets` */
  createRealtimeClientSecret: (body: Body<'createRealtimeClientSecret'>, options?: PostOptions): Promise<Result<'createRealtimeClientSecret'>> =>
    sendJson('POST', '/v1/realtime/client_secrets', { body }, options),

  /** Talk over WebRTC with OpenAI's Realtime protocol. `POST /v1/realtime/calls` */
  createRealtimeCall: (body: Body<'createRealtimeCall'>, query?: Query<'createRealtimeCall'>, options?: RequestOptions): Promise<Result<'createRealtimeCall'>> =>
    sendJson('POST', '/v1/realtime/calls', { body, query }, options),

  /** End a call. `POST /v1/realtime/calls/{sessionId}/hangup` */
  hangUpRealtimeCall: (sessionId: string, options?: RequestOptions): Promise<Result<'hangUpRealtimeCall'>> =>
    sendJson('POST', `/v1/realtime/calls/${encodeURIComponent(sessionId)}/hangup`, {  }, options),

  /** List conversations. `GET /v1/agent-sessions` */
  listSessions: (query?: Query<'listSessions'>, options?: RequestOptions): List<Result<'listSessions'>, Result<'listSessions'>['sessions'][number]> =>
    createList((query): Promise<Result<'listSessions'>> => sendJson('GET', '/v1/agent-sessions', { query }, options), query ?? {}, (page) => page.sessions),

  /** Read a conversation. `GET /v1/agent-sessions/{sessionId}` */
  getSession: (sessionId: string, options?: RequestOptions): Promise<Result<'getSession'>> =>
    sendJson('GET', `/v1/agent-sessions/${encodeURIComponent(sessionId)}`, {  }, options),

  /** Delete a conversation. `DELETE /v1/agent-sessions/{sessionId}` */
  deleteSession: (sessionId: string, options?: RequestOptions): Promise<Result<'deleteSession'>> =>
    sendJson('DELETE', `/v1/agent-sessions/${encodeURIComponent(sessionId)}`, {  }, options),

  /** List the messages of a conversation. `GET /v1/agent-sessions/{sessionId}/messages` */
  listMessages: (sessionId: string, query?: Query<'listMessages'>, options?: RequestOptions): List<Result<'listMessages'>, Result<'listMessages'>['messages'][number]> =>
    createList((query): Promise<Result<'listMessages'>> => sendJson('GET', `/v1/agent-sessions/${encodeURIComponent(sessionId)}/messages`, { query }, options), query ?? {}, (page) => page.messages),

  /** Rate a conversation. `POST /v1/agent-sessions/{sessionId}/feedback` */
  giveFeedback: (sessionId: string, body: Body<'giveFeedback'>, options?: PostOptions): Promise<Result<'giveFeedback'>> =>
    sendJson('POST', `/v1/agent-sessions/${encodeURIComponent(sessionId)}/feedback`, { body }, options),

  /** Read an end user's calendar. `GET /v1/end-users/{endUserId}/calendar` */
  getCalendar: (endUserId: string, query?: Query<'getCalendar'>, options?: RequestOptions): Promise<Result<'getCalendar'>> =>
    sendJson('GET', `/v1/end-users/${encodeURIComponent(endUserId)}/calendar`, { query }, options),

  /** Delete an end user's calendar. `DELETE /v1/end-users/{endUserId}/calendar` */
  deleteCalendar: (endUserId: string, options?: RequestOptions): Promise<Result<'deleteCalendar'>> =>
    sendJson('DELETE', `/v1/end-users/${encodeURIComponent(endUserId)}/calendar`, {  }, options),

  /** List the memory of an end user. `GET /v1/end-users/{endUserId}/memory` */
  listMemories: (endUserId: string, query?: Query<'listMemories'>, options?: RequestOptions): List<Result<'listMemories'>, Result<'listMemories'>['memories'][number]> =>
    createList((query): Promise<Result<'listMemories'>> => sendJson('GET', `/v1/end-users/${encodeURIComponent(endUserId)}/memory`, { query }, options), query ?? {}, (page) => page.memories),

  /** Delete the memory of an end user. `DELETE /v1/end-users/{endUserId}/memory` */
  forgetEndUser: (endUserId: string, query?: Query<'forgetEndUser'>, options?: RequestOptions): Promise<Result<'forgetEndUser'>> =>
    sendJson('DELETE', `/v1/end-users/${encodeURIComponent(endUserId)}/memory`, { query }, options),

  /** List the voices. `GET /v1/voices` */
  listVoices: (query?: Query<'listVoices'>, options?: RequestOptions): List<Result<'listVoices'>, Result<'listVoices'>['voices'][number]> =>
    createList((query): Promise<Result<'listVoices'>> => sendJson('GET', '/v1/voices', { query }, options), query ?? {}, (page) => page.voices),

  /** List the avatars. `GET /v1/avatars` */
  listAvatars: (query?: Query<'listAvatars'>, options?: RequestOptions): List<Result<'listAvatars'>, Result<'listAvatars'>['avatars'][number]> =>
    createList((query): Promise<Result<'listAvatars'>> => sendJson('GET', '/v1/avatars', { query }, options), query ?? {}, (page) => page.avatars),

  /** Read the credit. `GET /v1/credit` */
  getCredit: (options?: RequestOptions): Promise<Result<'getCredit'>> =>
    sendJson('GET', '/v1/credit', {  }, options),

  /** Read the usage, and its cost. `GET /v1/usage` */
  getUsage: (query?: Query<'getUsage'>, options?: RequestOptions): Promise<Result<'getUsage'>> =>
    sendJson('GET', '/v1/usage', { query }, options),

  /** List webhooks. `GET /v1/webhooks` */
  listWebhooks: (query?: Query<'listWebhooks'>, options?: RequestOptions): List<Result<'listWebhooks'>, Result<'listWebhooks'>['webhooks'][number]> =>
    createList((query): Promise<Result<'listWebhooks'>> => sendJson('GET', '/v1/webhooks', { query }, options), query ?? {}, (page) => page.webhooks),

  /** Create a webhook. `POST /v1/webhooks` */
  createWebhook: (body: Body<'createWebhook'>, options?: PostOptions): Promise<Result<'createWebhook'>> =>
    sendJson('POST', '/v1/webhooks', { body }, options),

  /** Read a webhook. `GET /v1/webhooks/{webhookId}` */
  getWebhook: (webhookId: string, options?: RequestOptions): Promise<Result<'getWebhook'>> =>
    sendJson('GET', `/v1/webhooks/${encodeURIComponent(webhookId)}`, {  }, options),

  /** Change a webhook. `PATCH /v1/webhooks/{webhookId}` */
  updateWebhook: (webhookId: string, body: Body<'updateWebhook'>, options?: RequestOptions): Promise<Result<'updateWebhook'>> =>
    sendJson('PATCH', `/v1/webhooks/${encodeURIComponent(webhookId)}`, { body }, options),

  /** Delete a webhook. `DELETE /v1/webhooks/{webhookId}` */
  deleteWebhook: (webhookId: string, options?: RequestOptions): Promise<Result<'deleteWebhook'>> =>
    sendJson('DELETE', `/v1/webhooks/${encodeURIComponent(webhookId)}`, {  }, options),

  /** Make a new secret. `POST /v1/webhooks/{webhookId}/rotate-secret` */
  rotateWebhookSecret: (webhookId: string, options?: PostOptions): Promise<Result<'rotateWebhookSecret'>> =>
    sendJson('POST', `/v1/webhooks/${encodeURIComponent(webhookId)}/rotate-secret`, {  }, options),

  /** List the deliveries of a webhook. `GET /v1/webhooks/{webhookId}/deliveries` */
  listWebhookDeliveries: (webhookId: string, query?: Query<'listWebhookDeliveries'>, options?: RequestOptions): List<Result<'listWebhookDeliveries'>, Result<'listWebhookDeliveries'>['deliveries'][number]> =>
    createList((query): Promise<Result<'listWebhookDeliveries'>> => sendJson('GET', `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries`, { query }, options), query ?? {}, (page) => page.deliveries),

  /** Deliver an event again. `POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay` */
  replayWebhookDelivery: (webhookId: string, deliveryId: string, options?: PostOptions): Promise<Result<'replayWebhookDelivery'>> =>
    sendJson('POST', `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/replay`, {  }, options),
})

export type Operations = ReturnType<typeof createOperations>
