import type { ResponseConfig } from '@asteasolutions/zod-to-openapi'
import { type ErrorCode, errorBody, errorBodySchema, errorTable, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { openaiError } from '../http/error-response.js'

const exampleRequestId = '6f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'

const requestIdHeader = z.string().meta({
  description:
    'Identifies the request in responses and logs: the `x-request-id` of the request when it is valid, else a new id.',
  example: exampleRequestId,
})

/** `headers`, and the one that every response has. */
export const answerHeaders = (headers: Readonly<Record<string, z.ZodType>> = {}): z.ZodObject =>
  z.object({ 'x-request-id': requestIdHeader, ...headers })

const rateLimitHeaders = {
  'ratelimit-limit': z
    .string()
    .optional()
    .meta({ description: 'How many requests the workspace may make per minute.', example: '600' }),
  'ratelimit-remaining': z.string().optional().meta({ description: 'How many it may make now.', example: '599' }),
  'ratelimit-reset': z
    .string()
    .optional()
    .meta({ description: 'Seconds until it may make the full number again.', example: '1' }),
}

/** The same for requests that count towards the limit of a workspace, if the installation has one. */
export const countedAnswerHeaders: typeof answerHeaders = (headers = {}) =>
  answerHeaders({ ...rateLimitHeaders, ...headers })

/** The header of a response that must never be cached, such as one with a token. */
export const noStoreHeader = { 'cache-control': z.literal('no-store') }

const openaiErrorSchema = errorBodySchema
  .extend({
    error: z.object({ message: z.string(), type: z.string(), code: z.string(), param: z.string().nullable() }),
  })
  .meta({
    id: 'OpenaiError',
    description:
      "An `Error`, with an `error` object for OpenAI's clients: its `message` is the `detail`, its `code` the `code`.",
  })

const errorSchema = errorBodySchema.meta({
  id: 'Error',
  description: 'Every error has these five keys. Match on `code`; `detail` is for people and may change.',
})

const exampleDetails: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'voice_id: is required',
  invalid_json: 'The body is not valid JSON.',
  alignment_requires_json: 'alignment: not possible in an audio response; use response_mode "json" or "sse".',
  text_not_speakable: 'text: contains nothing that this voice can say; the voice Ada speaks en-GB',
  unsupported_format: 'output.sample_rate 16000 is not possible for mp3; possible: 22050, 24000, 44100',
  capability_disabled: 'The capability "tts" is not enabled for this workspace.',
  organization_suspended: 'This workspace is suspended.',
  insufficient_credit: 'There is not enough credit left for this.',
  not_acceptable: 'The response is audio/mpeg, which the Accept header excludes.',
  text_too_long: 'text: at most 5000 characters can be spoken at once.',
  payload_too_large: 'The body is larger than 128 KiB.',
  unsupported_media_type: 'Send the body with content-type application/json.',
  internal_error: 'Something went wrong on our side. Try again.',
}

const exampleError = (code: ErrorCode) =>
  new ServiceError(code, exampleDetails[code] ?? 'A description of the error for people.')
const exampleOf = (code: ErrorCode) => errorBody(exampleError(code), exampleRequestId)
const openaiExampleOf = (code: ErrorCode) => ({ ...exampleOf(code), error: openaiError(exampleError(code)) })

const retryAfter = {
  'retry-after': z.string().meta({ description: 'Seconds to wait before trying again.', example: '1' }),
}

type ErrorResponses = (codes: readonly ErrorCode[], headersOf: typeof answerHeaders) => Record<number, ResponseConfig>

const createErrorResponses =
  (schema: z.ZodType, exampleOf: (code: ErrorCode) => object): ErrorResponses =>
  (codes, headersOf) =>
    Object.fromEntries(
      [...new Set(codes.map((code) => errorTable[code].status))].map((status) => {
        const ofStatus = codes.filter((code) => errorTable[code].status === status)
        const examples = Object.fromEntries(ofStatus.map((code) => [code, { value: exampleOf(code) }]))
        return [
          status,
          {
            description: ofStatus.map((code) => `\`${code}\``).join(', '),
            headers: errorHeaders(status, headersOf),
            content: { 'application/json': { schema, examples } },
          },
        ]
      }),
    )

const errorHeaders = (status: number, headersOf: typeof answerHeaders): z.ZodObject => {
  if (status === 429) return headersOf(retryAfter)
  return answerHeaders(status === 503 ? retryAfter : {})
}

/** The error responses of an operation: one for each status that these codes have, with an example for each code. */
export const errorResponses = createErrorResponses(errorSchema, exampleOf)

/** The same of an operation that OpenAI's clients call. */
export const openaiErrorResponses = createErrorResponses(openaiErrorSchema, openaiExampleOf)
