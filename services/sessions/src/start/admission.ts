/**
 * Admits a conversation: it gets credit, a record and a place in the registry, and its token is consumed. The token is consumed
 * last, so that it stays valid when the conversation is refused.
 */
import { createHash } from 'node:crypto'
import type { CallContext, Client } from '@parlance/bus'
import type { CreditReserver } from '@parlance/clients/credit'
import type { SessionPlace, SessionRegistry } from '@parlance/clients/session-registry'
import type { SessionRequest, StartedSession, tokensContract } from '@parlance/contracts'
import { openSessionAccount, type SessionAccount } from '../conversation/session-account.js'
import type { SessionRepository } from '../records/session-repository.js'
import type { OpenToolsOptions } from '../tools/tool.js'
import type { Undo } from './undo.js'

/** Whose conversation it is, with which Agent, under which ids. The config is that of the published revision for this user. */
export interface CallDetails extends OpenToolsOptions {
  /** Of the API key that the session token was minted with. */
  readonly keyId: string
  /** The W3C trace context of the request that started it; present only when that trace is sampled. */
  readonly traceparent?: string | undefined
}

export interface AdmissionOptions {
  readonly instanceId: string
  readonly sessions: Pick<SessionRepository, 'create' | 'remove'>
  readonly registry: Pick<SessionRegistry, 'put' | 'remove'>
  readonly tokens: Pick<Client<typeof tokensContract>, 'consumeSessionToken'>
  readonly reserver: Pick<CreditReserver, 'reserve'>
  /** Decimal text. */
  readonly creditPerMinute: string
}

export interface Applicant {
  readonly call: CallDetails
  readonly publication: StartedSession['publication']
  readonly token: string
  readonly request: SessionRequest
  /** Of the workspace; 0 for no limit. */
  readonly maxConcurrentSessions: number
  readonly context: CallContext
  /** Undoes the admission when a later step fails. */
  readonly undo: Undo
  /** There is no credit for more than the block that runs. */
  onInsufficientCredit(): void
}

/** Rejects with `insufficient_credit`, `concurrency_limited`, and what `consumeSessionToken` rejects with. */
export type Admit = (
  applicant: Applicant,
) => Promise<{ readonly account: SessionAccount; readonly place: SessionPlace }>

/** For how long the registry keeps a conversation beyond its longest duration. */
const placeMarginMs = 15 * 60_000

export const createAdmit = (options: AdmissionOptions): Admit => {
  const { instanceId, sessions, registry, tokens, reserver, creditPerMinute } = options

  return async ({ call, publication, token, request, maxConcurrentSessions, context, undo, onInsufficientCredit }) => {
    const { workspaceId, keyId, agentId, sessionId, endUserId } = call
    const { max_concurrent_sessions, max_duration_seconds } = call.config.session_config

    // Before the limits: a workspace that is out of credit and at its limit cannot go on by waiting.
    const account = await openSessionAccount({
      reserver,
      workspaceId,
      keyId,
      agentId,
      creditPerMinute,
      onInsufficientCredit,
    })
    undo.add(() => account.close())

    await sessions.create(
      {
        id: sessionId,
        workspaceId,
        agentId,
        publication,
        instanceId,
        endUserId,
        transport: request.transport,
        inputMode: request.input_mode,
        metadata: request.metadata,
        keyId,
        llm: { provider: call.config.llm_provider, model: call.config.llm_model },
      },
      { ofWorkspace: maxConcurrentSessions, ofAgent: max_concurrent_sessions },
    )
    undo.add(() => sessions.remove(workspaceId, sessionId, undefined))

    await tokens.consumeSessionToken({ token, agent_id: agentId }, { context })

    const place: SessionPlace = {
      instance_id: instanceId,
      workspace_id: workspaceId,
      agent_id: agentId,
      key_id: keyId,
      token_sha256: createHash('sha256').update(token).digest('hex'),
    }
    await registry.put(sessionId, place, max_duration_seconds * 1000 + placeMarginMs)
    undo.add(() => registry.remove(sessionId))
    return { account, place }
  }
}
