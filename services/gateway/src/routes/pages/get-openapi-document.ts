import { z } from 'zod'
import { sendJson } from '../../http/json-response.js'
import { json, noAuthentication, type Route } from '../route.js'

export const getOpenapiDocument: Route = {
  method: 'get',
  path: '/v1/openapi.json',
  authentication: noAuthentication,
  operationId: 'openapi',
  tag: 'Operations',
  summary: 'This document',
  responses: { 200: json('OK', z.object({})) },

  createHandler: ({ createOpenapiDocument }) => {
    // Created at the first request, so that it does not delay the start.
    let bytes: Buffer | undefined
    return (req, res) => {
      bytes ??= Buffer.from(JSON.stringify(createOpenapiDocument()))
      sendJson(req, res, bytes, 'public, max-age=60')
    }
  },
}
