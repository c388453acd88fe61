import {
  invalidRequest,
  ServiceError,
  type SessionClientEvent,
  sessionClientEventSchema,
  sessionEventLimits,
} from '@parlance/contracts'

/** Parses the text messages of a client on any transport. An invalid message is an error, and the next one is read. */
export interface ClientEventReader {
  read(message: string): void
  /** Reports the error of a binary message. */
  refuseBinary(): void
}

export const createClientEventReader = (options: {
  readonly onEvent: (event: SessionClientEvent) => void
  readonly onError: (error: ServiceError) => void
  readonly now?: () => number
}): ClientEventReader => {
  const { onEvent, onError, now = () => performance.now() } = options
  let secondFromMs = Number.NEGATIVE_INFINITY
  let messagesInSecond = 0

  /** A client over the limit gets one error a second, so that errors do not multiply its traffic. */
  const admits = (): boolean => {
    if (now() - secondFromMs >= 1000) {
      secondFromMs = now()
      messagesInSecond = 0
    }
    messagesInSecond++
    const limit = sessionEventLimits.messages_per_second
    if (messagesInSecond === limit + 1) {
      onError(
        new ServiceError('rate_limited', `More than ${limit} messages in a second: this one and the next are dropped.`),
      )
    }
    return messagesInSecond <= limit
  }

  return {
    read(message) {
      if (!admits()) return
      const limitBytes = sessionEventLimits.message_bytes
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
      const parsed = sessionClientEventSchema.safeParse(json)
      if (parsed.success) onEvent(parsed.data)
      else onError(invalidRequest(parsed.error))
    },
    refuseBinary() {
      if (admits()) onError(new ServiceError('invalid_request', 'Messages are JSON text, not binary.'))
    },
  }
}
