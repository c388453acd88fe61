import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { isOpenaiPath } from '../http/error-response.js'
import { idempotencyKeyPattern } from '../idempotency/idempotency-key.js'
import type { Authentication, Route, RouteResponse } from '../routes/route.js'
import { errorsOf } from './error-codes.js'
import { answerHeaders, countedAnswerHeaders, errorResponses, openaiErrorResponses } from './responses.js'

/** The OpenAPI operation of a route, with everything that follows from its authentication, its idempotency and its errors. */
export const operationOf = (route: Route): RouteConfig => {
  const { method, path, operationId, tag, summary, description, authentication } = route
  const isCounted = authentication.kind !== 'none'
  const headersOf = isCounted ? countedAnswerHeaders : answerHeaders
  const toErrorResponses = isOpenaiPath(path) ? openaiErrorResponses : errorResponses
  return {
    method,
    path: path.replace(/[:*](\w+)/g, '{$1}'),
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(authentication),
    request: requestOf(route),
    responses: {
      ...responsesOf(route.responses, headersOf),
      ...toErrorResponses(errorsOf(route), headersOf),
    },
  }
}

const securityOf = ({ kind }: Authentication): Record<string, string[]>[] => {
  switch (kind) {
    case 'key':
      return [{ key: [] }]
    case 'member':
    case 'operator':
      return [{ member: [], workspace: [] }]
    case 'session token':
      return [{ sessionToken: [] }]
    case 'key or session token':
      return [{ key: [] }, { sessionToken: [] }]
    case 'none':
      return []
  }
}

const idempotencyKeyDescription =
  'The same key gets the same response for 24 hours, with `idempotency-replayed: true`. Another body under the same key is 409.'

/** The request header of a POST that is executed once for each key. `when` names the requests to which it applies, if not all. */
const idempotencyKeyHeader = (when = '') => ({
  'idempotency-key': z
    .string()
    .regex(idempotencyKeyPattern)
    .optional()
    .meta({ description: `${when}${idempotencyKeyDescription}`, example: 'order-1042' }),
})

const requestOf = ({ request = {}, idempotency }: Route): NonNullable<RouteConfig['request']> => {
  if (idempotency === undefined) return request
  const { headers = z.object({}) } = request
  return { ...request, headers: headers.extend(idempotencyKeyHeader(idempotency.when)) }
}

const responsesOf = (
  responses: Route['responses'],
  headersOf: typeof answerHeaders,
): Record<string, ResponseConfig> => {
  const entries = Object.entries(responses).map(([status, response]) => [status, describe(status, response, headersOf)])
  return Object.fromEntries(entries)
}

const describe = (
  status: string,
  { headers, ...response }: RouteResponse,
  headersOf: typeof answerHeaders,
): ResponseConfig =>
  // The response to an upgrade has only the headers of the WebSocket protocol.
  status === '101' ? response : { ...response, headers: headersOf(headers) }
