// @ts-check
import express from 'express'
import { findAgent } from './agent.mjs'
import { createParlance, failureOf } from './parlance.mjs'

/**
 * The routes of the backend of a page: the Agent to talk with, and a token for each conversation. A real backend
 * authenticates its users before it mints a token.
 *
 * @param {import('./settings.mjs').Settings} settings
 */
export const createTokenRouter = async ({ url, apiKey, slug }) => {
  const parlance = createParlance(url, apiKey)
  const agent = await findAgent(parlance, slug)
  const router = express.Router()

  router.get('/agent', (_request, response) => {
    response.json({ agentId: agent.id, name: agent.display_name, apiOrigin: url })
  })

  router.post('/session-token', async (_request, response) => {
    const path = { agentId: agent.id }
    const minted = await parlance.POST('/v1/agents/{agentId}/session-tokens', { params: { path } }).catch(failureOf)
    response.set('Cache-Control', 'no-store')
    if (minted.data) response.status(201).json({ token: minted.data.token })
    else response.status(502).json({ error: minted.error.detail })
  })

  return router
}
