import { withTimeout } from '@parlance/async'
import type { Progress } from '@parlance/cli'
import { type Environment, StartupError } from '@parlance/runtime'
import { reasonOf } from '@parlance/runtime/process'
import { services } from '@parlance/service-standalone'
import type { ModelTools } from '../models/model-tools.js'
import {
  type Check,
  type CheckContext,
  type CheckedFinding,
  type CheckName,
  type DoctorOptions,
  error,
  type Finding,
} from './check.js'
import { checks } from './checks.js'

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

interface DiagnosisEnvironment {
  readonly environment: Environment
  readonly models: ModelTools
  readonly modelsDir: string
  readonly progress: Progress
  readonly signal: AbortSignal
}

export interface DiagnoseOptions extends DoctorOptions {
  /** Default: all. */
  readonly only?: readonly CheckName[]
}

/** Runs the checks of an installation. Rejects with `StartupError` for the name of a service that does not exist. */
export const diagnose = async (
  { only, ...options }: DiagnoseOptions,
  { environment, models, modelsDir, progress, signal }: DiagnosisEnvironment,
): Promise<CheckedFinding[]> => {
  const names = services.map(({ name }) => name)
  const unknown = options.service?.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new StartupError([`There is no service ${unknown}. The services are ${names.join(', ')}.`])
  const chosen = checks.filter(({ name }) => only === undefined || only.includes(name))
  const context = {
    ...options,
    environment,
    isStandalone: !environment.NATS_URL,
    services,
    models,
    modelsDir,
  }
  return runChecks(chosen, context, { progress, signal })
}
