import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A hidden file in the model's folder, which is not part of the installation. */
export const modelFailureFileName = '.parlance-failure.json'

const modelFailure = z.object({
  /** One line. */
  reason: z.string(),
  /** ISO 8601. */
  failed_at: z.string(),
})
/** Why a model with valid files could not be opened. */
export type ModelFailure = z.output<typeof modelFailure>

const maxReasonLength = 300

/** Records why a model could not be opened, for lists of models. A read-only folder is left unchanged. */
export const recordModelFailure = async (folder: string, error: unknown): Promise<void> => {
  const message = error instanceof Error ? error.message : String(error)
  const failure: ModelFailure = {
    reason: message.replace(/\s+/g, ' ').trim().slice(0, maxReasonLength),
    failed_at: new Date().toISOString(),
  }
  await writeFile(join(folder, modelFailureFileName), `${JSON.stringify(failure)}\n`).catch(() => {})
}

/** Removes the record after the model could be opened. */
export const clearModelFailure = (folder: string): Promise<void> =>
  rm(join(folder, modelFailureFileName), { force: true }).catch(() => {})

/** Resolves with a sentence why the last attempt to open the model failed; undefined if it succeeded or there was none. */
export const describeModelFailure = async (folder: string): Promise<string | undefined> => {
  try {
    const text = await readFile(join(folder, modelFailureFileName), 'utf8')
    const { reason, failed_at } = modelFailure.parse(JSON.parse(text))
    return `It could not be opened at ${failed_at} and will be tried again: ${reason}`
  } catch {
    return undefined
  }
}
