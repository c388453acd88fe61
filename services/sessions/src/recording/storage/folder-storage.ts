import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isRecordingKey, ObjectMissingError, type RecordingStorage } from './recording-storage.js'

/** The suffix of a file that is being written. */
const unfinished = '.part'

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * Recordings as files, which only the user of the process may read. A file is written under another name, flushed to the disk and
 * then renamed. Rejects when the folder cannot be made.
 */
export const openFolderStorage = async (folder: string): Promise<RecordingStorage> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pathOf = (key: string): string => join(folder, key)

  return {
    async create(key) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const file = await open(`${path}${unfinished}`, 'w', 0o600)
      return {
        async write(bytes) {
          await file.writeFile(bytes)
        },
        async finish() {
          await file.sync()
          await file.close()
          await rename(`${path}${unfinished}`, path)
        },
        async abort() {
          await file.close().catch(() => {})
          await rm(`${path}${unfinished}`, { force: true })
        },
      }
    },

    async *read(key, { start, end }, signal) {
      try {
        yield* createReadStream(pathOf(key), { start, end: end - 1, signal })
      } catch (error) {
        throw isMissing(error) ? new ObjectMissingError(key) : error
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
      await rm(`${pathOf(key)}${unfinished}`, { force: true })
    },

    async removeUnfinished(before, signal) {
      let removed = 0
      for (const name of await readdir(folder, { recursive: true })) {
        signal.throwIfAborted()
        if (!name.endsWith(unfinished) || !isRecordingKey(name.slice(0, -unfinished.length))) continue
        // A file that is no longer there was finished or removed.
        const written = await stat(pathOf(name)).catch(() => undefined)
        if (written === undefined || written.mtime >= before) continue
        await rm(pathOf(name), { force: true })
        removed += 1
      }
      return removed
    },
  }
}
