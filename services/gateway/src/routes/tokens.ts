import type { Client } from '@parlance/bus'
import {
  sessionTokenRequestSchema,
  streamTokenRequestSchema,
  type streamTokenSchema,
  type tokensContract,
} from '@parlance/contracts'
import type { RequestHandler } from 'express'
import type { z } from 'zod'
import { jsonOnly, requireAcceptable } from '../acceptable.js'
import { agentAddressOf } from '../agent-address.js'
import { readOptionalJsonBody } from '../json-body.js'
import { sendResource } from '../json-response.js'
import { parseRequest } from '../parsed-request.js'
import type { WebSocketUrl } from '../public-url.js'
import { principalOf } from '../require-key.js'
import { streamPath } from '../stream/stream-path.js'

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
