import { ServiceError } from '@parlance/contracts'
import type { Request } from 'express'

/** The `ETag` of an Agent whose draft has this version. */
export const revisionEtag = (version: number): string => `"rev-${version}"`

/** An `If-Match` header with one tag, or with the asterisk for any. */
export const ifMatchPattern = /^(\*|(W\/)?"[!#-~]*")$/

/**
 * The version that the draft must have according to `If-Match`, or null for any. Throws `invalid_request` for a malformed
 * header. Throws `revision_conflict` for a tag that no Agent can have, such as a weak tag, since `If-Match` compares strongly.
 */
export const expectedVersionOf = (req: Request): number | null => {
  const header = req.headers['if-match']?.trim()
  if (header === undefined || header === '*') return null
  if (!ifMatchPattern.test(header)) {
    throw new ServiceError('invalid_request', 'The if-match header must be one ETag such as "rev-3", or *.')
  }
  const version = Number(/^"rev-([1-9][0-9]{0,8})"$/.exec(header)?.[1])
  if (Number.isNaN(version)) throw new ServiceError('revision_conflict', 'No revision of an Agent has this ETag.')
  return version
}
