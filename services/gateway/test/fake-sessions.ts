import { createHash, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { SessionRegistry } from '@parlance/clients/session-registry'
import {
  type Analysis,
  type ErrorCode,
  type Evaluation,
  type ListenedPiece,
  liveSessionsContract,
  type SessionOverview,
  type SessionSocketChunk,
  type SessionSummary,
  sessionsContract,
} from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'
import { agentId, publication } from './fake-agents.js'

const at = '2026-01-31T09:30:00.000Z'

/** The call of a tool that every conversation has. */
export const toolCall = {
  ...{ id: randomUUID(), message_id: randomUUID(), name: 'find_order', arguments: { number: 7 } },
  ...{ result: 'It is on its way.', outcome: 'succeeded' as const },
  ...{ started_at: '2026-01-31T09:30:00.000Z', duration_ms: 250.5 },
}

/** The evaluation of every Agent. */
export const evaluation: Evaluation = {
  criteria: [{ name: 'Booked', description: 'A table was booked.' }],
  data: [{ name: 'Guests', type: 'integer', description: 'How many.' }],
}

/** The analysis of every conversation. */
export const analysis: Analysis = {
  status: 'succeeded',
  criteria: [{ ...evaluation.criteria[0]!, result: 'success', reason: 'For Friday.' }],
  data: [{ ...evaluation.data[0]!, value: 4 }],
  error: null,
  analyzed_at: '2026-01-31T09:32:00.000Z',
}

/** The turn of every conversation. */
export const turn = {
  endpointing_ms: 500,
  stt_ms: 80,
  llm_ttft_ms: 300.5,
  tts_ttfa_ms: 90,
  voice_to_voice_ms: 1_000,
  prepared_ms: 210.5,
  speculation: 'hit',
} as const

const figures = { conversations: 3, ended: 2, succeeded: 1, voice_to_voice_ms: { p50: 900, p95: 1_400.5 } }

/** The statistics of every workspace. */
export const overview: SessionOverview = { total: figures, days: [{ day: '2026-01-31', ...figures }] }

/** The instance of all conversations. */
export const sessionsInstance = 'sessions-1'

/**
 * Conversations without media. One is started by `startSession` as in the service itself: it is in
 * the registry. Requests are in `requests`, by method.
 */
export const createFakeSessions = (registry: SessionRegistry) => {
  const requests: Partial<Record<string, unknown>> = {}
  /** The chunks that connected clients sent. */
  const received: SessionSocketChunk[] = []
  const workspaceOf = new Map<string, string>()
  const asked = new EventEmitter()
  const state = {
    /** The error with which the next starts are refused. */
    refusal: undefined as ErrorCode | undefined,
    started: 0,
    /** The chunks for clients that connect. Then their stream ends, unless `holdOpen`. */
    sent: [] as SessionSocketChunk[],
    holdOpen: false,
    /** Ends an open stream when its conversation is asked to end, with the chunks that this returns. */
    endWith: undefined as (() => SessionSocketChunk[]) | undefined,
    /** How the streams of connected clients ended on the client's side: `hung up` or `lost`. */
    left: [] as string[],
    /** The reasons of the `endSession` calls. */
    ended: [] as string[],
    /** Resolves when a handler may take the next chunk of its client. */
    room: undefined as Promise<void> | undefined,
    /** The chunks for listeners. Then their stream ends, unless `holdListeners`. */
    pieces: [] as ListenedPiece[],
    holdListeners: false,
    /** A conversation that has ended, and the instance of the others. */
    overFor: undefined as string | undefined,
    instance: sessionsInstance,
    /** The number of cancelled streams of listeners. */
    stoppedListening: 0,
  }

  const summary = (id: string): SessionSummary => ({
    id,
    agent_id: agentId,
    publication: { id: publication.id, version: 1 },
    end_user_id: null,
    status: 'ended',
    transport: 'websocket',
    input_mode: 'automatic',
    created_at: at,
    started_at: at,
    ended_at: at,
    duration_seconds: 0,
    end_reason: 'api_ended',
    error: null,
    credit_used: '0.00',
    latency: null,
    feedback: null,
    metadata: {},
    usage: { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 },
  })

  const live = fakeHandlers(liveSessionsContract, {
    async startSession({ grant, token, request, phone, realtime }, { fail }) {
      requests.startSession = { grant, token, request, ...(phone && { phone }), ...(realtime && { realtime }) }
      if (state.refusal !== undefined) return fail(state.refusal as never, `It is ${state.refusal}.`)
      state.started += 1
      const session_id = randomUUID()
      workspaceOf.set(session_id, grant.workspace_id)
      const place = {
        instance_id: sessionsInstance,
        workspace_id: grant.workspace_id,
        agent_id: grant.agent_id,
        key_id: grant.key_id,
        token_sha256: createHash('sha256').update(token).digest('hex'),
      }
      await registry.beat(sessionsInstance)
      await registry.put(session_id, place, 60_000)
      return {
        session_id,
        agent_id: grant.agent_id,
        publication: { id: publication.id, version: 1 },
        status: 'connecting',
        ice_servers: [],
        max_duration_seconds: 600,
        avatar: null,
        sdp: request.transport === 'webrtc' ? { type: 'answer', sdp: 'v=0' } : null,
      }
    },
    updateSession(request, { fail }) {
      requests.updateSession = request
      const { sdp } = request.update
      if (sdp?.sdp === 'broken') fail('invalid_sdp', 'It is broken.')
      return { sdp: sdp === undefined ? null : { type: 'answer', sdp: 'v=1' } }
    },
    endSession(request) {
      requests.endSession = request
      state.ended.push(request.reason)
      asked.emit(request.session_id)
      return {}
    },
    async connectClient(request, _context, peer) {
      requests.connectClient = request
      for (const chunk of state.sent) await peer.send(chunk)
      if (!state.holdOpen) return
      await new Promise<void>((resolve) => {
        const onLeft = (how: string) => {
          state.left.push(how)
          resolve()
        }
        peer
          .receive((chunk) => {
            received.push(chunk)
            return state.room
          })
          .then(
            () => onLeft('hung up'),
            () => onLeft('lost'),
          )
        if (state.endWith !== undefined) asked.once(request.session_id, () => resolve())
      })
      for (const chunk of state.endWith?.() ?? []) await peer.send(chunk)
    },
    async *listen(request, { signal }) {
      requests.listen = request
      yield* state.pieces
      if (!state.holdListeners) return
      if (!signal.aborted) await once(signal, 'abort')
      state.stoppedListening += 1
    },
  })

  const records = fakeHandlers(sessionsContract, {
    listSessions(request) {
      requests.listSessions = request
      return { sessions: [summary(randomUUID())], next_cursor: null }
    },
    getSession({ workspace_id, session_id }, { fail }) {
      return workspaceOf.get(session_id) === workspace_id
        ? { ...summary(session_id), transcript: [] }
        : fail('session_not_found', 'There is no such session.')
    },
    getOverview(request) {
      requests.getOverview = request
      return overview
    },
    listMessages(request) {
      requests.listMessages = request
      return { messages: [], next_cursor: null }
    },
    listTurns(request) {
      requests.listTurns = request
      return { turns: [turn], next_cursor: null }
    },
    listToolCalls(request) {
      requests.listToolCalls = request
      return { tool_calls: [toolCall], next_cursor: null }
    },
    getAnalysis(request) {
      requests.getAnalysis = request
      return { analysis }
    },
    getEvaluation: () => evaluation,
    putEvaluation(request) {
      requests.putEvaluation = request
      return request.evaluation
    },
    judge(request) {
      requests.judge = request
      return { criteria: analysis.criteria }
    },
    tryTool(request) {
      requests.tryTool = request
      return { outcome: 'failed', result: 'The tool failed with status 500.', duration_ms: 12.5 }
    },
    getProgress(request) {
      requests.getProgress = request
      return { session: summary(request.session_id), final_messages: 2, in_progress: null }
    },
    endSession(request) {
      requests.endRecordedSession = request
      return {}
    },
    giveFeedback(request) {
      requests.giveFeedback = request
      return { score: request.score, comment: request.comment ?? null, created_at: at }
    },
    findInstance({ workspace_id, session_id }, { fail }) {
      if (workspaceOf.get(session_id) !== workspace_id) return fail('session_not_found', 'There is no such session.')
      return state.overFor === session_id
        ? fail('session_ended', 'This session has ended.')
        : { instance_id: state.instance }
    },
    deleteSession(request) {
      requests.deleteSession = request
      return {}
    },
    getIceServers: () => ({ ice_servers: [{ urls: ['stun:stun.example.com:3478'] }], ttl_seconds: 600 }),
  })
  return { requests, received, state, live, records }
}

export type FakeSessions = ReturnType<typeof createFakeSessions>
