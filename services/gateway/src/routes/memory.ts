import type { Client } from '@parlance/bus'
import { idSchema, type memoryContract } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { sendJson, sendNothing } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import { endUserAddressOf } from './end-user-address.js'
import { orderedPageQuerySchema } from './page-query.js'

export type MemoryClient = Pick<Client<typeof memoryContract>, 'raw' | 'forget'>

const agent_id = z.string().toLowerCase().pipe(idSchema).optional()

export const memoryListQuerySchema = orderedPageQuerySchema.extend({ agent_id })
/** Strict: a misspelt Agent must not be taken for all of them. */
export const forgetQuerySchema = z.strictObject({ agent_id })

/** The handlers of what is remembered of an end user, which take a key. */
export const createMemoryHandlers = (memory: MemoryClient) =>
  ({
    async list(req, res) {
      requireAcceptable(req, jsonOnly)
      const request = { ...endUserAddressOf(req), ...parseRequest(memoryListQuerySchema, req.query) }
      sendJson(req, res, await memory.raw.listMemories(request, { context: req.context }), 'private, no-cache')
    },

    async forget(req, res) {
      const request = { ...endUserAddressOf(req), ...parseRequest(forgetQuerySchema, req.query) }
      await memory.forget(request, { context: req.context })
      sendNothing(req, res)
    },
  }) satisfies Record<string, RequestHandler>
