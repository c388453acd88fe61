import { withTimeout } from '@parlance/async'
import { pcmAsBytes } from '@parlance/audio'
import { EnginePool, type EngineProcessOptions, keepStartupErrors } from '@parlance/engine/client'
import { encodeFrame, jsonOf, ProtocolError } from '@parlance/engine/protocol'
import { z } from 'zod'

/**
 * Judges by the sound of the user's voice whether a turn is complete, beside the words (`turn/completeness.ts`) and the
 * silence (`turn/endpointing.ts`). One detector serves many conversations.
 */
export interface TurnDetector {
  readonly name: string
  /** BCP 47 tags of the languages that it knows, compared by their first part; undefined when the language does not matter. */
  readonly languages: readonly string[] | undefined
  /** How much of the end of an utterance it uses. */
  readonly audioMs: number
  /**
   * Takes an utterance up to a pause: mono PCM at 16 kHz. Resolves to the probability that the user has finished, from 0 to 1,
   * or to undefined when there is no answer in time. Never rejects.
   */
  detect(samples: Int16Array): Promise<number | undefined>
  close(): Promise<void>
}

export interface ProcessTurnDetectorOptions
  extends Pick<TurnDetector, 'languages'>,
    Pick<EngineProcessOptions<TurnDetectorHello>, 'command' | 'logger'> {
  readonly modelName: string
  /** How long an answer may take. Default 1,000: a later answer would hardly end a turn earlier. */
  readonly answerWithinMs?: number
  /** Questions that may wait for an answer. Default 16. */
  readonly maxWaiting?: number
  /** How long a process may still work on a question whose answer is too late. Default 10,000. */
  readonly cancelTimeoutMs?: number
}

const helloSchema = z.object({
  engine: z.string().min(1),
  version: z.string(),
  sampleRateHz: z.literal(16_000),
  maxAudioMs: z.int().min(1000).max(30_000),
})
type TurnDetectorHello = z.infer<typeof helloSchema>
const endSchema = z.object({ completeProbability: z.number().min(0).max(1) })

/** From 0 to 19: the service itself goes first, but the process is not starved. */
const niceness = 5
/** How long a process may take to load its model. */
const startTimeoutMs = 60_000
/** A model that fails again and again must not take the processor. */
const backoff = { firstMs: 5000, maxMs: 60_000 }
const samplesPerMs = 16

/**
 * Opens a turn detector in a process on this machine.
 *
 * - The process answers one question at a time. A question has no answer when the answer would be too late or when too many
 *   questions wait: then words and silence decide.
 * - A process that ends, or no longer answers, is replaced.
 *
 * Resolves when the process has loaded its model. Rejects when it does not start; with an `EngineUnavailableError`, which
 * says what is missing, when the engine cannot work on this machine.
 */
export const openProcessTurnDetector = async ({
  modelName,
  languages,
  command,
  logger,
  answerWithinMs = 1000,
  maxWaiting = 16,
  cancelTimeoutMs = 10_000,
}: ProcessTurnDetectorOptions): Promise<TurnDetector> => {
  const pool = new EnginePool<TurnDetectorHello>({
    command,
    logger,
    niceness,
    startTimeoutMs,
    helloSchema,
    readErrors: keepStartupErrors,
    maxProcesses: 1,
    mustStart: true,
    backoff,
  })
  const hello = (await pool.open())!
  const maxSamples = hello.maxAudioMs * samplesPerMs

  return {
    name: `${hello.engine}/${modelName}`,
    languages,
    audioMs: hello.maxAudioMs,
    async detect(samples) {
      if (pool.running === 0 || pool.size >= maxWaiting) return undefined
      const audio = pcmAsBytes(samples.subarray(-maxSamples))
      const late = new AbortController()
      const answer = new Promise<number | undefined>((resolve) => {
        pool.add({
          async run(process) {
            if (late.signal.aborted) return
            const { cancel, done } = process.begin((job) => encodeFrame('detect', job, audio), {
              onFrame(frame) {
                throw new ProtocolError(`an unexpected frame: ${frame.kind}`)
              },
              readEnd: (frame) => endSchema.parse(jsonOf(frame)).completeProbability,
              cancelTimeoutMs,
            })
            late.signal.addEventListener('abort', cancel, { once: true })
            resolve(await done.catch(() => undefined))
          },
          fail: () => resolve(undefined),
        })
      })
      return withTimeout(answer, answerWithinMs, () => {
        late.abort()
        return undefined
      })
    },
    close: () => pool.close(),
  }
}
