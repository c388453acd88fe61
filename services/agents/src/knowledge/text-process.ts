/**
 * A process that takes the text from one file, for `indexer.ts`. The file is untrusted, and in the process of the service the work
 * would delay calls. The two processes send each other messages over Node's IPC channel.
 */
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { type CutPassage, readPassages, UnusableFileError } from './file-text.js'
import type { DueFile } from './knowledge-repository.js'

/** The only message to the process. */
export type TextTask = Pick<DueFile, 'contentType' | 'content'>

/** The only message from the process. */
export type TextReport =
  | { readonly kind: 'passages'; readonly passages: readonly CutPassage[] }
  /** `detail` is for members of the workspace. */
  | { readonly kind: 'unusable'; readonly detail: string }
  | { readonly kind: 'failed'; readonly reason: string }

const reportOf = async ({ contentType, content }: TextTask): Promise<TextReport> => {
  try {
    return { kind: 'passages', passages: await readPassages(contentType, content) }
  } catch (error) {
    return error instanceof UnusableFileError
      ? { kind: 'unusable', detail: error.message }
      : { kind: 'failed', reason: String(error) }
  }
}

setPriority(5)
const [task] = (await once(process, 'message')) as [TextTask]
process.send!(await reportOf(task), undefined, undefined, () => process.disconnect())
