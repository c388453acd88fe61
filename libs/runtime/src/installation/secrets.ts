import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { StartupError } from '../process/startup-error.js'
import { readPrivateFile, writePrivateFile } from './private-file.js'

/** The secrets of an installation, and how each is created when it is missing. */
const makers = {
  /** Without them, existing keys are no longer valid. */
  api_key_peppers: () => `1:${randomBytes(32).toString('base64url')}`,
  /** Signs the addresses of calendar feeds; with another key earlier addresses are not valid. */
  calendar_feed_key: () => randomBytes(32).toString('base64url'),
  /** Seals the keys of model providers; without it they cannot be read any more. */
  model_provider_keys: () => `1:${randomBytes(32).toString('base64url')}`,
  /** Without it, servers of tools can no longer verify the sender of calls. */
  tool_signing_key: () => `whsk_${randomBytes(32).toString('base64')}`,
}
export type SecretName = keyof typeof makers
export const secretNames = Object.keys(makers) as SecretName[]

const fileSchema = z.record(z.string(), z.string().min(1))

const parse = (text: string) => {
  try {
    return fileSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Secrets of `secrets.json`, each created when it is first requested. */
export const openSecrets = async <Name extends SecretName>(
  dataFolder: string,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> => {
  const file = join(dataFolder, 'secrets.json')
  const text = await readPrivateFile(file)
  const kept = text === undefined ? {} : parse(text)
  if (kept === undefined) {
    throw new StartupError([
      `${file} is damaged. Restore it, or remove it: keys and calendar feeds made before will then be refused.`,
    ])
  }
  const missing = names.filter((name) => kept[name] === undefined)
  const secrets = { ...kept, ...Object.fromEntries(missing.map((name) => [name, makers[name]()])) }
  if (missing.length > 0) await writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets as Record<Name, string>
}
