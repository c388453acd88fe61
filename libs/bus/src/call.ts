import type { Bus } from './bus.js'
import type { CallOptions, MethodAddress } from './call-context.js'
import { callDenied, deadlineExceeded, noResponders } from './missing-reply.js'
import { multiplexerOf } from './reply-multiplexer.js'
import { subjectOf } from './subject.js'
import { traceCall } from './traced-call.js'
import { decodeError, encodeJson, encodeRequestHeaders, isErrorReply } from './wire.js'

export const defaultDeadlineMs = 5_000

/** Sends one request. Resolves with the bytes of its reply; rejects with `ServiceError`, or the reason of the signal. */
export const callRaw = (
  bus: Bus,
  address: MethodAddress,
  request: unknown,
  options: CallOptions,
): Promise<Uint8Array> => {
  const { context, end } = traceCall(bus, address, options.context)
  const reply = sendRequest(bus, address, request, context === undefined ? options : { ...options, context })
  reply.then(() => end(), end)
  return reply
}

const sendRequest = (
  bus: Bus,
  { service, method, version }: MethodAddress,
  request: unknown,
  { context, signal, deadlineMs = defaultDeadlineMs, lane, instance }: CallOptions,
): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const expiresAtMs = performance.now() + deadlineMs
    const settle = () => {
      replies.close()
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (reason: unknown) => {
      settle()
      reject(reason)
    }
    const onAbort = () => fail(signal?.reason)
    const requestSubject = subjectOf(service, method, { lane, instance })
    const replies = multiplexerOf(bus).subscribe({
      publishesTo: requestSubject,
      onMessage(message) {
        if (message.noResponders) return fail(noResponders(service))
        if (isErrorReply(message.headers)) return fail(decodeError(message.data))
        settle()
        resolve(message.data)
      },
      onSweep(nowMs) {
        if (nowMs >= expiresAtMs) fail(deadlineExceeded(service))
      },
      onDenied: () => fail(callDenied(service)),
    })
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      bus.publish(requestSubject, encodeJson(request), {
        reply: replies.subject,
        headers: encodeRequestHeaders(version, context, deadlineMs),
      })
    } catch (error) {
      fail(error)
    }
  })
