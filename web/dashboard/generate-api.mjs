// `npm run generate -w web/dashboard`: makes `src/api/schema.d.ts` of the OpenAPI document of the dashboard's routes, which is taken
// from the gateway in dist/. With `--check` it writes nothing, and fails when the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { createDashboardDocument } from '../../services/gateway/dist/openapi/document.js'

const file = new URL('src/api/schema.d.ts', import.meta.url)

/** All errors have the same five keys, so the types need the bodies of successes alone. */
const withoutErrors = ({ responses, ...operation }) => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status < 400)
      .map(([status, { headers: _, ...response }]) => [status, response]),
  ),
})

// Copied as JSON, without what the schemas share: the generator changes the document that it reads.
const document = JSON.parse(JSON.stringify(createDashboardDocument()))
for (const methods of Object.values(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) methods[method] = withoutErrors(operation)
}
const text = `/** Generated from the OpenAPI document: \`npm run generate -w web/dashboard\`. */
${astToString(await openapiTypescript(document, { defaultNonNullable: false }))}`

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('src/api/schema.d.ts is out of date. Run `npm run generate -w web/dashboard`.')
  process.exitCode = 1
}
