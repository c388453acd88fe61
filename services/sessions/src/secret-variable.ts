import { type ReadSecret, StartupError } from '@parlance/runtime'

/** What a variable may hold, or a file that `<name>_FILE` names; undefined where neither is set. Rejects with `StartupError`. */
export const readSecretVariable = <Name extends string>(
  settings: { readonly [Variable in Name | `${Name}_FILE`]?: string | undefined },
  name: Name,
  readSecret: ReadSecret,
): string | undefined => {
  const file = settings[`${name}_FILE`]
  if (file === undefined) return settings[name]
  if (settings[name] !== undefined) throw new StartupError([`${name} and ${name}_FILE are both set. Set one of them.`])
  try {
    return readSecret({ file })
  } catch (cause) {
    throw new StartupError([`${name}_FILE: ${(cause as Error).message}.`], { cause })
  }
}
