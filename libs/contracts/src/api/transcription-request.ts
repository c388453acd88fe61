import { z } from 'zod'
import { languageTagSchema } from '../language.js'

/** The largest file that can be transcribed, as in OpenAI's API. */
export const maxAudioFileBytes = 25 * 1024 * 1024

/** The formats of a transcription. */
export const transcriptionFormats = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const
const transcriptionFormatSchema = z.enum(transcriptionFormats)
export type TranscriptionFormat = z.infer<typeof transcriptionFormatSchema>

const numberText = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,30})?(e[+-]?\d{1,3})?$/i, { error: 'must be a number' })
  .transform(Number)

const booleanText = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true')

const ignoredText = z.string().optional()
/** At most four, as in OpenAI's API. */
const ignoredTexts = z.array(z.string()).max(4).optional()

/**
 * The fields of OpenAI's `POST /v1/audio/transcriptions` besides `file`, as text from a form. A field whose name ends with
 * `[]` may be there several times.
 */
export const transcriptionFieldsSchema = z
  .strictObject({
    model: z.string().min(1).max(200),
    language: languageTagSchema.optional(),
    prompt: z.string().max(10_000).optional(),
    temperature: numberText.pipe(z.number().min(0).max(1)).optional(),
    response_format: transcriptionFormatSchema.default('json'),
    'timestamp_granularities[]': z
      .array(z.enum(['segment', 'word']))
      .max(2)
      .default([]),
    stream: booleanText.default(false),
    chunking_strategy: ignoredText,
    'chunking_strategy[type]': ignoredText,
    'chunking_strategy[prefix_padding_ms]': ignoredText,
    'chunking_strategy[silence_duration_ms]': ignoredText,
    'chunking_strategy[threshold]': ignoredText,
    'include[]': ignoredTexts,
    'known_speaker_names[]': ignoredTexts,
    'known_speaker_references[]': ignoredTexts,
  })
  .refine((fields) => fields.response_format === 'verbose_json' || fields['timestamp_granularities[]'].length === 0, {
    path: ['timestamp_granularities[]'],
    error: 'needs response_format verbose_json',
  })
  .refine((fields) => !fields.stream || ['json', 'text'].includes(fields.response_format), {
    path: ['stream'],
    error: 'needs response_format json or text',
  })
export type TranscriptionFields = z.output<typeof transcriptionFieldsSchema>

const ignoredFields = [
  'prompt',
  'temperature',
  'chunking_strategy',
  'chunking_strategy[type]',
  'chunking_strategy[prefix_padding_ms]',
  'chunking_strategy[silence_duration_ms]',
  'chunking_strategy[threshold]',
  'include[]',
  'known_speaker_names[]',
  'known_speaker_references[]',
] as const satisfies (keyof TranscriptionFields)[]

/** The requested options that no recognizer supports: names of fields, and `timestamp_granularities[]=word`. */
export const ignoredOfTranscription = (fields: TranscriptionFields): string[] => [
  ...ignoredFields.filter((name) => fields[name] !== undefined),
  ...(fields['timestamp_granularities[]'].includes('word') ? ['timestamp_granularities[]=word'] : []),
]

/** The billed quantity: the length of the audio in whole seconds, rounded up. */
const usageSchema = z.object({ type: z.literal('duration'), seconds: z.int().nonnegative() })

/** The response for `response_format` `json`. */
export const transcriptionSchema = z.object({ text: z.string(), usage: usageSchema })

/** The response for `response_format` `verbose_json`. Times are in seconds from the beginning of the audio. */
export const verboseTranscriptionSchema = z.object({
  task: z.literal('transcribe'),
  /** The English name of the language in lower case. */
  language: z.string(),
  duration: z.number().nonnegative(),
  text: z.string(),
  segments: z.array(
    z.object({
      id: z.int().nonnegative(),
      seek: z.int().nonnegative(),
      start: z.number().nonnegative(),
      end: z.number().nonnegative(),
      text: z.string(),
      tokens: z.array(z.int()),
      temperature: z.number(),
      avg_logprob: z.number(),
      compression_ratio: z.number(),
      no_speech_prob: z.number(),
    }),
  ),
  usage: usageSchema,
})

/** The events of a streamed transcription: parts of the text, then the whole. */
export const transcriptionDeltaSchema = z.object({ type: z.literal('transcript.text.delta'), delta: z.string() })
export const transcriptionDoneSchema = z.object({
  type: z.literal('transcript.text.done'),
  text: z.string(),
  usage: usageSchema,
})

export type TranscriptionEvent = z.infer<typeof transcriptionDeltaSchema> | z.infer<typeof transcriptionDoneSchema>

/** OpenAI's description of a model. `created` is in seconds since 1970. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().nonnegative(),
  owned_by: z.string(),
})
export type Model = z.infer<typeof modelSchema>
