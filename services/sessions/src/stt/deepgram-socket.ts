/**
 * One utterance over a socket of its own to Deepgram's `/v1/listen`.
 *
 * - At its end `Finalize` asks for the last results at once, and `CloseStream` for the end of the stream, since a `Finalize`
 *   after little audio is not always answered. The first answer to either ends the utterance.
 * - While there is no audio, `KeepAlive` is sent: the server closes a socket after ten seconds without a message.
 * - The bytes received are limited. A message that cannot be parsed ends the socket.
 */
import { WebSocket } from 'ws'
import { type DeepgramMessage, failureOfClose, failureOfUpgrade, parseDeepgramMessage } from './deepgram-message.js'
import { createDeepgramTranscript } from './deepgram-transcript.js'
import { RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import { createSampleBatcher } from './sample-batcher.js'
import type { Decoding } from './utterance.js'

export interface DeepgramSocketOptions {
  /** With all query parameters. */
  readonly url: URL
  readonly apiKey: string
  /** Stands between two parts of the text. */
  readonly space: string
  readonly connectTimeoutMs: number
  readonly keepAliveMs: number
}

export interface DeepgramSocket {
  /** Begins the utterance. Called once, in the same tick in which the socket is there. */
  begin(onText: (text: string) => void): Decoding<void>
}

/** 60 ms. Fewer messages take less CPU, and the end of an utterance does not wait for a full one. */
const samplesPerMessage = 960
const maxMessageBytes = 256 * 1024
/** Ten times what the results of two minutes take, each word with its times and sent several times. */
const maxReceivedBytes = 32 * 1024 * 1024
const closedNormally = 1000

/** Receives the messages and the end of a socket: first for its opening, then for the utterance. */
interface Listener {
  onMessage(message: DeepgramMessage): void
  onEnd(failure: RecognitionFailure, code: number): void
}

/** Resolves when the socket is open. Rejects with `RecognitionFailure`, or with the signal's reason. An abort ends an open socket too. */
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
    /** The first failure is the one that is reported. */
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
      // A code of the library itself means that the server broke the protocol.
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
      let reported = ''
      let finishing = false
      let sentLately = false

      const send = (data: Uint8Array | string) => {
        sentLately = true
        // The end of a socket that is closing is reported by `onEnd`.
        if (socket.readyState === WebSocket.OPEN) socket.send(data)
      }
      const sendMessage = (type: 'KeepAlive' | 'Finalize' | 'CloseStream') => send(JSON.stringify({ type }))
      const audio = createSampleBatcher(samplesPerMessage, send)
      const keepAlive = setInterval(() => {
        if (!sentLately) sendMessage('KeepAlive')
        sentLately = false
      }, options.keepAliveMs)

      const done = new Promise<void>((settle, fail) => {
        listener = {
          onMessage(message) {
            if (message.type === 'Results') transcript.take(message)
            const text = transcript.text()
            if (text !== reported) onText(text)
            reported = text
            const wasLast = message.type === 'Metadata' || (message.type === 'Results' && message.from_finalize)
            if (finishing && wasLast) settle()
          },
          onEnd(why, code) {
            clearInterval(keepAlive)
            if (finishing && code === closedNormally) settle()
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
          sendMessage('Finalize')
          sendMessage('CloseStream')
        },
        cancel: () => socket.terminate(),
        done,
      }
    }
  })
