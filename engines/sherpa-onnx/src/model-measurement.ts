import { availableParallelism } from 'node:os'
import { type TrialOptions, tryModel } from './model-trial.js'
import type { SpeechTrial, TrialReport } from './trial-report.js'

/** A trial, and the number of threads of it; undefined where the model did not run. */
export interface ModelMeasurement {
  readonly report: TrialReport
  readonly threads: number | undefined
}

export interface MeasureOptions extends Omit<TrialOptions, 'threads'> {
  /** Default: one thread is compared with two. */
  readonly threads?: number | undefined
}

/** A model that is faster than this with one thread has one: another process makes more of a core than a second thread. */
const slowTimesRealTime = 2
/** By how much two threads must be faster for a slower model. */
const smallGain = 1.1

const isSpeech = (report: TrialReport): report is SpeechTrial => 'speakMs' in report

/** Returns how much audio a model makes in a second, in seconds. */
export const timesRealTimeOf = ({ audioMs, speakMs }: SpeechTrial): number => audioMs / Math.max(speakMs, 1)

/** Returns whether two threads are the better choice. */
export const prefersTwoThreads = (one: SpeechTrial, two: SpeechTrial): boolean =>
  timesRealTimeOf(one) < slowTimesRealTime && timesRealTimeOf(two) / timesRealTimeOf(one) >= smallGain

/**
 * Tries a model with one thread and, where it is slow and the machine has another core, with two. Resolves with the better
 * trial whatever happens.
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
