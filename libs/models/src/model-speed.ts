import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A hidden file in the model's folder, which is not part of the installation. */
export const modelSpeedFileName = '.parlance-speed.json'

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
