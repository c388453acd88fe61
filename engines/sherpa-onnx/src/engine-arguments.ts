import { z } from 'zod'

/** The only argument of the process, as JSON. */
const engineArguments = z.strictObject({
  /** The engine's name, from which the ids of its voices are derived. */
  engine: z.string().min(1),
  /** The model's folder. */
  folder: z.string().min(1),
  threads: z.int().min(1).max(64),
  /** The price for folders without one; a decimal string. */
  creditPer1kCharacters: z.string(),
})
export type EngineArguments = z.input<typeof engineArguments>

export const parseEngineArguments = (argument: string | undefined): EngineArguments =>
  engineArguments.parse(JSON.parse(argument ?? '{}'))
