/**
 * The life of a process that recognises speech.
 *
 * - It says hello when it can hear, then hears one job after the other, as the engine protocol describes.
 * - Decoding does not let the event loop turn, so it goes in short steps, between which the pipe is looked into: a `cancel`
 *   is heard before audio that came earlier and waits.
 * - It ends when its standard input does. Signals meant for its parent do not end it, since the parent may still have work
 *   for it. Any failure ends it: its parent starts a new one.
 */
import {
  type Acoustics,
  createFrameDecoder,
  encodeJsonFrame,
  type Frame,
  type HearCommand,
  type HeardEnd,
  jsonOf,
  type RecognizedText,
  type RecognizerHello,
  samplesOf,
} from '../protocol/index.js'
import { EngineUnavailableError } from './engine-host.js'

export interface HostedRecognizer {
  readonly hello: RecognizerHello
  /** Begins an utterance; the one before has ended. Of that it knows nothing, but for what it is told of the voice. */
  begin(command: HearCommand): void
  hear(samples: Int16Array): void
  end(): void
  /** What is understood of the utterance that goes on or ended last. */
  text(): string
  /** What is known of the voice when its utterance has ended; nothing where it does not learn. */
  acoustics(): Acoustics
}

/** Decoding so much takes about 20 ms. */
const stepSamples = 1600

// A pipe takes it at once, as far as there is room: what is written here is little.
const report = (bytes: Uint8Array) => process.stdout.write(bytes)

interface Job {
  readonly id: number
  /** The last text that was told of it. */
  told: string
}

/** Answers for what comes in, one step at a time. */
const createJobs = (recognizer: HostedRecognizer) => {
  const waiting: Frame[] = []
  let working = false
  let current: Job | undefined

  const tell = (job: Job) => {
    const text = recognizer.text()
    if (text === job.told) return
    job.told = text
    report(encodeJsonFrame('text', job.id, { text } satisfies RecognizedText))
  }
  const end = (job: Job) => {
    recognizer.end()
    current = undefined
    tell(job)
    report(encodeJsonFrame('end', job.id, { acoustics: recognizer.acoustics() } satisfies HeardEnd))
  }
  const hear = (job: Job, frame: Frame) => {
    const samples = samplesOf(frame)
    recognizer.hear(samples.subarray(0, stepSamples))
    if (samples.length > stepSamples) waiting.unshift({ ...frame, payload: frame.payload.subarray(stepSamples * 2) })
    tell(job)
  }
  const handle = (frame: Frame) => {
    if (frame.kind === 'hear') {
      recognizer.begin(jsonOf(frame) as HearCommand)
      current = { id: frame.job, told: '' }
    } else if (frame.job !== current?.id) return
    else if (frame.kind === 'audio') hear(current, frame)
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

/** Runs the process from here on. `open` may reject with an `EngineUnavailableError`, which the parent is told. */
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
