import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import { memorySchema } from '@parlance/contracts'
import { z } from 'zod'
import { forgetQuerySchema, memoryListQuerySchema } from '../routes/memory.js'
import { endUserParameter } from './end-user-parameter.js'
import { orderParameter, pageParameters } from './page-parameters.js'
import { agentsErrors, errorResponses, keyAnswerHeaders } from './responses.js'

const ofAgent = (description: string) => ({ agent_id: z.uuid().optional().meta({ description }) })

const errors = errorResponses(...agentsErrors)

export const memoryPaths: readonly RouteConfig[] = [
  {
    method: 'get',
    path: '/v1/end-users/{endUserId}/memory',
    operationId: 'listMemories',
    tags: ['End users'],
    summary: 'List what is remembered of an end user',
    description:
      'What Agents with memory have learnt of him in conversations, each with the message it was learnt from, where the ' +
      'conversation is kept. Of somebody who is not known the list is empty.',
    security: [{ key: [] }],
    request: {
      params: endUserParameter,
      query: memoryListQuerySchema.extend({
        ...pageParameters,
        order: orderParameter,
        ...ofAgent('Only what this Agent has learnt.'),
      }),
    },
    responses: {
      200: {
        description: 'A page of memories.',
        headers: keyAnswerHeaders(),
        content: {
          'application/json': {
            schema: z.object({
              memories: z.array(memorySchema.meta({ id: 'Memory' })),
              next_cursor: z.string().nullable(),
            }),
          },
        },
      },
      ...errors,
    },
  },
  {
    method: 'delete',
    path: '/v1/end-users/{endUserId}/memory',
    operationId: 'forgetEndUser',
    tags: ['End users'],
    summary: 'Forget what is remembered of an end user',
    description:
      'For good: nothing that was said until now is remembered again, not even by a conversation that goes on at this moment.',
    security: [{ key: [] }],
    request: {
      params: endUserParameter,
      query: forgetQuerySchema.extend(ofAgent('Only what this Agent has learnt; all when left out.')),
    },
    responses: { 204: { description: 'It is gone.', headers: keyAnswerHeaders() }, ...errors },
  },
]
