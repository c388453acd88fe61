import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFailure } from '../folder/install-error.js'
import type { DownloadedFile } from '../folder/install-record.js'

const pinnedDigests = z.record(z.string(), z.object({ size_bytes: z.int(), sha256: z.string() }))
/** By URL: the digests of files at their first installation, for files without a SHA-256 in the catalog. */
export type PinnedDigests = z.output<typeof pinnedDigests>

/** A hidden file in the models folder, which is kept when a model is removed. */
export const pinnedDigestsName = '.pinned-digests.json'

/** Rejects when the file is damaged. Otherwise a changed model would be accepted. */
export const readPinnedDigests = async (modelsDir: string): Promise<PinnedDigests> => {
  const text = await readFile(join(modelsDir, pinnedDigestsName), 'utf8').catch(() => '{}')
  return pinnedDigests.parse(JSON.parse(text))
}

export const pinDigests = async (modelsDir: string, files: readonly DownloadedFile[]): Promise<void> => {
  const path = join(modelsDir, pinnedDigestsName)
  const pinned: PinnedDigests = { ...(await readPinnedDigests(modelsDir)) }
  for (const { url, size_bytes, sha256 } of files) pinned[url] = { size_bytes, sha256 }
  try {
    await mkdir(modelsDir, { recursive: true })
    await writeFile(`${path}.${process.pid}`, `${JSON.stringify(pinned, null, 2)}\n`)
    await rename(`${path}.${process.pid}`, path)
  } catch (error) {
    throw writeFailure(error, path)
  }
}
