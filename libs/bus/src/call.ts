import { ServiceError } from '@parlance/contracts'
import type { Bus } from './bus.js'
import type { CallOptions } from './call-context.js'
import { multiplexerOf } from './reply-multiplexer.js'
import { subjectOf } from './subject.js'
import { nobodyAnswers } from './unanswered.js'
import { decodeError, encodeJson, encodeRequestHeaders, isErrorReply } from './wire.js'

export interface MethodAddress {
  readonly service: string
  readonly method: string
}

export const defaultDeadlineMs = 5_000

/** One request and the bytes of its reply. */
export const callRaw = (
  bus: Bus,
  { service, method }: MethodAddress,
  request: unknown,
  { context, signal, deadlineMs = defaultDeadlineMs, lane, instance }: CallOptions,
): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const expiresAtMs = performance.now() + deadlineMs
    const settle = () => {
      mailbox.close()
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (reason: unknown) => {
      settle()
      reject(reason)
    }
    const onAbort = () => fail(signal?.reason)
    const mailbox = multiplexerOf(bus).open(
      (message) => {
        if (message.noResponders) fail(nobodyAnswers(service))
        else if (isErrorReply(message.headers)) fail(decodeError(message.data))
        else {
          settle()
          resolve(message.data)
        }
      },
      (nowMs) => {
        if (nowMs >= expiresAtMs) fail(tookTooLong(service))
      },
    )
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      bus.publish(subjectOf(service, method, { lane, instance }), encodeJson(request), {
        reply: mailbox.subject,
        headers: encodeRequestHeaders(context, deadlineMs),
      })
    } catch (error) {
      fail(error)
    }
  })

export const tookTooLong = (service: string) =>
  new ServiceError('upstream_timeout', `The ${service} service took too long to answer. Try again.`)
