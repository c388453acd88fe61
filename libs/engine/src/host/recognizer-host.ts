/**
 * The main loop of a process that recognizes speech.
 *
 * - It sends its hello when it is ready, then recognizes one job after the other, as the engine protocol describes.
 * - Decoding blocks the event loop, so it is done in short steps between which commands are read. A `cancel` takes effect
 *   before audio that came earlier and waits.
 * - Any failure ends the process; the parent starts a new one.
 */
import {
  type Acoustics,
  encodeJsonFrame,
  type Frame,
  jsonOf,
  type RecognitionEnd,
  type RecognizeCommand,
  type RecognizedText,
  type RecognizerHello,
  samplesOf,
} from '../protocol/index.js'
import { reportBriefly as report, serveFrames } from './frame-server.js'

/** A recognizer as the process that hosts it calls it: one utterance at a time. */
export interface HostedRecognizer {
  readonly hello: RecognizerHello
  /** Begins an utterance, after the end of the one before. Only `acoustics` of the command connects the two. */
  begin(command: RecognizeCommand): void
  /** Receives mono s16 samples at the rate of the hello. */
  accept(samples: Int16Array): void
  end(): void
  /** Returns the text recognized so far of the current utterance, or of the last one after its end. */
  text(): string
  /**
   * Returns the acoustics learned from the voice after the end of its utterance; empty for a recognizer that does not
   * learn.
   */
  acoustics(): Acoustics
}

/** Decoding this many samples takes about 20 ms. */
const stepSamples = 1600

interface Job {
  readonly id: number
  /** The last text that was sent. */
  sentText: string
}

/** Handles frames one step at a time. */
const createJobs = (recognizer: HostedRecognizer) => {
  const waiting: Frame[] = []
  let working = false
  let current: Job | undefined

  const sendText = (job: Job) => {
    const text = recognizer.text()
    if (text === job.sentText) return
    job.sentText = text
    report(encodeJsonFrame('text', job.id, { text } satisfies RecognizedText))
  }
  const end = (job: Job) => {
    recognizer.end()
    current = undefined
    sendText(job)
    report(encodeJsonFrame('end', job.id, { acoustics: recognizer.acoustics() } satisfies RecognitionEnd))
  }
  const accept = (job: Job, frame: Frame) => {
    const samples = samplesOf(frame)
    recognizer.accept(samples.subarray(0, stepSamples))
    if (samples.length > stepSamples) waiting.unshift({ ...frame, payload: frame.payload.subarray(stepSamples * 2) })
    sendText(job)
  }
  const handle = (frame: Frame) => {
    if (frame.kind === 'recognize') {
      recognizer.begin(jsonOf(frame) as RecognizeCommand)
      current = { id: frame.job, sentText: '' }
    } else if (frame.job !== current?.id) return
    else if (frame.kind === 'audio') accept(current, frame)
    else end(current)
  }
  const step = () => {
    const frame = waiting.shift()
    working = frame !== undefined
    if (frame === undefined) return
    handle(frame)
    setImmediate(step)
  }

  return (frame: Frame) => {
    if (frame.kind === 'cancel') {
      const kept = waiting.filter(({ job, kind }) => job !== frame.job || kind === 'recognize')
      waiting.splice(0, waiting.length, ...kept)
    }
    waiting.push(frame)
    if (working) return
    working = true
    setImmediate(step)
  }
}

/** Runs the process until its end. `open` may reject with an `EngineUnavailableError`, which is sent to the parent. */
export const runRecognizerHost = (open: () => Promise<HostedRecognizer>): Promise<void> => serveFrames(open, createJobs)
