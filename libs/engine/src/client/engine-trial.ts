import { spawn } from 'node:child_process'
import { z } from 'zod'
import { reasonIn } from './error-output.js'

interface EngineTrialOptions<Result> {
  /** The program and its arguments. It writes `Result` or `{ problems }` to standard output: one line of JSON. */
  readonly command: readonly [string, ...string[]]
  readonly resultSchema: z.ZodType<Result>
  /** A trial that takes longer is stopped. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** The report of a trial, or the reason why the engine cannot be used. */
export type EngineTrial<Result> = Result | { readonly problems: readonly string[] }

const problemsSchema = z.object({ problems: z.array(z.string()).min(1) })
const withReason = (problem: string, errors: string): string =>
  [problem, reasonIn(errors)].filter((part) => part !== '').join(': ')

/**
 * Runs a program that tries an engine, in a process of its own, since a native library may end its process. Resolves with its
 * report whatever happens there.
 */
export const runEngineTrial = <Result>({
  command: [program, ...args],
  resultSchema,
  timeoutMs,
  signal,
}: EngineTrialOptions<Result>): Promise<EngineTrial<Result>> =>
  new Promise((resolve) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const child = spawn(program, args, {
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
    /** A native library may write to the same output. */
    const readReport = (written: string, errors: string): EngineTrial<Result> => {
      try {
        const report: unknown = JSON.parse(written)
        const failed = problemsSchema.safeParse(report)
        if (!failed.success) return resultSchema.parse(report)
        const { problems } = failed.data
        return { problems: [...problems.slice(0, -1), withReason(problems.at(-1)!, errors)] }
      } catch {
        return { problems: [withReason('The program of the model printed no valid report', errors)] }
      }
    }
    child.on('close', (code, by) => {
      if (code === 0) return resolve(readReport(output, errors))
      if (timeout.aborted) return resolve({ problems: [`The model did not finish within ${timeoutMs / 1000} s`] })
      const how = by === null ? `ended its process (exit code ${code})` : `ended its process (${by})`
      resolve({ problems: [withReason(`The model ${how}`, errors)] })
    })
  })
