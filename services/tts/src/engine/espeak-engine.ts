import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { OpenEngines } from './engine.js'
import { openProcessEngine } from './process-engine.js'

export const espeakEngineConfig = z.strictObject({
  type: z.literal('espeak-ng'),
  /** `native` insists on the machine's libespeak-ng; `auto` takes WebAssembly, which is always there, where it is not. */
  implementation: z.enum(['auto', 'native', 'wasm']).default('auto'),
  /** Where libespeak-ng is; by default where the system finds it. */
  library: z.string().min(1).optional(),
  /** Processes, each speaking one utterance at a time; one for each core when not given. */
  processes: z.int().min(1).max(64).optional(),
})

/**
 * The engine that comes with Parlance. It is under the GPL, so it is a program that is started and talked to, and
 * nothing of it is ever imported. The limits keep a process small; speaking makes little garbage.
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
    onReplace: () => onReplace(name),
    ...(processes === undefined ? {} : { processes }),
  })
  return [engine] as const
}) satisfies OpenEngines<z.output<typeof espeakEngineConfig>>
