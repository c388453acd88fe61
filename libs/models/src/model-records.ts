import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A hidden file in the model's folder, which is not part of the installation. */
const modelSpeedFileName = '.parlance-speed.json'

const modelSpeed = z.object({
  /** The number of threads with which the model speaks best on the machine that measured it. */
  threads: z.int().min(1).max(64),
  /** Seconds of audio produced in a second with this number of threads. */
  times_real_time: z.number().positive(),
  /** The number of processors of the machine that measured it. */
  cores: z.int().positive(),
  /** ISO 8601. */
  measured_at: z.string(),
})
/** How fast a model speaks, as measured when it was installed or verified. */
export type ModelSpeed = z.output<typeof modelSpeed>

/** Resolves with undefined for a model that was never measured, or whose file is damaged. */
export const readModelSpeed = async (folder: string): Promise<ModelSpeed | undefined> => {
  try {
    return modelSpeed.parse(JSON.parse(await readFile(join(folder, modelSpeedFileName), 'utf8')))
  } catch {
    return undefined
  }
}

/** Rejects with the error of the file system, such as that of a read-only folder. */
export const writeModelSpeed = async (folder: string, speed: ModelSpeed): Promise<void> => {
  await writeFile(join(folder, modelSpeedFileName), `${JSON.stringify(speed, null, 2)}\n`)
}

/** Whether speech has gaps on a machine like the one that measured the model. */
export const isSlow = (speed: Pick<ModelSpeed, 'times_real_time'> | undefined): boolean =>
  speed !== undefined && speed.times_real_time < 1

/** A hidden file in the model's folder, which is not part of the installation. */
const modelFailureFileName = '.parlance-failure.json'

const modelFailure = z.object({
  /** One line. */
  reason: z.string(),
  /** ISO 8601. */
  failed_at: z.string(),
})
/** Why a model with valid files could not be opened. */
type ModelFailure = z.output<typeof modelFailure>

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
