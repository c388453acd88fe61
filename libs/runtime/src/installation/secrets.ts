import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { StartupError } from '../process/startup-error.js'
import { readPrivateFile, writePrivateFile } from './private-file.js'

/** The secrets of an installation, and how each is created when it is missing. */
const makers = {
  /** Existing API keys are invalid without them. */
  api_key_peppers: () => `1:${randomBytes(32).toString('base64url')}`,
  /** Signs the URLs of calendar feeds. With another key, earlier URLs are invalid. */
  calendar_feed_key: () => randomBytes(32).toString('base64url'),
  /** Seals the keys of model providers, which cannot be read without it. */
  model_provider_keys: () => `1:${randomBytes(32).toString('base64url')}`,
  /** Signs calls of tools. Without it, the servers of tools can no longer verify the sender. */
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
      `${file} is damaged. Restore it, or remove it: existing keys and calendar feeds will then be refused.`,
    ])
  }
  const missing = names.filter((name) => kept[name] === undefined)
  const secrets = { ...kept, ...Object.fromEntries(missing.map((name) => [name, makers[name]()])) }
  if (missing.length > 0) await writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets as Record<Name, string>
}
