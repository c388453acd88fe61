import { availableParallelism } from 'node:os'
import { z } from 'zod'

export const env = z.object({
  /**
   * The folder of the installed models, a folder each. Without an engines file the worker speaks with those that are in it, and
   * with those that come later.
   */
  MODELS_DIR: z.string().min(1).optional(),
  /** MiB of speeches that are kept for when they are asked for again, where the engines file does not say; 0 for none. */
  TTS_CACHE_MEGABYTES: z.coerce.number().int().min(0).max(65_536).default(32),
  /**
   * Processes of an eSpeak NG whose entry in the engines file does not say; each speaks one segment at a time. While two
   * workspaces use the engine neither has all of them, so the default, one more than there are cores, lets one use every
   * core and the other still start at once.
   */
  TTS_ENGINE_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(availableParallelism() + 1),
  /** Whether a worker without an engines file also has the engines that are installed on the machine, such as flite. */
  TTS_INSTALLED_ENGINES: z.stringbool().default(false),
  /** The engines there are and how they stand in for each other, as JSON (docs/engines.md); eSpeak NG alone when not set. */
  TTS_ENGINES_FILE: z.string().optional(),
  /**
   * Requests that may wait for each engine, which bounds the memory they take; with 0 none waits. How long they wait is
   * bounded by what they are for: 8 s for a text in one request, 2 s for the first audio of a stream.
   */
  TTS_QUEUE_LIMIT: z.coerce.number().int().min(0).max(10_000).default(1_000),
})
export type TtsEnv = z.infer<typeof env>
