/**
 * Speech over a WebSocket, made while its text is being written.
 *
 * - The text is read no faster than it can be spoken, and the socket is paused while its reader is slow.
 * - A connection that fails before the first audio is replaced, and the text is sent again. Later it is an error, since audio
 *   would be played twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { components } from './openapi.js'
import { baseOf, errorOfResponse, ParlanceError, type RequestOptions, type Requests, retryDelayMs } from './request.js'

type Schemas = components['schemas']

export type SpeechText = string | Iterable<string> | AsyncIterable<string>

export interface SpeechOptions
  extends RequestOptions,
    Omit<Schemas['StreamStart'], 'event' | 'context_id' | 'audio_frames' | 'voice_id'> {
  readonly voice_id: string
}

export interface SpeechAudio {
  readonly event: 'audio'
  /** Counts from 0. */
  readonly seq: number
  /** When it begins, in ms from the first sample of the speech. */
  readonly start_ms: number
  readonly data: Uint8Array
}

export type SpeechStarted = Schemas['StreamStarted']
export type SpeechAlignment = Schemas['StreamAlignment']
export type SpeechDone = Schemas['StreamDone']
export type SpeechCancelled = Schemas['StreamCancelled']
/** `started` comes first. The last one is `done`, or `cancelled` after `cancel()`. */
export type SpeechEvent = SpeechStarted | SpeechAudio | SpeechAlignment | SpeechDone | SpeechCancelled

/** Speech as it is made. It begins when it is iterated, which is possible once; to leave the loop early stops it. */
export interface SpeechStream extends AsyncIterable<SpeechEvent> {
  /** The audio alone. */
  audio(): AsyncIterable<Uint8Array>
  /**
   * Stops the speech. `playedMs` is how much of the audio was played; the default is what can have been played by now. Resolves
   * with the text that was spoken and the text that was not; undefined when the speech is over, or has not begun.
   */
  cancel(playedMs?: number): Promise<SpeechCancelled | undefined>
}

const contextId = 'default'
const headerBytes = 12
/** Reading stops above the first and begins again below the second: 5 s and 2 s of 24 kHz. */
const maxUnreadBytes = 256 * 1024
const fewUnreadBytes = 96 * 1024
/** The server closes connections with more than 200 messages per second. Parts that come faster are joined. */
const sendEveryMs = 10
/** Text beyond this waits until the text before it was spoken. The server refuses more than 8,000 characters. */
const maxWaitingCharacters = 6_000
const flushAfterCharacters = 2_000

/** The parts of a text. They are kept until the first audio, for a second connection. */
const createSource = (text: SpeechText) => {
  const iterator =
    typeof text === 'string'
      ? [text][Symbol.iterator]()
      : Symbol.asyncIterator in text
        ? text[Symbol.asyncIterator]()
        : text[Symbol.iterator]()
  const source = {
    parts: [] as string[],
    ended: false,
    /** Resolves when there is one part more, or the text has ended. Rejects as the iterator does. */
    more: (): Promise<void> => {
      reading ??= Promise.resolve(iterator.next()).then(({ done, value }) => {
        reading = undefined
        if (done) source.ended = true
        else if (value !== '') source.parts.push(value)
      })
      return reading
    },
    stop: () => void Promise.resolve(iterator.return?.()).catch(() => {}),
  }
  let reading: Promise<void> | undefined
  return source
}
type Source = ReturnType<typeof createSource>

