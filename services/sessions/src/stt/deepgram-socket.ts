/**
 * One utterance over a socket of its own to Deepgram's `/v1/listen`.
 *
 * - At its end `Finalize` makes the server tell at once what it understood, and `CloseStream` makes it say that there is no
 *   more, since a `Finalize` of little audio is not always answered. Whichever is answered first ends the utterance.
 * - Where nobody speaks, `KeepAlive` goes instead of audio: the server closes a socket that is silent for ten seconds.
 * - What is received is bounded, as what is sent is by the longest utterance. What cannot be understood ends the socket.
 */
import { WebSocket } from 'ws'
import { type DeepgramMessage, failureOfClose, failureOfUpgrade, parseDeepgramMessage } from './deepgram-message.js'
import { createDeepgramTranscript } from './deepgram-transcript.js'
import { createGatheredSamples } from './gathered-samples.js'
import { RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import type { HeardUtterance } from './utterance.js'

export interface DeepgramSocketOptions {
  /** With all its parameters. */
  readonly url: URL
  readonly apiKey: string
  /** Between two stretches of text. */
  readonly space: string
  readonly connectTimeoutMs: number
  readonly keepAliveMs: number
}

export interface DeepgramSocket {
  /** Hears the utterance. Called once, as soon as there is a socket. */
  begin(onText: (text: string) => void): HeardUtterance<void>
}

/** A message for each 60 ms: fewer take less of the event loop, and the end of an utterance waits for none. */
const samplesPerMessage = 960
const maxMessageBytes = 256 * 1024
/** Two minutes are told of with a tenth of it, each word with its times, and again and again. */
const maxReceivedBytes = 32 * 1024 * 1024
const closedNormally = 1000

/** Whoever is told what comes and how it ends: first the one that opens the socket, then the utterance. */
interface Listener {
  onMessage(message: DeepgramMessage): void
  onEnd(failure: RecognitionFailure, code: number): void
}

/** Resolves when the socket is open. An abort ends it, whenever that comes. Rejects with `RecognitionFailure`, or as aborted. */
export const openDeepgramSocket = (options: DeepgramSocketOptions, signal: AbortSignal): Promise<DeepgramSocket> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = new WebSocket(options.url, {
      headers: { authorization: `Token ${options.apiKey}` },
      followRedirects: false,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
    })
    let listener: Listener = { onMessage: () => {}, onEnd: reject }
    /** What is noticed first is why it ends. */
    let failure: RecognitionFailure | undefined
    let receivedBytes = 0

    const lose = (why: RecognitionFailure) => {
      failure ??= why
      socket.terminate()
    }
    const late = () => lose(new RecognitionFailure('upstream_timeout', 'the server did not open a socket in time'))
    const timer = setTimeout(late, options.connectTimeoutMs)
    const abandon = () => {
      reject(signal.reason)
      socket.terminate()
    }
    signal.addEventListener('abort', abandon, { once: true })

    const receive = (data: Buffer, isBinary: boolean) => {
      receivedBytes += data.length
      if (receivedBytes > maxReceivedBytes) throw new RecognitionFailure('upstream_error', 'messages without an end')
      if (isBinary) throw new RecognitionFailure('upstream_error', 'a message in bytes where text was expected')
      const message = parseDeepgramMessage(data.toString('utf8'))
      if (message !== undefined) listener.onMessage(message)
    }

    socket.on('open', () => {
      clearTimeout(timer)
      resolve({ begin })
    })
    socket.on('message', (data: Buffer, isBinary) => {
      try {
        receive(data, isBinary)
      } catch (error) {
        lose(error as RecognitionFailure)
      }
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      lose(failureOfUpgrade(response.statusCode ?? 500))
    })
    socket.on('error', (cause: Error & { code?: string }) => {
      // One of the library's own errors says that the other side breaks the protocol.
      const mayTryAgain = !/^WS_ERR_/.test(cause.code ?? '')
      failure ??= new RecognitionFailure('upstream_error', 'the socket to the server failed', { cause, mayTryAgain })
    })
    socket.on('close', (code, reason) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abandon)
      listener.onEnd(failure ?? failureOfClose(code, reason.toString('utf8')), code)
    })

    const begin: DeepgramSocket['begin'] = (onText) => {
      const transcript = createDeepgramTranscript(options.space)
      let told = ''
      let finishing = false
      let sentLately = false

      const send = (data: Uint8Array | string) => {
        sentLately = true
        // One that is being closed tells of its end.
        if (socket.readyState === WebSocket.OPEN) socket.send(data)
      }
      const say = (type: 'KeepAlive' | 'Finalize' | 'CloseStream') => send(JSON.stringify({ type }))
      const audio = createGatheredSamples(samplesPerMessage, send)
      const keepAlive = setInterval(() => {
        if (!sentLately) say('KeepAlive')
        sentLately = false
      }, options.keepAliveMs)

      const over = new Promise<void>((done, fail) => {
        listener = {
          onMessage(message) {
            if (message.type === 'Results') transcript.take(message)
            const text = transcript.text()
            if (text !== told) onText(text)
            told = text
            const wasLast = message.type === 'Metadata' || (message.type === 'Results' && message.from_finalize)
            if (finishing && wasLast) done()
          },
          onEnd(why, code) {
            clearInterval(keepAlive)
            if (finishing && code === closedNormally) done()
            else fail(serviceErrorOf(why))
          },
        }
      })

      return {
        push: audio.push,
        finish: () => {
          finishing = true
          // The server may close the socket before it reads a KeepAlive that follows CloseStream.
          clearInterval(keepAlive)
          audio.flush()
          say('Finalize')
          say('CloseStream')
        },
        cancel: () => socket.terminate(),
        over,
      }
    }
  })
