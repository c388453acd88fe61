import { type Answer, addCommand, type OperatorCalls, type Runner } from '@parlance/cli'
import type { ModelProvider } from '@parlance/contracts'
import {
  type Catalog,
  type CatalogModel,
  chooseRecognizer,
  chooseVoice,
  machineMemoryBytes,
  sizeOfModel,
} from '@parlance/models/install'
import type { Command } from 'commander'
import { megabytes } from '../models/finding.js'
import type { ModelTools } from '../models/model-tools.js'
import {
  addDownloadOptions,
  type InstallCommandOptions,
  installOptionsOf,
  type ModelCommandEnvironment,
  measureWithProgress,
} from './models-options.js'

interface SetupOptions extends InstallCommandOptions {
  yes?: true
  language: string
}

interface SetupEnvironment extends ModelCommandEnvironment {
  /** Calls to the running services; undefined when none are running. */
  openRunningCalls(): Promise<OperatorCalls | undefined>
}

interface Step {
  readonly step: 'voice' | 'recognizer' | 'language_model'
  /** `open`: something is left to do, as described in `detail`. */
  readonly status: 'present' | 'added' | 'open'
  readonly detail: string
}

const operator = { kind: 'operator', id: null } as const

const recommended = (catalog: Catalog, step: 'voice' | 'recognizer', language: string) =>
  step === 'voice'
    ? chooseVoice(catalog.models, [language])?.model
    : [language, 'en']
        .map((tag) => chooseRecognizer(catalog.models, tag, machineMemoryBytes()))
        .find((chosen) => chosen !== undefined)?.model

const describe = (model: CatalogModel): string => {
  const size = sizeOfModel(model)
  const license = model.license.name ?? `license at ${model.license.source}`
  return `${model.name} (${size === null ? 'unknown size' : megabytes(size)}, ${license})`
}

const setUpModels = async (
  tools: ModelTools,
  paths: readonly string[],
  options: SetupOptions,
  environment: SetupEnvironment,
): Promise<Step[]> => {
  const { modelsDir, espeakData, language } = options
  for (const path of paths) {
    environment.progress(`Importing ${path} …`)
    await tools.importModels(path, { modelsDir, espeakData, measure: measureWithProgress(tools, environment) })
  }
  const folders = await tools.findModels(modelsDir)
  const catalog = await tools.readCatalog()

  const setUp = async (step: 'voice' | 'recognizer'): Promise<Step> => {
    const purpose = step === 'voice' ? 'speech' : 'recognition'
    const present = folders.find((folder) => folder.purpose === purpose && 'model' in folder.reading)
    if (present !== undefined) return { step, status: 'present', detail: present.name }
    const model = recommended(catalog, step, language)
    if (model === undefined) {
      return { step, status: 'open', detail: 'The catalog has no suitable model. `parlance models search` lists all.' }
    }
    const isWanted =
      options.yes === true || (await environment.confirm?.(`Install the ${step} ${describe(model)}? [Y/n] `, true))
    if (isWanted !== true) {
      return {
        step,
        status: 'open',
        detail: `Run it again with --yes, or run \`parlance models install ${model.name}\`.`,
      }
    }
    // The question names the license, and so does --yes in the help.
    await tools.install(model, catalog, installOptionsOf(tools, { ...options, acceptLicense: true }, environment))
    return { step, status: 'added', detail: model.name }
  }
  return [await setUp('voice'), await setUp('recognizer')]
}

const setUpLanguageModel = async ({ yes }: SetupOptions, environment: SetupEnvironment): Promise<Step> => {
  const step = 'language_model'
  const open = (detail: string): Step => ({ step, status: 'open', detail })
  const calls = await environment.openRunningCalls()
  if (calls === undefined) return open('Start Parlance with npm start, then run this again to find model servers.')
  try {
    const { workspaces, next_cursor } = await calls.auth.listWorkspaces({ limit: 2 })
    const [workspace] = workspaces
    if (workspace === undefined || workspaces.length > 1 || next_cursor !== null) {
      return open('Add one on the page Model providers of the workspace that needs it.')
    }
    const request = { workspace_id: workspace.id }
    const [{ providers }, { found, configured }] = await Promise.all([
      calls.modelProviders.listProviders(request),
      calls.modelProviders.findModelServers({}),
    ])
    const name = configured[0]?.provider ?? providers[0]?.name
    if (name !== undefined) return { step, status: 'present', detail: name }
    const server = found.find(({ models }) => models.length > 0)
    if (server === undefined) {
      return open(
        'No model server was found on this machine. Start one, such as Ollama, or add a provider in the dashboard.',
      )
    }
    const question = `Use ${server.name} with ${server.models[0]}? [Y/n] `
    if (yes !== true && (await environment.confirm?.(question, true)) !== true) {
      return open(`${server.name} runs on this machine. Run it again with --yes to use it.`)
    }
    const provider = { kind: 'openai_compatible', name: server.name, url: server.url } as const
    const added: ModelProvider = await calls.modelProviders.createProvider({ ...request, provider, actor: operator })
    return { step, status: 'added', detail: `${added.name}, ${server.models[0]}` }
  } finally {
    await calls.close()
  }
}

const titles = { voice: 'Voice', recognizer: 'Recognizer', language_model: 'Language model' } as const
const marks = { present: '✓', added: '✓', open: '·' } as const

const answerOf = (steps: readonly Step[]): Answer => ({
  json: { steps },
  text: () =>
    [
      ...steps.map(({ step, status, detail }) => `${marks[status]} ${titles[step]}: ${detail}`),
      '',
      'Open the dashboard to talk: npm start prints its address.',
    ].join('\n'),
})

export const addSetupCommand = (
  program: Command,
  { answerAlone }: Runner,
  tools: ModelTools,
  environment: SetupEnvironment,
): void => {
  addDownloadOptions(
    addCommand(program, 'setup', 'install a natural voice, a recognizer and a language model; existing ones are kept', [
      '',
      '--yes --language de',
      '~/Downloads/en_US-joe-medium.onnx moonshine.whl   # without a network',
    ]).argument('[files...]', 'models on the disk, as `parlance models import` takes them'),
    environment,
  )
    .option('--yes', 'install what is recommended and accept its licenses, which are shown')
    .option(
      '--language <tag>',
      'the language of the voice and the recognizer',
      Intl.DateTimeFormat().resolvedOptions().locale,
    )
    .action((paths: string[], options: SetupOptions) =>
      answerAlone(options, async () =>
        answerOf([
          ...(await setUpModels(tools, paths, options, environment)),
          await setUpLanguageModel(options, environment),
        ]),
      ),
    )
}
