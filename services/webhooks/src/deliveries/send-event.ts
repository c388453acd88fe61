/**
 * Sends an event to an endpoint, by Standard Webhooks: https://www.standardwebhooks.com. The delivery succeeds with a status
 * from 200 to 299; anything else is a failure, including a redirect.
 */
import { type EgressClient, EgressError } from '@parlance/egress'
import { Webhook } from 'standardwebhooks'

interface EventToSend {
  readonly eventId: string
  readonly url: string
  readonly body: string
  /** The secrets in the clear. The request is signed with each of them. */
  readonly secrets: readonly string[]
}

export interface Outcome {
  readonly status: number | null
  /** The beginning of the response body. */
  readonly response: string | null
  /** Why it failed; null for a success. */
  readonly error: string | null
}

/** Never rejects because of the endpoint. */
export type SendEvent = (event: EventToSend, at: Date) => Promise<Outcome>

interface SendEventOptions {
  readonly client: Pick<EgressClient, 'send'>
  readonly timeoutMs: number
}

const maxAnswerBytes = 64 * 1024
const maxShownCharacters = 256

/** Removes characters that Postgres cannot store or that are long in JSON. */
const shown = (text: string): string =>
  text
    .slice(0, maxShownCharacters)
    .toWellFormed()
    .replace(/\p{Cc}/gu, (control) => (control === '\n' ? '\n' : '\uFFFD'))

const isSuccess = (status: number): boolean => status >= 200 && status < 300

export const createSendEvent = ({ client, timeoutMs }: SendEventOptions): SendEvent => {
  const signatureOf = ({ secrets, eventId, body }: EventToSend, at: Date): string =>
    secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(' ')

  return async (event, at) => {
    if (event.secrets.length === 0) {
      return { status: null, response: null, error: 'The secret of this webhook cannot be read. Rotate it.' }
    }
    try {
      const { status, text } = await client.send({
        method: 'POST',
        url: event.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Parlance-Webhooks',
          'webhook-id': event.eventId,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': signatureOf(event, at),
        },
        body: event.body,
        timeoutMs,
        maxBytes: maxAnswerBytes,
        signal: new AbortController().signal,
      })
      const error = isSuccess(status) ? null : `The response has the status ${status}.`
      return { status, response: shown(text), error }
    } catch (error) {
      if (error instanceof EgressError) return { status: null, response: null, error: error.message }
      throw error
    }
  }
}
