/**
 * The main loop of an engine process.
 *
 * - It sends its hello when it can speak, then speaks one job after the other.
 * - It ends when its standard input ends, that is with its parent. It ignores signals meant for the parent (Ctrl-C reaches
 *   the whole process group), since the parent may still have work for it.
 * - A refusal is a regular reply. Any other failure leaves the engine in an unknown state and ends the process; the parent
 *   starts a new one.
 */
import {
  EngineUnavailableError,
  encodeJsonFrame,
  type Hello,
  type SpeakCommand,
  type SpeechMarks,
} from '../protocol/index.js'
import { finishSpeech } from './finished-speech.js'
import { type CommandPipe, openCommandPipe, report } from './pipes.js'
import { createSpeechOutput, type SpeechOutput } from './speech-output.js'

/** The job requests something that the engine does not offer. Nothing was spoken, and the next job can be started. */
export class SpeechRefusedError extends Error {
  override readonly name = 'SpeechRefusedError'
}

// biome-ignore lint/suspicious/noConfusingVoidType: an engine that sends its marks while it speaks returns nothing.
type Spoken = SpeechMarks | undefined | void

/** A speech engine as the process that hosts it calls it: one job at a time. */
interface HostedEngine {
  readonly hello: Hello
  /** The gain of each voice by its id, in dB, with which all voices are equally loud. Default 0. */
  readonly gainsDb?: Readonly<Record<string, number>>
  /**
   * Speaks one job, which is over when this returns or its promise settles. When `output` is no longer wanted it returns as
   * soon as possible. The returned marks are the job's last; this saves a separate message. The host applies the volume.
   * May throw `SpeechRefusedError`.
   */
  speak(command: SpeakCommand, output: SpeechOutput): Spoken | Promise<Spoken>
  /**
   * Steps that make the first jobs faster, executed one at a time while there is no job. A long step stops when `mayGoOn`
   * returns false.
   */
  readonly warmUp?: Iterable<(mayGoOn: () => boolean) => void>
}

/** The delay between two steps, so that other processes that start get their share of the processor. */
const warmUpPauseMs = 50

const warmUpBetweenJobs = (steps: Iterable<(mayGoOn: () => boolean) => void>, commands: CommandPipe) => {
  const rest = steps[Symbol.iterator]()
  const mayGoOn = () => {
    commands.poll()
    return !commands.hasNext()
  }
  let timer: NodeJS.Timeout | undefined
  const step = () => {
    const next = rest.next()
    if (next.done === true) return
    next.value(mayGoOn)
    resume()
  }
  const resume = () => {
    timer = setTimeout(step, warmUpPauseMs)
  }
  return { resume, pause: () => clearTimeout(timer) }
}

/** Runs the process until its end. `open` may reject with an `EngineUnavailableError`, which is sent to the parent. */
export const runEngineHost = async (open: () => HostedEngine | Promise<HostedEngine>): Promise<never> => {
  const ignore = () => {}
  process.on('SIGINT', ignore)
  process.on('SIGTERM', ignore)
  const commands = openCommandPipe(() => process.exit(0))

  let engine: HostedEngine
  try {
    engine = await open()
  } catch (error) {
    if (!(error instanceof EngineUnavailableError)) throw error
    report(encodeJsonFrame('error', 0, { message: error.message }))
    process.exit(1)
  }
  report(encodeJsonFrame('hello', 0, engine.hello))

  const warmUp = warmUpBetweenJobs(engine.warmUp ?? [], commands)
  for (;;) {
    warmUp.resume()
    const { job, command } = await commands.next()
    warmUp.pause()
    try {
      const gain = 10 ** ((engine.gainsDb?.[command.voiceId] ?? 0) / 20)
      const output = finishSpeech(createSpeechOutput(job, commands, command), {
        sampleRateHz: engine.hello.sampleRateHz,
        factor: gain * command.volume,
      })
      const marks = await engine.speak(command, output)
      output.end(marks ?? undefined)
    } catch (error) {
      if (!(error instanceof SpeechRefusedError)) throw error
      report(encodeJsonFrame('error', job, { message: error.message }))
    }
  }
}

interface HostedVoice {
  readonly variants: readonly { readonly id: string }[]
  /** BCP 47 tags, the main one first. */
  readonly languages: readonly string[]
}

/**
 * Returns the voice that a job requests, and its own tag for the language: the main one for null. Throws
 * `SpeechRefusedError` for a voice, variant or language that the engine does not have.
 */
export const chosenVoice = <Voice extends HostedVoice>(
  voices: ReadonlyMap<string, Voice>,
  { voiceId, variant, language }: Pick<SpeakCommand, 'voiceId' | 'variant' | 'language'>,
): { voice: Voice; language: string } => {
  const voice = voices.get(voiceId)
  if (voice === undefined) throw new SpeechRefusedError('unknown voice')
  if (!voice.variants.some(({ id }) => id === variant))
    throw new SpeechRefusedError('the voice does not have this variant')
  const wanted = (language ?? voice.languages[0]!).toLowerCase()
  const spoken = voice.languages.find((tag) => tag.toLowerCase() === wanted)
  if (spoken === undefined) throw new SpeechRefusedError('the voice does not speak this language')
  return { voice, language: spoken }
}
