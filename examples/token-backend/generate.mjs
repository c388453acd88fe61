// @ts-check
// Makes `parlance-api.d.ts` of the OpenAPI document of the installation that the settings name.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { settings } from './settings.mjs'

const file = fileURLToPath(new URL('parlance-api.d.ts', import.meta.url))
await writeFile(
  file,
  astToString(await openapiTypescript(`${settings().url}/v1/openapi.json`, { defaultNonNullable: false })),
)
console.log('parlance-api.d.ts is up to date.')
