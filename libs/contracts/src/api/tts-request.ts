import { z } from 'zod'
import { voiceIdSchema } from '../primitives.js'
import { alignmentKindSchema, audioFormatSchema, timedTextSchema, timedVisemeSchema } from '../speech.js'

/** The maximum number of code points in one request. */
export const maxTextCodePoints = 5000

/** Whether a text contains control characters other than tab and line ends, which cannot be spoken. */
export const holdsControlCharacters = (text: string): boolean =>
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)

/** Text that can be spoken: well-formed Unicode, no control characters but tab and line ends, not only white space. */
const speakableTextSchema = z
  .string()
  .refine((text) => text.isWellFormed(), { error: 'must not contain a lone surrogate' })
  .refine((text) => !holdsControlCharacters(text), {
    error: 'must not contain control characters other than tab and line breaks',
  })
  .refine((text) => text.trim() !== '', { error: 'must not be blank' })

export const ttsRequestSchema = z.strictObject({
  text: speakableTextSchema,
  voice_id: voiceIdSchema,
  tts_variant: z.string().min(1).max(64).optional(),
  language: z.string().min(2).max(35).optional(),
  output: z
    .strictObject({
      format: audioFormatSchema.default('mp3'),
      sample_rate: z.int().positive().optional(),
      bit_rate: z.int().positive().optional(),
    })
    .default({ format: 'mp3' }),
  speed: z.number().min(0.5).max(2).default(1),
  volume: z.number().min(0).max(2).default(1),
  response_mode: z.enum(['audio', 'json', 'sse']).default('audio'),
  alignment: z.array(alignmentKindSchema).max(3).default([]),
})
export type TtsRequest = z.infer<typeof ttsRequestSchema>

/** The response for `response_mode: "json"`. */
export const ttsJsonResponseSchema = z.object({
  request_id: z.string(),
  audio_base64: z.string(),
  output: z.object({
    format: audioFormatSchema,
    sample_rate: z.int(),
    bit_rate: z.int().nullable(),
  }),
  audio_duration_ms: z.number(),
  characters_billed: z.int(),
  alignment: z.object({
    words: z.array(timedTextSchema),
    phonemes: z.array(timedTextSchema),
    visemes: z.array(timedVisemeSchema),
  }),
})

/** The body of OpenAI's `POST /v1/audio/speech`. `model` is a variant's id; OpenAI's model names select the default. */
export const openaiSpeechRequestSchema = z.strictObject({
  model: z.string().min(1).max(64),
  input: speakableTextSchema,
  voice: z.union([z.string().min(1).max(200), z.strictObject({ id: z.string().min(1).max(200) })]),
  instructions: z.string().max(4096).optional(),
  response_format: z.enum(['mp3', 'opus', 'wav', 'pcm', 'aac', 'flac']).default('mp3'),
  speed: z.number().min(0.25).max(4).default(1),
  stream_format: z.enum(['audio', 'sse']).default('audio'),
})
export type OpenaiSpeechRequest = z.infer<typeof openaiSpeechRequestSchema>
