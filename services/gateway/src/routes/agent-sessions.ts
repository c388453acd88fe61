import type { Client } from '@parlance/bus'
import { idSchema, ServiceError, sessionStatusSchema, type sessionsContract } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import { principalOf } from '../authentication/require-key.js'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { sendJson, sendNothing } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import { orderedPageQuerySchema } from './page-query.js'

export type SessionRecordsClient = Client<typeof sessionsContract>

const lowerCaseId = z.string().toLowerCase().pipe(idSchema)
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString())

export const sessionListQuerySchema = orderedPageQuerySchema.extend({
  agent_id: lowerCaseId.optional(),
  end_user_id: lowerCaseId.optional(),
  status: sessionStatusSchema.optional(),
  started_after: instant.optional(),
  started_before: instant.optional(),
})

const cacheControl = 'private, no-cache'

/** The session of a path; what is no id names none: `session_not_found`. */
const sessionAddressOf = (req: Request) => {
  const id = idSchema.safeParse(String(req.params.sessionId).toLowerCase())
  if (!id.success) throw new ServiceError('session_not_found', 'There is no such session.')
  return { workspace_id: principalOf(req).workspace_id, session_id: id.data }
}

/** The handlers of the records of conversations, which take a key. */
export const createAgentSessionHandlers = (records: SessionRecordsClient) =>
  ({
    async list(req, res) {
      requireAcceptable(req, jsonOnly)
      const query = parseRequest(sessionListQuerySchema, req.query)
      const request = { workspace_id: principalOf(req).workspace_id, ...query }
      sendJson(req, res, await records.raw.listSessions(request, { context: req.context }), cacheControl)
    },

    async read(req, res) {
      requireAcceptable(req, jsonOnly)
      sendJson(req, res, await records.raw.getSession(sessionAddressOf(req), { context: req.context }), cacheControl)
    },

    async listMessages(req, res) {
      requireAcceptable(req, jsonOnly)
      const request = { ...sessionAddressOf(req), ...parseRequest(orderedPageQuerySchema, req.query) }
      sendJson(req, res, await records.raw.listMessages(request, { context: req.context }), cacheControl)
    },

    async delete(req, res) {
      await records.deleteSession(sessionAddressOf(req), { context: req.context })
      sendNothing(req, res)
    },
  }) satisfies Record<string, RequestHandler>
