import { fileURLToPath } from 'node:url'
import { type EngineTrial, runEngineTrial } from '@parlance/engine/client'
import { z } from 'zod'

const turnTrial = z.object({
  loadMs: z.number(),
  /** How long the answer about a turn of `audioMs` took. */
  detectMs: z.number(),
  audioMs: z.number(),
  /** Of the process, with the model in it. */
  memoryMegabytes: z.number(),
})

/** The result of loading a model and asking it about a turn. Times are ms. */
export type TurnTrial = z.output<typeof turnTrial>

export interface TurnTrialOptions {
  /** A model that takes longer is stopped. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Loads a model in a process of its own and asks it about a turn. Resolves with a report whatever happens there. */
export const tryTurnModel = (file: string, limits: TurnTrialOptions): Promise<EngineTrial<TurnTrial>> => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-smart-turn/trial'))
  return runEngineTrial({ command: [process.execPath, program, file], resultSchema: turnTrial, ...limits })
}
