import { z } from 'zod'

/** What the process is started with: its only argument, as JSON. */
const engineArguments = z.strictObject({
  /** The engine's name, by which its voices have their ids. */
  engine: z.string().min(1),
  /** The model's folder. */
  folder: z.string().min(1),
  threads: z.int().min(1).max(64),
  /** For folders that do not say; a decimal string. */
  creditPer1kCharacters: z.string(),
})
export type EngineArguments = z.input<typeof engineArguments>

export const parseEngineArguments = (argument: string | undefined): EngineArguments =>
  engineArguments.parse(JSON.parse(argument ?? '{}'))
