/**
 * One client's connection: reads its messages, and keeps its contexts apart.
 *
 * - A message that is wrong is answered by an `error` and changes nothing; it never closes the connection.
 * - A context is started once its voice is found. Messages for it that come meanwhile wait, in order.
 * - A connection on which nothing is sent for its idle time is closed, and so is one at the end of its life.
 */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
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
import { type SpeakBatch, StreamContext } from './stream-context.js'
import { streamRequest } from './stream-request.js'

export interface StreamConnectionOptions {
  readonly socket: WebSocket
  /** What the socket writes to. */
  readonly rawSocket: Duplex
  readonly grant: StreamGrant
  readonly requestId: string
  readonly inactivityTimeoutSeconds: number
  /** Resolves, with the language in which the voice speaks, when it can speak this. Rejects with what a `start` is answered. */
  readonly checkVoice: (request: SynthesisRequest) => Promise<string>
  readonly speakBatch: SpeakBatch
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
  const { socket, rawSocket, grant, requestId, checkVoice, speakBatch, logger, onFirstAudio, onContexts } = options
  const outbound = createOutboundQueue<StreamServerMessage>(socket, rawSocket)
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

  const sendError = (error: ServiceError, contextId?: string) => {
    if (error.cause !== undefined) logger.error({ requestId, err: error }, 'a stream failed')
    const { context_id, ...body } = { context_id: contextId, ...errorBody(error, requestId) }
    outbound.send({ ...body, ...(context_id !== undefined && { context_id }) })
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

  const start = (message: StreamStart): void => {
    const id = message.context_id
    if (draining) throw stopping()
    if (contexts.has(id) || starting.has(id))
      throw new ServiceError('context_exists', 'context_id: this context has not ended yet')
    if (contexts.size + starting.size >= streamLimits.contexts) {
      throw new ServiceError('too_many_contexts', `At most ${streamLimits.contexts} contexts at once on a connection.`)
    }
    const request = streamRequest(grant, message)
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
        sendError(toServiceError(error), id)
        onContextOver()
      })
  }

  const onContextOver = (): void => {
    activeAtMs = performance.now()
    watchTime()
    if (draining && contexts.size + starting.size === 0) setImmediate(() => outbound.close(goingAway, 'draining'))
  }

  const open = (message: StreamStart, request: SynthesisRequest, language: string): void => {
    const id = message.context_id
    const index = ++contextCount
    outbound.send({ event: 'started', context_id: id, context_index: index, output: request.output })
    onContexts(1)
    const context = new StreamContext({
      index,
      start: message,
      request,
      language,
      outbound,
      speakBatch,
      onFirstAudio,
      onError: (error) => sendError(error, id),
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
    const { max_characters: maxCharacters } = grant
    if (maxCharacters !== null && receivedCharacters + characters > maxCharacters) {
      throw new ServiceError('text_too_long', `text: the token allows ${maxCharacters} characters in all.`)
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
        return outbound.close(1000, 'closed as asked for')
    }
  }

  const dispatch = (message: StreamClientMessage, contextId: string): void => {
    try {
      handle(message)
    } catch (error) {
      sendError(toServiceError(error), contextId)
    }
  }

  const onMessage = (data: RawData, isBinary: boolean) => {
    activeAtMs = performance.now()
    if (!takeMessage(activeAtMs)) {
      sendError(new ServiceError('rate_limited', `At most ${streamLimits.messages_per_second} messages a second.`))
      return outbound.close(streamCloseCodes.rateLimited, 'too many messages')
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
      sendError(toServiceError(error), contextId)
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
    if (lifeLeftMs <= 0) return outbound.close(1000, 'its life is over')
    if (idleLeftMs <= 0) {
      return outbound.close(streamCloseCodes.timedOut, `nothing was sent for ${inactivityTimeoutSeconds} s`)
    }
    watch = setTimeout(watchTime, Math.ceil(Math.min(lifeLeftMs, idleLeftMs)))
  }
  watchTime()
  const pings = setInterval(() => {
    if (beatsMissed >= silentBeats) return outbound.close(streamCloseCodes.timedOut, 'no sign of life')
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

  outbound.send({
    event: 'ready',
    connection_id: randomUUID(),
    request_id: requestId,
    expires_at: new Date(Date.now() + streamLimits.life_seconds * 1000).toISOString(),
    limits: { ...streamLimits, inactivity_timeout_seconds: options.inactivityTimeoutSeconds },
  })

  return {
    drain(deadlineMs) {
      draining = true
      outbound.send({ event: 'draining', deadline_ms: deadlineMs })
      if (contexts.size + starting.size === 0) return outbound.close(goingAway, 'draining')
      setTimeout(() => outbound.close(goingAway, 'draining'), deadlineMs).unref()
    },
    expel(error, closeCode) {
      draining = true
      abandonAll()
      sendError(error)
      outbound.close(closeCode, error.code)
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

/** The context that a message names, if it names one; the message may be invalid. */
const contextIdIn = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { context_id?: unknown }).context_id : undefined
  return typeof id === 'string' && id.length <= streamLimits.context_id_characters ? id : undefined
}
