import { readFile } from 'node:fs/promises'
import type { Environment } from '@parlance/runtime'

/** The secret in a variable, or in the file that `<name>_FILE` names. Rejects when the file cannot be read. */
export const readSecret = async (environment: Environment, name: string): Promise<string | undefined> => {
  const file = environment[`${name}_FILE`]
  const text = file ? await readFile(file, 'utf8') : environment[name]
  return text?.trim() || undefined
}
