import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import { avatarPageSchema, avatarSchema, voicePageSchema, voiceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { voicesQuerySchema } from '../routes/catalog.js'
import { pageParameters } from './page-parameters.js'
import { answerHeaders, errorResponses, keyAnswerHeaders, keyErrors } from './responses.js'

const page = z.strictObject(pageParameters)

const voicesPage = page.extend({
  language: voicesQuerySchema.shape.language.meta({
    description: 'A BCP 47 tag. Keeps the voices that speak it: `en` keeps `en-GB` too, `en-GB` keeps only that.',
    example: 'en',
  }),
})

const errors = errorResponses('invalid_request', ...keyErrors, 'not_acceptable', 'rate_limited', 'upstream_timeout')

const list = (
  path: string,
  operationId: string,
  summary: string,
  description: string,
  schema: z.ZodType,
  query = page,
): RouteConfig => ({
  method: 'get',
  path,
  operationId,
  tags: ['Catalogs'],
  summary,
  security: [{ key: [] }],
  request: { query },
  responses: {
    200: { description, headers: keyAnswerHeaders(), content: { 'application/json': { schema } } },
    ...errors,
  },
})

const fileContent = {
  'model/gltf-binary': { schema: z.string().meta({ format: 'binary' }) },
  'image/webp': { schema: z.string().meta({ format: 'binary' }) },
}

const fileHeaders = (headers: Record<string, z.ZodType> = {}) =>
  answerHeaders({ etag: z.string(), 'cache-control': z.string(), ...headers })

export const catalogPaths: readonly RouteConfig[] = [
  list(
    '/v1/voices',
    'listVoices',
    'List the voices',
    'What the running engines can speak now, the best voices first.',
    voicePageSchema.extend({ voices: z.array(voiceSchema.meta({ id: 'Voice' })) }),
    voicesPage,
  ),
  list(
    '/v1/avatars',
    'listAvatars',
    'List the avatars',
    'The faces that an agent can be given.',
    avatarPageSchema.extend({ avatars: z.array(avatarSchema.meta({ id: 'Avatar' })) }),
  ),
  {
    method: 'get',
    path: '/assets/avatars/{file}',
    operationId: 'avatarFile',
    tags: ['Catalogs'],
    summary: 'An avatar, or its picture',
    description:
      'What `asset.url` and `thumbnail_url` of an avatar name: a file that is known by its SHA-256 and never changes. ' +
      'No key is needed, any page may load it, and a part can be asked for with `Range`.',
    security: [],
    request: { params: z.object({ file: z.string().meta({ example: `${'0'.repeat(64)}.glb` }) }) },
    responses: {
      200: { description: 'The whole file.', headers: fileHeaders(), content: fileContent },
      206: {
        description: 'The part that was asked for.',
        headers: fileHeaders({ 'content-range': z.string().meta({ example: 'bytes 0-99/912345' }) }),
        content: fileContent,
      },
      304: { description: 'It is what `If-None-Match` names.', headers: fileHeaders() },
      ...errorResponses('invalid_request', 'not_found', 'range_not_satisfiable'),
    },
  },
]
