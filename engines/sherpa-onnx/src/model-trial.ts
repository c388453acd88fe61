import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { type TrialReport, trialReport } from './trial-report.js'

export interface TrialOptions {
  readonly threads: number
  /** A model that takes longer to load and speak is stopped. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const maxReasonLength = 300

/** Returns the last line of the library's errors, without colours and without the place in its source at its start. */
const lastLine = (errors: string): string =>
  stripVTControlCharacters(errors)
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^(\S+:\w+:\d+ |\S+ \S+ \[E:.*?\] )/, '')
    .trim()
    .slice(0, maxReasonLength)

const withReason = (problem: string, errors: string): string =>
  [problem, lastLine(errors)].filter((part) => part !== '').join(': ')

/** Loads the model of a folder in a process of its own and speaks with it. Resolves with a report whatever happens there. */
export const tryModel = (folder: string, { threads, timeoutMs, signal }: TrialOptions): Promise<TrialReport> =>
  new Promise((resolve) => {
    const program = fileURLToPath(import.meta.resolve('@parlance/engine-sherpa-onnx/trial'))
    const timeout = AbortSignal.timeout(timeoutMs)
    const child = spawn(process.execPath, [program, folder, String(threads)], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      killSignal: 'SIGKILL',
    })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-10_000)
    })
    child.on('error', () => {})
    child.on('close', (code, by) => {
      if (code === 0) {
        const report = trialReport.parse(JSON.parse(output))
        if (!('problems' in report)) return resolve(report)
        return resolve({ problems: [...report.problems.slice(0, -1), withReason(report.problems.at(-1)!, errors)] })
      }
      if (timeout.aborted) return resolve({ problems: [`The model was not done within ${timeoutMs / 1000} s`] })
      const how = by === null ? `ended its process (exit code ${code})` : `ended its process (${by})`
      resolve({ problems: [withReason(`The model ${how}`, errors)] })
    })
  })
