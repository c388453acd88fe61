import { availableParallelism } from 'node:os'
import { z } from 'zod'

export const env = z.object({
  /**
   * Engine processes; each speaks one segment at a time. One workspace never has them all, so the default, one more than
   * there are cores, lets a single workspace use every core and another still start at once.
   */
  TTS_ENGINE_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(availableParallelism() + 1),
  /** Requests that may wait for an engine; the next goes to another worker. Default: one for each engine process. More give no more speech, only later speech. */
  TTS_QUEUE_LIMIT: z.coerce.number().int().min(0).max(1_000).optional(),
})
export type TtsEnv = z.infer<typeof env>
