import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createUser, fromSeed } from '@nats-io/nkeys'
import { traffic } from './traffic.js'

const readSeed = (path: string): Promise<Uint8Array | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/**
 * The public nkeys of all users, by their names. The seed of each is in `<user>.nk` of the folder, which only its owner may
 * read: an existing seed is kept, and a missing one is created. Rejects for a file without a seed.
 */
export const openNkeyFiles = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const keys = new Map<string, string>()
  for (const user of Object.keys(traffic)) {
    const path = join(folder, `${user}.nk`)
    const seed = await readSeed(path)
    const pair = seed === undefined ? createUser() : fromSeed(Buffer.from(Buffer.from(seed).toString().trim()))
    if (seed === undefined) await writeFile(path, pair.getSeed(), { mode: 0o600, flag: 'wx' })
    keys.set(user, pair.getPublicKey())
  }
  return keys
}
