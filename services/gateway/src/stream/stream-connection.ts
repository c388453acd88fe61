/**
 * One client's connection: reads its messages, and keeps its contexts apart.
 *
 * - What is wrong with a message is told in an `error` and changes nothing; it never closes the connection.
 * - A context is started once its voice is found. Messages for it that come meanwhile wait, in order.
 * - A connection that says nothing and is told nothing for its idle time ends, and so does one whose life is over.
 */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { resolveOutput } from '@parlance/audio'
import {
  errorBody,
  ServiceError,
  type StreamClientMessage,
  type StreamGrant,
  type StreamServerMessage,
  type StreamStart,
  type SynthesisRequest,
  streamClientMessageSchema,
  streamCloseCodes,
  streamLimits,
  toServiceError,
} from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'
import type { Logger } from '@parlance/telemetry'
import type { RawData, WebSocket } from 'ws'
import { parseRequest } from '../http/parsed-request.js'
import { createMessageRate } from '../websocket/message-rate.js'
import { createOutboundQueue } from '../websocket/outbound-queue.js'
import { streamedFormats } from './audio-frame.js'
import { openStreamContext, type SpeakPassage, type StreamContext } from './stream-context.js'

export interface StreamConnectionOptions {
  readonly socket: WebSocket
  /** What the socket writes to. */
  readonly wire: Duplex
  readonly grant: StreamGrant
  readonly requestId: string
  readonly inactivityTimeoutSeconds: number
  /** Resolves, with the language in which the voice speaks, when it can speak this. Rejects with what a `start` is answered. */
  readonly checkVoice: (request: SynthesisRequest) => Promise<string>
  readonly speakPassage: SpeakPassage
  readonly logger: Logger
  onFirstAudio(ttfaMs: number): void
  onContexts(change: 1 | -1): void
}

export interface StreamConnection {
  /** Takes no new contexts, and closes when those there are have ended, or after `deadlineMs`. */
  drain(deadlineMs: number): void
  /** Stops all speech at once, sends the error, and closes. */
  expel(error: ServiceError, closeCode: number): void
}

const beatMs = 15_000
const silentBeats = 2
const goingAway = 1001

