import { ServiceError } from '@parlance/contracts'
import type { TrialReport } from '@parlance/engine-sherpa-onnx'
import type { FoundFolder, RecognitionModel, SpeechModel } from '@parlance/models'
import type { Command } from 'commander'
import type { Answer } from '../answer.js'
import { folderName, threadCount } from '../arguments.js'
import { addCommand, addGroup, type OutputOptions, type Runner } from '../command.js'
import type { Progress } from '../progress.js'
import { type Column, table } from '../table.js'

/** What the commands about models use. */
export interface ModelTools {
  /** Rejects with `StartupError` when the folder cannot be read. */
  findModels(modelsDir: string): Promise<readonly FoundFolder[]>
  /** Loads a model in a process of its own, and synthesizes or recognises a little speech with it. */
  tryModel(folder: string, threads: number): Promise<TrialReport>
}

const exitCodeOfRefusal = 2

/** A folder, and what is known about it. */
interface Finding {
  readonly name: string
  /** One of the two for a valid folder, depending on the purpose of its model. */
  readonly speech: SpeechModel | undefined
  readonly recognition: RecognitionModel | undefined
  readonly problems: readonly string[]
  readonly trial: Exclude<TrialReport, { problems: unknown }> | undefined
}

const findingOf = (folder: FoundFolder, report?: TrialReport): Finding => ({
  name: folder.name,
  speech: folder.purpose === 'speech' && 'model' in folder.reading ? folder.reading.model : undefined,
  recognition: folder.purpose === 'recognition' && 'model' in folder.reading ? folder.reading.model : undefined,
  problems:
    'problems' in folder.reading
      ? folder.reading.problems
      : report !== undefined && 'problems' in report
        ? report.problems
        : [],
  trial: report !== undefined && !('problems' in report) ? report : undefined,
})

const kindOf = ({ speech, recognition }: Finding) => speech?.kind ?? recognition?.files.kind

const speakersOf = ({ speakers, sampleRateHz }: SpeechModel) => ({
  speakers: speakers.map(({ id, displayName, languages, gender }) => ({
    id,
    display_name: displayName,
    languages,
    gender,
  })),
  sample_rate: sampleRateHz,
})

const trialOf = (trial: NonNullable<Finding['trial']>) => ({
  load_ms: trial.loadMs,
  ...('hearMs' in trial ? { hear_ms: trial.hearMs } : { speak_ms: trial.speakMs }),
  audio_ms: trial.audioMs,
  memory_mb: trial.memoryMegabytes,
})

const jsonOf = (finding: Finding) => {
  const { name, speech, recognition, problems, trial } = finding
  const model = speech ?? recognition
  return {
    name,
    ...(model === undefined
      ? {}
      : {
          purpose: speech === undefined ? 'recognition' : 'speech',
          kind: kindOf(finding),
          display_name: model.displayName,
          languages: model.languages,
          ...(speech === undefined ? {} : speakersOf(speech)),
          size_bytes: model.sizeBytes,
          license: model.license,
        }),
    ...(trial === undefined ? {} : trialOf(trial)),
    problems,
  }
}

