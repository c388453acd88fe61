/**
 * Translates between a conversation and a client that speaks OpenAI's Realtime protocol, over a WebSocket or WebRTC.
 *
 * - The conversation is one of ours. Audio is sent as it is played, so what was sent is what was played.
 * - Messages of the client wait for `response.create`, or for the user's next words. A committed buffer is recognized then too.
 * - `session.update` is applied before the events that follow it are read.
 */
import { randomUUID } from 'node:crypto'
import {
  checkRealtimeSession,
  ignoredOfRealtimeSession,
  mergeRealtimeSession,
  newRealtimeId,
  overridesOfRealtimeSession,
  type RealtimeClientEvent,
  type RealtimeCreatedItem,
  type RealtimeItem,
  type RealtimeSession,
  realtimeClientEventSchema,
  realtimeLimits,
  ServiceError,
  type SessionServerEvent,
  type SessionUsage,
} from '@parlance/contracts'
import type { Conversation, ConversationOptions } from '../conversation/conversation.js'
import type { UserTurnOptions } from '../conversation/turn/turn-state.js'
import { createClientEventReader } from '../media/client-event-reader.js'
import type { Transport, TransportListener } from '../media/transport.js'
import { createAudioInput, createInputDecoder, createOutputEncoder, pcmFormat } from './realtime-audio.js'
import {
  createRealtimeItems,
  type Emit,
  errorFields,
  invalid,
  ProtocolError,
  sessionResource,
} from './realtime-events.js'
import { openResponse } from './realtime-response.js'
import { createUserSpeech } from './realtime-speech.js'
import { createRealtimeTurns } from './realtime-turns.js'

/** The Agent of the conversation, as far as the protocol shows it. */
export interface RealtimeAgent {
  readonly agentId: string
  readonly sessionId: string
  readonly voice: string
  readonly language: string
  readonly speed: number
  readonly maxDurationSeconds: number
  /** Spoken with the first response, where the client creates it before any message. */
  readonly firstMessage: string | null
}

/** What the transport needs of the conversation besides its listener. */
export interface RealtimeConversation extends Pick<Conversation, 'add' | 'reply' | 'setUserTurns'> {
  /**
   * The agent has the overrides, tools and modality of this session from its next turn on. Rejects with `ServiceError` for what the
   * Agent does not allow.
   */
  configure(session: RealtimeSession): Promise<void>
}

export interface RealtimeTransport extends Transport {
  /** To be called once, before the peer is connected. */
  connectTo(conversation: RealtimeConversation): void
  readonly onAgentTurn: NonNullable<ConversationOptions['onAgentTurn']>
  used(usage: Partial<SessionUsage>): void
}

/** What waits for the next response, and the item that it is. */
type PendingItem =
  | {
      readonly kind: 'message'
      readonly itemId: string
      readonly id: string
      readonly role: 'user' | 'agent'
      readonly text: string
    }
  | { readonly kind: 'audio'; readonly itemId: string; readonly frames: readonly Int16Array[] }

const maxContextCharacters = 8_000

/** Of the responses; audio without a session of the protocol. */
export const modalityOf = (session: RealtimeSession | undefined): 'audio' | 'text' =>
  session?.output_modalities?.[0] ?? 'audio'

/** What the agent is configured with. */
const settingsOf = (session: RealtimeSession) =>
  JSON.stringify([overridesOfRealtimeSession(session), session.tools, modalityOf(session)])

const userTurnsOf = ({ audio }: RealtimeSession) => {
  const detection = audio?.input?.turn_detection
  return {
    inputMode: detection === null ? 'push-to-talk' : 'automatic',
    answersVoice: detection?.create_response !== false,
    voiceInterrupts: detection?.interrupt_response !== false,
  } satisfies UserTurnOptions
}

