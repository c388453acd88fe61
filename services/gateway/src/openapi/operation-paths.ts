import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { answerHeaders, errorResponses } from './responses.js'

const text = { schema: z.string() }

const get = (path: string, operationId: string, summary: string, responses: RouteConfig['responses']): RouteConfig => ({
  method: 'get',
  path,
  operationId,
  tags: ['Operations'],
  summary,
  security: [],
  responses: { ...responses, ...errorResponses('internal_error') },
})

const ok = (content: NonNullable<ResponseConfig['content']>) => ({
  200: { description: 'OK', headers: answerHeaders(), content },
})

const assetOf = (page: string, operationId: string): RouteConfig => ({
  ...get(`${page}/{asset}`, operationId, 'A part of that page', {
    ...ok({ 'text/css': text, 'text/javascript': text, 'image/svg+xml': text }),
    ...errorResponses('invalid_request', 'not_found'),
  }),
  request: { params: z.object({ asset: z.string() }) },
})

export const operationPaths: readonly RouteConfig[] = [
  get('/v1/openapi.json', 'openapi', 'This document', ok({ 'application/json': { schema: z.object({}) } })),
  get('/docs', 'docs', 'This document, as a page', ok({ 'text/html': text })),
  assetOf('/docs', 'docsAsset'),
  get('/play', 'play', 'A page to hear the voices on, with a key', ok({ 'text/html': text })),
  assetOf('/play', 'playAsset'),
  get('/talk', 'talk', 'A page to talk with an Agent on, with a key', ok({ 'text/html': text })),
  assetOf('/talk', 'talkAsset'),
  get('/', 'root', 'To the page', {
    302: { description: 'To `/docs`.', headers: answerHeaders({ location: z.string() }) },
  }),
]
