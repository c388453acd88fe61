import type { Client } from '@parlance/bus'
import type { catalogContract } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import type { z } from 'zod'
import { jsonOnly, requireAcceptable } from '../acceptable.js'
import { sendJson } from '../json-response.js'
import { pageQuerySchema } from '../page-query.js'
import { parseRequest } from '../parsed-request.js'

export type CatalogClient = Pick<Client<typeof catalogContract>, 'raw'>

const wholePage = {}

const pageOf = (req: Request): z.output<typeof pageQuerySchema> =>
  req.url.includes('?') ? parseRequest(pageQuerySchema, req.query) : wholePage

/** A list may change: caches of others must not keep it, and one's own must ask again. */
const cacheControl = 'private, no-cache'

/** `GET /v1/voices`. The reply is passed on as it came: to parse and print it again would cost more than all the rest. */
export const createVoicesHandler =
  (catalog: CatalogClient): RequestHandler =>
  async (req, res) => {
    requireAcceptable(req, jsonOnly)
    const { context } = req
    sendJson(req, res, await catalog.raw.listVoices(pageOf(req), { context }), cacheControl)
  }

/** `GET /v1/avatars` */
export const createAvatarsHandler =
  (catalog: CatalogClient): RequestHandler =>
  async (req, res) => {
    requireAcceptable(req, jsonOnly)
    const { context } = req
    sendJson(req, res, await catalog.raw.listAvatars(pageOf(req), { context }), cacheControl)
  }
