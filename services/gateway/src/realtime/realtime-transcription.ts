/**
 * Sessions of OpenAI's Realtime protocol that recognize speech, as messages of `/v1/listen`.
 *
 * - The recognition begins with the first audio: until then a client may set the format, the model and the language.
 * - With turn detection each utterance is an item. Without it an item has all that was recognized between two commits.
 */
import {
  ignoredOfRealtimeSession,
  type ListenStart,
  mergeRealtimeSession,
  newRealtimeId,
  type RealtimeTranscriptionSession,
  realtimeTranscriptionEventSchema,
  realtimeUserItem,
  ServiceError,
  toServiceError,
  wordSeparator,
} from '@parlance/contracts'
import { openaiError } from '../http/error-response.js'
import { parseRequest } from '../http/parsed-request.js'
import { bytesPerMs, type ListenAction, type ListenDialect } from '../stream/listen-connection.js'

const eventOf = (type: string, fields: object) => ({ type, event_id: newRealtimeId('event'), ...fields })

/** `eventId` is that of the client's event that caused the error. */
const errorEvent = (error: ServiceError, eventId: string | null, code: string = error.code) =>
  eventOf('error', { error: { ...openaiError(error), code, event_id: eventId } })

const invalid = (detail: string) => new ServiceError('invalid_request', detail)

const pcm = { type: 'audio/pcm', rate: 24_000 } as const
const encodings = { 'audio/pcm': 'pcm_s16le', 'audio/pcmu': 'ulaw', 'audio/pcma': 'alaw' } as const
const minCommittedMs = 100

/** Names of OpenAI's models stand for the best of the language. */
const isOpenaiModel = (name: string): boolean => /^(whisper-\d|gpt-)/.test(name)

const startOf = ({ audio }: RealtimeTranscriptionSession): ListenStart => {
  const { format = pcm, transcription } = audio?.input ?? {}
  const { model, language } = transcription ?? {}
  return {
    event: 'start',
    encoding: encodings[format.type],
    sample_rate: format.type === 'audio/pcm' ? format.rate : 8_000,
    interim_results: false,
    words: false,
    ...(model !== undefined && !isOpenaiModel(model) && { model }),
    ...(language !== undefined && { language }),
  }
}

const detectsTurns = ({ audio }: RealtimeTranscriptionSession): boolean => audio?.input?.turn_detection !== null

/** The session as it is sent. `expiresAt` is in seconds since 1970. */
const resourceOf = ({ audio }: RealtimeTranscriptionSession, id: string, expiresAt: number) => {
  const { format = pcm, transcription, turn_detection = { type: 'server_vad' } } = audio?.input ?? {}
  const { model, language } = transcription ?? {}
  return {
    type: 'transcription',
    object: 'realtime.transcription_session',
    id,
    expires_at: expiresAt,
    include: null,
    audio: { input: { format, transcription: { model, language }, noise_reduction: null, turn_detection } },
  }
}

const completedEvents = (id: string, transcript: string, seconds: number) => {
  const type = 'conversation.item.input_audio_transcription'
  const where = { item_id: id, content_index: 0 }
  return [
    ...(transcript === '' ? [] : [eventOf(`${type}.delta`, { ...where, delta: transcript })]),
    eventOf(`${type}.completed`, { ...where, transcript, usage: { type: 'duration', seconds } }),
  ]
}

/** What was recognized without turn detection belongs to the next of these: an item, or a buffer that was cleared. */
type Mark = { readonly name: 'commit'; readonly id: string; readonly seconds: number } | { readonly name: 'clear' }

