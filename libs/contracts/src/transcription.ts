import { z } from 'zod'
import {
  listenEncodingSchema,
  listenSpeechSchema,
  listenTranscriptSchema,
  listenWordSchema,
} from './api/listen-message.js'
import { call, contract, duplex } from './contract.js'
import { languageTagSchema } from './language.js'
import { bytesSchema, fileEndSchema, filePartSchema, idSchema } from './primitives.js'

/** A recognizer as the API lists it. */
export const listedRecognizerSchema = z.object({
  name: z.string(),
  /** BCP 47 tags; null where it takes any. */
  languages: z.array(z.string()).nullable(),
  /** Whether it is slower than real time on this machine. It is then used only when a request names it. */
  is_slow: z.boolean().default(false),
})

const transcriptionRequestSchema = z.strictObject({
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
 * The messages of the caller, in this order: the file and, once the caller has received `decoded`, `recognize`.
 * Until then nothing is recognized, so that the caller can reserve credit for the audio.
 */
const transcriptionInputSchema = z.discriminatedUnion('kind', [
  filePartSchema,
  fileEndSchema,
  z.object({ kind: z.literal('recognize') }),
])
export type TranscriptionInput = z.infer<typeof transcriptionInputSchema>

/**
 * The messages to the caller, in this order: `decoding` about each minute of audio, if it asked for it, `decoded`, the
 * `segment`s in which something was recognized, `done`. Times are in ms.
 */
const transcriptionOutputSchema = z.discriminatedUnion('event', [
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
    words: z.array(listenWordSchema).optional(),
  }),
  z.object({ event: z.literal('done') }),
])
export type TranscriptionOutput = z.infer<typeof transcriptionOutputSchema>
export type TranscriptionSegment = Extract<TranscriptionOutput, { event: 'segment' }>

const listenRequestSchema = z.strictObject({
  workspace_id: idSchema,
  recognizer: transcriptionRequestSchema.shape.recognizer,
  language: transcriptionRequestSchema.shape.language,
  encoding: listenEncodingSchema,
  sample_rate: z.int().min(8_000).max(48_000),
  /** Whether the caller knows `finalized`. */
  finalized: z.boolean().optional(),
})
export type ListenRequest = z.infer<typeof listenRequestSchema>

/** The messages of the caller. It ends its direction at the end of the audio. */
const listenInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('audio'), data: bytesSchema }),
  z.object({ kind: z.literal('finalize') }),
])
export type ListenInput = z.infer<typeof listenInputSchema>

/** The messages to the caller: `started` first. The stream ends after the last final transcript. */
const listenOutputSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('started'), recognizer: z.string(), language: z.string() }),
  listenTranscriptSchema,
  /** `at_ms` is where the voice began, or where the utterance ended. */
  listenSpeechSchema.extend({ at_ms: z.number().nonnegative().optional() }),
  /** Everything before a `finalize` was reported. */
  z.object({ event: z.literal('finalized') }),
])
export type ListenOutput = z.infer<typeof listenOutputSchema>

/** Speech as text: recorded, and while it is spoken. Conversations, which have precedence, are in the contract `liveSessions`. */
export const transcriptionContract = contract({
  name: 'transcription',
  version: '1.3.0',
  description: 'Turns speech into text',
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
    /** Recognizes audio while it arrives. Fails as `transcribe` does. */
    listen: duplex({
      request: listenRequestSchema,
      input: listenInputSchema,
      output: listenOutputSchema,
      errors: ['not_found', 'capacity_exhausted', 'draining', 'upstream_error', 'upstream_timeout'],
    }),
    /** The recognizers of this installation, the preferred first. */
    listRecognizers: call({
      request: z.strictObject({}),
      reply: z.object({ recognizers: z.array(listedRecognizerSchema) }),
    }),
  },
})
