import { folderName, type OutputOptions, type Progress, webAddress } from '@parlance/cli'
import type { LicenseNotice } from '@parlance/models/install'
import { type Command, Option } from 'commander'
import { createDownloadProgress } from '../models/download-progress.js'
import type { ModelTools } from '../models/model-tools.js'

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

/** The options of `install` and `update`. */
export interface InstallCommandOptions extends ModelsOptions {
  acceptLicense?: true
  mirror?: string
  espeakData?: string
}

export const addDownloadOptions = (
  command: Command,
  environment: Pick<ModelCommandEnvironment, 'modelsDir'>,
): Command =>
  command
    .addOption(modelsDirOption(environment))
    .option('--accept-license', 'accept the licenses of the models, which are shown')
    .addOption(
      new Option('--mirror <url>', 'where the files are instead, each under the last part of its address')
        .env('PARLANCE_MODELS_MIRROR')
        .argParser(webAddress),
    )
    .option(...espeakOption)

/** Shows the license, and asks for consent unless the command line has accepted it. */
const acceptLicense =
  ({ progress, note, confirm }: ModelCommandEnvironment, isAccepted: boolean) =>
  async (notice: LicenseNotice): Promise<boolean> => {
    const { model, license, source, lineage } = notice
    progress('')
    note(`${model} has the license: ${license}`)
    note(`  stated at ${source}`)
    if (lineage !== null) note(`  made from: ${lineage}`)
    if (isAccepted) return true
    return confirm === undefined ? false : confirm(`Do you accept the license of ${model}? [y/N] `)
  }

export const installOptionsOf = (
  tools: Pick<ModelTools, 'measureSpeechModel'>,
  { modelsDir, mirror, espeakData, acceptLicense: isAccepted }: InstallCommandOptions,
  environment: ModelCommandEnvironment,
) => ({
  modelsDir,
  mirror,
  espeakData,
  acceptLicense: acceptLicense(environment, isAccepted ?? false),
  onProgress: createDownloadProgress(environment.progress),
  measure: measureWithProgress(tools, environment),
})
