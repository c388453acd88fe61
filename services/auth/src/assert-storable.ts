import { ServiceError } from '@parlance/contracts'

/** Postgres cannot store a text with U+0000. */
export const assertStorable = (field: string, text: string): void => {
  if (text.includes('\0')) throw new ServiceError('invalid_request', `${field}: must not contain the character U+0000`)
}
