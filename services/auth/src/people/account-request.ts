import { accountPath, type ErrorCode, type peopleContract, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import type { Accounts } from './accounts.js'

type Method = (typeof peopleContract)['methods']['handleAccountRequest']
type AccountRequest = z.output<Method['request']>
type AccountResponse = z.output<Method['reply']>

/** The header in which the gateway passes on the client's address. Clients cannot set it. */
export const clientAddressHeader = 'x-parlance-client-address'

/** The public routes of the library. All others respond with `not_found`. */
const publicRoutes: ReadonlySet<string> = new Set([
  'POST /sign-in/email',
  'POST /sign-in/social',
  'GET /callback/oidc',
  'GET /passkey/generate-authenticate-options',
  'POST /passkey/verify-authentication',
  'GET /passkey/generate-register-options',
  'POST /passkey/verify-registration',
  'GET /passkey/list-user-passkeys',
  'POST /passkey/delete-passkey',
  'POST /sign-out',
  'GET /get-session',
  'GET /magic-link/verify',
  'POST /request-password-reset',
  'POST /reset-password',
  'GET /list-accounts',
  'POST /set-password',
  'POST /change-password',
  'POST /change-email',
  'GET /verify-email',
  'POST /update-user',
  'GET /list-sessions',
  'POST /revoke-session',
  'POST /revoke-sessions',
  'POST /revoke-other-sessions',
  'GET /organization/list-members',
  'GET /organization/list-invitations',
  'POST /organization/invite-member',
  'POST /organization/cancel-invitation',
  'POST /organization/accept-invitation',
  'POST /organization/reject-invitation',
  'POST /organization/remove-member',
  'POST /organization/update-member-role',
  'POST /organization/leave',
])

/** Headers that the library reads. */
const passedOn = [
  'content-type',
  'cookie',
  'origin',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
]

const codeOf = (status: number): ErrorCode => {
  switch (status) {
    case 401:
      return 'unauthorized'
    case 403:
      return 'forbidden_role'
    case 404:
      return 'not_found'
    case 429:
      return 'rate_limited'
    default:
      return status < 500 ? 'invalid_request' : 'internal_error'
  }
}

const libraryErrorSchema = z.object({ code: z.string().optional(), message: z.string() })

const codeOfLibrary = (name = ''): ErrorCode | undefined => {
  if (name === 'INVALID_ORIGIN' || name === 'MISSING_OR_NULL_ORIGIN') return 'origin_not_allowed'
  // Some of these have the status 401, which would mean that the caller is not signed in.
  return name.startsWith('YOU_ARE_NOT_ALLOWED_') ? 'forbidden_role' : undefined
}

/** The fields that refusals of the library are about. */
const refusedFields: Readonly<Record<string, string>> = {
  INVALID_EMAIL: 'email',
  INVALID_PASSWORD: 'currentPassword',
  PASSWORD_TOO_SHORT: 'newPassword',
  PASSWORD_TOO_LONG: 'newPassword',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'email',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'email',
}

/** Begins with the name of the field that was refused, as in refusals of other routes. */
const detailOf = ({ code = '', message }: z.output<typeof libraryErrorSchema>): string => {
  const field = refusedFields[code]
  // The library itself writes "[body.email] Invalid email".
  const named = field === undefined ? message.replaceAll(/\[body\.(\w+)\] /g, '$1: ') : `${field}: ${message}`
  return named.replace(/\.?$/, '.')
}

/** Converts a refusal of the library. Its messages are written for end users. */
const refusalOf = (status: number, content: unknown, retryAfter: string | null | undefined): ServiceError => {
  const { data: body } = libraryErrorSchema.safeParse(content)
  const retryAfterSeconds = Number(retryAfter) || undefined
  const code = codeOfLibrary(body?.code) ?? codeOf(status)
  if (body === undefined || code === 'internal_error')
    return new ServiceError(code, 'The request failed.', { retryAfterSeconds })
  return new ServiceError(code, detailOf(body), { retryAfterSeconds })
}

/** The SQLSTATE for a text that is not a UUID. The library does not check ids. */
const noUuid = '22P02'

const refusalBy = (error: unknown): unknown => {
  const isBadId = (error as { code?: unknown }).code === noUuid
  return isBadId ? new ServiceError('invalid_request', 'An id in the request is not valid.', { cause: error }) : error
}

/**
 * Lets the library handle a request. Rejects with `not_found` for a route that is not public, and with the library's
 * refusals as `ServiceError`s.
 */
export const answerAccountRequest = async (
  accounts: Pick<Accounts, 'handle'>,
  asked: AccountRequest,
): Promise<AccountResponse> => {
  const { pathname } = new URL(asked.url)
  const route = `${asked.method} ${pathname.slice(accountPath.length)}`
  if (!pathname.startsWith(`${accountPath}/`) || !publicRoutes.has(route)) {
    throw new ServiceError('not_found', 'There is nothing at this path.')
  }
  const headers = new Headers({ [clientAddressHeader]: asked.client_address })
  for (const name of passedOn) if (asked.headers[name] !== undefined) headers.set(name, asked.headers[name])
  const { method, body } = asked
  const request = new Request(asked.url, { method, headers, ...(method === 'POST' && body !== undefined && { body }) })
  const response = await accounts.handle(request).catch((error: unknown) => {
    throw refusalBy(error)
  })
  if (response.status >= 400) {
    const retryAfter = response.headers.get('retry-after') ?? response.headers.get('x-retry-after')
    throw refusalOf(response.status, await response.json().catch(() => undefined), retryAfter)
  }
  return { status: response.status, headers: [...response.headers], body: await response.text() }
}
