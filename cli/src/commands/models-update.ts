import { ServiceError } from '@parlance/contracts'
import { isOutdated } from '@parlance/models/install'
import type { Command } from 'commander'
import { type Answer, addCommand, type Runner } from '../command.js'
import type { ModelTools } from '../models/model-tools.js'
import { addDownloadOptions, type InstallCommandOptions, installOptionsOf } from './models-download-options.js'
import type { ModelCommandEnvironment } from './models-options.js'

const update = async (
  tools: ModelTools,
  names: readonly string[],
  options: InstallCommandOptions,
  environment: ModelCommandEnvironment,
): Promise<Answer> => {
  const catalog = await tools.readCatalog()
  const folders = await tools.findModels(options.modelsDir)
  for (const name of names) {
    if (!folders.some((folder) => folder.name === name)) {
      throw new ServiceError('not_found', `There is no model ${name} in ${options.modelsDir}.`)
    }
  }
  const results: Array<{ name: string; updated: boolean }> = []
  for (const { name, path } of folders) {
    if (names.length > 0 && !names.includes(name)) continue
    const record = await tools.readRecord(path)
    const model = catalog.models.find((one) => one.name === record?.catalogue_name)
    const updated = record !== undefined && model !== undefined && isOutdated(model, record)
    if (updated)
      await tools.install(model, catalog, { ...installOptionsOf(tools, options, environment), replace: true })
    results.push({ name, updated })
  }
  return {
    json: { models: results },
    text: () =>
      results.map(({ name, updated }) => (updated ? `Updated ${name}.` : `${name} is up to date.`)).join('\n') ||
      `There is no model in ${options.modelsDir}.`,
  }
}

export const addUpdateCommand = (
  models: Command,
  { answerAlone }: Runner,
  tools: ModelTools,
  environment: ModelCommandEnvironment,
): void => {
  addDownloadOptions(
    addCommand(models, 'update', 'reinstall models whose catalog files have changed', [
      '',
      'en_US-joe-medium --accept-license',
    ]).argument('[models...]', 'their folders (default: all)'),
    environment,
  ).action((names: string[], options: InstallCommandOptions) =>
    answerAlone(options, () => update(tools, names, options, environment)),
  )
}
