import type { LicenseNotice } from '@parlance/models/install'
import { type Command, Option } from 'commander'
import { webAddress } from '../arguments.js'
import { createDownloadProgress } from '../models/download-progress.js'
import type { ModelTools } from '../models/model-tools.js'
import {
  espeakOption,
  type ModelSurroundings,
  type ModelsOptions,
  measureWithProgress,
  modelsDirOption,
} from './models-options.js'

/** The options of `install` and `update`. */
export interface InstallCommandOptions extends ModelsOptions {
  acceptLicense?: true
  mirror?: string
  espeakData?: string
}

export const addDownloadOptions = (command: Command, surroundings: Pick<ModelSurroundings, 'modelsDir'>): Command =>
  command
    .addOption(modelsDirOption(surroundings))
    .option('--accept-license', 'accept the licences of the models, which are shown')
    .addOption(
      new Option('--mirror <url>', 'where the files are instead, each under the last part of its address')
        .env('PARLANCE_MODELS_MIRROR')
        .argParser(webAddress),
    )
    .option(...espeakOption)

/** Shows the licence, and asks for it unless the command line has accepted it. */
const acceptLicense =
  ({ progress, note, confirm }: ModelSurroundings, isAccepted: boolean) =>
  async (notice: LicenseNotice): Promise<boolean> => {
    const { model, license, source, lineage } = notice
    progress('')
    note(`${model} has the licence: ${license}`)
    note(`  stated at ${source}`)
    if (lineage !== null) note(`  made from: ${lineage}`)
    if (isAccepted) return true
    return confirm === undefined ? false : confirm(`Do you accept the licence of ${model}? [y/N] `)
  }

export const installOptionsOf = (
  tools: Pick<ModelTools, 'measureSpeechModel'>,
  { modelsDir, mirror, espeakData, acceptLicense: isAccepted }: InstallCommandOptions,
  surroundings: ModelSurroundings,
) => ({
  modelsDir,
  mirror,
  espeakData,
  acceptLicense: acceptLicense(surroundings, isAccepted ?? false),
  onProgress: createDownloadProgress(surroundings.progress),
  measure: measureWithProgress(tools, surroundings),
})
