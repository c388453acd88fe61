import { ServiceError } from '@parlance/contracts'
import type { FoundFolder } from '@parlance/models'
import type { Command } from 'commander'
import { threadCount } from '../arguments.js'
import { type Answer, addCommand, type Runner } from '../command.js'
import {
  answerOf,
  type Finding,
  type FindingDetails,
  findingOf,
  listColumns,
  verifyColumns,
} from '../models/finding.js'
import type { ModelTools } from '../models/model-tools.js'
import { addImportCommand } from './models-import.js'
import { addInstallCommand } from './models-install.js'
import { type ModelCommandEnvironment, type ModelsOptions, modelsDirOption } from './models-options.js'
import { addSearchCommand } from './models-search.js'
import { addUpdateCommand } from './models-update.js'

interface VerifyOptions extends ModelsOptions {
  threads?: number
}

export const addModelsCommands = (
  models: Command,
  runner: Runner,
  tools: ModelTools,
  environment: ModelCommandEnvironment,
): void => {
  const { answerAlone } = runner

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

  addSearchCommand(models, runner, tools)
  addInstallCommand(models, runner, tools, environment)
  addUpdateCommand(models, runner, tools, environment)
  addImportCommand(models, runner, tools, environment)

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
