import { z } from 'zod'

/** Where a secret stands; secrets themselves are never in a configuration. */
export const secretReferenceSchema = z.union([
  z.strictObject({ env: z.string().regex(/^[A-Z][A-Z0-9_]*$/) }),
  z.strictObject({ file: z.string().min(1) }),
])
export type SecretReference = z.infer<typeof secretReferenceSchema>
