import { agentConfig, agentId } from './fake-agents.js'
import { knowledgeFile } from './fake-knowledge.js'
import { modelProvider } from './fake-model-providers.js'
import { invitationId, personId } from './fake-people.js'
import { openedNumbers } from './fake-phone-numbers.js'
import { recordedSessionId } from './fake-recordings.js'
import { keyId, voiceId, workspaceId } from './fake-services.js'
import { deliveryId, webhookId } from './fake-webhooks.js'

/** The callers, in the order of the columns. The operator is not a member of the workspace. */
export const callers = ['owner', 'admin', 'member', 'operator', 'none'] as const
export type Caller = (typeof callers)[number]

/** The status for each caller. */
type Answers = readonly [owner: number, admin: number, member: number, operator: number, none: number]

export interface AccessRow {
  /** The method and the path, as in the list of routes. */
  readonly route: string
  readonly answers: Answers
  /** The body of the request. */
  readonly path: string
  readonly body: object | undefined
}

/** The values of the parameters in paths. */
const parameters: Readonly<Record<string, string>> = {
  ':agentId': agentId,
  ':deliveryId': deliveryId,
  ':endUserId': personId,
  ':file': 'none.js',
  ':fileId': knowledgeFile.id,
  ':invitationId': invitationId,
  ':keyId': keyId,
  ':name': 'joe',
  ':numberId': openedNumbers.twilio.id,
  ':providerId': modelProvider.id,
  ':sessionId': recordedSessionId,
  ':voiceId': voiceId,
  ':webhookId': webhookId,
  ':workspaceId': workspaceId,
  '*path': 'get-session',
}

const row = (route: string, answers: Answers, body?: object): AccessRow => ({
  route: route.replace(/\?.*/, ''),
  answers,
  path: route.slice(route.indexOf(' ') + 1).replace(/[:*]\w+/g, (name) => parameters[name]!),
  body,
})

/** Routes that all may call, also without a sign-in. */
const ofAll = (status: number): Answers => [status, status, status, status, status]
const ofPeople = (status: number): Answers => [status, status, status, status, 401]
/** 404: the caller is not a member of the workspace. */
const ofMembers = (status: number): Answers => [status, status, status, 404, 401]
const ofAdmins = (status: number): Answers => [status, status, 403, 404, 401]
const ofOperators = (status: number): Answers => [403, 403, 403, status, 401]

const password = 'a long enough password'
const grant = { id: '6f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', amount: '50', reason: 'Invoice 17' }
const provider = { kind: 'openai_compatible', name: 'Ours', url: 'https://models.example.com/v1', key: 'a-key' }
const phoneNumber = {
  ...{ number: openedNumbers.twilio.number, agent_id: agentId },
  ...{ account_sid: openedNumbers.twilio.account_sid, auth_token: openedNumbers.twilio.auth_token },
}
const webhook = { url: 'https://example.com/hooks', events: ['agent.published'] }

const api = '/dashboard/api'

/**
 * Who may do what in the dashboard: every route, and its status for each caller. A status of 400 or 404 for those
 * who may call it means that they passed the check of their role: there is no such conversation, or the body is incomplete.
 */
