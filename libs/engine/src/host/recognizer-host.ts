/**
 * The main loop of a process that recognizes speech.
 *
 * - It sends its hello when it is ready, then recognizes one job after the other, as the engine protocol describes.
 * - Decoding blocks the event loop, so it is done in short steps between which commands are read. A `cancel` takes effect before
 *   audio that came earlier and waits.
 * - It ends when its standard input ends, and ignores signals meant for its parent. Any failure ends it; the parent starts a
 *   new process.
 */
import {
  type Acoustics,
  createFrameDecoder,
  EngineUnavailableError,
  encodeJsonFrame,
  type Frame,
  jsonOf,
  type RecognitionEnd,
  type RecognizeCommand,
  type RecognizedText,
  type RecognizerHello,
  samplesOf,
} from '../protocol/index.js'

/** A recognizer as the process that hosts it calls it: one utterance at a time. */
export interface HostedRecognizer {
  readonly hello: RecognizerHello
  /** Begins an utterance, after the end of the one before. Only `acoustics` of the command connects the two. */
  begin(command: RecognizeCommand): void
  /** Takes mono s16 samples at the rate of the hello. */
  accept(samples: Int16Array): void
  end(): void
  /** Returns the text recognized so far of the current utterance, or of the last one after its end. */
  text(): string
  /** Returns the acoustics learnt from the voice after the end of its utterance; empty for a recognizer that does not learn. */
  acoustics(): Acoustics
}

/** Decoding so much takes about 20 ms. */
const stepSamples = 1600

// The reports are small, so the pipe takes them at once.
const report = (bytes: Uint8Array) => process.stdout.write(bytes)

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
    if (frame.kind === 'hear') {
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
      const kept = waiting.filter(({ job, kind }) => job !== frame.job || kind === 'hear')
      waiting.splice(0, waiting.length, ...kept)
    }
    waiting.push(frame)
    if (working) return
    working = true
    setImmediate(step)
  }
}

/** Runs the process until its end. `open` may reject with an `EngineUnavailableError`, which is sent to the parent. */
export const runRecognizerHost = async (open: () => Promise<HostedRecognizer>): Promise<void> => {
  const ignore = () => {}
  process.on('SIGINT', ignore)
  process.on('SIGTERM', ignore)
  const leave = () => process.exit(0)
  process.stdout.on('error', leave)
  try {
    const recognizer = await open()
    const take = createJobs(recognizer)
    const decode = createFrameDecoder()
    process.stdin.on('data', (bytes: Buffer) => {
      for (const frame of decode(bytes)) take(frame)
    })
    process.stdin.on('end', leave)
    process.stdin.on('error', leave)
    report(encodeJsonFrame('hello', 0, recognizer.hello))
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error
    report(encodeJsonFrame('error', 0, { message: error.message }))
    process.exitCode = 1
  }
}
