import type { Client } from '@parlance/bus'
import {
  sessionTokenRequestSchema,
  streamTokenRequestSchema,
  type streamTokenSchema,
  type tokensContract,
} from '@parlance/contracts'
import type { RequestHandler } from 'express'
import type { z } from 'zod'
import { principalOf } from '../authentication/require-key.js'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { readOptionalJsonBody } from '../http/json-body.js'
import { sendResource } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import type { WebSocketUrl } from '../http/public-url.js'
import { streamPath } from '../stream/stream-path.js'
import { agentAddressOf } from './agent-address.js'

export type TokenMint = Pick<Client<typeof tokensContract>, 'mintSessionToken' | 'mintStreamToken'>

export interface TokenHandlersOptions {
  tokens: TokenMint
  webSocketUrl: WebSocketUrl
}

/** The handlers of the routes that mint. What they answer is never cached. */
export const createTokenHandlers = ({ tokens, webSocketUrl }: TokenHandlersOptions) => {
  return {
    async mintSessionToken(req, res) {
      requireAcceptable(req, jsonOnly)
      const address = agentAddressOf(req)
      const { end_user_id, variables, metadata } = parseRequest(
        sessionTokenRequestSchema,
        await readOptionalJsonBody(req),
      )
      const request = {
        ...address,
        key_id: principalOf(req).key_id,
        end_user_id: end_user_id?.toLowerCase() ?? null,
        variables,
        metadata,
      }
      sendResource(req, res, 201, await tokens.mintSessionToken(request, { context: req.context }))
    },

    async mintStreamToken(req, res) {
      requireAcceptable(req, jsonOnly)
      const { workspace_id, key_id } = principalOf(req)
      const { voice_id = null, max_characters = null } = parseRequest(
        streamTokenRequestSchema,
        await readOptionalJsonBody(req),
      )
      const request = { workspace_id, key_id, voice_id, max_characters }
      const minted = await tokens.mintStreamToken(request, { context: req.context })
      const answer: z.input<typeof streamTokenSchema> = {
        ...minted,
        websocket_url: webSocketUrl(req, streamPath),
        protocol: 'awp.tts.v1',
      }
      sendResource(req, res, 201, answer)
    },
  } satisfies Record<string, RequestHandler>
}
