import { readFileSync } from 'node:fs'
import type { Environment } from './environment.js'

/** Where a secret stands: in a variable of the process, or in a file, as orchestrators mount them. */
export type SecretReference = { readonly env: string } | { readonly file: string }

/** Throws, naming the place and never what stands there. */
export type ReadSecret = (reference: SecretReference) => string

const readFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`the file ${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
}

/** The line end that editors leave is no part of a secret. */
export const createSecretReader =
  (environment: Environment): ReadSecret =>
  (reference) => {
    const inFile = 'file' in reference
    const secret = (inFile ? readFile(reference.file) : (environment[reference.env] ?? '')).trim()
    if (secret !== '') return secret
    throw new Error(inFile ? `the file ${reference.file} is empty` : `the variable ${reference.env} is not set`)
  }
