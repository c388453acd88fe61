import { z } from 'zod'
import { sendJson } from '../../http/json-response.js'
import { createAsyncapiDocument } from '../../openapi/asyncapi.js'
import { json, noAuthentication, type Route } from '../route.js'

export const getAsyncapiDocument: Route = {
  method: 'get',
  path: '/v1/asyncapi.json',
  authentication: noAuthentication,
  operationId: 'asyncapi',
  tag: 'Operations',
  summary: 'The protocols of WebSockets and data channels, as AsyncAPI 3',
  responses: { 200: json('OK', z.object({})) },

  createHandler: () => {
    // Created at the first request, so that it does not delay the start.
    let bytes: Buffer | undefined
    return (req, res) => {
      bytes ??= Buffer.from(JSON.stringify(createAsyncapiDocument()))
      sendJson(req, res, bytes, 'public, max-age=60')
    }
  },
}
