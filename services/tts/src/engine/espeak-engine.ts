import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { OpenEngines } from './engine.js'
import { openProcessEngine } from './process-engine.js'

export const espeakNgEngineConfig = z.strictObject({
  type: z.literal('espeak-ng'),
  /** Each speaks one utterance at a time. */
  processes: z.int().min(1).max(64).optional(),
})

/**
 * The engine that comes with Parlance. It is under the GPL, so it is a program that is started and talked to, and
 * nothing of it is ever imported. The limits keep a process small; speaking makes little garbage.
 */
export const openEspeakNgEngines: OpenEngines<z.output<typeof espeakNgEngineConfig>> = async (
  name,
  { processes },
  { logger, onReplace },
) => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-espeak-ng/main'))
  const engine = await openProcessEngine({
    name,
    logger,
    ...(processes !== undefined && { processes }),
    onReplace: () => onReplace(name),
    command: [process.execPath, '--max-semi-space-size=1', '--max-old-space-size=64', program],
  })
  return [engine]
}