/** Where the last sentence ends in a text that follows the character `before`; undefined where none ends. */
const sentenceEndOf = (before: string, text: string): number | undefined => {
  const last = [...(before + text).matchAll(/[.!?…]["'”’)\]]?\s|[。！？\n]/g)].at(-1)
  return last && last.index + last[0].length - before.length
}

const createConnection = (socket: WebSocket, source: Source, { signal, ...start }: SpeechOptions) => {
  const events: SpeechEvent[] = []
  let unreadBytes = 0
  let failure: unknown
  let isOver = false
  let wake = () => {}
  /** Characters that were sent, and those that are known to be spoken. */
  let sent = 0
  let flushed = 0
  let spoken = 0
  let spokenChanged = () => {}
  let lastCharacter = ''
  let isCancelled = false
  let cancelled = (_event: SpeechCancelled | undefined) => {}

  const send = (message: object) => socket.send(JSON.stringify(message))
  const finish = () => {
    isOver = true
    cancelled(undefined)
    spokenChanged()
    wake()
  }
  const fail = (error: unknown) => {
    if (isOver) return
    failure = error
    finish()
  }
  const add = (event: SpeechEvent) => {
    events.push(event)
    if (event.event === 'audio') unreadBytes += event.data.length
    if (unreadBytes > maxUnreadBytes) socket.pause()
    if (event.event === 'done' || event.event === 'cancelled') finish()
    wake()
  }

  /** Resolves when so little text waits to be spoken that the server accepts more. */
  const roomForText = async () => {
    while (sent - spoken >= maxWaitingCharacters && !isOver) {
      await new Promise<void>((resolve) => {
        spokenChanged = resolve
      })
    }
  }

  /**
   * Sends the beginning of the text, and returns the rest. Now and then a sentence is flushed: the answer to it shows how much
   * was spoken.
   */
  const sendBeginning = (text: string): string => {
    let length = Math.min(text.length, flushAfterCharacters)
    // Not between the halves of a character.
    if (/[\ud800-\udbff]/.test(text[length - 1] ?? '') && length > 1) length -= 1
    const unflushed = sent + length - flushed
    const sentenceEnd =
      unflushed < flushAfterCharacters ? undefined : sentenceEndOf(lastCharacter, text.slice(0, length))
    const isFlushed = sentenceEnd !== undefined || unflushed >= 2 * flushAfterCharacters
    const part = text.slice(0, sentenceEnd ?? length)
    if (part !== '') send({ event: 'text', context_id: contextId, text: part })
    sent += part.length
    lastCharacter = part.at(-1) ?? lastCharacter
    if (isFlushed) {
      flushed = sent
      send({ event: 'flush', context_id: contextId, flush_id: String(sent) })
    }
    return text.slice(part.length)
  }

  /** Reads parts until the next message may be sent, or they are long enough for one. */
  const collectParts = async (at: number, sentAtMs: number) => {
    const untilMs = sentAtMs + sendEveryMs
    const length = () => source.parts.slice(at).reduce((sum, part) => sum + part.length, 0)
    while (!source.ended && !isOver && length() < flushAfterCharacters && performance.now() < untilMs) {
      await Promise.race([source.more(), sleep(untilMs - performance.now())])
    }
  }

  const sendText = async () => {
    let sentAtMs = 0
    for (let at = 0; !isOver; ) {
      if (at === source.parts.length && !source.ended) await source.more()
      await collectParts(at, sentAtMs)
      if (at === source.parts.length) return send({ event: 'end', context_id: contextId })
      let text = source.parts.slice(at).join('')
      at = source.parts.length
      while (text !== '' && !isOver) {
        await roomForText()
        if (isOver) return
        text = sendBeginning(text)
        sentAtMs = performance.now()
        if (text !== '') await sleep(sendEveryMs)
      }
    }
  }

  const receive = (message: { event: string } & Record<string, unknown>) => {
    switch (message.event) {
      case 'ready':
        send({ event: 'start', context_id: contextId, audio_frames: 'binary', ...start })
        // An error of the iterator is thrown to the reader of the speech.
        sendText().catch(fail)
        return
      case 'flushed':
        spoken = Number(message.flush_id)
        return spokenChanged()
      case 'started':
      case 'alignment':
      case 'done':
        return add(message as unknown as SpeechEvent)
      case 'cancelled':
        cancelled(message as unknown as SpeechCancelled)
        return add(message as unknown as SpeechEvent)
      case 'error': {
        const { code, detail, retryable, request_id } = message as unknown as Schemas['StreamError']
        return fail(new ParlanceError({ code, detail, retryable, requestId: request_id }))
      }
    }
  }

  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return receive(JSON.parse(data.toString()))
    if (isCancelled) return
    const seq = data.readUInt32BE(4)
    add({ event: 'audio', seq, start_ms: data.readUInt32BE(8), data: new Uint8Array(data.subarray(headerBytes)) })
  })
  socket.on('unexpected-response', (_request, response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      fail(errorOfResponse(response.statusCode ?? 0, text, response.headers['retry-after']))
    })
  })
  const lost = (detail: string, cause?: unknown) =>
    fail(new ParlanceError({ code: 'connection_failed', detail, retryable: true, cause }))
  socket.on('error', (error) => lost('The connection failed.', error))
  socket.on('close', (code, reason) => lost(`The connection was closed with ${code} ${reason}.`))
  const abort = () => fail(signal?.reason)
  signal?.addEventListener('abort', abort)

  return {
    /** Resolves with undefined after the last event. Rejects when the speech failed. */
    async next(): Promise<SpeechEvent | undefined> {
      while (events.length === 0) {
        if (failure !== undefined) throw failure
        if (isOver) return undefined
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const event = events.shift() as SpeechEvent
      if (event.event === 'audio') unreadBytes -= event.data.length
      if (socket.isPaused && unreadBytes < fewUnreadBytes) socket.resume()
      return event
    },
    cancel(playedMs: number | undefined): Promise<SpeechCancelled | undefined> {
      if (isOver) return Promise.resolve(undefined)
      isCancelled = true
      events.splice(0)
      unreadBytes = 0
      return new Promise((resolve) => {
        cancelled = resolve
        if (socket.readyState !== WebSocket.OPEN) return finish()
        socket.resume()
        send({ event: 'cancel', context_id: contextId, ...(playedMs !== undefined && { played_ms: playedMs }) })
      })
    },
    close(): void {
      signal?.removeEventListener('abort', abort)
      finish()
      socket.resume()
      socket.close()
    },
  }
}
type Connection = ReturnType<typeof createConnection>

