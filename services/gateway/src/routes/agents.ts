import type { Client } from '@parlance/bus'
import {
  type Agent,
  agentConfigSchema,
  agentRequestSchema,
  type agentsContract,
  publishRequestSchema,
} from '@parlance/contracts'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { principalOf } from '../authentication/require-key.js'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { readJsonBody, readOptionalJsonBody } from '../http/json-body.js'
import { sendJson, sendNothing, sendResource } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import { agentAddressOf } from './agent-address.js'
import { orderedPageQuerySchema } from './page-query.js'
import { expectedVersionOf, revisionEtag } from './revision-etag.js'

export type AgentsClient = Client<typeof agentsContract>

const searchedText = z
  .string()
  .max(200)
  .regex(/^[^\u0000]*$/, { error: 'must not contain the character U+0000' })

export const agentListQuerySchema = orderedPageQuerySchema.extend({
  slug: searchedText.optional(),
  state: z.enum(['draft', 'published']).optional(),
  q: searchedText.optional(),
})

/** Fields that an Agent has, each with any value: what it makes of the standing configuration is checked as a whole. */
const patchSchema = z.strictObject(
  Object.fromEntries(Object.keys(agentConfigSchema.shape).map((field) => [field, z.unknown().optional()])),
)

const publishQuerySchema = z.strictObject({ dry_run: z.enum(['true', 'false']).optional() })

const cacheControl = 'private, no-cache'

const sendAgent = (req: Request, res: Response, status: number, agent: Agent, extraHeaders: readonly string[] = []) =>
  sendResource(req, res, status, agent, ['etag', revisionEtag(agent.draft_revision.version), ...extraHeaders])

/** The handlers of all routes under `/v1/agents` that take a key. */
export const createAgentHandlers = (agents: AgentsClient) => {
  const json =
    (handler: (req: Request, res: Response) => Promise<void>): RequestHandler =>
    (req, res) => {
      requireAcceptable(req, jsonOnly)
      return handler(req, res)
    }

  return {
    list: json(async (req, res) => {
      const query = parseRequest(agentListQuerySchema, req.query)
      const { workspace_id } = principalOf(req)
      sendJson(
        req,
        res,
        await agents.raw.listAgents({ workspace_id, ...query }, { context: req.context }),
        cacheControl,
      )
    }),

    create: json(async (req, res) => {
      const config = parseRequest(agentRequestSchema, await readJsonBody(req))
      const { workspace_id } = principalOf(req)
      const agent = await agents.createAgent({ workspace_id, config }, { context: req.context })
      sendAgent(req, res, 201, agent, ['location', `/v1/agents/${agent.id}`])
    }),

    read: json(async (req, res) => {
      sendAgent(req, res, 200, await agents.getAgent(agentAddressOf(req), { context: req.context }))
    }),

    update: json(async (req, res) => {
      const address = agentAddressOf(req)
      const expected_version = expectedVersionOf(req)
      const patch = parseRequest(patchSchema, await readJsonBody(req))
      sendAgent(
        req,
        res,
        200,
        await agents.updateAgent({ ...address, expected_version, patch }, { context: req.context }),
      )
    }),

    async delete(req, res) {
      await agents.deleteAgent(
        { ...agentAddressOf(req), expected_version: expectedVersionOf(req) },
        { context: req.context },
      )
      sendNothing(req, res)
    },

    publish: json(async (req, res) => {
      const address = agentAddressOf(req)
      const { dry_run } = parseRequest(publishQuerySchema, req.query)
      const { revision_id = null } = parseRequest(publishRequestSchema, await readOptionalJsonBody(req))
      const request = { ...address, expected_version: expectedVersionOf(req), revision_id }
      if (dry_run === 'true') {
        sendResource(req, res, 200, await agents.checkPublish(request, { context: req.context }))
        return
      }
      const { publication, created } = await agents.publishAgent(request, { context: req.context })
      sendResource(req, res, created ? 201 : 200, publication)
    }),

    listRevisions: json(async (req, res) => {
      const request = { ...agentAddressOf(req), ...parseRequest(orderedPageQuerySchema, req.query) }
      sendJson(req, res, await agents.raw.listRevisions(request, { context: req.context }), cacheControl)
    }),

    listPublications: json(async (req, res) => {
      const request = { ...agentAddressOf(req), ...parseRequest(orderedPageQuerySchema, req.query) }
      sendJson(req, res, await agents.raw.listPublications(request, { context: req.context }), cacheControl)
    }),
  } satisfies Record<string, RequestHandler>
}
