import { listenTokenRequestSchema, listenTokenSchema, tokensContract } from '@parlance/contracts'
import type { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { parseOptionalBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { noStoreHeader } from '../../openapi/responses.js'
import { listenPath } from '../../stream/listen-streams.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'

export const createListenToken: Route = {
  method: 'post',
  path: '/v1/listen/tokens',
  authentication: apiKey('stt'),
  idempotency: {},
  operationId: 'createListenToken',
  tag: 'Tokens',
  summary: 'Mint a listen token',
  description: 'To open one connection that recognizes speech, within 2 minutes.',
  request: { body: jsonBody(listenTokenRequestSchema, { example: { value: {} } }, false) },
  responses: {
    201: json('The token. It is in this response only.', listenTokenSchema.meta({ id: 'ListenToken' }), noStoreHeader),
  },
  calls: [tokensContract.methods.mintListenToken],

  createHandler: ({ tokens, webSocketUrl }) =>
    respond(201, async (req) => {
      const { workspace_id, key_id } = principalOf(req)
      await parseOptionalBody(listenTokenRequestSchema, req)
      const minted = await tokens.mintListenToken({ workspace_id, key_id }, { context: req.context })
      const token: z.input<typeof listenTokenSchema> = {
        ...minted,
        websocket_url: webSocketUrl(req, listenPath),
        protocol: 'awp.stt.v1',
      }
      return token
    }),
}
