import type { Client } from '@parlance/bus'
import { type catalogContract, languageTagSchema } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { sendJson } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import { pageQuerySchema } from './page-query.js'

export type CatalogClient = Pick<Client<typeof catalogContract>, 'raw'>

export const voicesQuerySchema = pageQuerySchema.extend({ language: languageTagSchema.optional() })

const wholePage = {}

/** A list may change: caches of others must not keep it, and one's own must ask again. */
const cacheControl = 'private, no-cache'

/** `GET /v1/voices`. The reply is passed on as it came: to parse and print it again would cost more than all the rest. */
export const createVoicesHandler =
  (catalog: CatalogClient): RequestHandler =>
  async (req, res) => {
    requireAcceptable(req, jsonOnly)
    const { context } = req
    const query = req.url.includes('?') ? parseRequest(voicesQuerySchema, req.query) : wholePage
    sendJson(req, res, await catalog.raw.listVoices(query, { context }), cacheControl)
  }

/** `GET /v1/avatars` */
export const createAvatarsHandler =
  (catalog: CatalogClient): RequestHandler =>
  async (req, res) => {
    requireAcceptable(req, jsonOnly)
    const { context } = req
    const query = req.url.includes('?') ? parseRequest(pageQuerySchema, req.query) : wholePage
    sendJson(req, res, await catalog.raw.listAvatars(query, { context }), cacheControl)
  }
