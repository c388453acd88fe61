import { streamTokenRequestSchema, streamTokenSchema, tokensContract } from '@parlance/contracts'
import type { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { parseOptionalBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { noStoreHeader } from '../../openapi/responses.js'
import { streamPath } from '../../stream/speech-streams.js'
import { apiKey, json, jsonBody, type Route } from '../route.js'

export const createStreamToken: Route = {
  method: 'post',
  path: '/v1/tts/stream-tokens',
  authentication: apiKey('tts'),
  idempotency: {},
  operationId: 'createStreamToken',
  tag: 'Tokens',
  summary: 'Mint a stream token',
  description: 'To open one connection that streams speech, within 2 minutes.',
  request: { body: jsonBody(streamTokenRequestSchema, { example: { value: { max_characters: 2_000 } } }, false) },
  responses: {
    201: json('The token. It is in this response only.', streamTokenSchema.meta({ id: 'StreamToken' }), noStoreHeader),
  },
  calls: [tokensContract.methods.mintStreamToken],

  createHandler: ({ tokens, webSocketUrl }) =>
    respond(201, async (req) => {
      const { workspace_id, key_id } = principalOf(req)
      const { voice_id = null, max_characters = null } = await parseOptionalBody(streamTokenRequestSchema, req)
      const request = { workspace_id, key_id, voice_id, max_characters }
      const minted = await tokens.mintStreamToken(request, { context: req.context })
      const token: z.input<typeof streamTokenSchema> = {
        ...minted,
        websocket_url: webSocketUrl(req, streamPath),
        protocol: 'awp.tts.v1',
      }
      return token
    }),
}
