import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StartupError } from '@parlance/runtime'
import { z } from 'zod'
import { readPrivateFile, writePrivateFile } from './private-file.js'

/** What this installation has to keep: without it, keys and addresses made before are not known any more. */
const secretsSchema = z.object({
  api_key_peppers: z.string().min(1).optional(),
  calendar_feed_key: z.string().min(1).optional(),
})
type Secrets = z.output<typeof secretsSchema>
type SecretName = keyof Secrets

const random = () => randomBytes(32).toString('base64url')
const make: Readonly<Record<SecretName, () => string>> = {
  api_key_peppers: () => `1:${random()}`,
  calendar_feed_key: random,
}

const read = async (file: string): Promise<Secrets> => {
  const text = await readPrivateFile(file)
  if (text === undefined) return {}
  try {
    return secretsSchema.parse(JSON.parse(text))
  } catch {
    const refused = 'keys and calendar feeds made before will then be refused'
    throw new StartupError([`${file} is damaged. Restore it, or remove it: ${refused}.`])
  }
}

/** What is in `secrets.json`, with those that are asked for: each is made when it is first. */
export const openSecrets = async (dataFolder: string, names: readonly SecretName[]): Promise<Secrets> => {
  if (names.length === 0) return {}
  const file = join(dataFolder, 'secrets.json')
  const kept = await read(file)
  const missing = names.filter((name) => kept[name] === undefined)
  const secrets: Secrets = { ...kept, ...Object.fromEntries(missing.map((name) => [name, make[name]()])) }
  if (missing.length > 0) await writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}
