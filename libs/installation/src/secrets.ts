import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StartupError } from '@parlance/runtime'
import { z } from 'zod'
import { readPrivateFile, writePrivateFile } from './private-file.js'

/** What this installation has to keep: without it, keys made before are not known any more. */
const secretsSchema = z.object({ api_key_peppers: z.string().min(1) })

const parse = (text: string) => {
  try {
    return secretsSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The peppers in `secrets.json`, made at the first start. */
export const openPeppers = async (dataFolder: string): Promise<string> => {
  const file = join(dataFolder, 'secrets.json')
  const text = await readPrivateFile(file)
  if (text === undefined) {
    const peppers = `1:${randomBytes(32).toString('base64url')}`
    await writePrivateFile(file, `${JSON.stringify({ api_key_peppers: peppers }, null, 2)}\n`)
    return peppers
  }
  const secrets = parse(text)
  if (secrets === undefined) {
    throw new StartupError([`${file} is damaged. Restore it, or remove it: keys made before will then be refused.`])
  }
  return secrets.api_key_peppers
}
