import { type Answer, addCommand, type OutputOptions, type Runner, table, threadCount } from '@parlance/cli'
import { ServiceError } from '@parlance/contracts'
import type { FoundFolder } from '@parlance/models'
import {
  type Catalog,
  type CatalogKind,
  type CatalogModel,
  catalogKinds,
  type InstalledModel,
  isOutdated,
  searchCatalog,
} from '@parlance/models/install'
import { type Command, Option } from 'commander'
import { catalogColumns, catalogJsonOf, mirrorUrlsOf } from '../models/catalog-table.js'
import {
  answerOf,
  type Finding,
  type FindingDetails,
  findingOf,
  listColumns,
  verifyColumns,
} from '../models/finding.js'
import type { ModelTools } from '../models/model-tools.js'
import {
  addDownloadOptions,
  espeakOption,
  type InstallCommandOptions,
  installOptionsOf,
  type ModelCommandEnvironment,
  type ModelsOptions,
  measureWithProgress,
  modelsDirOption,
} from './models-options.js'

interface ImportCommandOptions extends ModelsOptions {
  name?: string
  espeakData?: string
}

interface SearchOptions extends OutputOptions {
  language?: string
  kind?: CatalogKind
  license?: 'permissive'
}

interface VerifyOptions extends ModelsOptions {
  threads?: number
}

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

