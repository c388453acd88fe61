import { randomUUID } from 'node:crypto'
import { type EndReason, ServiceError, type SessionMessage } from '@parlance/contracts'
import type { Conversation, ConversationEnd, ConversationOptions } from '../src/conversation/conversation.js'
import type { LanguageModel } from '../src/llm/language-model.js'
import type { ConversationParts } from '../src/start/conversation-parts.js'

/** The call of a tool, without its id and that of its message. */
export const fakeToolCall = {
  name: 'find_order',
  arguments: { number: 7, note: 'a\u0000b', deep: [{ text: '“{}\\' }] },
  result: 'It is on “its” way.',
  outcome: 'failed',
  started_at: '2026-01-31T09:30:00.000Z',
  duration_ms: 12.5,
} as const

/**
 * A conversation that repeats every message once its client is ready. A message that begins with `Found` has a source, one that
 * begins with `Call` has the call of a tool. The end of the n-th turn is found after n ms.
 */
export const openFakeConversation = (options: ConversationOptions): Conversation => {
  const { transport, journal, speakSegment, sessionId } = options
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let reason: EndReason | undefined
  let resolve: (end: ConversationEnd) => void
  const ended = new Promise<ConversationEnd>((given) => {
    resolve = given
  })
  let saying = Promise.resolve()
  let turns = 0

  const over = async (given: EndReason, error: ConversationEnd['error'] = null) => {
    clearTimeout(timer)
    reason ??= given
    abort.abort()
    await saying
    transport.send({ event: 'session.ended', reason, end_reason: reason })
    await transport.close()
    resolve({ reason, error })
  }
  const end = (given: EndReason, deadlineMs: number) => {
    if (reason !== undefined) return
    reason = given
    journal.ending(given)
    transport.send({ event: 'session.ending', reason: given, deadline_ms: deadlineMs })
    if (deadlineMs === 0) void over(given)
    else timer = setTimeout(() => void over(given), deadlineMs)
  }

  const message = (role: SessionMessage['role'], text: string, id: string = randomUUID()) => {
    const found = role === 'agent' && text.startsWith('Found')
    journal.message(
      {
        id,
        role,
        text,
        created_at: new Date().toISOString(),
        interrupted: false,
        ...(found && { sources: [{ title: 'A “page”, {quoted}', url: 'https://example.org/?a=\\' }] }),
      },
      0,
    )
    transport.send({ event: 'transcript', id, role, text, final: true })
  }
  const say = async (text: string) => {
    const speech = speakSegment?.({ text, speakable: true }, { private: true })
    let spoken = 0
    try {
      await speech?.chunks((chunk) => {
        if (chunk.event === 'audio') transport.playFrame(new Int16Array(480).fill(7))
        if (chunk.event === 'segment') spoken += chunk.characters
      }, abort.signal)
      const id = randomUUID()
      if (text.startsWith('Call')) journal.toolCall({ ...fakeToolCall, id: randomUUID(), message_id: id })
      message('agent', text, id)
      turns += 1
      journal.turn({
        endpointing_ms: turns,
        stt_ms: 2,
        llm_ttft_ms: 3.5,
        tts_ttfa_ms: null,
        voice_to_voice_ms: 100,
        prepared_ms: 41.5,
        speculation: 'hit',
      })
    } catch (error) {
      if (abort.signal.aborted) return
      if (error instanceof ServiceError && error.code === 'insufficient_credit') end('insufficient_credit', 0)
      else void over('tts_error', { code: 'tts_error', detail: 'The voice failed.' })
    } finally {
      speech?.settle(spoken)
    }
  }

  transport.listen({
    onOpen() {},
    onAudio(frame) {
      options.onUserAudio?.(frame)
      transport.send({ event: 'user.speech', started: true })
    },
    onEvent(event) {
      if (event.event === 'client.ready') {
        journal.started()
        transport.send({ event: 'session.ready', session_id: sessionId })
      }
      if (event.event === 'ping') transport.send({ event: 'pong' })
      if (event.event === 'text.send') {
        message('user', event.text, event.id)
        journal.used({ llm_input_tokens: 10, llm_output_tokens: 5, stt_seconds: 0.5 })
        saying = say(event.text)
      }
    },
    onLost: (lost) => void over(lost),
  })
  return { end, ended, add() {}, reply() {}, setUserTurns() {}, use() {} }
}

const silentModel: LanguageModel = {
  async *reply() {
    yield { event: 'done', inputTokens: 0, outputTokens: 0 }
  },
}

/** Stand-ins for the media, the recognizers and the models of the service. */
export const createFakeParts = (): ConversationParts => ({
  openConversation: openFakeConversation,
  async openWebrtcTransport() {
    throw new ServiceError('invalid_sdp', 'The offer has no audio.')
  },
  createPlayback: () => ({
    write() {},
    waitingMs: () => 0,
    below: async () => {},
    playedMs: () => 0,
    begin() {},
    pause() {},
    resume() {},
    clear() {},
    close() {},
  }),
  openNoiseSuppression: () => ({ filter: (frame) => frame, close() {} }),
  openVoiceDetector: () => ({ detect: () => false, changedAgoMs: () => 0, reset() {} }),
  findRecognizer: () => undefined,
  findTurnDetector: () => undefined,
  listRecognizers: () => [],
  findLanguageModel: () => silentModel,
  openProviderModel: async () => silentModel,
  modelLists: {
    listProvider: async () => ({ ok: true, detail: '', models: [] }),
    findServers: async () => ({ found: [], configured: [] }),
  },
  close: async () => {},
})
