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

/** The factor by which two threads must be faster, since two callers could use a thread each. */
const worthwhileGain = 1.5
/** A model that is not faster than this with one thread has two if they help at all. */
const slowTimesRealTime = 2
const smallGain = 1.1

const isSpeech = (report: TrialReport): report is SpeechTrial => 'speakMs' in report

/** Returns how much audio a model makes in a second, in seconds. */
export const timesRealTimeOf = ({ audioMs, speakMs }: SpeechTrial): number => audioMs / Math.max(speakMs, 1)

/** Returns whether two threads are the better choice. */
export const prefersTwoThreads = (one: SpeechTrial, two: SpeechTrial): boolean => {
  const gain = timesRealTimeOf(two) / timesRealTimeOf(one)
  return gain >= (timesRealTimeOf(one) < slowTimesRealTime ? smallGain : worthwhileGain)
}

/**
 * Tries a model with one thread and, where it speaks and the machine has another core, with two. Resolves with the better
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
  const two = await tryModel(folder, { ...options, threads: 2 })
  return isSpeech(two) && prefersTwoThreads(report, two) ? { report: two, threads: 2 } : one
}
