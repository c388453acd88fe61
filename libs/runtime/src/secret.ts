import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Environment } from './environment.js'

/**
 * The name of the environment variable, or the path of the file, that contains a secret. Configurations contain
 * references; they never contain secrets.
 */
export const secretReferenceSchema = z.union([
  z.strictObject({ env: z.string().regex(/^[A-Z][A-Z0-9_]*$/) }),
  z.strictObject({ file: z.string().min(1) }),
])
export type SecretReference = Readonly<z.infer<typeof secretReferenceSchema>>

/** Throws an error that names the variable or the file and does not contain the secret. */
export type ReadSecret = (reference: SecretReference) => string

const readFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`the file ${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
}

/** Reads secrets from `environment` and from files, without surrounding white space such as the line end that editors add. */
export const createSecretReader =
  (environment: Environment): ReadSecret =>
  (reference) => {
    const inFile = 'file' in reference
    const secret = (inFile ? readFile(reference.file) : (environment[reference.env] ?? '')).trim()
    if (secret !== '') return secret
    throw new Error(inFile ? `the file ${reference.file} is empty` : `the variable ${reference.env} is not set`)
  }
