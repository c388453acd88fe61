import { withTimeout } from '@parlance/async'
import { reasonOf } from '@parlance/runtime/process'
import type { Progress } from '../progress.js'
import { type Check, type CheckContext, type CheckedFinding, error, type Finding } from './check.js'

const defaultTimeoutMs = 15_000

const runCheck = async (check: Check, context: CheckContext, signal: AbortSignal): Promise<readonly Finding[]> => {
  const timeoutMs = check.timeoutMs?.(context) ?? defaultTimeoutMs
  const ending = new AbortController()
  const late = (): Finding[] => {
    ending.abort(new Error(`It took longer than ${timeoutMs} ms`))
    return [
      error(
        `The check did not end within ${timeoutMs / 1000} s.`,
        'Check whether the server responds at all, then run this again.',
      ),
    ]
  }
  try {
    return await withTimeout(check.run(context, AbortSignal.any([signal, ending.signal])), timeoutMs, late)
  } catch (problem) {
    signal.throwIfAborted()
    return [error(`The check failed: ${reasonOf(problem)}.`, 'Fix that, then run this again.')]
  }
}

/** Runs checks side by side. Resolves with their findings in the order of the checks. Rejects when `signal` is aborted. */
export const runChecks = async (
  checks: readonly Check[],
  context: CheckContext,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<CheckedFinding[]> => {
  const running = new Set(checks.map(({ name }) => name))
  const showProgress = () => progress(running.size === 0 ? '' : `Checking ${[...running].join(', ')} …`)
  showProgress()
  const findings = await Promise.all(
    checks.map(async (check) => {
      const found = await runCheck(check, context, signal)
      running.delete(check.name)
      showProgress()
      return found.map((finding) => ({ check: check.name, ...finding }))
    }),
  )
  return findings.flat()
}