export const createRealtimeTransport = (
  inner: Transport,
  agent: RealtimeAgent,
  initial: RealtimeSession,
): RealtimeTransport => {
  const hasTrack = inner.kind === 'webrtc'
  const peer: Transport<object> = inner as Transport<object>
  const expiresAt = Math.floor(Date.now() / 1000) + agent.maxDurationSeconds
  let listener: TransportListener | undefined
  let conversation: RealtimeConversation | undefined
  let session = initial
  let encode = createOutputEncoder(pcmFormat)
  /** What came while a `session.update` is being applied. */
  let waiting: (() => void)[] | undefined
  let pending: PendingItem[] = []
  /** The ids of the messages that the client has added. */
  const added = new Set<string>()
  /** What the client has added for the agent to know. The instructions of a response belong to it until the response ends. */
  let contextText = ''
  let hasInstructions = false
  let hasResponded = false

  const emit: Emit = (type, fields) => peer.send({ type, event_id: newRealtimeId('event'), ...fields })
  const refuse = (error: unknown, eventId: string | null): void => emit('error', errorFields(error, eventId))

  const items = createRealtimeItems(emit)
  const input = createAudioInput((frame) => listener?.onAudio(frame))
  const speech = createUserSpeech({ emit, items, transcribes: () => session.audio?.input?.transcription !== null })
  const turns = createRealtimeTurns({
    openResponse(metadata) {
      hasResponded = true
      return openResponse({
        ...{ emit, items, metadata, hasTrack, modality: modalityOf(session) },
        voice: session.audio?.output?.voice ?? agent.voice,
        format: session.audio?.output?.format ?? pcmFormat,
      })
    },
    onEnd() {
      if (hasInstructions) sendContext()
    },
  })

  const sendContext = (instructions?: string): void => {
    hasInstructions = instructions !== undefined
    const text = [contextText, instructions].filter(Boolean).join('\n').slice(-maxContextCharacters)
    listener?.onEvent({ event: 'context.update', text })
  }

  /** Messages that precede the user's next words, or another response. */
  const flushPending = (): void => {
    for (const item of pending) {
      if (item.kind === 'message') conversation?.add(item)
      else speech.forget(item.itemId)
    }
    pending = []
  }

  const sendSession = (type: 'session.created' | 'session.updated', given: RealtimeSession): void => {
    const ignored = ignoredOfRealtimeSession(given)
    const id = `sess_${agent.sessionId.replaceAll('-', '')}`
    const resource = sessionResource(session, { ...agent, id, expiresAt })
    emit(type, { session: resource, ...(ignored.length > 0 && { x_parlance_ignored: ignored }) })
  }

  const onUserSpeech = ({ started, recognized }: Extract<SessionServerEvent, { event: 'user.speech' }>) => {
    // Without turn detection the client has committed the audio itself.
    const detectsTurns = !input.isBuffering()
    if (started) {
      if (!detectsTurns) return
      flushPending()
      return speech.start(input.receivedMs(), turns.isAnswering() && userTurnsOf(session).voiceInterrupts)
    }
    if (detectsTurns) speech.end(input.receivedMs())
    if (recognized !== false) return
    speech.discard()
    if (!speech.awaitsText()) turns.fail('no_speech_recognized')
  }

  const onUserText = (text: string): void => {
    speech.complete(text)
    if (!turns.isCreated() || userTurnsOf(session).answersVoice || speech.awaitsText()) return
    // The conversation must not be called while it calls `send`.
    queueMicrotask(() => {
      conversation?.reply()
      turns.fail('user_is_speaking')
    })
  }

  const send = (event: SessionServerEvent) => {
    switch (event.event) {
      case 'session.ready':
        sendSession('session.created', session)
        return queueMicrotask(() => listener?.onEvent({ event: 'client.ready' }))
      case 'user.speech':
        return onUserSpeech(event)
      case 'transcript':
        if (added.has(event.id)) return
        if (event.role === 'agent') turns.onText(event.text, event.interrupted === true)
        else if (event.final && event.text !== '') onUserText(event.text)
        return
      case 'tool.call':
        return turns.onCall(event)
      case 'error': {
        const failure = new ServiceError(event.code, event.detail)
        turns.onFailure(failure)
        return refuse(failure, null)
      }
      case 'session.ended':
        if (event.reason === 'user_disconnected' || event.reason === 'api_ended') return
        return refuse(new ProtocolError('session_expired', `The session has ended: ${event.reason}.`), null)
    }
  }

  /** What has an effect beside the agent: formats, and how turns are taken. */
  const use = (next: RealtimeSession, before?: RealtimeSession): void => {
    session = next
    const { input: received, output: sent } = next.audio ?? {}
    const { input: oldReceived, output: oldSent } = before?.audio ?? {}
    if (received?.format?.type !== oldReceived?.format?.type) input.use(received?.format ?? pcmFormat)
    if (sent?.format?.type !== oldSent?.format?.type) encode = createOutputEncoder(sent?.format ?? pcmFormat)
    const userTurns = userTurnsOf(next)
    const isManual = userTurns.inputMode === 'push-to-talk'
    if (isManual !== input.isBuffering()) {
      input.enter(isManual ? 'buffering' : 'passing')
      speech.cancel()
    }
    conversation?.setUserTurns(userTurns)
  }

  const update = async (given: RealtimeSession): Promise<void> => {
    checkRealtimeSession(given, agent.agentId)
    const merged = mergeRealtimeSession(session, given)
    if (settingsOf(merged) !== settingsOf(session)) await conversation?.configure(merged)
    use(merged, session)
    sendSession('session.updated', given)
  }

  const addMessage = (role: 'user' | 'agent', itemId: string, text: string): void => {
    const id = randomUUID()
    pending.push({ kind: 'message', itemId, id, role, text })
    added.add(id)
  }

  const addUserItem = (id: string, content: Extract<RealtimeCreatedItem, { role: 'user' }>['content']) => {
    const audio = content.flatMap((part) => (part.type === 'input_audio' ? [part.audio] : []))
    const text = content.flatMap((part) => (part.type === 'input_text' ? [part.text] : [])).join('\n')
    if (audio.length > 0 && text !== '') throw invalid('item.content: is either text or audio')
    if (audio.length === 0 && text.trim() === '') throw invalid('item.content: must not be blank')
    if (audio.length === 0) return addMessage('user', id, text)
    if (!input.isBuffering()) throw invalid('item.content: audio is taken here while turn_detection is null')
    const decode = createInputDecoder(session.audio?.input?.format ?? pcmFormat)
    const frames = audio.flatMap((part) => decode(Buffer.from(part, 'base64')))
    pending.push({ kind: 'audio', itemId: id, frames })
    speech.awaitText(id)
  }

  const createItem = (given: RealtimeCreatedItem): void => {
    const id = given.id ?? newRealtimeId('item')
    if (items.get(id) !== undefined) throw invalid('item.id: an item with this id exists')
    if (given.type === 'function_call_output') {
      const results = turns.results()
      if (results?.has(given.call_id)) results.set(given.call_id, given.output)
    } else if (given.role === 'user') addUserItem(id, given.content)
    else if (given.role === 'assistant') {
      const text = given.content.map((part) => part.text ?? part.transcript ?? '').join('\n')
      if (text.trim() !== '') addMessage('agent', id, text)
    } else {
      contextText = [contextText, ...given.content.map(({ text }) => text)].filter(Boolean).join('\n')
      contextText = contextText.slice(-maxContextCharacters)
      sendContext()
    }
    const item = { ...given, id, object: 'realtime.item', status: 'completed' } as RealtimeItem
    items.add(item)
    items.done(item)
  }

  const createResponse = (given: Extract<RealtimeClientEvent, { type: 'response.create' }>['response'] = {}) => {
    const { metadata = null, instructions, output_modalities } = given
    turns.flushCalls()
    const current = turns.response()
    if (current !== undefined) {
      throw new ProtocolError(
        'conversation_already_has_active_response',
        `The response ${current.id} is in progress. Wait for response.done, or cancel it.`,
      )
    }
    if (output_modalities !== undefined && output_modalities[0] !== modalityOf(session)) {
      throw invalid('response.output_modalities: must be those of the session, which session.update sets')
    }
    if (instructions != null) sendContext(instructions)
    const last = pending.at(-1)
    const isLastOfUser = last?.kind === 'audio' || last?.role === 'user'
    const results = turns.results()
    if (results !== undefined && !isLastOfUser) {
      flushPending()
      turns.goOn(metadata)
      for (const [tool_call_id, output] of results) {
        const result = output ?? 'The client gave no result.'
        listener?.onEvent({ event: 'tool.result', tool_call_id, result, is_error: output === undefined })
      }
      return
    }
    const isFirst = !hasResponded && last === undefined && items.isEmpty() && !hasInstructions
    if (isLastOfUser) pending.pop()
    flushPending()
    turns.create(metadata)
    if (last?.kind === 'audio') {
      listener?.onEvent({ event: 'ptt.start' })
      for (const frame of last.frames) listener?.onAudio(frame)
      return listener?.onEvent({ event: 'ptt.commit' })
    }
    // What the user has said is answered once it is recognized.
    if (!isLastOfUser && speech.awaitsText()) return
    if (last !== undefined && isLastOfUser) listener?.onEvent({ event: 'text.send', id: last.id, text: last.text })
    else if (isFirst && agent.firstMessage !== null) {
      listener?.onEvent({ event: 'agent.say', id: randomUUID(), text: agent.firstMessage })
    } else conversation?.reply()
    turns.fail('user_is_speaking')
  }

  const cancelResponse = (): boolean => {
    const cancelled = turns.cancel()
    // An Agent that is not to be interrupted goes on.
    if (cancelled === 'interrupt') listener?.onEvent({ event: 'interrupt' })
    else if (cancelled === 'cancelled' && input.isBuffering()) listener?.onEvent({ event: 'ptt.cancel' })
    return cancelled !== 'none'
  }

  /** Throws for an event that is refused. */
  const read = (event: Exclude<RealtimeClientEvent, { type: 'session.update' }>) => {
    switch (event.type) {
      case 'input_audio_buffer.append':
        return input.append(Buffer.from(event.audio, 'base64'))
      case 'input_audio_buffer.commit': {
        const frames = input.commit()
        const itemId = newRealtimeId('item')
        pending.push({ kind: 'audio', itemId, frames })
        return speech.commit(itemId)
      }
      case 'input_audio_buffer.clear':
        input.clear()
        return emit('input_audio_buffer.cleared', {})
      case 'output_audio_buffer.clear':
        return void cancelResponse()
      case 'conversation.item.create':
        return createItem(event.item)
      case 'conversation.item.retrieve': {
        const item = items.get(event.item_id)
        if (item === undefined) throw invalid('item_id: there is no such item')
        return emit('conversation.item.retrieved', { item })
      }
      case 'conversation.item.delete': {
        const left = pending.filter(({ itemId }) => itemId !== event.item_id)
        if (left.length === pending.length) {
          throw invalid('item_id: only an item that waits for a response can be deleted')
        }
        pending = left
        speech.forget(event.item_id)
        return items.delete(event.item_id)
      }
      case 'conversation.item.truncate': {
        if (items.get(event.item_id) === undefined) throw invalid('item_id: there is no such item')
        // What was played is what was sent, so only a message in progress can be cut off.
        if (turns.response()?.message()?.id === event.item_id) cancelResponse()
        const { item_id, content_index, audio_end_ms } = event
        return emit('conversation.item.truncated', { item_id, content_index, audio_end_ms })
      }
      case 'response.create':
        return createResponse(event.response)
      case 'response.cancel':
        if (cancelResponse()) return
        throw new ProtocolError('response_cancel_not_active', 'There is no response in progress.')
    }
  }

  const inOrder = (work: () => void): void => {
    if (waiting === undefined) work()
    else waiting.push(work)
  }

  const onEvent = (event: RealtimeClientEvent) => {
    const refuseEvent = (error: unknown) => refuse(error, event.event_id ?? null)
    if (event.type !== 'session.update') {
      try {
        return read(event)
      } catch (error) {
        return refuseEvent(error)
      }
    }
    waiting = []
    void update(event.session)
      .catch(refuseEvent)
      .then(() => {
        const works = waiting ?? []
        waiting = undefined
        for (const work of works) inOrder(work)
      })
  }

  const reader = createClientEventReader({
    schema: realtimeClientEventSchema,
    limits: realtimeLimits,
    onEvent,
    onError(error, message) {
      const { event_id: eventId } = (message ?? {}) as { readonly event_id?: unknown }
      refuse(error, typeof eventId === 'string' ? eventId.slice(0, 512) : null)
    },
  })

  const appendBytes = (bytes: Uint8Array): void => {
    try {
      input.append(bytes)
    } catch (error) {
      refuse(error, null)
    }
  }

  use(initial)

  return {
    kind: inner.kind,
    connectTo(given) {
      conversation = given
      given.setUserTurns(userTurnsOf(session))
    },
    onAgentTurn(phase) {
      // A client stops its playback at `speech_started`, before the response ends.
      if (phase === 'interrupted' || phase === 'stopped') speech.release()
      turns.onTurn(phase)
      if (phase === 'finished') speech.releaseUnended()
    },
    used(usage) {
      turns.onUsage(usage)
      speech.recognized(usage.stt_seconds ?? 0)
    },
    listen(given) {
      listener = given
      inner.listen({
        ...given,
        onAudio: input.appendFrame,
        raw: {
          onMessage: (text) => inOrder(() => listener !== undefined && reader.read(text)),
          onBytes: (bytes) => inOrder(() => appendBytes(bytes)),
        },
      })
    },
    send,
    playFrame(frame) {
      if (hasTrack) inner.playFrame(frame)
      turns.onFrame(frame && (() => (hasTrack ? new Uint8Array() : encode(frame))))
    },
    close() {
      listener = undefined
      input.clear()
      return inner.close()
    },
  }
}