export const createRealtimeTranscription = (initial: RealtimeTranscriptionSession): ListenDialect => {
  const id = newRealtimeId('sess')
  let session = initial
  let expiresAt = 0
  let language = 'en'
  /** Undefined until the first audio. */
  let start: ListenStart | undefined
  let lastItemId: string | null = null
  /** The utterance in progress. */
  let speaking: string | undefined
  /** Utterances that have ended and whose text is awaited, oldest first. */
  const ended: string[] = []
  /** What was recognized since the last mark. */
  let texts: string[] = []
  const marks: Mark[] = []
  let bufferedMs = 0

  const sessionEvent = (type: 'session.created' | 'session.updated', given: RealtimeTranscriptionSession) => {
    const ignored = ignoredOfRealtimeSession(given)
    return eventOf(type, {
      session: resourceOf(session, id, expiresAt),
      ...(ignored.length > 0 && { x_parlance_ignored: ignored }),
    })
  }

  const commitItem = (itemId: string): object[] => {
    const item = realtimeUserItem(itemId, null)
    const previous_item_id = lastItemId
    lastItemId = itemId
    return [
      eventOf('input_audio_buffer.committed', { previous_item_id, item_id: itemId }),
      eventOf('conversation.item.added', { previous_item_id, item }),
      eventOf('conversation.item.done', { previous_item_id, item }),
    ]
  }

  const update = (given: RealtimeTranscriptionSession): object => {
    const merged = mergeRealtimeSession(session, given)
    if (start !== undefined && JSON.stringify(startOf(merged)) !== JSON.stringify(start)) {
      throw invalid('session.audio.input: the format, model and language cannot be changed once audio was sent')
    }
    session = merged
    return sessionEvent('session.updated', given)
  }

  const append = (data: Buffer): ListenAction[] => {
    const starting = start === undefined
    start ??= startOf(session)
    bufferedMs += data.length / bytesPerMs(start)
    return [...(starting ? [start] : []), { event: 'audio', data }]
  }

  const answers = (events: readonly object[]): ListenAction[] => events.map((message) => ({ event: 'answer', message }))

  const commit = (eventId: string | null): ListenAction[] => {
    if (detectsTurns(session)) {
      throw invalid('type: the server commits the audio while turn_detection is not null')
    }
    if (bufferedMs < minCommittedMs) {
      const error = invalid('The buffer has less than 100 ms of audio.')
      return answers([errorEvent(error, eventId, 'input_audio_buffer_commit_empty')])
    }
    const itemId = newRealtimeId('item')
    marks.push({ name: 'commit', id: itemId, seconds: bufferedMs / 1_000 })
    bufferedMs = 0
    return [...answers(commitItem(itemId)), { event: 'finalize' }]
  }

  const readEvent = (message: unknown): readonly ListenAction[] => {
    const event = parseRequest(realtimeTranscriptionEventSchema, message)
    switch (event.type) {
      case 'session.update':
        return answers([update(event.session)])
      case 'input_audio_buffer.append':
        return append(Buffer.from(event.audio, 'base64'))
      case 'input_audio_buffer.commit':
        return commit(event.event_id ?? null)
      case 'input_audio_buffer.clear': {
        const cleared = answers([eventOf('input_audio_buffer.cleared', {})])
        if (detectsTurns(session) || start === undefined) return cleared
        marks.push({ name: 'clear' })
        bufferedMs = 0
        return [...cleared, { event: 'finalize' }]
      }
    }
  }

  return {
    finalized: true,
    read(message) {
      try {
        return readEvent(message)
      } catch (error) {
        const { event_id: eventId } = (message ?? {}) as { readonly event_id?: unknown }
        return answers([errorEvent(toServiceError(error), typeof eventId === 'string' ? eventId.slice(0, 512) : null)])
      }
    },
    write(message) {
      switch (message.event) {
        case 'ready':
          expiresAt = Math.floor(Date.parse(message.expires_at) / 1_000)
          return [sessionEvent('session.created', session)]
        case 'started':
          language = message.language
          return []
        case 'speech': {
          const { at_ms: atMs = 0 } = message
          if (message.started) {
            if (!detectsTurns(session)) return []
            speaking = newRealtimeId('item')
            return [eventOf('input_audio_buffer.speech_started', { audio_start_ms: atMs, item_id: speaking })]
          }
          const itemId = speaking
          if (itemId === undefined) return []
          speaking = undefined
          ended.push(itemId)
          const stopped = eventOf('input_audio_buffer.speech_stopped', { audio_end_ms: atMs, item_id: itemId })
          return [stopped, ...commitItem(itemId)]
        }
        case 'transcript': {
          const { text, start_ms, end_ms } = message
          const itemId = ended.shift()
          if (itemId !== undefined) return completedEvents(itemId, text, (end_ms - start_ms) / 1_000)
          texts.push(text)
          return []
        }
        case 'finalized': {
          const mark = marks.shift()
          const transcript = texts.filter((text) => text !== '').join(wordSeparator(language))
          texts = []
          return mark?.name === 'commit' ? completedEvents(mark.id, transcript, mark.seconds) : []
        }
        case 'error':
          return [errorEvent(new ServiceError(message.code, message.detail), null)]
        case 'done':
        case 'draining':
          return []
      }
    },
  }
}
