import { isErrorName } from '@parlance/contracts'
import { z } from 'zod'
import { RemoteFailure } from './remote-failure.js'
import { failureOfStatus } from './status-failure.js'

/** The messages of Cartesia's WebSocket. Unknown kinds are ignored. */

const contextId = z.string().nullish()
const seconds = z.array(z.number())

const knownMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), context_id: contextId, data: z.string() }),
  z.object({
    type: z.literal('timestamps'),
    context_id: contextId,
    word_timestamps: z.object({ words: z.array(z.string()), start: seconds, end: seconds }).nullish(),
  }),
  z.object({
    type: z.literal('phoneme_timestamps'),
    context_id: contextId,
    phoneme_timestamps: z.object({ phonemes: z.array(z.string()), start: seconds, end: seconds }).nullish(),
  }),
  z.object({ type: z.literal('done'), context_id: contextId }),
  z.object({
    type: z.literal('error'),
    context_id: contextId,
    status_code: z.int().nullish(),
    error_code: z.string().nullish(),
  }),
])
const anyMessage = z.object({ type: z.string(), context_id: contextId })

export type CartesiaMessage = z.infer<typeof knownMessage>

const knownTypes: ReadonlySet<string> = new Set(['chunk', 'timestamps', 'phoneme_timestamps', 'done', 'error'])

/** Returns undefined for an unknown kind. Throws a `RemoteFailure` for an invalid message. */
export const parseCartesiaMessage = (text: string): CartesiaMessage | undefined => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new RemoteFailure('broken', 'a message that is not JSON', { cause })
  }
  const any = anyMessage.safeParse(value)
  if (any.success && !knownTypes.has(any.data.type)) return undefined
  const known = knownMessage.safeParse(value)
  if (!known.success) throw new RemoteFailure('broken', 'a message of an unknown shape')
  return known.data
}

export const failureOfCartesia = (error: Extract<CartesiaMessage, { type: 'error' }>): RemoteFailure => {
  const { status_code: status, error_code: code } = error
  return failureOfStatus(status ?? 500, isErrorName(code) ? code : undefined)
}
