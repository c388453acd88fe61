/**
 * A process that decodes one file and finds the speech in it, for `audio-reader.ts`. The file is untrusted, and in the process of
 * the service the work would delay conversations. The two processes send each other messages over Node's IPC channel.
 */
import { once } from 'node:events'
import { createResampler, type Resampler } from '@parlance/audio/encoding'
import { openSileroVoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'
import { type AudioBlock, BrokenAudioError, monoPcm, openAudio } from './audio-file.js'
import { type CutUtterance, createSpeechCutter } from './speech-cutter.js'

/** The first message to the process. */
export interface AudioTask {
  readonly file: Uint8Array
  readonly maxDurationMs: number
}

/** The messages from the process: utterances and progress, then one of the others. */
export type AudioReport =
  | ({ readonly kind: 'utterance' } & CutUtterance)
  /** So much of the audio was decoded. */
  | { readonly kind: 'progress'; readonly durationMs: number }
  | { readonly kind: 'end'; readonly durationMs: number }
  /** `detail` is for the client. */
  | { readonly kind: 'broken'; readonly detail: string }
  | { readonly kind: 'too long' }
  | { readonly kind: 'failed'; readonly reason: string }

const sampleRateHz = 16_000
const samplesPerMs = sampleRateHz / 1000
const progressEveryMs = 60_000
const rateLimits = { min: 4_000, max: 128_000 }

/** Resolves when the message has been written. */
const send = (report: AudioReport): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send!(report, undefined, undefined, (error) => (error === null ? resolve() : reject(error)))
  })

const resamplerFrom = (fromHz: number): Resampler => {
  if (fromHz < rateLimits.min || fromHz > rateLimits.max) {
    throw new BrokenAudioError(`The audio has ${fromHz} Hz; there must be ${rateLimits.min} to ${rateLimits.max} Hz.`)
  }
  return createResampler({ fromHz, toHz: sampleRateHz })
}

const createAudioConverter = () => {
  let rateHz: number | undefined
  let resampler: Resampler | undefined
  return {
    convert(block: AudioBlock): Int16Array {
      if (rateHz === undefined) {
        rateHz = block.sampleRateHz
        if (rateHz !== sampleRateHz) resampler = resamplerFrom(rateHz)
      }
      if (block.sampleRateHz !== rateHz) throw new BrokenAudioError('The sample rate changes within the file.')
      const pcm = monoPcm(block)
      return resampler === undefined ? pcm : resampler.resample(pcm)
    },
    finish: (): Int16Array => resampler?.finish() ?? new Int16Array(0),
  }
}

/** Returns the last report. */
const readFile = async ({ file, maxDurationMs }: AudioTask): Promise<AudioReport> => {
  const converter = createAudioConverter()
  const cutter = createSpeechCutter(
    openSileroVoiceDetector(),
    (utterance) => void send({ kind: 'utterance', ...utterance }),
  )
  let sampleCount = 0
  const push = (samples: Int16Array) => {
    sampleCount += samples.length
    cutter.push(samples)
  }
  const { atLeastMs, blocks } = await openAudio(file)
  if (atLeastMs > maxDurationMs) return { kind: 'too long' }
  let reportedMs = 0
  for await (const block of blocks) {
    push(converter.convert(block))
    const durationMs = sampleCount / samplesPerMs
    if (durationMs - reportedMs >= progressEveryMs) {
      reportedMs = durationMs
      await send({ kind: 'progress', durationMs })
    }
    if (durationMs > maxDurationMs) return { kind: 'too long' }
  }
  push(converter.finish())
  if (sampleCount === 0) throw new BrokenAudioError('There is no audio in the file.')
  cutter.finish()
  return { kind: 'end', durationMs: sampleCount / samplesPerMs }
}

const reportOf = (error: unknown): AudioReport =>
  error instanceof BrokenAudioError
    ? { kind: 'broken', detail: error.message }
    : { kind: 'failed', reason: String(error).slice(0, 300) }

process.once('disconnect', () => process.exit())
const [task] = (await once(process, 'message')) as [AudioTask]
await send(await readFile(task).catch(reportOf))
process.disconnect()
