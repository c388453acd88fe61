/**
 * The agent's turns as responses of the protocol.
 *
 * - A client may create a response before its turn begins. A turn that begins otherwise creates its own.
 * - The calls of a turn end its response. The turn goes on in the next response, once the client has given the results.
 */
import type { ServiceError, SessionServerEvent } from '@parlance/contracts'
import { frameMs } from '../media/transport.js'
import type { OpenResponse, ResponseEnd, ResponseUsage } from './realtime-response.js'

export type ToolCall = Extract<SessionServerEvent, { event: 'tool.call' }>
type Metadata = Readonly<Record<string, string>> | null

/** A turn in its response. */
interface Answering {
  readonly name: 'answering'
  readonly response: OpenResponse
  /** How many characters of the text of the turn belong to earlier responses, and how many were sent. */
  readonly from: number
  sent: number
  /** What was played of the text of this response, once it was interrupted. */
  played?: string
  /** The calls that end the response when the text before them was played. */
  readonly calls: ToolCall[]
  isCancelled: boolean
  failure?: ServiceError
}

type State =
  | { readonly name: 'idle' }
  /** The turn of the response has not begun. One that the client has replaced may still be in progress. */
  | { readonly name: 'created'; readonly response: OpenResponse }
  | Answering
  /** The response has ended with calls, and the turn waits for these results. */
  | { readonly name: 'calling'; readonly sent: number; readonly results: Map<string, string | undefined> }

/** A message that precedes calls is over when its audio was followed by so much silence. */
const silenceAfterMessageFrames = 200 / frameMs
/** The same where it has no audio yet. */
const silenceWithoutAudioFrames = 3_000 / frameMs

const noUsage: ResponseUsage = { llm_input_tokens: 0, llm_output_tokens: 0 }

interface RealtimeTurnsOptions {
  openResponse(metadata: Metadata): OpenResponse
  /** Called before `response.done` is sent. */
  onEnd(): void
}

export const createRealtimeTurns = ({ openResponse, onEnd }: RealtimeTurnsOptions) => {
  let state: State = { name: 'idle' }
  let usage = noUsage
  let silentFrames = 0

  const answer = (response: OpenResponse, sent: number): Answering => {
    const turn: Answering = { name: 'answering', response, from: sent, sent, calls: [], isCancelled: false }
    state = turn
    return turn
  }

  const end = (response: OpenResponse, next: State, how: ResponseEnd, played?: string): void => {
    state = next
    onEnd()
    response.end(how, usage, played)
    usage = noUsage
  }

  /** The turn in its present response; one that goes on after calls without the client gets another. */
  const answering = (): Answering | undefined => {
    if (state.name === 'calling') return answer(openResponse(null), state.sent)
    return state.name === 'answering' ? state : undefined
  }

  /** Sends the calls that wait. */
  const flushCalls = (): void => {
    if (state.name !== 'answering' || state.calls.length === 0) return
    const { response, sent, calls } = state
    const results = new Map<string, string | undefined>()
    for (const { tool_call_id, name, arguments: args } of calls) {
      results.set(tool_call_id, undefined)
      response.call(tool_call_id, name, typeof args === 'string' ? args : JSON.stringify(args ?? {}))
    }
    end(response, { name: 'calling', sent, results }, { status: 'completed' })
  }

  /** How the response of a turn ends that was played to its end. */
  const finishedEnd = ({ response, failure }: Answering): ResponseEnd => {
    if (failure === undefined || response.message() !== undefined) return { status: 'completed' }
    const type = failure.status >= 500 ? 'server_error' : 'invalid_request_error'
    return { status: 'failed', error: { type, code: failure.code } }
  }

  return {
    flushCalls,
    /** The response in progress. */
    response: (): OpenResponse | undefined =>
      state.name === 'idle' || state.name === 'calling' ? undefined : state.response,
    isAnswering: () => state.name === 'answering',
    /** Whether a response waits for its turn. */
    isCreated: () => state.name === 'created',
    /** The calls whose results are awaited, with those that have come. */
    results: (): Map<string, string | undefined> | undefined => (state.name === 'calling' ? state.results : undefined),
    /** There must be no response in progress. */
    create(metadata: Metadata) {
      state = { name: 'created', response: openResponse(metadata) }
    },
    /** The turn goes on with its results in a response of the client. */
    goOn(metadata: Metadata) {
      if (state.name === 'calling') answer(openResponse(metadata), state.sent)
    },
    /** The response that was created gets no turn. */
    fail(code: string) {
      if (state.name !== 'created') return
      end(state.response, { name: 'idle' }, { status: 'failed', error: { type: 'invalid_request_error', code } })
    },
    /** Ends a response that was created. Returns `interrupt` for a turn that is to be interrupted. */
    cancel(): 'cancelled' | 'interrupt' | 'none' {
      if (state.name === 'answering') {
        state.isCancelled = true
        return 'interrupt'
      }
      if (state.name !== 'created') return 'none'
      end(state.response, { name: 'idle' }, { status: 'cancelled', reason: 'client_cancelled' })
      return 'cancelled'
    },
    onTurn(phase: 'began' | 'finished' | 'interrupted' | 'stopped') {
      if (phase === 'began') return void answer(state.name === 'created' ? state.response : openResponse(null), 0)
      if (state.name === 'calling') state = { name: 'idle' }
      if (state.name !== 'answering') return
      const { response, isCancelled, played } = state
      const reason = isCancelled ? 'client_cancelled' : 'turn_detected'
      const how = phase === 'finished' ? finishedEnd(state) : ({ status: 'cancelled', reason } as const)
      end(response, { name: 'idle' }, how, played)
    },
    /** The text of the turn so far, or what was played of it when it was interrupted. */
    onText(text: string, interrupted: boolean) {
      if (interrupted) {
        if (state.name === 'answering') state.played = text.slice(state.from).trim()
        return
      }
      if (state.name === 'calling' && text.length <= state.sent) return
      const turn = answering()
      if (turn === undefined || text.length <= turn.sent) return
      turn.response.say(text.slice(turn.sent))
      turn.sent = text.length
    },
    onCall(call: ToolCall) {
      const turn = answering()
      if (turn === undefined) return
      turn.calls.push(call)
      silentFrames = 0
      const isSpeaking = turn.response.isSpoken && turn.response.message() !== undefined
      // The other calls of a step come in the same tick.
      if (!isSpeaking && turn.calls.length === 1) setImmediate(flushCalls)
    },
    onFailure(failure: ServiceError) {
      if (state.name === 'answering') state.failure = failure
    },
    onUsage({ llm_input_tokens = 0, llm_output_tokens = 0 }: Partial<ResponseUsage>) {
      usage = {
        llm_input_tokens: usage.llm_input_tokens + llm_input_tokens,
        llm_output_tokens: usage.llm_output_tokens + llm_output_tokens,
      }
    },
    /** 20 ms were played. `encode` is undefined for silence. */
    onFrame(encode: (() => Uint8Array) | undefined) {
      if (state.name !== 'answering') return
      const { response, calls } = state
      if (encode !== undefined) {
        silentFrames = 0
        return response.audio(encode(), frameMs)
      }
      silentFrames += 1
      const message = response.message()
      if (calls.length === 0 || message === undefined) return
      const isSilent = silentFrames >= silenceAfterMessageFrames && message.audioMs > 0
      if (isSilent || silentFrames >= silenceWithoutAudioFrames) flushCalls()
    },
  }
}
