import { availableParallelism } from 'node:os'
import { z } from 'zod'

export const env = z.object({
  MODELS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the folder of the installed models, a folder each: without an engines file the worker speaks with those that are in it, and with those that come later',
    ),
  TTS_CACHE_MEGABYTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_536)
    .default(32)
    .describe(
      'MiB of speech that is kept for when it is requested again, where the engines file does not say; 0 for none',
    ),
  TTS_ENGINE_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(availableParallelism() + 1)
    .meta({
      description:
        'the maximum number of processes of eSpeak NG, where the engines file does not say; each speaks one segment at a time',
      defaultText: 'one more than there are cores',
    }),
  TTS_INSTALLED_ENGINES: z
    .stringbool()
    .default(true)
    .describe(
      'whether a worker without an engines file also has the engines that the machine has: flite, where libflite is',
    ),
  TTS_ENGINES_FILE: z
    .string()
    .optional()
    .describe(
      'a JSON file with the engines and how they stand in for each other; when left out, eSpeak NG, flite where libflite is, and the installed models',
    ),
  /** How long a request may wait depends on its purpose: 8 s for one over HTTP, 2 s for the first audio of a stream. */
  TTS_QUEUE_LIMIT: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(1_000)
    .describe('requests that may wait for each engine, which bounds the memory that they take; with 0 none waits'),
})
export type TtsEnv = z.infer<typeof env>
