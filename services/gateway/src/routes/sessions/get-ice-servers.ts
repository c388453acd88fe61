import { iceServersSchema, tokensContract } from '@parlance/contracts'
import { sendResource } from '../../http/json-response.js'
import { json, type Route, sessionToken } from '../route.js'
import { admitMintingKey, sessionTokenOf } from './session-token.js'

export const getIceServers: Route = {
  method: 'get',
  path: '/v1/ice-servers',
  authentication: sessionToken,
  operationId: 'getIceServers',
  tag: 'Sessions',
  summary: 'Get STUN and TURN servers',
  description: 'With time-limited credentials. The session token is not consumed, and may have been consumed before.',
  responses: { 200: json('The servers.', iceServersSchema.meta({ id: 'IceServers' })) },
  calls: [tokensContract.methods.readSessionToken],

  createHandler: (dependencies) => async (req, res) => {
    const { tokens, sessions } = dependencies
    const { context } = req
    const grant = await tokens.readSessionToken({ token: sessionTokenOf(req) }, { context })
    await admitMintingKey(dependencies, res, grant, context)
    sendResource(req, res, 200, await sessions.getIceServers({}, { context }))
  },
}
