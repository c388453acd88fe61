import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../process/startup-error.js'

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
