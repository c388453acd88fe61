import type { Command } from 'commander'
import { type Answer, addCommand, type Runner } from '../command.js'
import type { ModelTools } from '../models/model-tools.js'
import {
  espeakOption,
  type ModelCommandEnvironment,
  type ModelsOptions,
  measureWithProgress,
  modelsDirOption,
} from './models-options.js'

interface ImportCommandOptions extends ModelsOptions {
  name?: string
  espeakData?: string
}

const importPath = async (
  tools: Pick<ModelTools, 'importModels' | 'measureSpeechModel'>,
  path: string,
  { modelsDir, name, espeakData }: ImportCommandOptions,
  environment: Pick<ModelCommandEnvironment, 'progress'>,
): Promise<Answer> => {
  const imported = await tools.importModels(path, {
    modelsDir,
    name,
    espeakData,
    measure: measureWithProgress(tools, environment),
  })
  return {
    json: { models: imported },
    text: () => imported.map(({ name, folder }) => `Imported ${name} into ${folder}.`).join('\n'),
  }
}

export const addImportCommand = (
  models: Command,
  { answerAlone }: Runner,
  tools: ModelTools,
  environment: Pick<ModelCommandEnvironment, 'modelsDir' | 'progress'>,
): void => {
  addCommand(models, 'import', 'install models from the disk; original Piper models are converted', [
    '~/Downloads/en_US-joe-medium.onnx',
    'vits-piper-en_US-amy-low.tar.bz2 --models-dir /srv/models',
  ])
    .argument('<path>', 'a folder, an archive (.tar.bz2, .tar.gz, .zip, .whl) or an .onnx file')
    .addOption(modelsDirOption(environment))
    .option('--name <name>', 'the folder of the model (default: the name of its file or folder)')
    .option(...espeakOption)
    .action((path: string, options: ImportCommandOptions) =>
      answerAlone(options, () => {
        environment.progress(`Importing ${path} …`)
        return importPath(tools, path, options, environment)
      }),
    )
}
