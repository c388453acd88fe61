import { type ServiceError, sessionCloseCodes } from '@parlance/contracts'

/** The close code of a connection that was refused, or failed, with this error. */
export const sessionCloseCodeOf = ({ status }: Pick<ServiceError, 'status'>): number =>
  ({
    401: sessionCloseCodes.tokenInvalid,
    402: sessionCloseCodes.insufficientCredit,
    403: sessionCloseCodes.forbidden,
    404: sessionCloseCodes.notFound,
    409: sessionCloseCodes.ended,
    429: sessionCloseCodes.rateLimited,
  })[status] ?? 1011