export const addModelsCommands = (
  models: Command,
  { answerAlone }: Runner,
  tools: ModelTools,
  environment: ModelCommandEnvironment,
): void => {
  const search = async (text: string | undefined, { language, kind, license }: SearchOptions): Promise<Answer> => {
    const catalog = await tools.readCatalog()
    const found = searchCatalog(catalog.models, {
      language,
      kind,
      permissiveOnly: license === 'permissive',
    }).filter(({ name }) => text === undefined || name.toLowerCase().includes(text.toLowerCase()))
    return {
      json: {
        models: found.map((model) => ({ ...catalogJsonOf(model), mirror_urls: mirrorUrlsOf(model, catalog) })),
      },
      text: (width) => (found.length === 0 ? 'No model matches.' : table(catalogColumns, found, width)),
    }
  }

  const install = async (names: readonly string[], options: InstallCommandOptions): Promise<Answer> => {
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

  const update = async (names: readonly string[], options: InstallCommandOptions): Promise<Answer> => {
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

  const importPath = async (path: string, options: ImportCommandOptions): Promise<Answer> => {
    environment.progress(`Importing ${path} …`)
    const { modelsDir, name, espeakData } = options
    const measure = measureWithProgress(tools, environment)
    const imported = await tools.importModels(path, { modelsDir, name, espeakData, measure })
    return {
      json: { models: imported },
      text: () => imported.map(({ name, folder }) => `Imported ${name} into ${folder}.`).join('\n'),
    }
  }

  const tryFolder = async (folder: FoundFolder, threads: number | undefined): Promise<FindingDetails> => {
    if (!('model' in folder.reading)) return {}
    if (folder.purpose !== 'detection') return tools.measureModel(folder.path, threads)
    return { report: await tools.tryTurnModel(folder.reading.model.file) }
  }

  const verifyFolder = async (folder: FoundFolder, threads: number | undefined): Promise<Finding> => {
    const record = await tools.readRecord(folder.path)
    const changedFiles = record === undefined ? [] : await tools.findChangedFiles(folder.path, record)
    return findingOf(folder, { ...(await tryFolder(folder, threads)), record, changedFiles })
  }

  const verify = async (name: string | undefined, { modelsDir, threads }: VerifyOptions): Promise<Answer> => {
    const folders = (await tools.findModels(modelsDir)).filter((folder) => name === undefined || folder.name === name)
    if (name !== undefined && folders.length === 0) {
      throw new ServiceError(
        'not_found',
        `There is no folder ${name} in ${modelsDir}: \`parlance models list\` shows all folders.`,
      )
    }
    const findings: Finding[] = []
    for (const [index, folder] of folders.entries()) {
      environment.progress(`Loading ${folder.name}, ${index + 1} of ${folders.length} …`)
      findings.push(await verifyFolder(folder, threads))
    }
    return answerOf(findings, verifyColumns, modelsDir)
  }

  const list = async ({ modelsDir }: ModelsOptions): Promise<Answer> => {
    const findings: Finding[] = []
    for (const folder of await tools.findModels(modelsDir)) {
      const [record, failure] = await Promise.all([tools.readRecord(folder.path), tools.describeFailure(folder.path)])
      findings.push(findingOf(folder, { record, failure }))
    }
    return answerOf(findings, listColumns, modelsDir)
  }

  const remove = async (names: readonly string[], { modelsDir }: ModelsOptions): Promise<Answer> => {
    for (const name of names) await tools.remove(modelsDir, name)
    return {
      json: { models: names.map((name) => ({ name, removed: true })) },
      text: () => names.map((name) => `Removed ${name}.`).join('\n'),
    }
  }

  addCommand(models, 'search', 'list the models that can be installed', [
    '--language en --kind tts --license permissive',
    'kokoro',
  ])
    .argument('[text]', 'a part of the name')
    .option('--language <tag>', 'those of a language, such as en or en-GB')
    .addOption(new Option('--kind <kind>', 'those of a kind').choices(catalogKinds))
    .addOption(new Option('--license <which>', 'those whose license is known to allow all use').choices(['permissive']))
    .action((text: string | undefined, options: SearchOptions) => answerAlone(options, () => search(text, options)))

  addDownloadOptions(
    addCommand(models, 'install', 'download and install models of the catalog', [
      'en_US-joe-medium --accept-license',
      'en_US-joe-medium --mirror https://models.example.com/',
    ]).argument('<models...>', 'their names, as `parlance models search` lists them'),
    environment,
  ).action((names: string[], options: InstallCommandOptions) => answerAlone(options, () => install(names, options)))

  addDownloadOptions(
    addCommand(models, 'update', 'reinstall models whose catalog files have changed', [
      '',
      'en_US-joe-medium --accept-license',
    ]).argument('[models...]', 'their folders (default: all)'),
    environment,
  ).action((names: string[], options: InstallCommandOptions) => answerAlone(options, () => update(names, options)))

  addCommand(models, 'import', 'install models from the disk; original Piper models are converted', [
    '~/Downloads/en_US-joe-medium.onnx',
    'vits-piper-en_US-amy-low.tar.bz2 --models-dir /srv/models',
  ])
    .argument('<path>', 'a folder, an archive (.tar.bz2, .tar.gz, .zip, .whl) or an .onnx file')
    .addOption(modelsDirOption(environment))
    .option('--name <name>', 'the folder of the model (default: the name of its file or folder)')
    .option(...espeakOption)
    .action((path: string, options: ImportCommandOptions) => answerAlone(options, () => importPath(path, options)))

  addCommand(models, 'list', 'list the models, and why a folder is refused. Exits with 2 if one is', [
    '--models-dir /srv/models',
  ])
    .addOption(modelsDirOption(environment))
    .action((options: ModelsOptions) => answerAlone(options, () => list(options)))

  addCommand(models, 'verify', 'check the files of each model, load it and try it. Exits with 2 if one fails', [
    '',
    'kokoro-multi-lang-v1_0 --models-dir /srv/models --threads 2',
  ])
    .argument('[model]', 'the folder of one (default: all)')
    .addOption(modelsDirOption(environment))
    .option(
      '--threads <count>',
      'how many cores a model may keep busy (default: what is best, which is recorded)',
      threadCount,
    )
    .action((name: string | undefined, options: VerifyOptions) => answerAlone(options, () => verify(name, options)))

  addCommand(models, 'remove', 'remove models from the folder', ['en_US-joe-medium'])
    .argument('<models...>', 'their folders')
    .addOption(modelsDirOption(environment))
    .action((names: string[], options: ModelsOptions) => answerAlone(options, () => remove(names, options)))
}
