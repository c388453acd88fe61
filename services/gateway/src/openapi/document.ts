import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { routes } from '../routes/routes.js'
import { operationOf } from './operation.js'
import { speechEventData } from './speech-schemas.js'
import { tags } from './tags.js'
import { transcriptionEventData } from './transcription-schemas.js'

/** Schemas that no operation has, but to which other schemas refer. */
const components = [...speechEventData, ...transcriptionEventData].map((schema) => ({
  type: 'schema' as const,
  schema,
}))

/** The public API as OpenAPI 3.1, generated from the schemas that check requests. */
export const createOpenapiDocument = () => {
  const registry = new OpenAPIRegistry()
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
  for (const route of routes) registry.registerPath(operationOf(route))
  const { webhooks: _, ...document } = new OpenApiGeneratorV31([
    ...registry.definitions,
    ...components,
  ]).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Parlance',
      version: '1.0.0',
      description:
        'Voice agents and speech. Every response has `x-request-id`, which you may choose yourself: 8 to 128 letters, ' +
        'digits, dots, colons, dashes and underscores. Every error is JSON with the same five keys.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...tags],
  })
  return document
}