const none = '–'
const megabytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1e6))} MB`
const offeredOf = ({ speakers, speakerCount }: SpeechModel) =>
  speakers.length === speakerCount ? `${speakerCount}` : `${speakers.length} of ${speakerCount}`

const describeModel: Column<Finding>[] = [
  { title: 'MODEL', cell: ({ name }) => name },
  { title: 'KIND', cell: (finding) => kindOf(finding) ?? none },
  { title: 'SPEAKERS', cell: ({ speech }) => (speech === undefined ? none : offeredOf(speech)), align: 'right' },
  {
    title: 'SIZE',
    cell: ({ speech, recognition }) => {
      const model = speech ?? recognition
      return model === undefined ? none : megabytes(model.sizeBytes)
    },
    align: 'right',
  },
]
const sentence = (problem: string) => `${problem.replace(/\.$/, '')}.`
const refusal = ({ problems }: Finding) => `Refused: ${problems.map(sentence).join(' ')}`

const listColumns: Column<Finding>[] = [
  ...describeModel,
  {
    title: 'LANGUAGES',
    cell: (finding) => (finding.speech ?? finding.recognition)?.languages.join(', ') ?? refusal(finding),
  },
]

const outcomeOf = (finding: Finding): string => {
  const { trial } = finding
  if (trial === undefined) return refusal(finding)
  const workMs = 'hearMs' in trial ? trial.hearMs : trial.speakMs
  const pace = `${(trial.audioMs / Math.max(workMs, 1)).toFixed(1)} times as fast as`
  const does = 'hearMs' in trial ? `recognises ${pace} real time` : `speaks ${pace} real time`
  return `Loaded in ${(trial.loadMs / 1000).toFixed(1)} s, ${does}, takes ${trial.memoryMegabytes} MB.`
}
const verifyColumns: Column<Finding>[] = [...describeModel, { title: 'OUTCOME', cell: outcomeOf }]

const answerOf = (findings: readonly Finding[], columns: readonly Column<Finding>[], modelsDir: string): Answer => {
  const refused = findings.filter(({ problems }) => problems.length > 0).length
  const summary =
    refused === 0 ? `All ${findings.length} can be used.` : `${refused} of ${findings.length} cannot be used.`
  return {
    json: { models: findings.map(jsonOf) },
    text: (width) =>
      findings.length === 0
        ? `There is no model in ${modelsDir}.\n\nEach is a folder in it: See docs/speech-models.md.`
        : `${table(columns, findings, width)}\n\n${summary}`,
    exitCode: refused === 0 ? 0 : exitCodeOfRefusal,
  }
}

interface ModelOptions extends OutputOptions {
  modelsDir: string
}

export const addModelsCommands = (
  program: Command,
  { answerAlone }: Runner,
  tools: ModelTools,
  progress: Progress,
): void => {
  const verify = async (
    name: string | undefined,
    { modelsDir, threads }: ModelOptions & { threads: number },
  ): Promise<Answer> => {
    const folders = (await tools.findModels(modelsDir)).filter((folder) => name === undefined || folder.name === name)
    if (name !== undefined && folders.length === 0) {
      throw new ServiceError(
        'not_found',
        `There is no folder ${name} in ${modelsDir}: \`parlance models list\` shows those there are.`,
      )
    }
    const findings: Finding[] = []
    for (const [index, folder] of folders.entries()) {
      progress(`Loading ${folder.name}, ${index + 1} of ${folders.length} …`)
      findings.push(
        findingOf(folder, 'model' in folder.reading ? await tools.tryModel(folder.path, threads) : undefined),
      )
    }
    return answerOf(findings, verifyColumns, modelsDir)
  }

  const models = addGroup(program, 'models', 'local models for speech and recognition in a folder, for sherpa-onnx')
  const modelsDir = ['--models-dir <folder>', 'where they are, a folder each', folderName, 'models'] as const

  addCommand(models, 'list', 'list the models, and why a folder is not one. Exits with 2 if one is not', [
    '--models-dir /srv/models',
  ])
    .option(...modelsDir)
    .action((options: ModelOptions) =>
      answerAlone(options, async () => {
        const folders = await tools.findModels(options.modelsDir)
        return answerOf(
          folders.map((folder) => findingOf(folder)),
          listColumns,
          options.modelsDir,
        )
      }),
    )

  addCommand(models, 'verify', 'load each model, and speak or recognise a little with it. Exits with 2 if one cannot', [
    '',
    'kokoro-multi-lang-v1_0 --models-dir /srv/models --threads 2',
  ])
    .argument('[model]', 'the folder of one (default: all)')
    .option(...modelsDir)
    .option('--threads <count>', 'how many cores a model may keep busy', threadCount, 2)
    .action((name: string | undefined, options: ModelOptions & { threads: number }) =>
      answerAlone(options, () => verify(name, options)),
    )
}
