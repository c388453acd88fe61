import { fileURLToPath } from 'node:url'
import { type EngineTrial, runEngineTrial } from '@parlance/engine/client'
import { z } from 'zod'

const turnTrial = z.object({
  loadMs: z.number(),
  /** How long judging a turn of `audioMs` took. */
  detectMs: z.number(),
  audioMs: z.number(),
  /** The memory of the process with the model. */
  memoryMegabytes: z.number(),
})

/** The result of loading a model and judging a turn with it. Times are in ms. */
export type TurnTrial = z.output<typeof turnTrial>

interface TurnTrialOptions {
  /** A model that takes longer is stopped. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Loads a model in a separate process and lets it judge a turn. Always resolves with a report. */
export const tryTurnModel = (file: string, limits: TurnTrialOptions): Promise<EngineTrial<TurnTrial>> => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-smart-turn/trial'))
  return runEngineTrial({ command: [process.execPath, program, file], resultSchema: turnTrial, ...limits })
}
