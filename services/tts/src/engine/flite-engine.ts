import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { OpenEngines } from './engine.js'
import { openProcessEngine } from './process-engine.js'

export const fliteEngineConfig = z.strictObject({
  type: z.literal('flite'),
  /** The maximum number of processes, each speaking one utterance at a time; default one for each core. */
  processes: z.int().min(1).max(64).optional(),
  /** The folder of libflite and its voices; by default the system finds them. */
  folder: z.string().min(1).optional(),
})

/** Opens flite from the system's library. Rejects where it is not installed; the message names the package. */
export const openFliteEngines = (async (name, { processes, folder }, { logger, onReplace }) => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-flite/main'))
  const engine = await openProcessEngine({
    name,
    synthesis: 'recorded',
    logger,
    command: [
      process.execPath,
      ...['--max-semi-space-size=1', '--max-old-space-size=64', program],
      ...(folder === undefined ? [] : ['--folder', folder]),
    ],
    minProcesses: 1,
    onReplace: () => onReplace(name),
    ...(processes === undefined ? {} : { processes }),
  })
  return [engine] as const
}) satisfies OpenEngines<z.output<typeof fliteEngineConfig>>
