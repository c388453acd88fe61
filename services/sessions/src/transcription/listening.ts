/**
 * Recognizes audio while it arrives: cuts it into utterances at its pauses, and reports their texts in their order.
 *
 * Between utterances nothing is recognized. An utterance that has ended may still be recognized when the next one begins.
 */
import { alawToPcm, pcmFromBytes, ulawToPcm } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import type { ListenOutput, ListenRequest } from '@parlance/contracts'
import type { Recognition, Recognizer, Transcription } from '../stt/recognizer.js'
import type { VoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'
import { createSpeechCutter } from './speech-cutter.js'

interface ListeningOptions {
  readonly recognizer: Recognizer
  /** A BCP 47 tag. */
  readonly language: string
  readonly detector: VoiceDetector
  onEvent(event: Exclude<ListenOutput, { event: 'started' | 'finalized' }>): void
  /** Called when an utterance could not be recognized. */
  onFailure(error: unknown): void
}

interface OpenUtterance {
  readonly recognition: Recognition
  readonly startMs: number
  endMs: number
  /** The utterance before it has been reported. */
  isNext: boolean
  partial: string | undefined
}

/** The words of an utterance that begins at this time; nothing where their times are not known. */
export const wordsFrom = (utteranceMs: number, { words }: Pick<Transcription, 'words'>) =>
  words === undefined
    ? {}
    : {
        words: words.map(({ text, startMs, endMs }) => ({
          text,
          start_ms: Math.round(utteranceMs + startMs),
          end_ms: Math.round(utteranceMs + endMs),
        })),
      }

/** A stream of speech that is being recognized. Audio is mono PCM at 16 kHz. */
export const createListening = (options: ListeningOptions) => {
  const { recognizer, language, detector, onEvent, onFailure } = options
  const speaker = {}
  const open = new Set<OpenUtterance>()
  let current: OpenUtterance | undefined
  let reported = Promise.resolve()
  let isCancelled = false

  const reportPartial = (utterance: OpenUtterance) => {
    const { isNext, partial, startMs, endMs } = utterance
    if (!isNext || partial === undefined || partial === '' || isCancelled) return
    onEvent({ event: 'transcript', text: partial, final: false, start_ms: startMs, end_ms: endMs })
  }

  /** The time limit of an utterance begins when those before it are recognized: audio may arrive faster than that. */
  const report = async (utterance: OpenUtterance, before: Promise<void>) => {
    await before
    if (isCancelled) return
    try {
      const transcription = await utterance.recognition.finish()
      if (isCancelled) return
      const { startMs: start_ms, endMs: end_ms } = utterance
      onEvent({
        event: 'transcript',
        text: transcription.text.trim(),
        final: true,
        start_ms,
        end_ms,
        ...wordsFrom(start_ms, transcription),
      })
    } catch (error) {
      if (!isCancelled) onFailure(error)
    } finally {
      open.delete(utterance)
      const [next] = open
      if (next !== undefined) {
        next.isNext = true
        reportPartial(next)
      }
    }
  }

  const begin = (startMs: number) => {
    onEvent({ event: 'speech', started: true, at_ms: startMs })
    const utterance: OpenUtterance = {
      startMs,
      endMs: startMs,
      isNext: open.size === 0,
      partial: undefined,
      recognition: recognizer.open({
        language,
        speaker,
        onPartial(text) {
          utterance.partial = text.trim()
          reportPartial(utterance)
        },
      }),
    }
    current = utterance
    open.add(utterance)
  }

  const cutter = createSpeechCutter(
    detector,
    ({ endMs }) => {
      const utterance = current
      if (utterance === undefined) return
      current = undefined
      utterance.endMs = endMs
      onEvent({ event: 'speech', started: false, at_ms: endMs })
      reported = report(utterance, reported)
    },
    (frames, startMs, endMs) => {
      if (current === undefined) begin(startMs)
      const utterance = current as unknown as OpenUtterance
      utterance.endMs = endMs
      for (const frame of frames) utterance.recognition.push(frame)
    },
  )

  return {
    push: cutter.push,
    /** Ends the utterance in progress. */
    finalize: cutter.finish,
    /** Resolves when everything so far was reported. */
    reported: () => reported,
    /** Drops what is being recognized. Nothing is reported afterwards. */
    cancel() {
      isCancelled = true
      for (const { recognition } of open) recognition.cancel()
      open.clear()
    },
  }
}

const sampleRateHz = 16_000

/** Converts parts of audio, which may end within a sample, to mono PCM at 16 kHz. */
export const createListenedAudio = ({ encoding, sample_rate }: Pick<ListenRequest, 'encoding' | 'sample_rate'>) => {
  const resampler =
    sample_rate === sampleRateHz ? undefined : createResampler({ fromHz: sample_rate, toHz: sampleRateHz })
  let half = new Uint8Array(0)
  const decode = (data: Uint8Array): Int16Array => {
    if (encoding === 'ulaw') return ulawToPcm(data)
    if (encoding === 'alaw') return alawToPcm(data)
    const all = half.length === 0 ? data : Buffer.concat([half, data])
    const whole = all.length - (all.length % 2)
    half = all.slice(whole)
    return pcmFromBytes(all.slice(0, whole))
  }
  return (data: Uint8Array): Int16Array => {
    const pcm = decode(data)
    return resampler === undefined ? pcm : resampler.resample(pcm)
  }
}
