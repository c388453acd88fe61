import { Option } from 'commander'
import { folderName } from '../arguments.js'
import type { OutputOptions } from '../command.js'
import type { ModelTools } from '../models/model-tools.js'
import type { Progress } from '../progress.js'

/** Asks the person at the terminal. An empty answer is the default, which is no unless specified. */
export type Confirm = (question: string, isDefault?: boolean) => Promise<boolean>

/** The parts of the terminal and the installation that the commands about models need. */
export interface ModelCommandEnvironment {
  /** The models folder of the installation. */
  readonly modelsDir: string
  readonly progress: Progress
  /** Prints a line besides the result. */
  note(line: string): void
  /** Undefined when no person is at a terminal. */
  readonly confirm: Confirm | undefined
}

export interface ModelsOptions extends OutputOptions {
  modelsDir: string
}

export const modelsDirOption = ({ modelsDir }: Pick<ModelCommandEnvironment, 'modelsDir'>): Option =>
  new Option('--models-dir <folder>', 'the folder of the models, one folder each')
    .argParser(folderName)
    .default(modelsDir)

export const espeakOption = [
  '--espeak-data <folder>',
  'data of eSpeak NG, if the machine has none',
  folderName,
] as const

/** Records how fast a new model speaks, and reports the progress. */
export const measureWithProgress =
  (tools: Pick<ModelTools, 'measureSpeechModel'>, { progress }: Pick<ModelCommandEnvironment, 'progress'>) =>
  async (folder: string): Promise<void> => {
    progress('Measuring how fast the model speaks …')
    await tools.measureSpeechModel(folder)
  }
