import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { OpenEngines } from './engine.js'
import { openProcessEngine } from './process-engine.js'

export const espeakEngineConfig = z.strictObject({
  type: z.literal('espeak-ng'),
  /** `native` requires the system's libespeak-ng; `auto` uses WebAssembly where it is not installed. */
  implementation: z.enum(['auto', 'native', 'wasm']).default('auto'),
  /** The path of libespeak-ng; by default the system finds it. */
  library: z.string().min(1).optional(),
  /** The maximum number of processes, each speaking one utterance at a time; default one for each core. */
  processes: z.int().min(1).max(64).optional(),
})

/**
 * The engine that comes with Parlance. It is under the GPL, so it is a separate program and never imported. The limits of
 * memory keep a process small; synthesis makes little garbage.
 */
export const openEspeakEngines = (async (name, { implementation, library, processes }, { logger, onReplace }) => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-espeak-ng/main'))
  const engine = await openProcessEngine({
    name,
    synthesis: 'formant',
    logger,
    command: [
      process.execPath,
      ...['--max-semi-space-size=1', '--max-old-space-size=64', program, '--implementation', implementation],
      ...(library === undefined ? [] : ['--library', library]),
    ],
    minProcesses: 1,
    onReplace: () => onReplace(name),
    ...(processes === undefined ? {} : { processes }),
  })
  return [engine] as const
}) satisfies OpenEngines<z.output<typeof espeakEngineConfig>>
