import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { runEngineTrial } from '@parlance/engine/client'
import { isSlow, type ModelSpeed, readFolder, readModelSpeed, writeModelSpeed } from '@parlance/models'
import { type SpeechTrial, type TrialReport, trialResult } from './trial-report.js'

interface TrialOptions {
  readonly threads: number
  /** A model that takes longer to load and speak is stopped. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Loads the model of a folder in a separate process and speaks with it. Always resolves with a report. */
export const tryModel = (folder: string, { threads, ...limits }: TrialOptions): Promise<TrialReport> => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-sherpa-onnx/trial'))
  const command = [process.execPath, program, folder, String(threads)] as const
  return runEngineTrial({ command, resultSchema: trialResult, ...limits })
}

/** A trial with its number of threads; undefined when the model did not run. */
export interface ModelMeasurement {
  readonly report: TrialReport
  readonly threads: number | undefined
}

interface MeasureOptions extends Omit<TrialOptions, 'threads'> {
  /** Default: one thread is compared with two. */
  readonly threads?: number | undefined
}

/** A model that is faster than this uses one thread: another process uses a core better than a second thread. */
const slowTimesRealTime = 2
/** For a slower model, two threads must be faster by this factor. */
const smallGain = 1.1

const isSpeech = (report: TrialReport): report is SpeechTrial => 'speakMs' in report

/** Returns how many seconds of audio a model produces in a second. */
export const timesRealTimeOf = ({ audioMs, speakMs }: SpeechTrial): number => audioMs / Math.max(speakMs, 1)

/** Returns whether two threads are the better choice. */
export const prefersTwoThreads = (one: SpeechTrial, two: SpeechTrial): boolean =>
  timesRealTimeOf(one) < slowTimesRealTime && timesRealTimeOf(two) / timesRealTimeOf(one) >= smallGain

/**
 * Tries a model with one thread and, if it is slow and the machine has another core, with two. Always resolves, with the better
 * trial.
 */
export const measureModel = async (
  folder: string,
  { threads, ...options }: MeasureOptions,
): Promise<ModelMeasurement> => {
  const report = await tryModel(folder, { ...options, threads: threads ?? 1 })
  if ('problems' in report) return { report, threads: undefined }
  const one = { report, threads: threads ?? 1 }
  if (threads !== undefined || !isSpeech(report) || availableParallelism() < 2) return one
  if (timesRealTimeOf(report) >= slowTimesRealTime) return one
  const two = await tryModel(folder, { ...options, threads: 2 })
  return isSpeech(two) && prefersTwoThreads(report, two) ? { report: two, threads: 2 } : one
}

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
