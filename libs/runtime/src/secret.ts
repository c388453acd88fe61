import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Environment } from './environment.js'
import { StartupError } from './process/index.js'

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

/** A service's settings with a secret, which is in one variable or in the file that another variable names. */
type SecretSettings<Name extends string> = {
  readonly [Key in Name | `${Name}_FILE`]?: string | undefined
}

/**
 * The secret in the variable `name`, or in the file that `name`_FILE names; undefined where neither is set. Throws
 * `StartupError`, without quoting the secret, when both are set or the file cannot be read.
 */
export const readSecretSetting = <Name extends string>(
  settings: SecretSettings<Name>,
  name: Name,
  readSecret: ReadSecret,
): string | undefined => {
  const value = settings[name]?.trim() || undefined
  const file = settings[`${name}_FILE`] || undefined
  if (file === undefined) return value
  if (value !== undefined) throw new StartupError([`${name} and ${name}_FILE are both set. Set one of them.`])
  try {
    return readSecret({ file })
  } catch (cause) {
    throw new StartupError([`${name}_FILE: ${(cause as Error).message}.`], { cause })
  }
}

/**
 * The same for a key that is sent in a header. Also throws `StartupError` when the key is not a valid header value: the error
 * for a line break in a header would quote the key.
 */
export const readKeySetting = <Name extends string>(
  settings: SecretSettings<Name>,
  name: Name,
  readSecret: ReadSecret,
): string | undefined => {
  const key = readSecretSetting(settings, name, readSecret)
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key
  throw new StartupError([`${name} contains characters that a key cannot have.`])
}
