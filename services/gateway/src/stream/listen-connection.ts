/**
 * One client's audio: passes it to a recognizer, and the recognizer's texts to the client.
 *
 * States: `idle` until `start`, `listening`, `ending` after `close` or without credit, until the last texts were sent, and `over`.
 * An invalid message is answered with an `error` and changes nothing.
 */
import { createQueue } from '@parlance/async'
import type { Client } from '@parlance/bus'
import {
  errorBody,
  type ListenClientMessage,
  type ListenInput,
  type ListenOutput,
  type ListenServerMessage,
  type ListenStart,
  listenClientMessageSchema,
  listenLimits,
  maxFilePartBytes,
  ServiceError,
  toServiceError,
  type transcriptionContract,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { RawData } from 'ws'
import { parseRequest } from '../http/parsed-request.js'
import { createListeningBill, type OpenTranscriptionBill } from '../transcription/transcription-billing.js'
import { goingAway, streamCloseCodeOf } from '../websocket/close-codes.js'
import { createMessageLimit } from '../websocket/message-rate.js'
import { createOutboundQueue } from '../websocket/outbound-queue.js'
import type { StreamPayer } from './stream-admission.js'
import { parseJson, readyMessage } from './stream-message.js'
import { createStreamTimeouts } from './stream-timeouts.js'
import type { AdmittedStream, StreamConnection } from './stream-upgrade.js'

interface ListenConnectionOptions extends AdmittedStream<StreamPayer> {
  readonly transcription: Pick<Client<typeof transcriptionContract>, 'listen'>
  readonly openTranscriptionBill: OpenTranscriptionBill
  readonly logger: Logger
  /** By default our own protocol. */
  readonly dialect?: ListenDialect
}

/** What a client's message means: a message of ours, audio, or an answer that is sent at once. */
export type ListenAction =
  | ListenClientMessage
  | { readonly event: 'audio'; readonly data: Buffer }
  | { readonly event: 'answer'; readonly message: object }

/**
 * The form of the messages of one connection. `read` and `write` translate between the messages of our own protocol and those of
 * another, in the order of the messages.
 */
export interface ListenDialect {
  /** The `start` of a protocol that has no such message: it is known from the address. */
  readonly start?: ListenStart
  /** Whether `write` is called with `finalized`. */
  readonly finalized?: true
  /** Whether any error ends the connection. By default a client may send `start` again, and what else was invalid. */
  readonly endsWithError?: true
  /** What the JSON of a client's message means. Throws `ServiceError`. */
  read(message: unknown): readonly ListenAction[]
  /** What is sent for a message of ours. */
  write(message: ListenDialectMessage): readonly object[]
  /** Called with all audio of the client. */
  onAudio?(data: Uint8Array): void
  /** What is sent for a close code of ours, where it is another. */
  closeCode?(code: number): number
}

/** A message of ours; `speech` with its time, which our own clients do not get. */
type ListenDialectMessage =
  | Exclude<ListenServerMessage, { event: 'speech' }>
  | Extract<ListenOutput, { event: 'speech' | 'finalized' }>

const native: ListenDialect = {
  read: (message) => [parseRequest(listenClientMessageSchema, message)],
  write: (message) => [message.event === 'speech' ? { event: 'speech', started: message.started } : message],
}

/** How long a connection waits for its `start` when the server stops. */
const startWithinMs = 5_000

const invalid = (detail: string) => new ServiceError('invalid_request', detail)

export const bytesPerMs = ({ encoding, sample_rate }: Pick<ListenStart, 'encoding' | 'sample_rate'>): number =>
  ((encoding === 'pcm_s16le' ? 2 : 1) * sample_rate) / 1000

interface Recognizing {
  /** Gives audio and `finalize` to the recognizer. Throws when too much audio waits. */
  take(input: ListenInput): void
  /** The audio is complete. */
  end(): void
  /** Stops at once. What the recognizer was sent is charged. */
  abandon(): void
}

export const openListenConnection = (options: ListenConnectionOptions): StreamConnection => {
  const { socket, rawSocket, grant, requestId, query, logger, dialect = native } = options
  const { inactivity_timeout: inactivityTimeoutSeconds } = query
  const outbound = createOutboundQueue<object>(socket, rawSocket)
  const countMessage = createMessageLimit(listenLimits.messages_per_second)
  const begunMs = performance.now()
  const context = { requestId }
  let state: 'idle' | 'listening' | 'ending' | 'over' = 'idle'
  let recognizing: Recognizing | undefined

  const send = (message: ListenDialectMessage): void => {
    for (const each of dialect.write(message)) outbound.send(each)
  }

  const sendError = (error: ServiceError): void => {
    if (error.cause !== undefined) logger.error({ requestId, err: error }, 'A stream failed')
    send(errorBody(error, requestId))
  }

  const close = (code: number, reason: string): void => {
    state = 'over'
    recognizing?.abandon()
    outbound.close(dialect.closeCode?.(code) ?? code, reason)
  }

  const fail = (error: ServiceError): void => {
    sendError(error)
    close(streamCloseCodeOf(error), error.code)
  }

  const recognize = (start: ListenStart): Recognizing => {
    const input = createQueue<ListenInput>()
    const over = new AbortController()
    const bill = createListeningBill(options.openTranscriptionBill, { principal: grant, context })
    const perMs = bytesPerMs(start)
    let receivedBytes = 0
    let sentBytes = 0
    let deliveredMs = 0
    let hasStarted = false
    let creditError: ServiceError | undefined

    const pass = (chunk: ListenOutput) => {
      if (chunk.event === 'started') {
        hasStarted = true
        return send({ event: 'started', model: chunk.recognizer, language: chunk.language })
      }
      if (chunk.event === 'speech' || chunk.event === 'finalized') return send(chunk)
      if (chunk.final) deliveredMs = chunk.end_ms
      if (!chunk.final && !start.interim_results) return
      const { words, ...transcript } = chunk
      send(start.words && words !== undefined ? chunk : transcript)
    }
    const call = options.transcription.listen(
      {
        workspace_id: grant.workspace_id,
        recognizer: start.model ?? null,
        language: start.language ?? null,
        encoding: start.encoding,
        sample_rate: start.sample_rate,
        finalized: dialect.finalized,
      },
      pass,
      { context },
    )

    /** Sends nothing to the recognizer before credit for it is reserved. */
    const pump = async (): Promise<void> => {
      for (let next = await input.take(over.signal); next !== undefined; next = await input.take(over.signal)) {
        if (next.kind === 'audio') {
          await bill.cover((sentBytes + next.data.length) / perMs)
          if (over.signal.aborted) return
          sentBytes += next.data.length
        }
        await call.send(next)
        if (over.signal.aborted) return
      }
    }
    pump()
      .catch((error: unknown) => {
        if (over.signal.aborted) return
        creditError = toServiceError(error)
        state = 'ending'
      })
      .finally(() => call.end())

    call.ended.then(
      () => {
        if (over.signal.aborted) return
        over.abort()
        const audio_seconds_billed = bill.settle(sentBytes / perMs)
        if (creditError !== undefined) return fail(creditError)
        if (state !== 'ending') return fail(new ServiceError('upstream_error', 'The recognition ended. Try again.'))
        send({ event: 'done', audio_seconds_billed })
        close(1000, 'closed by the client')
      },
      (thrown: unknown) => {
        if (over.signal.aborted) return
        over.abort()
        const error = toServiceError(thrown)
        bill.settle(error.status < 500 ? sentBytes / perMs : deliveredMs)
        if (hasStarted || error.status >= 500 || dialect.start || dialect.endsWithError) return fail(error)
        recognizing = undefined
        state = 'idle'
        sendError(error)
      },
    )

    return {
      take(next) {
        if (next.kind === 'audio') {
          receivedBytes += next.data.length
          if ((receivedBytes - sentBytes) / perMs > listenLimits.buffered_seconds * 1000) {
            throw new ServiceError(
              'rate_limited',
              `At most ${listenLimits.buffered_seconds} s of audio may wait to be recognized.`,
            )
          }
        }
        input.push(next)
      },
      end: () => input.end(),
      abandon() {
        if (over.signal.aborted) return
        over.abort()
        bill.settle(sentBytes / perMs)
        call.ended.catch(() => {})
        call.cancel(new Error('the connection is over'))
      },
    }
  }

  const listening = (): Recognizing => {
    if (state === 'listening' && recognizing !== undefined) return recognizing
    throw invalid(state === 'idle' ? 'Send start first.' : 'The audio has ended.')
  }

  const handle = (message: ListenAction) => {
    switch (message.event) {
      case 'keepalive':
        return
      case 'audio':
        return takeAudio(message.data)
      case 'answer':
        return outbound.send(message.message)
      case 'start':
        if (state !== 'idle') throw invalid('The recognition has been started.')
        state = 'listening'
        recognizing = recognize(message)
        return
      case 'finalize':
        return listening().take({ kind: 'finalize' })
      case 'close':
        if (state === 'idle') return close(1000, 'closed by the client')
        listening().end()
        state = 'ending'
    }
  }

  const takeAudio = (data: Buffer): void => {
    const { take } = listening()
    dialect.onAudio?.(data)
    for (let at = 0; at < data.length; at += maxFilePartBytes) {
      take({ kind: 'audio', data: data.subarray(at, at + maxFilePartBytes) })
    }
  }

  const onMessage = (data: RawData, isBinary: boolean): void => {
    if (state === 'over') return
    timeouts.active()
    try {
      countMessage()
      if (isBinary) takeAudio(data as Buffer)
      else for (const message of dialect.read(parseJson(data, isBinary))) handle(message)
    } catch (thrown) {
      const error = toServiceError(thrown)
      if (error.code === 'rate_limited' || dialect.endsWithError) fail(error)
      else sendError(error)
    }
  }

  const timeouts = createStreamTimeouts({ socket, inactivityTimeoutSeconds, isBusy: () => state === 'ending', close })
  socket.on('message', onMessage)
  socket.once('close', (code) => {
    state = 'over'
    recognizing?.abandon()
    const durationMs = Math.round(performance.now() - begunMs)
    logger.info({ requestId, workspaceId: grant.workspace_id, code, durationMs }, 'A stream closed')
  })

  send(readyMessage(listenLimits, requestId, inactivityTimeoutSeconds))

  if (dialect.start !== undefined) handle(dialect.start)

  return {
    drain(deadlineMs) {
      send({ event: 'draining', deadline_ms: deadlineMs })
      const closeNow = () => close(goingAway, 'draining')
      const closeUnused = () => {
        if (state === 'idle') closeNow()
      }
      setTimeout(closeUnused, Math.min(startWithinMs, deadlineMs)).unref()
      setTimeout(closeNow, deadlineMs).unref()
    },
    expel: fail,
  }
}
