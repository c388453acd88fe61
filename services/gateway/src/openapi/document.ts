import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { agentPaths } from './agent-paths.js'
import { calendarPaths } from './calendar-paths.js'
import { catalogPaths } from './catalog-paths.js'
import { creditPaths } from './credit-paths.js'
import { memoryPaths } from './memory-paths.js'
import { operationPaths } from './operation-paths.js'
import { sessionPaths } from './session-paths.js'
import { speechPaths } from './speech-paths.js'
import { speechEventData } from './speech-schemas.js'
import { tokenPaths } from './token-paths.js'

const paths = [
  ...agentPaths,
  ...tokenPaths,
  ...sessionPaths,
  ...calendarPaths,
  ...memoryPaths,
  ...speechPaths,
  ...catalogPaths,
  ...creditPaths,
  ...operationPaths,
]

/** Schemas that no path has, but that others refer to. */
const components = speechEventData.map((schema) => ({ type: 'schema' as const, schema }))

/** The public API as OpenAPI 3.1, made of the very schemas that requests are checked with. */
export const createOpenapiDocument = () => {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'awp_…',
    description:
      'A workspace API key, which starts with `awp_`. Keys are for backends: never put one into a page or an app.',
  })
  for (const path of paths) registry.registerPath(path)
  registry.registerComponent('securitySchemes', 'sessionToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'awst_…',
    description:
      'A session token, which starts with `awst_`: minted with a key, for a browser, good for one conversation.',
  })
  const { webhooks: _, ...document } = new OpenApiGeneratorV31([
    ...registry.definitions,
    ...components,
  ]).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Parlance',
      version: '1.0.0',
      description:
        'A platform that speaks. Every answer carries `x-request-id`, which you may choose yourself: 8 to 128 letters, ' +
        'digits, dots, colons, dashes and underscores. Every error is JSON with the same five keys.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Agents', description: 'Configurable characters that talk: drafts, revisions and publications.' },
      { name: 'Tokens', description: 'What a backend hands to a browser: short-lived, and each for one use.' },
      { name: 'Sessions', description: 'Conversations with Agents, live and past.' },
      { name: 'End users', description: 'What is kept of the people that Agents talk with.' },
      { name: 'Speech', description: 'Text to speech.' },
      { name: 'Catalogs', description: 'What there is to choose from.' },
      { name: 'Credit', description: 'What is left, and what was used.' },
      { name: 'Operations', description: 'For those who run Parlance.' },
    ],
  })
  return document
}
