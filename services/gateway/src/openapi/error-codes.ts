/** Every operation that takes a key may answer these. */
export const keyErrors = ['unauthorized', 'organization_suspended', 'internal_error', 'unavailable'] as const

/** Every operation for members of a workspace may answer these. */
export const memberErrors = [...keyErrors, 'invalid_request', 'forbidden_role', 'not_found', 'rate_limited'] as const

/** Every operation for operators may answer these. */
export const operatorErrors = [
  'unauthorized',
  'internal_error',
  'unavailable',
  'upstream_timeout',
  'invalid_request',
  'forbidden_role',
  'not_found',
  'rate_limited',
] as const

/** Every operation that reads who is signed in may answer these. */
export const signedInErrors = ['unauthorized', 'internal_error', 'unavailable', 'upstream_timeout'] as const

/** Every operation with an invitation may answer these. */
export const invitationErrors = [
  'invalid_request',
  'not_found',
  'internal_error',
  'unavailable',
  'upstream_timeout',
] as const

/** Every operation on an account may answer these. */
export const accountErrors = [
  ...signedInErrors,
  'invalid_request',
  'forbidden_role',
  'origin_not_allowed',
  'not_found',
  'rate_limited',
] as const

/** Every operation that requires the capability `agents` may answer these. */
export const agentsErrors = [
  ...keyErrors,
  'capability_disabled',
  'invalid_request',
  'not_acceptable',
  'rate_limited',
  'upstream_timeout',
] as const

/** Every operation with a JSON body may answer these, beside `invalid_request`. */
export const bodyErrors = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const

/** Every operation that takes a session token may answer these. */
export const sessionTokenErrors = [...agentsErrors, 'session_token_expired'] as const

/** Every operation that answers speech may answer these. */
export const speechErrors = [
  'invalid_request',
  'invalid_json',
  'text_not_speakable',
  'unsupported_format',
  ...keyErrors,
  'capability_disabled',
  'insufficient_credit',
  'voice_not_found',
  'not_acceptable',
  'text_too_long',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'upstream_error',
  'capacity_exhausted',
  'draining',
  'upstream_timeout',
] as const

/** Every operation that answers the text of a recording may answer these. */
export const transcriptionErrors = [
  'invalid_request',
  ...keyErrors,
  'capability_disabled',
  'insufficient_credit',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'upstream_error',
  'capacity_exhausted',
  'draining',
  'upstream_timeout',
] as const

/** Every operation that reads with a key of any capability may answer these. */
export const readErrors = [
  'invalid_request',
  ...keyErrors,
  'not_acceptable',
  'rate_limited',
  'upstream_timeout',
] as const

/** Every operation that upgrades to a WebSocket may answer these in place of the upgrade. */
export const upgradeErrors = [
  'invalid_request',
  'capacity_exhausted',
  'draining',
  'unavailable',
  'internal_error',
  'unauthorized',
  'capability_disabled',
  'organization_suspended',
] as const
