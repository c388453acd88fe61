import { z } from 'zod'
import { broken, RecognitionFailure } from './recognition-failure.js'

/** Times are in seconds. */
const wordSchema = z.object({
  word: z.string(),
  punctuated_word: z.string().optional(),
  start: z.number(),
  end: z.number(),
})

/** The messages of Deepgram's `/v1/listen` and `/v2/listen` (Flux) that are used here. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Results'),
    /** Whether the text of this part of the audio is final. Otherwise the next message about it replaces this one. */
    is_final: z.boolean(),
    /** Whether this is the last result for the audio that was sent before `Finalize`. */
    from_finalize: z.boolean().default(false),
    channel: z.object({
      alternatives: z.array(z.object({ transcript: z.string(), words: z.array(wordSchema).default([]) })),
    }),
  }),
  /** The state of the user's turn, from `/v2/listen`. */
  z.object({
    type: z.literal('TurnInfo'),
    event: z.string(),
    /** The text of this turn so far. After `EndOfTurn` another turn begins. */
    transcript: z.string(),
    /** In seconds: until where the audio was transcribed. */
    audio_window_end: z.number(),
  }),
  /** The answer to `CloseStream`, and the last message of `/v1/listen`. */
  z.object({ type: z.literal('Metadata') }),
  z.object({ type: z.literal('Error') }),
])
export type DeepgramMessage = z.output<typeof messageSchema>

const typeSchema = z.object({ type: z.string() })
const known: ReadonlySet<string> = new Set(['Results', 'TurnInfo', 'Metadata', 'Error'])

/** Undefined for messages that are not used here, such as `SpeechStarted`. Throws `RecognitionFailure`. */
export const parseDeepgramMessage = (text: string): DeepgramMessage | undefined => {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    // The parser's own error would quote the message, and with it the user's words.
    throw broken('a message that is not JSON')
  }
  const type = typeSchema.safeParse(message).data?.type
  if (type === undefined) throw broken('a message without a type')
  if (!known.has(type)) return undefined
  const parsed = messageSchema.safeParse(message)
  if (!parsed.success) throw broken(`a message of type ${type} in another shape`)
  if (parsed.data.type === 'Error') throw broken('the server reported an error')
  return parsed.data
}

/** Deepgram's names of its reasons to close a socket. Nothing else of a reason is quoted. */
const reasonName = /^(DATA|NET)-\d{4}$/
const tryAgainLater = 1013

/** The failure of a socket that was closed before the last result. */
export const failureOfClose = (code: number, reason: string): RecognitionFailure => {
  const name = reasonName.test(reason) ? reason : undefined
  const message = `the server closed the socket (${[code, name].filter((part) => part !== undefined).join(', ')})`
  if (code === tryAgainLater) return new RecognitionFailure('capacity_exhausted', message)
  return new RecognitionFailure(name?.startsWith('NET') ? 'upstream_timeout' : 'upstream_error', message)
}
