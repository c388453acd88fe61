import type { LicenseNotice } from '@parlance/models/install'
import { type Command, Option } from 'commander'
import { webAddress } from '../arguments.js'
import { createDownloadProgress } from '../models/download-progress.js'
import type { ModelTools } from '../models/model-tools.js'
import {
  espeakOption,
  type ModelCommandEnvironment,
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
