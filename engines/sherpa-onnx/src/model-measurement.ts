import { availableParallelism } from 'node:os'
import { type TrialOptions, tryModel } from './model-trial.js'
import type { SpeechTrial, TrialReport } from './trial-report.js'

/** A trial with its number of threads; undefined when the model did not run. */
export interface ModelMeasurement {
  readonly report: TrialReport
  readonly threads: number | undefined
}

export interface MeasureOptions extends Omit<TrialOptions, 'threads'> {
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
