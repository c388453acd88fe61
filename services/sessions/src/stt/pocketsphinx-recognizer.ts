/** English by pocketsphinx. Each process takes about 170 MB. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { openProcessRecognizer, type ProcessRecognizerOptions } from './process-recognizer.js'
import type { Recognizer } from './recognizer.js'
import { opened, processesSchema, recognizerProvider } from './recognizer-provider.js'

export interface PocketsphinxOptions extends Omit<ProcessRecognizerOptions, 'name' | 'command' | 'maxProcesses'> {
  /** Default: the program of `@parlance/engine-pocketsphinx`. */
  readonly command?: readonly [string, ...string[]]
  /** Default: one for each core. */
  readonly maxProcesses?: number | undefined
}

const defaultCommand = (): readonly [string, ...string[]] => [
  process.execPath,
  ...['--max-semi-space-size=1', '--max-old-space-size=64'],
  fileURLToPath(import.meta.resolve('@parlance/engine-pocketsphinx/main')),
]

/** Rejects as `openProcessRecognizer` does. When pocketsphinx is not installed, the error names the package to install. */
export const openPocketsphinxRecognizer = ({
  command = defaultCommand(),
  maxProcesses = availableParallelism(),
  ...options
}: PocketsphinxOptions): Promise<Recognizer> =>
  openProcessRecognizer({ name: 'pocketsphinx', command, maxProcesses, ...options })

export const pocketsphinxProvider = recognizerProvider({
  variables: {
    STT_POCKETSPHINX_PROCESSES: processesSchema.describe(
      'how many utterances pocketsphinx recognizes at once, a process for each',
    ),
  },
  missing: () => undefined,
  async open({ STT_POCKETSPHINX_PROCESSES: maxProcesses }, { logger }) {
    const recognizer = await openPocketsphinxRecognizer({ logger, maxProcesses })
    const { name, languages } = recognizer
    logger.info({ engine: name, language: languages?.join(', ') }, 'Speech is recognized here')
    return opened(recognizer)
  },
})
