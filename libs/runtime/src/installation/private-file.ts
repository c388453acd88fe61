import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../process/startup-error.js'

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Undefined when there is no such file. Throws `StartupError` when there is one that cannot be read. */
export const readPrivateFile = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new StartupError([`${file} cannot be read (${(error as Error).message}). Mend it or remove it.`], {
      cause: error,
    })
  }
}

/**
 * Writes a file that its owner alone can read, atomically, and makes its folder where there is none. Rejects with
 * `StartupError` when it cannot be written.
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
        `${file} cannot be written (${(error as Error).message}). Mend the folder, or choose another with PARLANCE_DATA.`,
      ],
      { cause: error },
    )
  }
}
