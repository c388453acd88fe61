import type { ErrorCode } from '@parlance/contracts'
import { vendorOf } from '../compat/vendors.js'
import { isOpenaiPath } from '../http/error-response.js'
import type { Authentication, Route } from '../routes/route.js'

const ofCaller = ['unauthorized', 'rate_limited', 'invalid_request'] as const
const ofMember = ['forbidden_role', 'not_found'] as const

const authenticationErrors = (authentication: Authentication): readonly ErrorCode[] => {
  switch (authentication.kind) {
    case 'key':
      return [...ofCaller, 'organization_suspended', ...capabilityErrors(authentication)]
    case 'member':
      return [...ofCaller, 'organization_suspended', ...ofMember, ...capabilityErrors(authentication)]
    case 'operator':
      return [...ofCaller, ...ofMember]
    case 'session token':
    case 'key or session token':
      return [...ofCaller, 'organization_suspended', 'session_token_expired', 'capability_disabled']
    case 'none':
      return []
  }
}

const capabilityErrors = ({ capability }: { readonly capability?: string }): readonly ErrorCode[] =>
  capability === undefined ? [] : ['capability_disabled']

const typesOf = ({ responses }: Route): string[] =>
  Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {}))

/** Routes of the public API check the `Accept` header. Those that clients of OpenAI call ignore it. */
const checksAccept = (route: Route): boolean =>
  route.path.includes('/v1/') &&
  !isOpenaiPath(route.path) &&
  vendorOf(route.path) === undefined &&
  route.authentication.kind !== 'none' &&
  typesOf(route).includes('application/json')

/** Whether a route responds with JSON only, and the `Accept` header must allow it. */
export const requiresJsonAccept = (route: Route): boolean =>
  checksAccept(route) && typesOf(route).every((type) => type === 'application/json')

const bodyErrors = ({ request, idempotency }: Route): readonly ErrorCode[] => [
  ...(request?.body?.content['application/json'] !== undefined
    ? (['invalid_request', 'invalid_json', 'payload_too_large', 'unsupported_media_type'] as const)
    : []),
  ...(idempotency !== undefined ? (['payload_too_large', 'idempotency_conflict'] as const) : []),
]

/** A route that needs another service cannot answer without it. */
const busErrors = ({ authentication, calls }: Route): readonly ErrorCode[] =>
  authentication.kind === 'none' && calls === undefined ? [] : ['unavailable', 'upstream_timeout']

/** The codes of all errors of a route: those that follow from its definition, and its own. */
export const errorsOf = (route: Route): readonly ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...authenticationErrors(route.authentication),
    'internal_error',
    ...busErrors(route),
    ...(checksAccept(route) ? (['not_acceptable'] as const) : []),
    ...bodyErrors(route),
    ...(route.calls ?? []).flatMap(({ errors }) => errors),
    ...(route.errors ?? []),
  ]),
]

/** The possible errors of every operation on an account. */
export const accountErrors = [
  'unauthorized',
  'invalid_request',
  'forbidden_role',
  'origin_not_allowed',
  'not_found',
  'rate_limited',
  'unavailable',
  'upstream_timeout',
] as const

/** The possible errors of every operation that returns speech. */
export const speechErrors = [
  'text_not_speakable',
  'unsupported_format',
  'insufficient_credit',
  'voice_not_found',
  'text_too_long',
  'upstream_error',
  'capacity_exhausted',
  'draining',
] as const

/** The possible errors of every WebSocket upgrade. */
export const upgradeErrors = [
  'invalid_request',
  'unauthorized',
  'capability_disabled',
  'organization_suspended',
  'capacity_exhausted',
  'draining',
  'unavailable',
] as const
