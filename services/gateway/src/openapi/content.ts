import type { z } from 'zod'
import type { RequestBody, RouteResponse } from '../routes/route.js'

/** A response with a JSON body. */
export const json = (
  description: string,
  schema: z.ZodType,
  headers: Readonly<Record<string, z.ZodType>> = {},
): RouteResponse => ({ description, headers, content: { 'application/json': { schema } } })

/** A JSON request body with examples by name. */
export const jsonBody = (
  schema: z.ZodType,
  examples: Readonly<Record<string, { readonly summary?: string; readonly value: object }>>,
  required = true,
): RequestBody => ({
  required,
  content: { 'application/json': { schema, examples } },
})
