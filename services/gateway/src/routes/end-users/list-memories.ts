import { memoryContract, memorySchema } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { idQueryField, orderedPageQuerySchema } from '../../openapi/parameters.js'
import { endUserAddressOf, endUserParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const query = orderedPageQuerySchema.extend({
  agent_id: idQueryField.meta({
    ...idQueryField.meta(),
    description: 'Only the memories of this Agent.',
  }),
})

const page = z.object({
  memories: z.array(memorySchema.meta({ id: 'Memory' })),
  next_cursor: z.string().nullable(),
})

export const listMemories: Route = {
  method: 'get',
  path: '/v1/end-users/:endUserId/memory',
  authentication: apiKey('agents'),
  operationId: 'listMemories',
  tag: 'End users',
  summary: 'List the memory of an end user',
  description:
    'Facts that Agents with memory have extracted from conversations with the end user, each with its source message if the ' +
    'conversation is stored. The list of an unknown end user is empty.',
  request: { params: endUserParameters, query },
  responses: { 200: json('A page of memories.', page) },
  calls: [memoryContract.methods.listMemories],

  createHandler: ({ memory }) =>
    forward(async (req) => {
      const request = { ...endUserAddressOf(req), ...parseRequest(query, req.query) }
      return memory.raw.listMemories(request, { context: req.context })
    }),
}
