import { z } from 'zod'
import { actorOf } from '../../authentication/require-key.js'
import { respondNothing } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { idQueryField } from '../../openapi/parameters.js'
import { endUserAddressOf, endUserParameters } from '../path-parameters.js'
import { apiKey, type Route } from '../route.js'

/** Strict, so that a misspelt `agent_id` does not delete what all Agents have learned. */
const query = z.strictObject({
  agent_id: idQueryField.meta({
    ...idQueryField.meta(),
    description: 'Only the memories of this Agent; all when left out.',
  }),
})

export const deleteMemories: Route = {
  method: 'delete',
  path: '/v1/end-users/:endUserId/memory',
  authentication: apiKey('agents'),
  operationId: 'forgetEndUser',
  tag: 'End users',
  summary: 'Delete the memory of an end user',
  description:
    'Permanently, with the recordings of the conversations of the end user. A conversation in progress does not store anything that was said before this request.',
  request: { params: endUserParameters, query },
  responses: { 204: { description: 'The memory was deleted.' } },

  createHandler: ({ memory, recordings }) =>
    respondNothing(async (req) => {
      const request = { ...endUserAddressOf(req), ...parseRequest(query, req.query) }
      await Promise.all([
        memory.forget(request, { context: req.context }),
        recordings.deleteOfEndUser({ ...request, actor: actorOf(req) }, { context: req.context }),
      ])
    }),
}
