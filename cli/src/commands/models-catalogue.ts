import { ServiceError } from '@parlance/contracts'
import {
  type Catalogue,
  type CatalogueKind,
  type CatalogueModel,
  catalogueKinds,
  type InstalledModel,
  isOutdated,
  type LicenseNotice,
  searchCatalogue,
} from '@parlance/models/install'
import { type Command, Option } from 'commander'
import type { Answer } from '../answer.js'
import { folderName, webAddress } from '../arguments.js'
import { addCommand, type OutputOptions, type Runner } from '../command.js'
import { catalogueColumns, catalogueJsonOf } from '../models/catalogue-table.js'
import { createDownloadProgress } from '../models/download-progress.js'
import type { ModelTools } from '../models/model-tools.js'
import { table } from '../table.js'
import { type ModelSurroundings, type ModelsOptions, modelsDirOption } from './models.js'

interface SearchOptions extends OutputOptions {
  language?: string
  kind?: CatalogueKind
  license?: 'permissive'
}

interface InstallCommandOptions extends ModelsOptions {
  acceptLicense?: true
  mirror?: string
  espeakData?: string
}

interface ImportCommandOptions extends ModelsOptions {
  name?: string
  espeakData?: string
}

const espeakOption = ['--espeak-data <folder>', 'data of eSpeak NG, where the machine has none', folderName] as const

const find = ({ models }: Catalogue, name: string): CatalogueModel => {
  const model = models.find((one) => one.name === name)
  if (model !== undefined) return model
  throw new ServiceError(
    'not_found',
    `There is no model ${name} in the catalogue: \`parlance models search\` lists them.`,
  )
}

const installedJsonOf = (model: CatalogueModel, { folder, license, files }: InstalledModel) => ({
  ...catalogueJsonOf(model),
  size_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  license,
  files,
  folder,
})

/** The commands that bring models into the folder. */
export const addModelsCatalogueCommands = (
  models: Command,
  { answerAlone }: Runner,
  tools: ModelTools,
  { progress, note, confirm }: ModelSurroundings,
): void => {
  const search = async (text: string | undefined, { language, kind, license }: SearchOptions): Promise<Answer> => {
    const catalogue = await tools.readCatalogue()
    const found = searchCatalogue(catalogue.models, {
      language,
      kind,
      permissiveOnly: license === 'permissive',
    }).filter(({ name }) => text === undefined || name.toLowerCase().includes(text.toLowerCase()))
    return {
      json: { models: found.map(catalogueJsonOf) },
      text: (width) =>
        found.length === 0 ? 'No model of the catalogue is like that.' : table(catalogueColumns, found, width),
    }
  }

  const acceptLicense = (isAccepted: boolean) => async (notice: LicenseNotice) => {
    const { model, license, source, lineage } = notice
    progress('')
    note(`${model} has the licence: ${license}`)
    note(`  stated at ${source}`)
    if (lineage !== null) note(`  made from: ${lineage}`)
    if (isAccepted) return true
    return confirm === undefined ? false : confirm(`Do you accept the licence of ${model}? [y/N] `)
  }

  const installOptionsOf = ({ modelsDir, mirror, espeakData, acceptLicense: isAccepted }: InstallCommandOptions) => ({
    modelsDir,
    mirror,
    espeakData,
    acceptLicense: acceptLicense(isAccepted ?? false),
    onProgress: createDownloadProgress(progress),
  })

  const install = async (names: readonly string[], options: InstallCommandOptions): Promise<Answer> => {
    const catalogue = await tools.readCatalogue()
    const wanted = [...new Set(names)].map((name) => find(catalogue, name))
    const installed: Array<[CatalogueModel, InstalledModel]> = []
    for (const model of wanted) {
      installed.push([model, await tools.install(model, catalogue, installOptionsOf(options))])
    }
    return {
      json: { models: installed.map(([model, result]) => installedJsonOf(model, result)) },
      text: () => installed.map(([, { name, folder }]) => `Installed ${name} in ${folder}.`).join('\n'),
    }
  }

  const update = async (names: readonly string[], options: InstallCommandOptions): Promise<Answer> => {
    const catalogue = await tools.readCatalogue()
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
      const model = catalogue.models.find((one) => one.name === record?.catalogue_name)
      const updated = record !== undefined && model !== undefined && isOutdated(model, record)
      if (updated) await tools.install(model, catalogue, { ...installOptionsOf(options), replace: true })
      results.push({ name, updated })
    }
    return {
      json: { models: results },
      text: () =>
        results.map(({ name, updated }) => (updated ? `Updated ${name}.` : `${name} is up to date.`)).join('\n') ||
        `There is no model in ${options.modelsDir}.`,
    }
  }

  const importPath = async (path: string, { modelsDir, name, espeakData }: ImportCommandOptions): Promise<Answer> => {
    progress(`Importing ${path} …`)
    const imported = await tools.importModels(path, { modelsDir, name, espeakData })
    return {
      json: { models: imported },
      text: () => imported.map(({ name, folder }) => `Imported ${name} into ${folder}.`).join('\n'),
    }
  }

  addCommand(models, 'search', 'list the models that can be installed', [
    '--language en --kind tts --license permissive',
    'kokoro',
  ])
    .argument('[text]', 'a part of the name')
    .option('--language <tag>', 'those of a language, such as en or en-GB')
    .addOption(new Option('--kind <kind>', 'those of a kind').choices(catalogueKinds))
    .addOption(new Option('--license <which>', 'those whose licence is known to allow all use').choices(['permissive']))
    .action((text: string | undefined, options: SearchOptions) => answerAlone(options, () => search(text, options)))

  const addDownloadOptions = (command: Command): Command =>
    command
      .option(...modelsDirOption)
      .option('--accept-license', 'accept the licences of the models, which are shown')
      .addOption(
        new Option('--mirror <url>', 'where the files are instead, each under the last part of its address')
          .env('PARLANCE_MODELS_MIRROR')
          .argParser(webAddress),
      )
      .option(...espeakOption)

  addDownloadOptions(
    addCommand(models, 'install', 'download models of the catalogue and put them in place', [
      'en_US-joe-medium --accept-license',
      'en_US-joe-medium --mirror https://models.example.com/',
    ]).argument('<models...>', 'their names, as `parlance models search` lists them'),
  ).action((names: string[], options: InstallCommandOptions) => answerAlone(options, () => install(names, options)))

  addDownloadOptions(
    addCommand(models, 'update', 'install models anew whose files in the catalogue have changed', [
      '',
      'en_US-joe-medium --accept-license',
    ]).argument('[models...]', 'their folders (default: all)'),
  ).action((names: string[], options: InstallCommandOptions) => answerAlone(options, () => update(names, options)))

  addCommand(models, 'import', 'put models in place that are on the disk; original Piper models are converted', [
    '~/Downloads/en_US-joe-medium.onnx',
    'vits-piper-en_US-amy-low.tar.bz2 --models-dir /srv/models',
  ])
    .argument('<path>', 'a folder, an archive (.tar.bz2, .tar.gz, .zip, .whl) or an .onnx file')
    .option(...modelsDirOption)
    .option('--name <name>', 'the folder of the model (default: the name of its file or folder)')
    .option(...espeakOption)
    .action((path: string, options: ImportCommandOptions) => answerAlone(options, () => importPath(path, options)))
}
