import { availableParallelism } from 'node:os'
import { z } from 'zod'

export const env = z.object({
  /** Engine processes; each speaks one segment at a time. Default: one a core. */
  TTS_ENGINE_PROCESSES: z.coerce.number().int().min(1).max(64).default(availableParallelism()),
  /** New requests that may wait for an engine; one more is answered 503 `capacity_exhausted`. */
  TTS_QUEUE_LIMIT: z.coerce.number().int().min(0).max(10_000).default(100),
})
export type TtsEnv = z.infer<typeof env>