export const openStreamConnection = (options: StreamConnectionOptions): StreamConnection => {
  const { socket, wire, grant, requestId, checkVoice, speakPassage, logger, onFirstAudio, onContexts } = options
  const outlet = createOutboundQueue<StreamServerMessage>(socket, wire)
  const contexts = new Map<string, StreamContext>()
  /** Contexts whose voice is being looked up, with the messages that wait for that. */
  const starting = new Map<string, StreamClientMessage[]>()
  const takeMessage = createMessageRate(streamLimits.messages_per_second)
  const begunMs = performance.now()
  let contextCount = 0
  let receivedCharacters = 0
  let draining = false
  let beatsMissed = 0
  let activeAtMs = begunMs
  let watch: NodeJS.Timeout | undefined

  const tell = (error: ServiceError, contextId?: string) => {
    if (error.cause !== undefined) logger.error({ requestId, err: error }, 'a stream failed')
    const { context_id, ...body } = { context_id: contextId, ...errorBody(error, requestId) }
    outlet.send({ ...body, ...(context_id !== undefined && { context_id }) })
  }

  const contextOf = (id: string): StreamContext => {
    const context = contexts.get(id)
    if (context === undefined) {
      throw new ServiceError('invalid_request', 'context_id: there is no such context now; send "start" first')
    }
    return context
  }

  const abandonAll = (): void => {
    for (const context of [...contexts.values()]) context.abandon()
  }

  const requestOf = (start: StreamStart): SynthesisRequest => {
    const voice = start.voice_id ?? grant.voice_id
    if (voice === null) throw new ServiceError('invalid_request', 'voice_id: is required')
    if (grant.voice_id !== null && voice !== grant.voice_id) {
      throw new ServiceError('invalid_request', 'voice_id: the token was minted for another voice')
    }
    if (!streamedFormats.has(start.output.format)) {
      const possible = [...streamedFormats].join(', ')
      throw new ServiceError(
        'unsupported_format',
        `output.format: streams are ${possible}; POST /v1/tts has the others`,
      )
    }
    return {
      workspace_id: grant.workspace_id,
      text: '',
      cuts: [],
      private: false,
      voice,
      variant: start.tts_variant ?? null,
      language: start.language ?? null,
      output: resolveOutput(start.output),
      speed: start.speed,
      volume: start.volume,
      alignment: [...new Set(['word' as const, ...start.alignment])],
    }
  }

  const start = (message: StreamStart): void => {
    const id = message.context_id
    if (draining) throw stopping()
    if (contexts.has(id) || starting.has(id))
      throw new ServiceError('context_exists', 'context_id: this context has not ended yet')
    if (contexts.size + starting.size >= streamLimits.contexts) {
      throw new ServiceError('too_many_contexts', `At most ${streamLimits.contexts} contexts at once on a connection.`)
    }
    const request = requestOf(message)
    const waiting: StreamClientMessage[] = []
    starting.set(id, waiting)
    checkVoice(request)
      .then((language) => {
        if (draining) throw stopping()
        starting.delete(id)
        if (socket.readyState !== socket.OPEN) return
        open(message, request, language)
        for (const next of waiting) dispatch(next, id)
      })
      .catch((error: unknown) => {
        starting.delete(id)
        if (socket.readyState !== socket.OPEN) return
        tell(toServiceError(error), id)
        onContextOver()
      })
  }

  const onContextOver = (): void => {
    activeAtMs = performance.now()
    watchTime()
    if (draining && contexts.size + starting.size === 0) setImmediate(() => outlet.close(goingAway, 'draining'))
  }

  const open = (message: StreamStart, request: SynthesisRequest, language: string): void => {
    const id = message.context_id
    const index = ++contextCount
    outlet.send({ event: 'started', context_id: id, context_index: index, output: request.output })
    onContexts(1)
    const context = openStreamContext({
      index,
      start: message,
      request,
      language,
      outlet,
      speakPassage,
      onFirstAudio,
      onError: (error) => tell(error, id),
      onEnd() {
        contexts.delete(id)
        onContexts(-1)
        onContextOver()
      },
    })
    contexts.set(id, context)
  }

  const addText = (id: string, text: string): void => {
    const context = contextOf(id)
    const characters = countCodePoints(text)
    const { max_characters: mostCharacters } = grant
    if (mostCharacters !== null && receivedCharacters + characters > mostCharacters) {
      throw new ServiceError('text_too_long', `text: the token allows ${mostCharacters} characters in all.`)
    }
    context.text(text)
    receivedCharacters += characters
  }

  const handle = (message: StreamClientMessage) => {
    const waiting = 'context_id' in message && message.event !== 'start' ? starting.get(message.context_id) : undefined
    if (waiting !== undefined) return void waiting.push(message)
    switch (message.event) {
      case 'start':
        return start(message)
      case 'text':
        return addText(message.context_id, message.text)
      case 'flush':
        return contextOf(message.context_id).flush(message.flush_id)
      case 'end':
        return contextOf(message.context_id).end()
      case 'cancel':
        return contextOf(message.context_id).cancel(message.played_ms)
      case 'keepalive':
        return
      case 'close':
        return outlet.close(1000, 'closed as asked for')
    }
  }

  const dispatch = (message: StreamClientMessage, contextId: string): void => {
    try {
      handle(message)
    } catch (error) {
      tell(toServiceError(error), contextId)
    }
  }

  const onMessage = (data: RawData, isBinary: boolean) => {
    activeAtMs = performance.now()
    if (!takeMessage(activeAtMs)) {
      tell(new ServiceError('rate_limited', `At most ${streamLimits.messages_per_second} messages a second.`))
      return outlet.close(streamCloseCodes.rateLimited, 'too many messages')
    }
    let contextId: string | undefined
    try {
      if (isBinary) throw new ServiceError('invalid_request', 'Messages are JSON in text frames.')
      const value = parseJson(data)
      contextId = contextIdIn(value)
      const message = parseRequest(streamClientMessageSchema, value)
      if ('context_id' in message) contextId = message.context_id
      handle(message)
    } catch (error) {
      tell(toServiceError(error), contextId)
    }
  }

  /** Looks again when its time can be up, and no sooner: it is one of many. */
  const watchTime = () => {
    clearTimeout(watch)
    const nowMs = performance.now()
    const { inactivityTimeoutSeconds } = options
    const lifeLeftMs = begunMs + streamLimits.life_seconds * 1000 - nowMs
    const idleLeftMs =
      contexts.size + starting.size > 0 ? lifeLeftMs : activeAtMs + inactivityTimeoutSeconds * 1000 - nowMs
    if (lifeLeftMs <= 0) return outlet.close(1000, 'its life is over')
    if (idleLeftMs <= 0) {
      return outlet.close(streamCloseCodes.timedOut, `nothing was sent for ${inactivityTimeoutSeconds} s`)
    }
    watch = setTimeout(watchTime, Math.ceil(Math.min(lifeLeftMs, idleLeftMs)))
  }
  watchTime()
  const pings = setInterval(() => {
    if (beatsMissed >= silentBeats) return outlet.close(streamCloseCodes.timedOut, 'no sign of life')
    beatsMissed += 1
    socket.ping()
  }, beatMs)

  socket.on('message', onMessage)
  socket.on('pong', () => {
    beatsMissed = 0
  })
  socket.once('close', (code) => {
    abandonAll()
    clearTimeout(watch)
    clearInterval(pings)
    const { workspace_id: workspaceId } = grant
    const durationMs = Math.round(performance.now() - begunMs)
    logger.info({ requestId, workspaceId, code, count: contextCount, durationMs }, 'stream closed')
  })

  outlet.send({
    event: 'ready',
    connection_id: randomUUID(),
    request_id: requestId,
    expires_at: new Date(Date.now() + streamLimits.life_seconds * 1000).toISOString(),
    limits: { ...streamLimits, inactivity_timeout_seconds: options.inactivityTimeoutSeconds },
  })

  return {
    drain(deadlineMs) {
      draining = true
      outlet.send({ event: 'draining', deadline_ms: deadlineMs })
      if (contexts.size + starting.size === 0) return outlet.close(goingAway, 'draining')
      setTimeout(() => outlet.close(goingAway, 'draining'), deadlineMs).unref()
    },
    expel(error, closeCode) {
      draining = true
      abandonAll()
      tell(error)
      outlet.close(closeCode, error.code)
    },
  }
}

const stopping = () => new ServiceError('draining', 'This server is about to stop. Connect again.')

const parseJson = (data: RawData): unknown => {
  try {
    return JSON.parse(String(data))
  } catch {
    throw new ServiceError('invalid_json', 'The message is not valid JSON.')
  }
}

/** Which context a message is about, as far as that can be told of one that is not valid. */
const contextIdIn = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { context_id?: unknown }).context_id : undefined
  return typeof id === 'string' && id.length <= streamLimits.context_id_characters ? id : undefined
}
