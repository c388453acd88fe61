import { availableParallelism } from 'node:os'
import { isSlow, type ModelSpeed, readFolder, readModelSpeed, writeModelSpeed } from '@parlance/models'
import { type MeasureOptions, type ModelMeasurement, measureModel, timesRealTimeOf } from './model-measurement.js'

const speedOf = ({ report, threads }: ModelMeasurement): ModelSpeed | undefined =>
  threads === undefined || !('speakMs' in report)
    ? undefined
    : {
        threads,
        times_real_time: Math.round(timesRealTimeOf(report) * 100) / 100,
        cores: availableParallelism(),
        measured_at: new Date().toISOString(),
      }

/** Whether workers would use the model as before. Writing it again would make them load the model again. */
const isSame = (known: ModelSpeed | undefined, speed: ModelSpeed): boolean =>
  known !== undefined &&
  known.threads === speed.threads &&
  known.cores === speed.cores &&
  isSlow(known) === isSlow(speed)

/** Measures a model and keeps its speed in its folder, where it is writable. Resolves whatever happens. */
export const measureAndRecord = async (
  folder: string,
  options: Omit<MeasureOptions, 'threads'>,
): Promise<ModelMeasurement> => {
  const measurement = await measureModel(folder, options)
  const speed = speedOf(measurement)
  if (speed !== undefined && !isSame(await readModelSpeed(folder), speed)) {
    // A folder that is read-only keeps what it has.
    await writeModelSpeed(folder, speed).catch(() => {})
  }
  return measurement
}

/** Measures a model that is being installed, if it speaks. */
export const measureSpeechModel = async (folder: string, options: Omit<MeasureOptions, 'threads'>): Promise<void> => {
  const { purpose, reading } = await readFolder(folder)
  if (purpose === 'speech' && 'model' in reading) await measureAndRecord(folder, options)
}
