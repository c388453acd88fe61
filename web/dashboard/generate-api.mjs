import { remoteLlmProviders } from '@parlance/contracts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { createDashboardDocument } from '../../services/gateway/dist/openapi/document.js'
import { dashboardRoutes } from '../../services/gateway/dist/routes/dashboard/dashboard-routes.js'

const generatedLine = '/** Written by `npm run generate` from the OpenAPI document. */'

/** All errors have the same five keys, so the types need the bodies of successes alone. */
const withoutErrors = ({ responses, ...operation }) => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status < 400)
      .map(([status, { headers: _, ...response }]) => [status, response]),
  ),
})

const limitNames = ['minimum', 'maximum', 'maxLength', 'maxItems']

/** The limits of each field of a schema, by its path. The items of a list have the path of the list. */
const limitsOf = (schema, path = '', found = {}) => {
  const own = Object.entries(schema).filter(([name]) => limitNames.includes(name))
  if ([schema.type].flat().includes('integer')) own.push(['isInteger', true])
  if (own.length > 0) found[path] = { ...found[path], ...Object.fromEntries(own) }
  for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) limitsOf(option, path, found)
  if (schema.items !== undefined) limitsOf(schema.items, path, found)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    limitsOf(inner, path === '' ? name : `${path}.${name}`, found)
  }
  return found
}

/** The TypeScript of an OpenAPI document. The document is changed. */
export const typesOf = async (document) => {
  for (const methods of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) methods[method] = withoutErrors(operation)
  }
  return astToString(await openapiTypescript(document, { defaultNonNullable: false }))
}

/**
 * The types and limits of the API, from the OpenAPI document of the dashboard's routes. This module is here, because the
 * package of the dashboard has the TypeScript that the generator needs.
 */
export const dashboardApi = async () => {
  // Copied as JSON, without what the schemas share: the generator changes the document that it reads.
  const document = JSON.parse(JSON.stringify(createDashboardDocument(dashboardRoutes)))
  const limits = limitsOf(document.components.schemas.AgentConfig)
  return {
    'web/dashboard/src/api/schema.d.ts': `${generatedLine}
${await typesOf(document)}`,
    'web/dashboard/src/api/agent-limits.ts': `${generatedLine}
export const agentLimits = ${JSON.stringify(limits, null, 2)} as const
`,
    'web/dashboard/src/model-providers/kind-names.ts': `/** The kinds of model providers, in words. Written by \`npm run generate\` from the contracts. */
export const kindNames = ${JSON.stringify(remoteLlmProviders, null, 2)} as const
`,
  }
}
