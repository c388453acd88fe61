import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { workspaceHeader } from '../authentication/require-person.js'
import { type Route, tags } from '../routes/route.js'
import { operationOf } from './operation.js'
import { speechEventData } from './speech-schemas.js'
import { transcriptionEventData } from './transcription-schemas.js'

/** Schemas to which only other schemas refer. */
const components = [...speechEventData, ...transcriptionEventData].map((schema) => ({
  type: 'schema' as const,
  schema,
}))

const title = 'Parlance'
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

const createDocument = (
  routes: readonly Route[],
  description: string,
  registerSecurity: (registry: OpenAPIRegistry) => void,
) => {
  const registry = new OpenAPIRegistry()
  registerSecurity(registry)
  for (const route of routes) registry.registerPath(operationOf(route))
  const used: ReadonlySet<string> = new Set(routes.map(({ tag }) => tag))
  const { webhooks: _, ...document } = new OpenApiGeneratorV31([
    ...registry.definitions,
    ...components,
  ]).generateDocument({
    openapi: '3.1.0',
    info: { title, version: '1.0.0', description, license },
    servers: [{ url: '/' }],
    tags: tags.filter(({ name }) => used.has(name)),
  })
  return document
}

/** The public API as OpenAPI 3.1, generated from the schemas that check requests. */
export const createOpenapiDocument = (routes: readonly Route[]) =>
  createDocument(
    routes.filter(({ isUndocumented }) => !isUndocumented),
    'Voice agents and speech. Every response has `x-request-id`, which you may choose yourself: 8 to 128 letters, ' +
      'digits, dots, colons, dashes and underscores. Every error is JSON with the same five keys.',
    registerKeys,
  )

/** The routes of the dashboard as OpenAPI 3.1. */
export const createDashboardDocument = (routes: readonly Route[]) =>
  createDocument(routes, 'What the dashboard uses. It may change with every version.', registerMembers)
