/**
 * One utterance over an open socket to Deepgram.
 *
 * - At its end `Finalize` requests the last results at once, and `CloseStream` the end of the stream, since a `Finalize`
 *   after little audio is not always answered. The first answer to either ends the utterance.
 * - A preview requests the results of all audio so far by `Finalize`, too.
 * - While there is no audio, `KeepAlive` is sent: the server closes a socket after ten seconds without a message.
 */
import { withTimeout } from '@parlance/async'
import type { DeepgramMessage } from './deepgram-message.js'
import { type RecognitionFailure, serviceErrorOf } from './recognition-failure.js'
import { createSampleBatcher } from './sample-batcher.js'
import type { Decoding } from './utterance.js'

/** The text of an utterance: final parts, and one that may still change. */
interface DeepgramTranscript {
  take(results: DeepgramMessage & { type: 'Results' }): void
  text(): string
}

/** `space` separates two parts; in some languages it is empty. */
const createDeepgramTranscript = (space: string): DeepgramTranscript => {
  const final: string[] = []
  let interim = ''
  return {
    take({ is_final: isFinal, channel }) {
      const text = channel.alternatives[0]?.transcript.trim() ?? ''
      interim = isFinal ? '' : text
      if (isFinal && text !== '') final.push(text)
    },
    text: () => (interim === '' ? final : [...final, interim]).join(space),
  }
}

/** Receives the messages of a socket, and then its end. */
export interface DeepgramListener {
  onMessage(message: DeepgramMessage): void
  /** `code` is the status with which the socket was closed. */
  onEnd(failure: RecognitionFailure, code: number): void
}

export interface DeepgramUtteranceOptions {
  /** Stands between two parts of the text. */
  readonly space: string
  readonly keepAliveMs: number
  /** Does nothing once the socket is closing: `onEnd` reports that. */
  send(data: Uint8Array | string): void
  /** Replaces the listener of the socket, at once. */
  listen(listener: DeepgramListener): void
  terminate(): void
  onText(text: string): void
}

/** 60 ms. Fewer messages take less CPU, and the end of an utterance does not wait for a full one. */
const samplesPerMessage = 960
const closedNormally = 1000
/** A `Finalize` without an answer by then may have none. */
const previewTimeoutMs = 300

export const beginDeepgramUtterance = (options: DeepgramUtteranceOptions): Decoding<void> => {
  const { listen, terminate, onText } = options
  const transcript = createDeepgramTranscript(options.space)
  let reported = ''
  let finishing = false
  /** Called with the answer to the `Finalize` of a preview, until which an answer is not taken for that of the end. */
  let onPreviewed: (() => void) | undefined
  let sentLately = false

  const send = (data: Uint8Array | string) => {
    sentLately = true
    options.send(data)
  }
  const sendMessage = (type: 'KeepAlive' | 'Finalize' | 'CloseStream') => send(JSON.stringify({ type }))
  const audio = createSampleBatcher(samplesPerMessage, send)
  const keepAlive = setInterval(() => {
    if (!sentLately) sendMessage('KeepAlive')
    sentLately = false
  }, options.keepAliveMs)

  const done = new Promise<void>((resolve, reject) => {
    listen({
      onMessage(message) {
        if (message.type === 'Results') transcript.take(message)
        const text = transcript.text()
        if (text !== reported) onText(text)
        reported = text
        const wasFinalized = message.type === 'Results' && message.from_finalize
        if (finishing && (message.type === 'Metadata' || (wasFinalized && onPreviewed === undefined))) resolve()
        if (!wasFinalized) return
        onPreviewed?.()
        onPreviewed = undefined
      },
      onEnd(failure, code) {
        clearInterval(keepAlive)
        if (finishing && code === closedNormally) resolve()
        else reject(serviceErrorOf(failure))
      },
    })
  })

  return {
    push: audio.push,
    preview: async () => {
      // A late answer to an earlier preview would be taken for the answer to this one.
      if (onPreviewed !== undefined) return false
      audio.flush()
      sendMessage('Finalize')
      const answered = new Promise<boolean>((resolve) => {
        onPreviewed = () => resolve(true)
      })
      return withTimeout(answered, previewTimeoutMs, () => false)
    },
    finish: () => {
      finishing = true
      // The server may close the socket before it reads a KeepAlive that follows CloseStream.
      clearInterval(keepAlive)
      audio.flush()
      sendMessage('Finalize')
      sendMessage('CloseStream')
    },
    cancel: terminate,
    done,
  }
}
