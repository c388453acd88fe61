import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import { avatarPageSchema, avatarSchema, voicePageSchema, voiceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { pageParameters } from './page-parameters.js'
import { errorResponses, keyAnswerHeaders, keyErrors } from './responses.js'

const page = z.strictObject(pageParameters)

const errors = errorResponses('invalid_request', ...keyErrors, 'not_acceptable', 'rate_limited', 'upstream_timeout')

const list = (
  path: string,
  operationId: string,
  summary: string,
  description: string,
  schema: z.ZodType,
): RouteConfig => ({
  method: 'get',
  path,
  operationId,
  tags: ['Catalogs'],
  summary,
  security: [{ key: [] }],
  request: { query: page },
  responses: {
    200: { description, headers: keyAnswerHeaders(), content: { 'application/json': { schema } } },
    ...errors,
  },
})

export const catalogPaths: readonly RouteConfig[] = [
  list(
    '/v1/voices',
    'listVoices',
    'List the voices',
    'What the running engines can speak now.',
    voicePageSchema.extend({ voices: z.array(voiceSchema.meta({ id: 'Voice' })) }),
  ),
  list(
    '/v1/avatars',
    'listAvatars',
    'List the avatars',
    'The faces that an agent can be given.',
    avatarPageSchema.extend({ avatars: z.array(avatarSchema.meta({ id: 'Avatar' })) }),
  ),
]
