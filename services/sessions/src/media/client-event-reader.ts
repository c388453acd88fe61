import {
  invalidRequest,
  ServiceError,
  type SessionClientEvent,
  sessionClientEventSchema,
  sessionEventLimits,
} from '@parlance/contracts'
import type { z } from 'zod'

interface ClientEventReaderOptions<Event> {
  readonly schema: z.ZodType<Event>
  readonly limits: { readonly message_bytes: number; readonly messages_per_second: number }
  onEvent(event: Event): void
  /** `message` is the JSON of the message, where it is JSON. */
  onError(error: ServiceError, message?: unknown): void
}

/** The events of our own protocol. */
export const ownEvents: Pick<ClientEventReaderOptions<SessionClientEvent>, 'schema' | 'limits'> = {
  schema: sessionClientEventSchema,
  limits: sessionEventLimits,
}

/** Parses the text messages of a client on any transport. An invalid message is an error, and the next one is read. */
export const createClientEventReader = <Event>(options: ClientEventReaderOptions<Event>) => {
  const { schema, limits, onEvent, onError } = options
  let secondFromMs = Number.NEGATIVE_INFINITY
  let messagesInSecond = 0

  /** A client over the limit gets one error a second, so that errors do not multiply its traffic. */
  const admits = (): boolean => {
    const nowMs = performance.now()
    if (nowMs - secondFromMs >= 1000) {
      secondFromMs = nowMs
      messagesInSecond = 0
    }
    messagesInSecond++
    const limit = limits.messages_per_second
    if (messagesInSecond === limit + 1) {
      onError(
        new ServiceError('rate_limited', `More than ${limit} messages in a second: this one and the next are dropped.`),
      )
    }
    return messagesInSecond <= limit
  }

  return {
    read(message: string) {
      if (!admits()) return
      const limitBytes = limits.message_bytes
      if (message.length > limitBytes || Buffer.byteLength(message) > limitBytes) {
        onError(new ServiceError('payload_too_large', `A message may have ${limitBytes} bytes.`))
        return
      }
      let json: unknown
      try {
        json = JSON.parse(message)
      } catch {
        onError(new ServiceError('invalid_json', 'The message is not JSON.'))
        return
      }
      const parsed = schema.safeParse(json)
      if (parsed.success) onEvent(parsed.data)
      else onError(invalidRequest(parsed.error), json)
    },
    /** Reports the error of a binary message. */
    refuseBinary() {
      if (admits()) onError(new ServiceError('invalid_request', 'Messages are JSON text, not binary.'))
    },
  }
}
