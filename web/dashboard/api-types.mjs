// The types of the API, which `scripts/compile.mjs` writes. This module is here, because the package of the dashboard has the TypeScript
// that the generator needs.
import openapiTypescript, { astToString } from 'openapi-typescript'
import { serverDocument } from '../../scripts/generate/server-libraries.mjs'
import { createDashboardDocument } from '../../services/gateway/dist/openapi/document.js'
import { dashboardRoutes } from '../../services/gateway/dist/routes/dashboard/dashboard-routes.js'

/** All errors have the same five keys, so the types need the bodies of successes alone. */
const withoutErrors = ({ responses, ...operation }) => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status < 400)
      .map(([status, { headers: _, ...response }]) => [status, response]),
  ),
})

/** The TypeScript of an OpenAPI document. The generator changes the document, so it gets a copy. */
const typesOf = async (original) => {
  const document = JSON.parse(JSON.stringify(original))
  for (const methods of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) methods[method] = withoutErrors(operation)
  }
  return `// Written by the build from the OpenAPI document.\n${astToString(await openapiTypescript(document, { defaultNonNullable: false }))}`
}

export const dashboardTypes = () => typesOf(createDashboardDocument(dashboardRoutes))

export const serverTypes = () => typesOf(serverDocument())
