import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { StartupError } from '../process/index.js'

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Resolves to undefined when the file does not exist. Rejects with `StartupError` when it cannot be read. */
export const readPrivateFile = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new StartupError([`${file} cannot be read (${(error as Error).message}). Fix it or remove it.`], {
      cause: error,
    })
  }
}

/**
 * Atomically writes a file that only its owner can read. Creates its folder if it is missing. Rejects with `StartupError` when
 * the file cannot be written.
 */
export const writePrivateFile = async (file: string, text: string): Promise<void> => {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(unfinished, text, { mode: 0o600 })
    await rename(unfinished, file)
  } catch (error) {
    throw new StartupError(
      [
        `${file} cannot be written (${(error as Error).message}). Fix the folder, or choose another with PARLANCE_DATA.`,
      ],
      { cause: error },
    )
  }
}

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
