/** English by pocketsphinx: each process takes about 170 MB. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { openProcessRecognizer, type ProcessRecognizerOptions } from './process-recognizer.js'
import type { Recognizer } from './recognizer.js'

export interface PocketsphinxOptions extends Omit<ProcessRecognizerOptions, 'name' | 'command' | 'processes'> {
  /** Default: that of the package. */
  readonly command?: readonly [string, ...string[]]
  /** Default: one for each core. */
  readonly processes?: number | undefined
}

const ownCommand = (): readonly [string, ...string[]] => [
  process.execPath,
  ...['--max-semi-space-size=1', '--max-old-space-size=64'],
  fileURLToPath(import.meta.resolve('@parlance/engine-pocketsphinx/main')),
]

/** Rejects as `openProcessRecognizer` does; where pocketsphinx is not on the machine the error says what to install. */
export const openPocketsphinxRecognizer = ({
  command = ownCommand(),
  processes = availableParallelism(),
  ...options
}: PocketsphinxOptions): Promise<Recognizer> =>
  openProcessRecognizer({ name: 'pocketsphinx', command, processes, ...options })
