/**
 * The life of an engine process.
 *
 * - It says hello when it can speak, then speaks one job after the other.
 * - It ends when its standard input does: when its parent is gone, it is gone. Signals meant for the parent (Ctrl-C
 *   reaches the whole group) do not end it, since the parent may still have work for it.
 * - What an engine refuses is an answer. Any other failure leaves it in a state nobody knows and ends the process: its
 *   parent starts a new one.
 */
import { encodeJsonFrame, type Hello, type SpeakCommand, type SpeechMarks } from '../protocol/index.js'
import { type CommandPipe, openCommandPipe } from './command-pipe.js'
import { report } from './report-pipe.js'
import { createSpeechOutput, type SpeechOutput } from './speech-output.js'

/** The engine cannot speak on this machine, and why: something is not installed, or not what it should be. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError'
}

/** The job asks for what the engine does not offer; nothing was spoken, and the next job will be. */
export class SpeechRefusedError extends Error {
  override readonly name = 'SpeechRefusedError'
}

// biome-ignore lint/suspicious/noConfusingVoidType: an engine that tells its marks on the way answers nothing.
type Spoken = SpeechMarks | undefined | void

export interface HostedEngine {
  readonly hello: Hello
  /**
   * Speaks one job; it is over when this returns or what it returns settles. Once `output` wants no more it ends as
   * soon as it can, as if it were done. What it answers are the job's last marks, which need no message of their own.
   * May throw `SpeechRefusedError`.
   */
  speak(command: SpeakCommand, output: SpeechOutput): Spoken | Promise<Spoken>
  /**
   * What makes the first jobs faster and need not be waited for: done a step at a time while there is no job. A step
   * that takes long asks `mayGoOn` now and then.
   */
  readonly warmUp?: Iterable<(mayGoOn: () => boolean) => void>
}

/** Between two steps, so that whatever else starts now gets its share of the processor. */
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

/** Runs the process from here on. `open` may reject with an `EngineUnavailableError`, which the parent is told. */
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
      const output = createSpeechOutput(job, commands, command)
      const marks = await engine.speak(command, output)
      output.end(marks ?? undefined)
    } catch (error) {
      if (!(error instanceof SpeechRefusedError)) throw error
      report(encodeJsonFrame('error', job, { message: error.message }))
    }
  }
}
