import type { Agent } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { sendResource } from '../../http/json-response.js'
import { revisionEtag } from '../../http/revision-etag.js'

/** Sends an Agent with its `ETag`. `extraHeaders` is a flat array. */
export const sendAgent = (
  req: Request,
  res: Response,
  status: number,
  agent: Agent,
  extraHeaders: readonly string[] = [],
): void => sendResource(req, res, status, agent, ['etag', revisionEtag(agent.draft_revision.version), ...extraHeaders])
