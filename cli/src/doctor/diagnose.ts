import { type Environment, StartupError } from '@parlance/runtime'
import { services } from '@parlance/service-standalone'
import type { ModelTools } from '../models/model-tools.js'
import type { Progress } from '../progress.js'
import type { CheckedFinding, CheckName, DoctorOptions } from './check.js'
import { checks } from './checks.js'
import { runChecks } from './run-checks.js'

export interface DiagnosisEnvironment {
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
