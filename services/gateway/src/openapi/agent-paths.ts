import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import type { ErrorCode } from '@parlance/contracts'
import {
  agentConfigSchema,
  agentPageSchema,
  agentSchema,
  publicationPageSchema,
  publicationSchema,
  publishCheckSchema,
  publishRequestSchema,
  revisionPageSchema,
  revisionSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { agentListQuerySchema } from '../routes/agents.js'
import { ifMatchPattern } from '../routes/revision-etag.js'
import { agentPatch } from './agent-patch.js'
import { idempotencyKey } from './idempotency-key-header.js'
import { orderParameter, pageParameters } from './page-parameters.js'
import { agentsErrors, errorResponses, keyAnswerHeaders } from './responses.js'

const agent = agentSchema.meta({ id: 'Agent' })
const publication = publicationSchema.meta({ id: 'Publication' })
const revision = revisionSchema.meta({ id: 'Revision' })

const config = agentConfigSchema.meta({ id: 'AgentConfig' })

const exampleVoiceId = 'c4e6ab920f89f01485102aae2f9b26d5'
const example = {
  slug: 'front-desk',
  display_name: 'Front desk',
  voice_id: exampleVoiceId,
  voice_config: { tts_variant: 'standard' },
  system_prompt: 'You answer the door of a small hotel.',
  first_message: 'Welcome! How can I help?',
  llm_provider: 'builtin',
  llm_model: 'rules',
}

const agentId = z.object({ agentId: z.uuid().meta({ description: 'The `id` of the Agent.' }) })
const ifMatch = z.object({
  'if-match': z
    .string()
    .regex(ifMatchPattern)
    .optional()
    .meta({ description: 'The `ETag` that the Agent must still have.', example: '"rev-3"' }),
})
const etag = { etag: z.string().meta({ description: 'Of the draft revision.', example: '"rev-3"' }) }

const bodyErrors = ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const
const postErrors = ['idempotency_conflict'] as const

interface Operation {
  method: RouteConfig['method']
  path: string
  operationId: string
  summary: string
  description?: string
  request?: RouteConfig['request']
  responses: RouteConfig['responses']
  errors: readonly ErrorCode[]
}

const operation = ({ errors, responses, description, request, ...fields }: Operation): RouteConfig => ({
  ...fields,
  tags: ['Agents'],
  security: [{ key: [] }],
  ...(description === undefined ? {} : { description }),
  ...(request === undefined ? {} : { request }),
  responses: {
    ...responses,
    ...errorResponses(...agentsErrors, ...errors),
  },
})

const answer = (description: string, schema: z.ZodType, headers: Record<string, z.ZodType> = {}) => ({
  description,
  headers: keyAnswerHeaders(headers),
  content: { 'application/json': { schema } },
})

const body = (schema: z.ZodType, value: object, required = true) => ({
  required,
  content: { 'application/json': { schema, examples: { example: { value } } } },
})

const orderedPage = z.strictObject({ ...pageParameters, order: orderParameter })

export const agentPaths: readonly RouteConfig[] = [
  operation({
    method: 'get',
    path: '/v1/agents',
    operationId: 'listAgents',
    summary: 'List the Agents',
    description: 'Also how a slug is resolved to an `id`.',
    request: { query: agentListQuerySchema.extend({ ...pageParameters, order: orderParameter }) },
    responses: { 200: answer('A page of Agents.', agentPageSchema.extend({ agents: z.array(agent) })) },
    errors: [],
  }),
  operation({
    method: 'post',
    path: '/v1/agents',
    operationId: 'createAgent',
    summary: 'Create an Agent',
    request: { headers: idempotencyKey(), body: body(config, example) },
    responses: {
      201: answer('The Agent, a draft.', agent, { ...etag, location: z.string().meta({ example: '/v1/agents/…' }) }),
    },
    errors: [...bodyErrors, ...postErrors, 'slug_taken'],
  }),
  operation({
    method: 'get',
    path: '/v1/agents/{agentId}',
    operationId: 'getAgent',
    summary: 'Read an Agent',
    request: { params: agentId },
    responses: { 200: answer('The Agent.', agent, etag) },
    errors: ['agent_not_found'],
  }),
  operation({
    method: 'patch',
    path: '/v1/agents/{agentId}',
    operationId: 'updateAgent',
    summary: 'Change the draft of an Agent',
    description:
      'Fields replace, config objects and `metadata` merge one level deep, arrays replace, and `null` clears. What is ' +
      'published stays as it is until the next publication.',
    request: { params: agentId, headers: ifMatch, body: body(agentPatch, { display_name: 'Night porter' }) },
    responses: { 200: answer('The Agent.', agent, etag) },
    errors: [...bodyErrors, 'agent_not_found', 'slug_taken', 'revision_conflict'],
  }),
  operation({
    method: 'delete',
    path: '/v1/agents/{agentId}',
    operationId: 'deleteAgent',
    summary: 'Delete an Agent',
    request: { params: agentId, headers: ifMatch },
    responses: { 204: { description: 'It is gone, and its slug is free.', headers: keyAnswerHeaders() } },
    errors: ['agent_not_found', 'revision_conflict'],
  }),
  operation({
    method: 'post',
    path: '/v1/agents/{agentId}/publish',
    operationId: 'publishAgent',
    summary: 'Publish an Agent',
    description: 'Publishes the draft, or an older revision to go back to it. `dry_run=true` only tells what would be.',
    request: {
      params: agentId,
      query: z.strictObject({ dry_run: z.enum(['true', 'false']).optional() }),
      headers: ifMatch.extend(idempotencyKey().shape),
      body: body(publishRequestSchema, {}, false),
    },
    responses: {
      200: answer(
        'The standing publication, which already is of this revision; with `dry_run`, what stands against publishing, and warnings of what does not.',
        z.union([publication, publishCheckSchema.meta({ id: 'PublishCheck' })]),
      ),
      201: answer('The new publication.', publication),
    },
    errors: [
      ...bodyErrors,
      ...postErrors,
      'agent_not_found',
      'not_found',
      'revision_conflict',
      'agent_not_publishable',
    ],
  }),
  operation({
    method: 'get',
    path: '/v1/agents/{agentId}/revisions',
    operationId: 'listRevisions',
    summary: 'List the revisions of an Agent',
    request: { params: agentId, query: orderedPage },
    responses: { 200: answer('A page of revisions.', revisionPageSchema.extend({ revisions: z.array(revision) })) },
    errors: ['agent_not_found'],
  }),
  operation({
    method: 'get',
    path: '/v1/agents/{agentId}/publications',
    operationId: 'listPublications',
    summary: 'List the publications of an Agent',
    request: { params: agentId, query: orderedPage },
    responses: {
      200: answer('A page of publications.', publicationPageSchema.extend({ publications: z.array(publication) })),
    },
    errors: ['agent_not_found'],
  }),
]