export const dashboardAccess: readonly AccessRow[] = [
  row('GET /dashboard/auth/*path', ofAll(200)),
  row('POST /dashboard/auth/*path', ofAll(200), {}),
  row('GET /dashboard/static/:file', ofAll(404)),
  row(`GET ${api}/openapi.json`, ofAll(200)),
  row(`GET ${api}/identity-providers`, ofAll(200)),
  row(`GET ${api}/invitations/:invitationId`, ofAll(200)),
  row(`POST ${api}/invitations/:invitationId/person`, ofAll(201), { name: 'Ada', password }),
  row(`GET ${api}/signed-in`, ofPeople(200)),

  row(`GET ${api}/keys`, ofAdmins(200)),
  row(`POST ${api}/keys`, ofAdmins(201), { label: 'Web site' }),
  row(`DELETE ${api}/keys/:keyId`, ofAdmins(200)),
  row(`GET ${api}/audit-log`, ofAdmins(200)),
  row(`GET ${api}/settings`, ofMembers(200)),
  row(`PATCH ${api}/settings`, ofAdmins(200), { name: 'Acme' }),

  row(`GET ${api}/providers`, ofMembers(200)),
  row(`GET ${api}/providers/:providerId/models`, ofMembers(200)),
  row(`GET ${api}/model-servers`, ofMembers(200)),
  row(`POST ${api}/providers`, ofAdmins(201), provider),
  row(`POST ${api}/providers/:providerId/test`, ofAdmins(200), { model: 'small' }),
  row(`DELETE ${api}/providers/:providerId`, ofAdmins(204)),
  row(`GET ${api}/phone-numbers`, ofMembers(200)),
  row(`POST ${api}/phone-numbers`, ofAdmins(201), phoneNumber),
  row(`DELETE ${api}/phone-numbers/:numberId`, ofAdmins(204)),
  row(`GET ${api}/try/natural-voice?languages=en-US`, ofMembers(200)),
  row(`GET ${api}/try/recognizer?language=en`, ofMembers(204)),
  row(`POST ${api}/try/models`, ofAdmins(404), {}),

  row(`POST ${api}/agents/:agentId/draft-session-tokens`, ofMembers(201), {}),
  row(`POST ${api}/agents/:agentId/tool-tests`, ofMembers(400), {}),
  row(`GET ${api}/agents/:agentId/evaluation`, ofMembers(200)),
  row(`PUT ${api}/agents/:agentId/evaluation`, ofMembers(400), {}),
  row(`GET ${api}/agents/:agentId/recording`, ofMembers(200)),
  row(`PUT ${api}/agents/:agentId/recording`, ofAdmins(400), {}),

  row(`GET ${api}/overview?from=${new Date().toISOString().slice(0, 10)}`, ofMembers(200)),
  row(`GET ${api}/agent-sessions`, ofMembers(200)),
  row(`GET ${api}/agent-sessions/:sessionId/turns`, ofMembers(200)),
  row(`GET ${api}/agent-sessions/:sessionId/tool-calls`, ofMembers(200)),
  row(`GET ${api}/agent-sessions/:sessionId/progress`, ofMembers(200)),
  row(`GET ${api}/agent-sessions/:sessionId/analysis`, ofMembers(200)),
  row(`GET ${api}/agent-sessions/:sessionId/recording`, ofMembers(200)),
  row(`GET ${api}/agent-sessions/:sessionId/recording/audio`, ofMembers(200)),
  row(`POST ${api}/agent-sessions/:sessionId/end`, ofMembers(204)),
  row(`POST ${api}/agent-sessions/:sessionId/judgments`, ofMembers(400), {}),
  row(`POST ${api}/agent-sessions/:sessionId/listen`, ofAdmins(404)),

  row(`GET ${api}/operator/workspaces`, ofOperators(200)),
  row(`PATCH ${api}/operator/workspaces/:workspaceId`, ofOperators(200), { suspended: true }),
  row(`POST ${api}/operator/workspaces/:workspaceId/credit-grants`, ofOperators(200), grant),
  row(`GET ${api}/operator/models`, ofOperators(200)),
  row(`GET ${api}/operator/model-catalog`, ofOperators(200)),
  row(`POST ${api}/operator/models`, ofOperators(404), { name: 'joe', accept_license: true }),
  row(`DELETE ${api}/operator/models/:name`, ofOperators(404)),

  row(`GET ${api}/v1/agents`, ofMembers(200)),
  row(`POST ${api}/v1/agents`, ofMembers(201), agentConfig),
  row(`GET ${api}/v1/agents/:agentId`, ofMembers(200)),
  row(`PATCH ${api}/v1/agents/:agentId`, ofMembers(200), { description: 'Ours' }),
  row(`DELETE ${api}/v1/agents/:agentId`, ofMembers(204)),
  // It is already published at the second call.
  row(`POST ${api}/v1/agents/:agentId/publish`, [201, 200, 200, 404, 401]),
  row(`GET ${api}/v1/agents/:agentId/revisions`, ofMembers(200)),
  row(`GET ${api}/v1/agents/:agentId/publications`, ofMembers(200)),
  row(`GET ${api}/v1/agents/:agentId/knowledge`, ofMembers(200)),
  // The body is no form.
  row(`POST ${api}/v1/agents/:agentId/knowledge`, ofMembers(415), {}),
  row(`GET ${api}/v1/agents/:agentId/knowledge/:fileId`, ofMembers(200)),
  row(`DELETE ${api}/v1/agents/:agentId/knowledge/:fileId`, ofMembers(204)),
  row(`POST ${api}/v1/agents/:agentId/session-tokens`, ofMembers(201), {}),
  row(`GET ${api}/v1/agent-sessions`, ofMembers(200)),
  row(`GET ${api}/v1/agent-sessions/:sessionId`, ofMembers(404)),
  row(`GET ${api}/v1/agent-sessions/:sessionId/messages`, ofMembers(200)),
  row(`DELETE ${api}/v1/agent-sessions/:sessionId`, ofMembers(204)),
  row(`GET ${api}/v1/end-users/:endUserId/calendar`, ofMembers(200)),
  row(`DELETE ${api}/v1/end-users/:endUserId/calendar`, ofMembers(204)),
  row(`GET ${api}/v1/end-users/:endUserId/memory`, ofMembers(200)),
  row(`DELETE ${api}/v1/end-users/:endUserId/memory`, ofMembers(204)),
  row(`POST ${api}/v1/tts/stream-tokens`, ofMembers(201), {}),
  row(`POST ${api}/v1/listen/tokens`, ofMembers(201), {}),
  row(`POST ${api}/v1/tts`, ofMembers(200), { text: 'Hello.', voice_id: voiceId }),
  row(`GET ${api}/v1/voices`, ofMembers(200)),
  row(`GET ${api}/v1/voices/:voiceId/preview`, ofMembers(200)),
  row(`GET ${api}/v1/avatars`, ofMembers(200)),
  row(`GET ${api}/v1/credit`, ofMembers(200)),
  row(`GET ${api}/v1/usage`, ofMembers(200)),
  row(`GET ${api}/v1/webhooks`, ofMembers(200)),
  row(`POST ${api}/v1/webhooks`, ofMembers(201), webhook),
  row(`GET ${api}/v1/webhooks/:webhookId`, ofMembers(200)),
  row(`PATCH ${api}/v1/webhooks/:webhookId`, ofMembers(200), { enabled: false }),
  row(`DELETE ${api}/v1/webhooks/:webhookId`, ofMembers(204)),
  row(`POST ${api}/v1/webhooks/:webhookId/rotate-secret`, ofMembers(200)),
  row(`GET ${api}/v1/webhooks/:webhookId/deliveries`, ofMembers(200)),
  row(`POST ${api}/v1/webhooks/:webhookId/deliveries/:deliveryId/replay`, ofMembers(202)),
]
