import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { timestampSchema, webhookEventSchema } from '@parlance/contracts'
import { z } from 'zod'
import { workspaceHeader } from '../authentication/require-person.js'
import type { Route } from '../routes/route.js'
import { operationOf } from './operation.js'
import { speechEventData } from './speech-schemas.js'
import { transcriptionEventData } from './transcription-schemas.js'

/** The groups of operations, in the order in which the reference shows them. */
const tags = [
  { name: 'Agents', description: 'Configurable conversational characters: drafts, revisions and publications.' },
  { name: 'Tokens', description: 'Short-lived credentials for browsers, each for one use.' },
  { name: 'Sessions', description: 'Conversations with Agents, live and past.' },
  { name: 'End users', description: 'Data about the people that Agents talk with.' },
  { name: 'Speech', description: 'Text to speech, and recorded speech to text.' },
  { name: 'Catalogs', description: 'Voices and avatars.' },
  { name: 'Credit', description: 'Balance and usage.' },
  { name: 'Webhooks', description: 'Your own addresses that receive events, and the log of deliveries.' },
  { name: 'People', description: 'Accounts, sign-ins and invitations of the people who use the dashboard.' },
  { name: 'Keys', description: 'API keys of a workspace.' },
  { name: 'Operations', description: 'For the people who run Parlance.' },
] as const

export type Tag = (typeof tags)[number]['name']

/** Schemas to which only other schemas refer. */
const components = [...speechEventData, ...transcriptionEventData].map((schema) => ({
  type: 'schema' as const,
  schema,
}))

export const title = 'Parlance'
const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

const registerKeys = (registry: OpenAPIRegistry): void => {
  registry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'awp_…',
    description:
      'A workspace API key, which starts with `awp_`. Keys are for backends: never put one into a page or an app.',
  })
  registry.registerComponent('securitySchemes', 'sessionToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'awst_…',
    description:
      'A session token, which starts with `awst_`: minted with a key, for a browser, good for one conversation.',
  })
}

const registerMembers = (registry: OpenAPIRegistry): void => {
  registry.registerComponent('securitySchemes', 'member', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-parlance.session_token',
    description: 'The cookie of a signed-in person. Without HTTPS its name is `parlance.session_token`.',
  })
  registry.registerComponent('securitySchemes', 'workspace', {
    type: 'apiKey',
    in: 'header',
    name: workspaceHeader,
    description: 'The id of the workspace in which the person acts.',
  })
}

const webhookEvent = z
  .union(webhookEventSchema.options.map((option) => option.extend({ timestamp: timestampSchema })))
  .meta({
    id: 'WebhookEvent',
    description: 'The body of a request to a webhook. Later versions may add fields to `data`.',
  })

/** What is sent to the webhooks of workspaces. */
const registerWebhooks = (registry: OpenAPIRegistry): void =>
  registry.registerWebhook({
    method: 'post',
    path: 'event',
    summary: 'An event of the workspace, signed by Standard Webhooks',
    request: {
      headers: z.object({
        'webhook-id': z.string().meta({ description: 'The id of the event, the same in every attempt.' }),
        'webhook-timestamp': z.string().meta({ description: 'When it was sent, in seconds since 1970.' }),
        'webhook-signature': z
          .string()
          .meta({ description: 'Signatures of id, timestamp and body, separated by spaces.' }),
      }),
      body: { required: true, content: { 'application/json': { schema: webhookEvent } } },
    },
    responses: { '2XX': { description: 'The event was received. It is sent again after any other status.' } },
  })

const createDocument = (
  routes: readonly Route[],
  description: string,
  register: (registry: OpenAPIRegistry) => void,
) => {
  const registry = new OpenAPIRegistry()
  register(registry)
  for (const route of routes) registry.registerPath(operationOf(route))
  const used: ReadonlySet<string> = new Set(routes.map(({ tag }) => tag))
  return new OpenApiGeneratorV31([...registry.definitions, ...components]).generateDocument({
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description, license },
    servers: [{ url: '/' }],
    tags: tags.filter(({ name }) => used.has(name)),
  })
}

/** The public API as OpenAPI 3.1, generated from the schemas that check requests. */
export const createOpenapiDocument = (routes: readonly Route[]) =>
  createDocument(
    routes.filter(({ isUndocumented }) => !isUndocumented),
    'Voice agents and speech. Every response has `x-request-id`, which you may choose yourself: 8 to 128 letters, ' +
      'digits, dots, colons, dashes and underscores. Every error is JSON with the same five keys.',
    (registry) => {
      registerKeys(registry)
      registerWebhooks(registry)
    },
  )

/** The routes of the dashboard as OpenAPI 3.1. */
export const createDashboardDocument = (routes: readonly Route[]) =>
  createDocument(routes, 'What the dashboard uses. It may change with every version.', registerMembers)
