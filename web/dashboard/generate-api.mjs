// `npm run generate -w web/dashboard`: makes `src/api/schema.d.ts` and `src/api/agent-limits.ts` of the OpenAPI document of the
// dashboard's routes, which is taken from the gateway in dist/. With `--check` it writes nothing, and fails when a file is out of
// date.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { createDashboardDocument } from '../../services/gateway/dist/openapi/document.js'
import { dashboardRoutes } from '../../services/gateway/dist/routes/dashboard/dashboard-routes.js'

const generatedLine = '/** Generated from the OpenAPI document: `npm run generate -w web/dashboard`. */'

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

// Copied as JSON, without what the schemas share: the generator changes the document that it reads.
const document = JSON.parse(JSON.stringify(createDashboardDocument(dashboardRoutes)))
const limits = `${generatedLine}
export const agentLimits = ${JSON.stringify(limitsOf(document.components.schemas.AgentConfig), null, 2)} as const
`
for (const methods of Object.values(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) methods[method] = withoutErrors(operation)
}
const types = `${generatedLine}
${astToString(await openapiTypescript(document, { defaultNonNullable: false }))}`

for (const [name, text] of Object.entries({ 'schema.d.ts': types, 'agent-limits.ts': limits })) {
  const file = new URL(`src/api/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`src/api/${name} is out of date. Run \`npm run generate -w web/dashboard\`.`)
    process.exitCode = 1
  }
}
