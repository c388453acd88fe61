import { z } from 'zod'

/** A scheme, a host and a path. Credentials would appear in logs, and a query would be lost. */
const baseUrlSchema = (protocol: RegExp) =>
  z.url({ protocol, abort: true }).refine((url) => {
    const { username, password, search, hash } = new URL(url)
    return [username, password, search, hash].every((part) => part === '')
  }, 'only a scheme, a host and a path')

const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const languagesSchema = z
  .string()
  .transform(commaSeparated)
  .pipe(z.array(z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/)).min(1))

const providers = ['sherpa-onnx', 'deepgram', 'openai', 'pocketsphinx'] as const
export type RecognitionProvider = (typeof providers)[number]

const providerSchema = z
  .string()
  .transform(commaSeparated)
  .pipe(
    z.union(
      [z.tuple([z.literal('auto')]), z.tuple([z.literal('none')]), z.array(z.enum(providers)).min(1)],
      `auto, none, or some of ${providers.join(', ')}, by commas`,
    ),
  )

/** The variables that configure speech recognition; spread into the service's `env`. */
export const recognitionVariables = {
  STT_PROVIDER: providerSchema
    .default(['auto'])
    .describe(
      'the recognisers, of which the first that knows a language is used: some of sherpa-onnx, deepgram, openai, pocketsphinx, separated by commas; or none; or auto, which is all that are configured but pocketsphinx',
    ),
  MODELS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('the folder of the installed models, a folder each, which may change at any time'),
  STT_SHERPA_MODELS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('another folder with a folder for each recognition model, which is read at the start'),
  STT_SHERPA_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('how many threads a process of sherpa-onnx has'),
  STT_SHERPA_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('how many utterances each model of sherpa-onnx recognises at once, a process for each'),
  STT_DEEPGRAM_API_KEY: z.string().optional().describe('the key of Deepgram'),
  STT_DEEPGRAM_API_KEY_FILE: z.string().min(1).optional().describe('a file that holds the key of Deepgram'),
  STT_DEEPGRAM_URL: baseUrlSchema(/^(https?|wss?)$/)
    .default('wss://api.deepgram.com/v1')
    .describe('the URL of Deepgram, with the version'),
  STT_DEEPGRAM_MODEL: z.string().min(1).max(200).default('nova-3').describe('the model of Deepgram'),
  STT_DEEPGRAM_LANGUAGES: languagesSchema
    .optional()
    .describe('the languages for which Deepgram is used, such as en,de'),
  STT_OPENAI_URL: baseUrlSchema(/^https?$/)
    .optional()
    .describe("a server with OpenAI's transcriptions, with the version: https://api.openai.com/v1"),
  STT_OPENAI_MODEL: z.string().min(1).max(200).default('whisper-1').describe('the model of that server'),
  STT_OPENAI_API_KEY: z.string().optional().describe('the key of that server'),
  STT_OPENAI_API_KEY_FILE: z.string().min(1).optional().describe('a file that holds the key of that server'),
  STT_OPENAI_LANGUAGES: languagesSchema
    .optional()
    .describe('the languages for which that server is used, such as en,de'),
  STT_POCKETSPHINX_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('how many utterances pocketsphinx recognises at once, a process for each'),
}

const recognitionConfigSchema = z.object(recognitionVariables)
export type RecognitionConfig = z.output<typeof recognitionConfigSchema>
