/**
 * A turn detector in a process on this machine.
 *
 * - The process answers one question after the other. A question whose answer comes too late, or before which too many
 *   wait, has no answer: words and silence decide then.
 * - A process that ends, or no longer answers, is replaced.
 */
import { retry, sleep, withTimeout } from '@parlance/async'
import { pcmAsBytes } from '@parlance/audio'
import {
  type EngineProcess,
  type EngineProcessOptions,
  keepStartupErrors,
  openEngineProcess,
} from '@parlance/engine/client'
import { encodeFrame, type Frame, jsonOf, ProtocolError } from '@parlance/engine/protocol'
import { z } from 'zod'
import type { TurnDetector } from './turn-detector.js'

export interface ProcessTurnDetectorOptions
  extends Pick<TurnDetector, 'name' | 'languages'>,
    Pick<EngineProcessOptions<TurnDetectorHello>, 'command' | 'logger'> {
  /** How long an answer may take. Default 1,000: a later one would hardly shorten the wait. */
  readonly answerWithinMs?: number
  /** Questions that may wait for an answer. Default 16. */
  readonly maxWaiting?: number
  /** From the end of a process to the start of the next one. Default 5,000. */
  readonly restartAfterMs?: number
  /** How long a process may take to start. Default 60,000. */
  readonly startTimeoutMs?: number
}

const helloSchema = z.object({
  engine: z.string().min(1),
  version: z.string(),
  sampleRateHz: z.literal(16_000),
  maxAudioMs: z.int().min(1000).max(30_000),
})
type TurnDetectorHello = z.infer<typeof helloSchema>
const endSchema = z.object({ completeProbability: z.number().min(0).max(1).nullable() })

/** From 0 to 19: the service itself goes first, but the process is not starved. */
const niceness = 5
/** A process with this number of consecutive late answers is replaced. */
const maxLateInARow = 10
const samplesPerMs = 16

/**
 * Resolves when the process has loaded its model. Rejects when it does not start; with an `EngineUnavailableError`, which
 * says what is missing, when the engine cannot work on this machine.
 */
export const openProcessTurnDetector = async ({
  name,
  languages,
  command,
  logger,
  answerWithinMs = 1000,
  maxWaiting = 16,
  restartAfterMs = 5000,
  startTimeoutMs = 60_000,
}: ProcessTurnDetectorOptions): Promise<TurnDetector> => {
  const closing = new AbortController()
  const waiting = new Map<number, (completeProbability: number | undefined) => void>()
  let process: EngineProcess<TurnDetectorHello> | undefined
  let lastJob = 0
  let lateInARow = 0

  const settle = (job: number, completeProbability: number | undefined): void => {
    waiting.get(job)?.(completeProbability)
    waiting.delete(job)
  }
  const onFrame = (frame: Frame): void => {
    lateInARow = 0
    if (frame.kind !== 'end') throw new ProtocolError(`an unexpected frame: ${frame.kind}`)
    settle(frame.job, endSchema.parse(jsonOf(frame)).completeProbability ?? undefined)
  }

  const start = async (): Promise<EngineProcess<TurnDetectorHello>> => {
    const options = { command, niceness, logger, startTimeoutMs, helloSchema, readErrors: keepStartupErrors }
    const started = await openEngineProcess(options, closing.signal)
    started.listen({ onFrame, onGone: replace })
    process = started
    return started
  }
  const replace = (): void => {
    process = undefined
    lateInARow = 0
    for (const job of [...waiting.keys()]) settle(job, undefined)
    if (!closing.signal.aborted) restart().catch(() => {})
  }
  /** Waits first: a model that fails again and again must not take the processor. Rejects when the detector is closed. */
  const restart = async (): Promise<void> => {
    await sleep(restartAfterMs, closing.signal)
    const backoff = { firstMs: restartAfterMs, maxMs: 12 * restartAfterMs }
    const attempt = () =>
      start().catch((err: unknown) => {
        if (!closing.signal.aborted) logger.error({ engine: name, err }, 'An engine process could not be started')
        throw err
      })
    await retry(attempt, { backoff, signal: closing.signal })
  }
  const giveUp = (job: number): undefined => {
    settle(job, undefined)
    process?.send(encodeFrame('cancel', job))
    lateInARow += 1
    if (lateInARow === maxLateInARow) process?.kill(new Error('the turn detector does not answer'))
  }

  const { hello } = await start()
  const maxSamples = hello.maxAudioMs * samplesPerMs

  return {
    name,
    languages,
    audioMs: hello.maxAudioMs,
    detect: async (samples) => {
      if (process === undefined || waiting.size >= maxWaiting) return undefined
      const job = ++lastJob
      const answer = new Promise<number | undefined>((resolve) => waiting.set(job, resolve))
      process.send(encodeFrame('detect', job, pcmAsBytes(samples.subarray(-maxSamples))))
      return withTimeout(answer, answerWithinMs, () => giveUp(job))
    },
    close: async () => {
      closing.abort()
      await process?.close()
    },
  }
}
