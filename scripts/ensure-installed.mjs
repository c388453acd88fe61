import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Installs into an empty folder what the files name, unless that is there already. */
export const ensureInstalled = async (folder, files, install) => {
  const digest = createHash('sha256')
  for (const file of files) digest.update(readFileSync(file))
  const state = digest.digest('hex')
  const record = join(folder, 'installed')
  if (existsSync(record) && readFileSync(record, 'utf8') === state) return
  console.error(`Installing what ${files.map((file) => basename(file)).join(' and ')} name …`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await install()
  writeFileSync(record, state)
}
