import { z } from 'zod'
import { RecognitionFailure } from './recognition-failure.js'

/** The messages of Deepgram's `/v1/listen` that are used here. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Results'),
    /** Whether the text of this part of the audio is final. Otherwise the next message about it replaces this one. */
    is_final: z.boolean(),
    /** Whether this is the last result for the audio that was sent before `Finalize`. */
    from_finalize: z.boolean().default(false),
    channel: z.object({ alternatives: z.array(z.object({ transcript: z.string() })) }),
  }),
  /** The answer to `CloseStream`, and the last message. */
  z.object({ type: z.literal('Metadata') }),
  z.object({ type: z.literal('Error') }),
])
export type DeepgramMessage = z.output<typeof messageSchema>

const typeSchema = z.object({ type: z.string() })
const known: ReadonlySet<string> = new Set(['Results', 'Metadata', 'Error'])

const broken = (message: string, options?: ErrorOptions) => new RecognitionFailure('upstream_error', message, options)

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

/** The failure of a socket that the server refused with an HTTP status. */
export const failureOfUpgrade = (status: number): RecognitionFailure => {
  const message = `the server answered ${status} where a socket was expected`
  if (status === 429) return new RecognitionFailure('capacity_exhausted', message)
  if (status === 408 || status === 504) return new RecognitionFailure('upstream_timeout', message)
  return new RecognitionFailure('upstream_error', message, { mayTryAgain: status >= 500 })
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
