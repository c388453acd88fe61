import type { Client } from '@parlance/bus'
import type { creditContract } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { sendJson } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import { usagePeriodSchema } from './usage-query.js'

export type CreditClient = Pick<Client<typeof creditContract>, 'raw'>

/** `GET /v1/credit` */
export const createCreditHandler =
  (credit: CreditClient): RequestHandler =>
  async (req, res) => {
    requireAcceptable(req, jsonOnly)
    const { context } = req
    const { workspace_id } = principalOf(req)
    sendJson(req, res, await credit.raw.getBalance({ workspace_id }, { context }))
  }

/** `GET /v1/usage` */
export const createUsageHandler =
  (credit: CreditClient): RequestHandler =>
  async (req, res) => {
    requireAcceptable(req, jsonOnly)
    const { context } = req
    const { workspace_id } = principalOf(req)
    const period = parseRequest(usagePeriodSchema, req.query)
    sendJson(req, res, await credit.raw.getUsage({ workspace_id, ...period }, { context }))
  }
