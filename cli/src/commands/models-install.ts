import { ServiceError } from '@parlance/contracts'
import type { Catalog, CatalogModel, InstalledModel } from '@parlance/models/install'
import type { Command } from 'commander'
import { type Answer, addCommand, type Runner } from '../command.js'
import { catalogJsonOf } from '../models/catalog-table.js'
import type { ModelTools } from '../models/model-tools.js'
import { addDownloadOptions, type InstallCommandOptions, installOptionsOf } from './models-download-options.js'
import type { ModelCommandEnvironment } from './models-options.js'

const find = ({ models }: Catalog, name: string): CatalogModel => {
  const model = models.find((one) => one.name === name)
  if (model !== undefined) return model
  throw new ServiceError(
    'not_found',
    `There is no model ${name} in the catalog: \`parlance models search\` lists them.`,
  )
}

const installedJsonOf = (model: CatalogModel, { folder, license, files, sizeBytes }: InstalledModel) => ({
  ...catalogJsonOf(model),
  size_bytes: sizeBytes,
  license,
  files,
  folder,
})

const install = async (
  tools: ModelTools,
  names: readonly string[],
  options: InstallCommandOptions,
  environment: ModelCommandEnvironment,
): Promise<Answer> => {
  const catalog = await tools.readCatalog()
  const wanted = [...new Set(names)].map((name) => find(catalog, name))
  const installed: Array<[CatalogModel, InstalledModel]> = []
  for (const model of wanted) {
    installed.push([model, await tools.install(model, catalog, installOptionsOf(tools, options, environment))])
  }
  return {
    json: { models: installed.map(([model, result]) => installedJsonOf(model, result)) },
    text: () => installed.map(([, { name, folder }]) => `Installed ${name} in ${folder}.`).join('\n'),
  }
}

export const addInstallCommand = (
  models: Command,
  { answerAlone }: Runner,
  tools: ModelTools,
  environment: ModelCommandEnvironment,
): void => {
  addDownloadOptions(
    addCommand(models, 'install', 'download and install models of the catalog', [
      'en_US-joe-medium --accept-license',
      'en_US-joe-medium --mirror https://models.example.com/',
    ]).argument('<models...>', 'their names, as `parlance models search` lists them'),
    environment,
  ).action((names: string[], options: InstallCommandOptions) =>
    answerAlone(options, () => install(tools, names, options, environment)),
  )
}
