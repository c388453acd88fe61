import { z } from 'zod'

/** A scheme, a host and a path: credentials would be a secret in a place that is shown, and a query would be lost. */
const baseUrlSchema = z.url({ protocol: /^https?$/, abort: true }).refine((url) => {
  const { username, password, search, hash } = new URL(url)
  return [username, password, search, hash].every((part) => part === '')
}, 'only a scheme, a host and a path')

/** The variables by which speech recognition is chosen; spread into the service's `env`. */
export const recognitionVariables = {
  /** `auto` takes `openai` where its URL is set, else `pocketsphinx` where it is on the machine, else none. */
  STT_PROVIDER: z.enum(['auto', 'pocketsphinx', 'openai', 'none']).default('auto'),
  /** Of any server with OpenAI's transcriptions, with the version: `https://api.openai.com/v1`. */
  STT_OPENAI_URL: baseUrlSchema.optional(),
  STT_OPENAI_MODEL: z.string().min(1).max(200).default('whisper-1'),
  STT_OPENAI_API_KEY: z.string().optional(),
  /** A file with the key, in place of the variable. */
  STT_OPENAI_API_KEY_FILE: z.string().min(1).optional(),
  /** Each hears one utterance at a time and takes about 170 MB; one for each core when not set. */
  STT_POCKETSPHINX_PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
}

const recognitionConfigSchema = z.object(recognitionVariables)
export type RecognitionConfig = z.output<typeof recognitionConfigSchema>
