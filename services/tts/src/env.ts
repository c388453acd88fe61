import { availableParallelism } from 'node:os'
import { z } from 'zod'

export const env = z.object({
  /** MiB of speeches that are kept for when they are asked for again, where the engines file does not say; 0 for none. */
  TTS_CACHE_MEGABYTES: z.coerce.number().int().min(0).max(65_536).default(32),
  /**
   * Processes of an eSpeak NG whose entry in the engines file does not say; each speaks one segment at a time. One
   * workspace never has them all, so the default, one more than there are cores, lets a single workspace use every core
   * and another still start at once.
   */
  TTS_ENGINE_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(availableParallelism() + 1),
  /** The engines there are and how they stand in for each other, as JSON (docs/engines.md); eSpeak NG alone when not set. */
  TTS_ENGINES_FILE: z.string().optional(),
  /**
   * Requests that may wait for each engine; the next goes to another worker. Default: one for each utterance that it
   * speaks at once. More give no more speech, only later speech.
   */
  TTS_QUEUE_LIMIT: z.coerce.number().int().min(0).max(1_000).optional(),
})
export type TtsEnv = z.infer<typeof env>