export const createSpeechStream = (
  url: string,
  { maxRetries, sendJson }: Requests,
  text: SpeechText,
  options: SpeechOptions,
): SpeechStream => {
  const { voice_id, signal } = options
  const source = createSource(text)
  let connection: Connection | undefined
  let isStarted = false
  let isCancelled = false

  const connect = async (): Promise<Connection> => {
    const { token } = await sendJson<Schemas['StreamToken']>(
      'POST',
      '/v1/tts/stream-tokens',
      { body: { voice_id } },
      { signal },
    )
    const socket = new WebSocket(`${baseOf(url).replace(/^http/, 'ws')}/v1/tts/stream`, 'awp.tts.v1', {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    })
    return createConnection(socket, source, options)
  }

  async function* run(): AsyncGenerator<SpeechEvent> {
    let hasStarted = false
    let hasAudio = false
    for (let retries = 0; ; retries += 1) {
      signal?.throwIfAborted()
      connection = await connect()
      try {
        if (isCancelled) return
        for (let event = await connection.next(); event !== undefined; event = await connection.next()) {
          hasAudio ||= event.event === 'audio'
          if (event.event !== 'started' || !hasStarted) yield event
          hasStarted ||= event.event === 'started'
        }
        return
      } catch (error) {
        const canRetry =
          error instanceof ParlanceError && error.retryable && !hasAudio && !isCancelled && retries < maxRetries
        if (!canRetry || signal?.aborted) throw error
        connection.close()
        await sleep(retryDelayMs(error, retries), undefined, signal && { signal })
      } finally {
        connection.close()
      }
    }
  }

  async function* speak(): AsyncGenerator<SpeechEvent> {
    if (isStarted) throw new TypeError('A speech can be iterated once.')
    isStarted = true
    try {
      yield* run()
    } finally {
      connection = undefined
      source.stop()
    }
  }

  return {
    [Symbol.asyncIterator]: speak,
    async *audio() {
      for await (const event of speak()) if (event.event === 'audio') yield event.data
    },
    async cancel(playedMs) {
      isCancelled = true
      return connection?.cancel(playedMs)
    },
  }
}
