import { open, readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** A file of a model is invalid. The message names the file and, where it is known, what to do. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError'

  constructor(path: string, reason: string) {
    super(`${basename(path)} ${reason}`)
  }
}

const lfsPointer = 'version https://git-lfs'

/** Detects the remains of a failed download by the first bytes of a file. */
const failedDownload = (opening: string): string | undefined => {
  if (opening.length === 0) return 'is empty'
  if (opening.startsWith(lfsPointer)) return 'is a Git LFS pointer and not the file itself: run `git lfs pull`'
  if (/^\s*<(!doctype|html|head|\?xml)/i.test(opening))
    return 'is a web page and not the file itself: download it again'
  return undefined
}

const openingBytes = 256

/** Resolves with the size of a file in bytes. Rejects with a `ModelFileError` when it is missing or a failed download. */
export const checkModelFile = async (path: string): Promise<number> => {
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new ModelFileError(path, error.code === 'ENOENT' ? 'is missing' : `cannot be read (${error.code})`)
  })
  const status = await file.stat()
  if (!status.isFile()) throw new ModelFileError(path, 'is not a file')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(openingBytes), 0, openingBytes, 0)
  const failed = failedDownload(buffer.toString('latin1', 0, bytesRead))
  if (failed !== undefined) throw new ModelFileError(path, failed)
  return status.size
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** The largest lexicons have a tenth of this size. */
const maxTextBytes = 64 * 1024 * 1024

/** Reads a text in UTF-8 after `checkModelFile`. Rejects with a `ModelFileError`. */
export const readModelText = async (path: string): Promise<string> => {
  const sizeBytes = await checkModelFile(path)
  if (sizeBytes > maxTextBytes) throw new ModelFileError(path, `is not text: it has ${sizeBytes} bytes`)
  try {
    return strictUtf8.decode(await readFile(path))
  } catch {
    throw new ModelFileError(path, 'is not text in UTF-8')
  }
}

/** Reads a JSON file. Rejects with a `ModelFileError`. */
export const readModelJson = async (path: string): Promise<unknown> => {
  const content = await readModelText(path)
  try {
    return JSON.parse(content)
  } catch {
    throw new ModelFileError(path, 'is not JSON')
  }
}

/** Collects the problems of a folder's files, one line each. */
export const createProblems = () => {
  const problems: string[] = []
  return {
    problems,
    /** Calls `work` and collects a `ModelFileError` as a problem; resolves with undefined then. Other errors are rethrown. */
    attempt: async <Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> => {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ModelFileError)) throw error
        problems.push(error.message)
        return undefined
      }
    },
  }
}

export type Problems = ReturnType<typeof createProblems>
