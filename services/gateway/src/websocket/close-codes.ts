/** The codes with which sockets are closed. */
import { type ServiceError, sessionCloseCodes, streamCloseCodes } from '@parlance/contracts'

export const goingAway = 1001
/** Also for a refusal that is an HTTP response, where one is possible. */
export const serverFailed = 1011

/** The close code of a stream that was refused or failed with this error. */
export const streamCloseCodeOf = ({ status }: ServiceError): number =>
  ({
    401: streamCloseCodes.tokenInvalid,
    402: streamCloseCodes.insufficientCredit,
    403: streamCloseCodes.forbidden,
    429: streamCloseCodes.rateLimited,
  })[status] ?? serverFailed

/** The same of a conversation. */
export const sessionCloseCodeOf = (error: ServiceError): number =>
  ({ 404: sessionCloseCodes.notFound, 409: sessionCloseCodes.ended })[error.status] ?? streamCloseCodeOf(error)

/** The close codes of our own protocols mean nothing to other clients. RFC 6455 has these for all. */
export const standardCloseCode = (code: number): number => {
  if (code < 4000) return code
  return code === streamCloseCodes.timedOut ? serverFailed : 1008
}
