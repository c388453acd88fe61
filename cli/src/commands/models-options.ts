import { Option } from 'commander'
import { folderName } from '../arguments.js'
import type { OutputOptions } from '../command.js'
import type { ModelTools } from '../models/model-tools.js'
import type { Progress } from '../progress.js'

/** Asks the person at the terminal. An empty answer is the default, which is no unless it is given. */
export type Confirm = (question: string, isDefault?: boolean) => Promise<boolean>

/** What the commands about models need of the terminal and the installation. */
export interface ModelCommandEnvironment {
  /** The models folder of the installation. */
  readonly modelsDir: string
  readonly progress: Progress
  /** Prints a line beside the answer. */
  note(line: string): void
  /** Undefined where there is no person at a terminal. */
  readonly confirm: Confirm | undefined
}

export interface ModelsOptions extends OutputOptions {
  modelsDir: string
}

export const modelsDirOption = ({ modelsDir }: Pick<ModelCommandEnvironment, 'modelsDir'>): Option =>
  new Option('--models-dir <folder>', 'where they are, a folder each').argParser(folderName).default(modelsDir)

export const espeakOption = [
  '--espeak-data <folder>',
  'data of eSpeak NG, where the machine has none',
  folderName,
] as const

/** Records how fast a new model speaks, and reports the progress. */
export const measureWithProgress =
  (tools: Pick<ModelTools, 'measureSpeechModel'>, { progress }: Pick<ModelCommandEnvironment, 'progress'>) =>
  async (folder: string): Promise<void> => {
    progress('Measuring how fast the model speaks …')
    await tools.measureSpeechModel(folder)
  }
