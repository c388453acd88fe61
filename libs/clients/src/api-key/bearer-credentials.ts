import { ServiceError } from '@parlance/contracts'

/**
 * What stands in an `Authorization` header after "Bearer". Throws `unauthorized`, which says what to send: `what` names it,
 * `shape` shows it.
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
