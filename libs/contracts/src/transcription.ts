import { z } from 'zod'
import { call, contract, duplex } from './contract.js'
import { languageTagSchema } from './language.js'
import { bytesSchema, idSchema } from './primitives.js'

/** The maximum bytes of a part of a file that is sent over the bus. */
export const maxFilePartBytes = 32 * 1024

/** A recognizer as the API lists it. */
export const listedRecognizerSchema = z.object({
  name: z.string(),
  /** BCP 47 tags; null where it takes any. */
  languages: z.array(z.string()).nullable(),
  /** Whether it is slower than real time on this machine. It is then used only when a request names it. */
  is_slow: z.boolean().default(false),
})

export const transcriptionRequestSchema = z.strictObject({
  workspace_id: idSchema,
  /** The name of a recognizer; null for the best that knows the language. */
  recognizer: z.string().min(1).max(200).nullable(),
  /** Null for English, or the main language of the recognizer. */
  language: languageTagSchema.nullable(),
  /** Whether the caller knows `decoding`. */
  progress: z.boolean().optional(),
})
export type TranscriptionRequest = z.infer<typeof transcriptionRequestSchema>

/**
 * The messages of the caller, in this order: the `part`s of the file, `whole` and, once it has received `decoded`, `recognize`.
 * Until then nothing is recognized, so that the caller can reserve credit for the audio.
 */
export const transcriptionInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('part'), data: bytesSchema }),
  z.object({ kind: z.literal('whole') }),
  z.object({ kind: z.literal('recognize') }),
])
export type TranscriptionInput = z.infer<typeof transcriptionInputSchema>

/**
 * The messages to the caller, in this order: `decoding` about each minute of audio, if it asked for it, `decoded`, the
 * `segment`s in which something was recognized, `done`. Times are in ms.
 */
export const transcriptionOutputSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('decoding'), duration_ms: z.number().nonnegative() }),
  z.object({
    event: z.literal('decoded'),
    duration_ms: z.number().nonnegative(),
    /** The language in which the audio is recognized, a BCP 47 tag. */
    language: z.string(),
  }),
  z.object({
    event: z.literal('segment'),
    start_ms: z.number().nonnegative(),
    end_ms: z.number().nonnegative(),
    text: z.string().min(1),
  }),
  z.object({ event: z.literal('done') }),
])
export type TranscriptionOutput = z.infer<typeof transcriptionOutputSchema>
export type TranscriptionSegment = Extract<TranscriptionOutput, { event: 'segment' }>

/** Recorded speech as text. Conversations, which have precedence, are in the contract `liveSessions`. */
export const transcriptionContract = contract({
  name: 'transcription',
  version: '1.1.0',
  description: 'Turns recorded speech into text',
  methods: {
    /**
     * Fails with `invalid_request` for a file that cannot be decoded and for a language that no recognizer knows, with
     * `not_found` for a recognizer that is not installed, with `payload_too_large` for audio that is too long.
     */
    transcribe: duplex({
      request: transcriptionRequestSchema,
      input: transcriptionInputSchema,
      output: transcriptionOutputSchema,
      errors: [
        'not_found',
        'unsupported_format',
        'payload_too_large',
        'capacity_exhausted',
        'draining',
        'upstream_error',
        'upstream_timeout',
      ],
    }),
    /** The recognizers of this installation, the preferred first. */
    listRecognizers: call({
      request: z.strictObject({}),
      reply: z.object({ recognizers: z.array(listedRecognizerSchema) }),
    }),
  },
})
