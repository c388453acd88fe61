/**
 * A socket to Deepgram's `/v1/listen` or `/v2/listen`, for one utterance. The bytes received are limited, and a message that cannot be parsed
 * ends the socket.
 */
import { WebSocket } from 'ws'
import { type DeepgramMessage, failureOfClose, parseDeepgramMessage } from './deepgram-message.js'
import { broken, failureOfStatus, RecognitionFailure } from './recognition-failure.js'

export interface DeepgramSocketOptions {
  /** With all query parameters. */
  readonly url: URL
  readonly apiKey: string
  readonly connectTimeoutMs: number
}

/** Receives the messages of a socket, and then its end. */
export interface DeepgramListener {
  onMessage(message: DeepgramMessage): void
  /** `code` is the status with which the socket was closed. */
  onEnd(failure: RecognitionFailure, code: number): void
}

export interface DeepgramSocket {
  /** Does nothing once the socket is closing: `onEnd` reports that. */
  send(data: Uint8Array | string): void
  /** Called once, in the same tick in which the socket is there. */
  listen(listener: DeepgramListener): void
  terminate(): void
}

const maxMessageBytes = 256 * 1024
/** Ten times what the results of two minutes take, each word with its times and sent several times. */
const maxReceivedBytes = 32 * 1024 * 1024

/**
 * Resolves when the socket is open. Rejects with `RecognitionFailure`, or with the signal's reason. An abort ends an open
 * socket too.
 */
export const openDeepgramSocket = (options: DeepgramSocketOptions, signal: AbortSignal): Promise<DeepgramSocket> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = new WebSocket(options.url, {
      headers: { authorization: `Token ${options.apiKey}` },
      followRedirects: false,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
    })
    /** First for the opening, then for the utterance. */
    let listener: DeepgramListener = { onMessage: () => {}, onEnd: reject }
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
      if (receivedBytes > maxReceivedBytes) throw broken('messages without an end')
      if (isBinary) throw broken('a message in bytes where text was expected')
      const message = parseDeepgramMessage(data.toString('utf8'))
      if (message !== undefined) listener.onMessage(message)
    }

    socket.on('open', () => {
      clearTimeout(timer)
      resolve({
        send(data) {
          if (socket.readyState === WebSocket.OPEN) socket.send(data)
        },
        listen(next) {
          listener = next
        },
        terminate: () => socket.terminate(),
      })
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
      const { statusCode = 500 } = response
      lose(failureOfStatus(statusCode, `the server answered ${statusCode} where a socket was expected`))
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
  })
