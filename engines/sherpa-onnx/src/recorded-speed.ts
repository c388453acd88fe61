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

/** Whether workers would use the model in the same way. Writing the file again would make them reload the model. */
const isSame = (known: ModelSpeed | undefined, speed: ModelSpeed): boolean =>
  known !== undefined &&
  known.threads === speed.threads &&
  known.cores === speed.cores &&
  isSlow(known) === isSlow(speed)

/** Measures a model and stores its speed in its folder, if that is writable. Never rejects. */
export const measureAndRecord = async (
  folder: string,
  options: Omit<MeasureOptions, 'threads'>,
): Promise<ModelMeasurement> => {
  const measurement = await measureModel(folder, options)
  const speed = speedOf(measurement)
  if (speed !== undefined && !isSame(await readModelSpeed(folder), speed)) {
    // A read-only folder is left unchanged.
    await writeModelSpeed(folder, speed).catch(() => {})
  }
  return measurement
}

/** Measures a model that is being installed, if it speaks. */
export const measureSpeechModel = async (folder: string, options: Omit<MeasureOptions, 'threads'>): Promise<void> => {
  const { purpose, reading } = await readFolder(folder)
  if (purpose === 'speech' && 'model' in reading) await measureAndRecord(folder, options)
}
