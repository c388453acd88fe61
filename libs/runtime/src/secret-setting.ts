import { StartupError } from './process/startup-error.js'
import type { ReadSecret } from './secret.js'

/** A service's settings with a secret, which is in one variable or in the file that another variable names. */
export type SecretSettings<Name extends string> = {
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
  const file = settings[`${name}_FILE`]
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
