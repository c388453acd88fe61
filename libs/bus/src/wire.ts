import { errorTable, isErrorCode, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import type { Headers } from './bus.js'
import type { CallContext } from './call-context.js'

/** Names of the headers that a request carries. */
export const requestHeaders = {
  requestId: 'x-request-id',
  /** The version of the contract that the caller knows. */
  contractVersion: 'x-contract-version',
  deadlineMs: 'x-deadline-ms',
  traceparent: 'traceparent',
  /** The window of a stream's caller. */
  windowChunks: 'x-window',
  windowBytes: 'x-window-bytes',
} as const

/** The headers that NATS' own service tools read. The text of the error is in the body, because a header is one line. */
const errorHeaders = { code: 'Nats-Service-Error', status: 'Nats-Service-Error-Code' } as const
const errorMark = errorHeaders.code.toLowerCase()

export const encodeRequestHeaders = (
  version: string,
  context: CallContext | undefined,
  deadlineMs: number,
): Record<string, string> => {
  const headers: Record<string, string> = {
    [requestHeaders.contractVersion]: version,
    [requestHeaders.deadlineMs]: String(Math.ceil(deadlineMs)),
  }
  if (context !== undefined) {
    headers[requestHeaders.requestId] = context.requestId
    if (context.traceparent !== undefined) headers[requestHeaders.traceparent] = context.traceparent
  }
  return headers
}

/** A call without a request id comes from outside the services, such as from a command line tool. */
export const decodeContext = (headers: Headers | undefined): CallContext => {
  const requestId = headers?.[requestHeaders.requestId] ?? 'none'
  const traceparent = headers?.[requestHeaders.traceparent]
  return traceparent === undefined ? { requestId } : { requestId, traceparent }
}

const partsOf = (version: string): number[] => version.split('.').map(Number)

/** Whether the caller knows a later version of the contract than `version`, such as 1.2.0 after 1.1.3. */
export const isFromLaterVersion = (headers: Headers | undefined, version: string): boolean => {
  const theirs = headers?.[requestHeaders.contractVersion]
  if (theirs === undefined || theirs === version || !/^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(theirs)) return false
  const own = partsOf(version)
  const differing = partsOf(theirs)
    .map((part, index) => part - own[index]!)
    .find((difference) => difference !== 0)
  return differing !== undefined && differing > 0
}

/** A header that is a positive integer; undefined when it is missing or is anything else. */
export const positiveHeader = (headers: Headers | undefined, name: string): number | undefined => {
  const value = headers?.[name]
  return value !== undefined && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined
}

export const encodeJson = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value), 'utf8')

/** The same bytes, not a copy. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const decodeJson = (bytes: Uint8Array): unknown => JSON.parse(asBuffer(bytes).toString('utf8'))

/** Undefined for bytes that are not JSON. */
export const tryDecodeJson = (bytes: Uint8Array): unknown => {
  try {
    return decodeJson(bytes)
  } catch {
    return undefined
  }
}

const errorSchema = z.object({
  code: z.string(),
  detail: z.string(),
  retry_after_seconds: z.int().positive().optional(),
  is_upstream: z.boolean().optional(),
  is_reported: z.boolean().optional(),
})

export const encodeError = ({ code, detail, retryAfterSeconds, isUpstream, isReported }: ServiceError): Uint8Array =>
  encodeJson({
    code,
    detail,
    retry_after_seconds: retryAfterSeconds,
    is_upstream: isUpstream || undefined,
    is_reported: isReported || undefined,
  })

export const encodeErrorHeaders = ({ code }: ServiceError): Headers => ({
  [errorHeaders.code]: code,
  [errorHeaders.status]: String(errorTable[code].status),
})

export const isErrorReply = (headers: Headers | undefined): boolean => headers?.[errorMark] !== undefined

/** The error in a reply body. */
export const decodeError = (bytes: Uint8Array): ServiceError => {
  try {
    const error = errorSchema.parse(decodeJson(bytes))
    const { code, detail, retry_after_seconds: retryAfterSeconds } = error
    const { is_upstream: isUpstream, is_reported: isReported } = error
    if (isErrorCode(code)) return new ServiceError(code, detail, { retryAfterSeconds, isUpstream, isReported })
  } catch {
    // The responder does not use this protocol.
  }
  return new ServiceError('internal_error', 'A service sent a reply that could not be read.')
}
