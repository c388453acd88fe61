import { ServiceError } from '@parlance/contracts'

/**
 * The credentials after "Bearer" in an `Authorization` header. Throws `unauthorized` with a detail that names the expected
 * credentials (`what`, such as "an API key") and shows their form (`shape`).
 */
export const bearerCredentials = (header: string | undefined, what: string, shape: string): string => {
  if (header === undefined) {
    throw new ServiceError('unauthorized', `Send ${what} as "Authorization: Bearer ${shape}".`)
  }
  const [, scheme, credentials] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  if (scheme?.toLowerCase() !== 'bearer' || credentials === undefined) {
    throw new ServiceError('unauthorized', `The Authorization header must read "Bearer ${shape}".`)
  }
  return credentials
}
