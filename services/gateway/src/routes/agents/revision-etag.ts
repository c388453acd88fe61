import { type Agent, ServiceError } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { sendResource } from '../../http/json-response.js'
import { ifMatchPattern } from '../../openapi/resource-schemas.js'

/** The `ETag` of an Agent whose draft has this version. */
const revisionEtag = (version: number): string => `"rev-${version}"`

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

/** Sends an Agent with its `ETag`. `extraHeaders` is a flat array. */
export const sendAgent = (
  req: Request,
  res: Response,
  status: number,
  agent: Agent,
  extraHeaders: readonly string[] = [],
): void => sendResource(req, res, status, agent, ['etag', revisionEtag(agent.draft_revision.version), ...extraHeaders])
