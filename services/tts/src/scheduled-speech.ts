import type { PushStream } from '@parlance/async/push-stream'
import { concatPcm, msToSamples } from '@parlance/audio'
import { ServiceError } from '@parlance/contracts'
import { speechPieces } from '@parlance/speech/sentences'
import type { Tracing } from '@parlance/telemetry'
import { type Engine, ProcessEndedError, type SpeakOptions, type SpeechEvent, type Utterance } from './engine/engine.js'
import type { AdmittedRequest } from './scheduler.js'
import type { SegmentSynthesizer } from './synthesis.js'

interface ScheduledSpeechOptions {
  /** How many processes or workers were already lost while they spoke the first segment. */
  readonly endedProcesses: number
  readonly tracing: Pick<Tracing, 'startCall'>
  /** Called at the end of each segment. */
  readonly onEnd: NonNullable<SpeakOptions['onEnd']>
}

/** A segment that ended this many processes fails for good. */
const maxEndedProcesses = 2

/** Starts the span of one segment or piece, which lasts from when it is given an engine until its audio is produced. */
const startEngineSpan = (tracing: Pick<Tracing, 'startCall'>, engine: Engine, utterance: Utterance) =>
  tracing.startCall(`text_to_speech ${engine.name}`, {
    attributes: {
      'gen_ai.operation.name': 'text_to_speech',
      'gen_ai.provider.name': engine.name,
      'parlance.voice': utterance.voiceId,
      'parlance.characters': utterance.text.length,
    },
  })

/**
 * Creates the synthesizer of one request: each segment, or each piece of one, starts when the scheduler gives it an engine. When
 * its process ends before its first event, it is spoken once more. The segment fails for good when a second process ends.
 */
export const createScheduledSpeech = (
  engine: Engine,
  request: AdmittedRequest,
  { endedProcesses, tracing, onEnd }: ScheduledSpeechOptions,
): SegmentSynthesizer => {
  const { isPiecewise = false } = engine
  const msOf = (event: SpeechEvent) => (event.kind === 'audio' ? (event.pcm.length * 1_000) / engine.sampleRateHz : 0)

  const speakOnce =
    (utterance: Utterance, onStart: () => void): PushStream<SpeechEvent> =>
    async (sink, signal) => {
      const release = await request.engine(signal)
      const span = startEngineSpan(tracing, engine, utterance)
      try {
        const events = engine.speak(utterance, {
          signal,
          onStart,
          onEnd(spoken) {
            // The engine is free when the audio is produced, not when it has been read.
            release()
            span?.setAttribute('parlance.audio_ms', Math.round(spoken.audioMs))
            onEnd(spoken)
          },
        })
        for await (const event of events) {
          request.made(msOf(event))
          const room = sink(event)
          if (room !== undefined) await room
        }
      } catch (error) {
        span?.end(error)
        throw error instanceof ServiceError && error.code === 'capacity_exhausted' ? serverIsFull(error) : error
      } finally {
        release()
        span?.end()
      }
    }

  /** Speaks a piece of a segment. `ended` counts the processes that ended with the segment. */
  const speakPiece =
    (piece: Utterance, ended: { count: number }, onStart: () => void): PushStream<SpeechEvent> =>
    async (sink, signal) => {
      let hasBegun = false
      for (;;) {
        try {
          return await speakOnce(piece, onStart)((event) => {
            hasBegun = true
            return sink(event)
          }, signal)
        } catch (error) {
          if (!(error instanceof ProcessEndedError)) throw error
          ended.count += 1
          if (ended.count >= maxEndedProcesses) throw failsForGood(error)
          if (hasBegun || signal.aborted) throw error
        }
      }
    }

  return {
    sampleRateHz: engine.sampleRateHz,
    isPiecewise,
    speak:
      (utterance, onStart): PushStream<SpeechEvent> =>
      async (sink, signal) => {
        const { text, language, ahead = false } = utterance
        // Only the first segment of a request waits for its first audio.
        const ended = { count: ahead ? 0 : endedProcesses }
        if (!isPiecewise) return speakPiece(utterance, ended, onStart)(sink, signal)
        const pieces = speechPieces(text, { language, isAwaited: !ahead })
        const join = createPieceJoin(engine.sampleRateHz)
        for (const [index, { text, start }] of pieces.entries()) {
          const piece = { ...utterance, text, ahead: ahead || index > 0 }
          const place = join.next(start, index === pieces.length - 1)
          await speakPiece(piece, ended, onStart)((event) => sink(place(event)), signal)
        }
      },
  }
}

/**
 * Places the events of consecutive pieces on the clock of their segment. The pause that the marks of a piece report precedes the
 * audio of the next piece.
 */
const createPieceJoin = (sampleRateHz: number) => {
  let samples = 0
  let pauseMs = 0
  return {
    /** Returns what places the events of the next piece, which begins at `textStart` of the segment. */
    next(textStart: number, isLastPiece: boolean) {
      const pauseBefore = new Int16Array(msToSamples(pauseMs, sampleRateHz))
      let hasSound = false
      let beginsMs = (samples * 1_000) / sampleRateHz
      return (event: SpeechEvent): SpeechEvent => {
        if (event.kind === 'marks') {
          pauseMs = event.pauseMs ?? 0
          const placed = <Mark extends { startMs: number; endMs: number }>(mark: Mark): Mark => ({
            ...mark,
            startMs: beginsMs + mark.startMs,
            endMs: beginsMs + mark.endMs,
          })
          return {
            ...event,
            words: event.words.map((word) => ({
              ...placed(word),
              textStart: textStart + word.textStart,
              textEnd: textStart + word.textEnd,
            })),
            phonemes: event.phonemes.map(placed),
          }
        }
        const pcm = hasSound || pauseBefore.length === 0 ? event.pcm : concatPcm([pauseBefore, event.pcm])
        if (!hasSound) beginsMs += (pauseBefore.length * 1_000) / sampleRateHz
        hasSound = true
        samples += pcm.length
        return { ...event, pcm, isLast: isLastPiece && event.isLast === true }
      }
    },
  }
}

const failsForGood = (cause: unknown) =>
  new ServiceError('invalid_request', 'text: the speech engine fails on this text. Change it.', { cause })

/** Where the engine's own server has no capacity, no worker has any; the worker has already retried. */
const serverIsFull = ({ code, detail, cause }: ServiceError) =>
  new ServiceError(code, detail, { cause, isUpstream: true })
