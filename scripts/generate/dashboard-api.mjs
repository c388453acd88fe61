// What the dashboard knows of the API at run time: the limits of an Agent's fields, and the kinds of model providers.
import { remoteLlmProviders } from '../../libs/contracts/dist/index.js'
import { createDashboardDocument } from '../../services/gateway/dist/openapi/document.js'
import { dashboardRoutes } from '../../services/gateway/dist/routes/dashboard/dashboard-routes.js'

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

export const dashboardApi = () => {
  const limits = limitsOf(createDashboardDocument(dashboardRoutes).components.schemas.AgentConfig)
  return {
    'web/dashboard/src/api/agent-limits.ts': `/** Written by \`npm run generate\` from the OpenAPI document. */
export const agentLimits = ${JSON.stringify(limits, null, 2)} as const
`,
    'web/dashboard/src/model-providers/kind-names.ts': `/** The kinds of model providers, in words. Written by \`npm run generate\` from the contracts. */
export const kindNames = ${JSON.stringify(remoteLlmProviders, null, 2)} as const
`,
  }
}
