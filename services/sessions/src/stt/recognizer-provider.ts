/** One way to recognize speech: its variables, and how its recognizers are opened. `open-recognizers.ts` lists all. */
import type { ReadSecret } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import { commaSeparated } from '../variable-schemas.js'
import type { Recognizer } from './recognizer.js'

export interface RecognizerContext {
  readonly logger: Logger
  readonly readSecret: ReadSecret
}

export interface OpenedRecognizers {
  /** May change while they are open. */
  readonly recognizers: readonly Recognizer[]
  close(): Promise<void>
}

type Settings<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>

export interface RecognizerProvider<Variables extends z.ZodRawShape> {
  readonly variables: Variables
  /** Returns the variable that must be set and is not; undefined when the provider can be opened. */
  missing(settings: Settings<Variables>): string | undefined
  /** Opens its recognizers, and logs each. Rejects with `StartupError` for wrong settings. */
  open(settings: Settings<Variables>, context: RecognizerContext): Promise<OpenedRecognizers>
}

/** Infers the type of the settings from the variables. */
export const recognizerProvider = <Variables extends z.ZodRawShape>(provider: RecognizerProvider<Variables>) => provider

/** One recognizer that stays until it is closed. */
export const opened = (recognizer: Recognizer): OpenedRecognizers => ({
  recognizers: [recognizer],
  close: () => recognizer.close(),
})

export const languagesSchema = z
  .string()
  .transform(commaSeparated)
  .pipe(z.array(z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/)).min(1))

/** Utterances that are recognized at once, a process for each. */
export const processesSchema = z.coerce.number().int().min(1).max(64).optional()
