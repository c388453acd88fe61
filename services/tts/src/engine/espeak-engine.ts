import { fileURLToPath } from 'node:url'
import type { Engine } from './engine.js'
import { openProcessEngine, type ProcessEngineOptions } from './process-engine.js'

/**
 * The engine that comes with Parlance. It is under the GPL, so it is a program that is started and talked to, and
 * nothing of it is ever imported. The limits keep a process small; speaking makes little garbage.
 */
export const openEspeakEngine = (options: Omit<ProcessEngineOptions, 'command'>): Promise<Engine> => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-espeak-ng/main'))
  return openProcessEngine({
    ...options,
    command: [process.execPath, '--max-semi-space-size=1', '--max-old-space-size=64', program],
  })
}
