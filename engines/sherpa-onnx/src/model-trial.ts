import { fileURLToPath } from 'node:url'
import { runEngineTrial } from '@parlance/engine/client'
import { type TrialReport, trialResult } from './trial-report.js'

export interface TrialOptions {
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
