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
import type { DeepgramSocket } from './deepgram-socket.js'
import { serviceErrorOf } from './recognition-failure.js'
import type { RecognizedWord } from './recognizer.js'
import type { Decoding, OnText } from './utterance.js'

/** Sends samples in batches of `batchSize`, each as s16le. */
const createSampleBatcher = (batchSize: number, send: (bytes: Uint8Array) => void) => {
  let batch = new Int16Array(batchSize)
  let count = 0
  const flush = () => {
    if (count === 0) return
    send(new Uint8Array(batch.buffer, 0, count * 2))
    batch = new Int16Array(batchSize)
    count = 0
  }
  return {
    /** Sends the remaining samples, if any. */
    flush,
    push(samples: Int16Array) {
      for (let at = 0; at < samples.length; ) {
        const taken = samples.subarray(at, at + batchSize - count)
        batch.set(taken, count)
        count += taken.length
        at += taken.length
        if (count === batchSize) flush()
      }
    },
  }
}

/** The text of an utterance: final parts, and one that may still change. `space` separates two parts; it may be empty. */
const createDeepgramTranscript = (space: string) => {
  const final: string[] = []
  const words: RecognizedWord[] = []
  let interim = ''
  return {
    take({ is_final: isFinal, channel }: DeepgramMessage & { type: 'Results' }) {
      const alternative = channel.alternatives[0]
      const text = alternative?.transcript.trim() ?? ''
      interim = isFinal ? '' : text
      if (!isFinal || text === '') return
      final.push(text)
      for (const { word, punctuated_word, start, end } of alternative?.words ?? []) {
        words.push({ text: punctuated_word ?? word, startMs: start * 1000, endMs: end * 1000 })
      }
    },
    text: () => (interim === '' ? final : [...final, interim]).join(space),
    words: () => words,
  }
}

export interface DeepgramUtteranceOptions {
  readonly socket: DeepgramSocket
  /** Stands between two parts of the text. */
  readonly space: string
  onText: OnText
}

/** 60 ms. Fewer messages take less CPU, and the end of an utterance does not wait for a full one. */
const samplesPerMessage = 960
const closedNormally = 1000
/** A `Finalize` without an answer by then may have none. */
const previewTimeoutMs = 300

export const beginDeepgramUtterance = (
  { socket, space, onText }: DeepgramUtteranceOptions,
  keepAliveMs: number,
): Decoding<void> => {
  const transcript = createDeepgramTranscript(space)
  let reported = ''
  let finishing = false
  /** Called with the answer to the `Finalize` of a preview, until which an answer is not taken for that of the end. */
  let onPreviewed: (() => void) | undefined
  let sentLately = false

  const send = (data: Uint8Array | string) => {
    sentLately = true
    socket.send(data)
  }
  const sendMessage = (type: 'KeepAlive' | 'Finalize' | 'CloseStream') => send(JSON.stringify({ type }))
  const audio = createSampleBatcher(samplesPerMessage, send)
  const keepAlive = setInterval(() => {
    if (!sentLately) sendMessage('KeepAlive')
    sentLately = false
  }, keepAliveMs)

  const done = new Promise<void>((resolve, reject) => {
    socket.listen({
      onMessage(message) {
        if (message.type === 'Results') transcript.take(message)
        const text = transcript.text()
        if (text !== reported || (message.type === 'Results' && message.is_final)) onText(text, transcript.words())
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
    cancel: socket.terminate,
    done,
  }
}

/** 80 ms, which Deepgram recommends for Flux. */
const samplesPerFluxMessage = 1280
/** Longer than the interval of `Update`, so that one comes after all audio of the utterance. */
const closingSilence = new Int16Array(4 * samplesPerFluxMessage)
const samplesPerSecond = 16_000

/**
 * One utterance over an open socket to Flux, which judges itself when the user's turn is over. It is finished when a message covers
 * all of its audio, or at once where Flux has ended the turn and nothing followed. Flux has no `KeepAlive`.
 */
export const beginFluxUtterance = (
  { socket, space, onText }: DeepgramUtteranceOptions,
  onEndOfTurn: () => void = () => {},
): Decoding<void> => {
  /** Of the turns that Flux has ended. */
  const ended: string[] = []
  let current = ''
  /** Whether Flux has ended the last turn that it has begun. */
  let isOver = false
  let reported = ''
  let pushedSamples = 0
  let transcribedSamples = 0
  /** Until where the audio must be transcribed for the end; undefined until then. */
  let finishesAtSamples: number | undefined
  let onTranscribed = () => {}
  let resolveDone = () => {}
  const audio = createSampleBatcher(samplesPerFluxMessage, socket.send)

  const report = () => {
    const text = [...ended, current].filter((part) => part !== '').join(space)
    if (text !== reported) onText(text)
    reported = text
  }

  const done = new Promise<void>((resolve, reject) => {
    resolveDone = resolve
    socket.listen({
      onMessage(message) {
        if (message.type !== 'TurnInfo') return
        const transcript = message.transcript.trim()
        const hasEnded = message.event === 'EndOfTurn'
        if (hasEnded) ended.push(transcript)
        current = hasEnded ? '' : transcript
        isOver = hasEnded || (isOver && message.event !== 'StartOfTurn')
        transcribedSamples = Math.round(message.audio_window_end * samplesPerSecond)
        report()
        onTranscribed()
        if (finishesAtSamples === undefined) {
          if (hasEnded) onEndOfTurn()
        } else if (transcribedSamples >= finishesAtSamples) resolve()
      },
      onEnd(failure, code) {
        if (finishesAtSamples !== undefined && code === closedNormally) resolve()
        else reject(serviceErrorOf(failure))
      },
    })
  })

  return {
    push(samples) {
      pushedSamples += samples.length
      audio.push(samples)
    },
    preview() {
      audio.flush()
      const untilSamples = pushedSamples
      const covered = new Promise<boolean>((resolve) => {
        onTranscribed = () => transcribedSamples >= untilSamples && resolve(true)
        onTranscribed()
      })
      return withTimeout(covered, previewTimeoutMs, () => false)
    },
    finish() {
      finishesAtSamples = pushedSamples
      if (isOver) resolveDone()
      audio.push(closingSilence)
      audio.flush()
      socket.send(JSON.stringify({ type: 'CloseStream' }))
    },
    cancel: socket.terminate,
    done,
  }
}
