import { z } from 'zod'
import { languageTagSchema } from '../language.js'
import { errorBodySchema } from './error-body.js'
import { readyFields } from './stream-message.js'

/** The subprotocol of `/v1/listen`; a token may be offered beside it, as for streams of speech. */
export const listenProtocol = 'awp.stt.v1'

/** The limits of a connection, as `ready` announces them. */
export const listenLimits = {
  frame_bytes: 64 * 1024,
  messages_per_second: 200,
  /** Audio that may wait to be recognized. */
  buffered_seconds: 30,
  inactivity_timeout_seconds: 60,
  life_seconds: 3_600,
} as const

export const listenEncodingSchema = z.enum(['pcm_s16le', 'ulaw', 'alaw'])

const listenStartSchema = z
  .strictObject({
    event: z.literal('start'),
    model: z.string().min(1).max(200).optional().meta({
      description: 'A model of `GET /v1/models`. Default: the best for the language.',
    }),
    language: languageTagSchema.optional().meta({ description: 'A BCP 47 tag. Default: English.' }),
    encoding: listenEncodingSchema,
    sample_rate: z.int().min(8_000).max(48_000).meta({ description: 'In Hz. The audio is mono.' }),
    interim_results: z.boolean().default(false),
    words: z.boolean().default(false).meta({
      description: 'Adds the times of words to final transcripts, where the model reports them.',
    }),
  })
  .meta({ description: 'Begins the recognition, once on a connection. `started` answers it, or an `error`.' })
export type ListenStart = z.infer<typeof listenStartSchema>

/** The text messages of a client. Audio is sent in binary frames. */
export const listenClientMessageSchema = z.discriminatedUnion('event', [
  listenStartSchema,
  z.strictObject({ event: z.literal('finalize') }).meta({
    description: 'Ends the utterance in progress without waiting for a pause. Its final transcript follows.',
  }),
  z.strictObject({ event: z.literal('keepalive') }).meta({ description: 'Restarts the inactivity timeout.' }),
  z.strictObject({ event: z.literal('close') }).meta({
    description:
      'The audio is complete. The last final transcripts and `done` follow; then the connection closes with 1000.',
  }),
])
export type ListenClientMessage = z.infer<typeof listenClientMessageSchema>

const timeFields = {
  start_ms: z.number().nonnegative().meta({ description: 'From the beginning of the audio.' }),
  end_ms: z.number().nonnegative(),
}
export const listenWordSchema = z.strictObject({ text: z.string(), ...timeFields })

export const listenTranscriptSchema = z
  .strictObject({
    event: z.literal('transcript'),
    text: z.string(),
    final: z.boolean(),
    ...timeFields,
    words: z.array(listenWordSchema).optional(),
  })
  .meta({
    description: 'The text of an utterance: so far, or `final`. A final text is empty when no words were recognized.',
  })
export const listenSpeechSchema = z
  .strictObject({ event: z.literal('speech'), started: z.boolean() })
  .meta({ description: 'A voice was heard, or an utterance has ended.' })

/** The messages to a client. */
export const listenServerMessageSchema = z.discriminatedUnion('event', [
  z.strictObject(readyFields).meta({ description: 'The first message: the recognition may be started.' }),
  z
    .strictObject({ event: z.literal('started'), model: z.string(), language: z.string() })
    .meta({ description: 'The audio is recognized by this model in this language.' }),
  listenTranscriptSchema,
  listenSpeechSchema,
  z
    .strictObject({ event: z.literal('done'), audio_seconds_billed: z.int().nonnegative() })
    .meta({ description: 'All audio was recognized.' }),
  z
    .strictObject({ event: z.literal('draining'), deadline_ms: z.number().nonnegative() })
    .meta({ description: 'The server stops within this time.' }),
  errorBodySchema,
])
export type ListenServerMessage = z.infer<typeof listenServerMessageSchema>
