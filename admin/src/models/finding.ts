import { type Answer, type Column, table } from '@parlance/cli'
import { type ModelMeasurement, timesRealTimeOf } from '@parlance/engine-sherpa-onnx'
import type { TurnTrial } from '@parlance/engine-smart-turn'
import { type DetectorModel, type FoundFolder, isSlow, type RecognitionModel, type SpeechModel } from '@parlance/models'
import type { InstallRecord } from '@parlance/models/install'

type SuccessfulTrial = Exclude<ModelMeasurement['report'], { problems: unknown }> | TurnTrial

/** The model of a folder, by its kind. */
interface FoundModel {
  readonly speech?: SpeechModel
  readonly recognition?: RecognitionModel
  readonly detector?: DetectorModel
}

interface FoundSpeed {
  readonly times_real_time: number
  readonly threads: number
}

/** A folder and all that is known about it. */
export interface Finding extends FoundModel {
  readonly name: string
  readonly problems: readonly string[]
  readonly trial: SuccessfulTrial | undefined
  /** The speed of a model that speaks, measured now or earlier; undefined if it was never measured. */
  readonly speed: FoundSpeed | undefined
  /** Undefined for a model that was installed by hand. */
  readonly record: InstallRecord | undefined
}

const modelOf = (folder: FoundFolder): FoundModel => {
  if (folder.purpose === 'speech') return 'model' in folder.reading ? { speech: folder.reading.model } : {}
  if (folder.purpose === 'recognition') return 'model' in folder.reading ? { recognition: folder.reading.model } : {}
  return 'model' in folder.reading ? { detector: folder.reading.model } : {}
}

export interface FindingDetails {
  readonly report?: SuccessfulTrial | { readonly problems: readonly string[] } | undefined
  readonly threads?: number | undefined
  readonly record?: InstallRecord | undefined
  /** A line for each file that has changed since the installation. */
  readonly changedFiles?: readonly string[] | undefined
  /** Why a process could not open the model. */
  readonly failure?: string | undefined
}

const speedOf = ({ report, threads = 1 }: FindingDetails, { speech }: FoundModel): FoundSpeed | undefined =>
  report !== undefined && 'speakMs' in report ? { times_real_time: timesRealTimeOf(report), threads } : speech?.speed

export const findingOf = (folder: FoundFolder, details: FindingDetails = {}): Finding => {
  const { report, record, changedFiles = [], failure } = details
  const model = modelOf(folder)
  const folderProblems = 'problems' in folder.reading ? folder.reading.problems : []
  const trialProblems = report !== undefined && 'problems' in report ? report.problems : []
  return {
    name: folder.name,
    ...model,
    problems: [...folderProblems, ...trialProblems, ...changedFiles, ...(failure === undefined ? [] : [failure])],
    trial: report !== undefined && !('problems' in report) ? report : undefined,
    speed: speedOf(details, model),
    record,
  }
}

const anyModel = ({ speech, recognition, detector }: FoundModel) => speech ?? recognition ?? detector

/** The kind of the model, as in the catalog. */
const kindOf = ({ speech, detector }: FoundModel) => (speech === undefined ? (detector?.kind ?? 'stt') : 'tts')

/** How the model was built. */
const architectureOf = ({ speech, recognition, detector }: FoundModel) =>
  speech?.kind ?? recognition?.files.kind ?? detector?.kind

const speakersOf = ({ speakers, sampleRateHz }: SpeechModel) => ({
  speakers: speakers.map(({ id, displayName, languages, gender }) => ({
    id,
    display_name: displayName,
    languages,
    gender,
  })),
  sample_rate: sampleRateHz,
})

const workOf = (trial: SuccessfulTrial) => {
  if ('recognitionMs' in trial) return { hear_ms: trial.recognitionMs }
  return 'detectMs' in trial ? { detect_ms: trial.detectMs } : { speak_ms: trial.speakMs }
}

const trialOf = (trial: SuccessfulTrial) => ({
  load_ms: trial.loadMs,
  ...workOf(trial),
  audio_ms: trial.audioMs,
  memory_mb: trial.memoryMegabytes,
})

/** Below this speed speech has gaps while the machine does other work. */
const comfortableTimesRealTime = 1.5

const times = (timesRealTime: number) => `${timesRealTime.toFixed(1)} times as fast as real time`

/** A warning about a speed; undefined without one. */
const warningOf = ({ speed }: Finding): string | undefined => {
  if (speed === undefined || speed.times_real_time >= comfortableTimesRealTime) return undefined
  if (isSlow(speed)) return 'It is slow: its speech has gaps, and nothing chooses it by default. Use a smaller model.'
  return `That is below ${comfortableTimesRealTime}: its speech may have gaps. Use a smaller model.`
}

const speedJsonOf = (finding: Finding) => {
  const { speed } = finding
  if (speed === undefined) return {}
  const warning = warningOf(finding)
  return {
    times_real_time: Math.round(speed.times_real_time * 100) / 100,
    threads: speed.threads,
    slow: isSlow(speed),
    warnings: warning === undefined ? [] : [warning],
  }
}

const modelJsonOf = (finding: Finding) => {
  const model = anyModel(finding)
  if (model === undefined) return {}
  return {
    kind: kindOf(finding),
    architecture: architectureOf(finding),
    display_name: model.displayName,
    languages: model.languages,
    ...(finding.speech === undefined ? {} : speakersOf(finding.speech)),
    size_bytes: model.sizeBytes,
    license: model.license,
  }
}

const jsonOf = (finding: Finding) => {
  const { name, record, problems, trial } = finding
  return {
    name,
    ...modelJsonOf(finding),
    catalogue_name: record?.catalogue_name ?? null,
    files: record?.files ?? [],
    ...(trial === undefined ? {} : trialOf(trial)),
    ...speedJsonOf(finding),
    problems,
  }
}

const none = '–'
export const megabytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1e6))} MB`
const offeredOf = ({ speakers, speakerCount }: SpeechModel) =>
  speakers.length === speakerCount ? `${speakerCount}` : `${speakers.length} of ${speakerCount}`

const describeModel: Column<Finding>[] = [
  { title: 'MODEL', cell: ({ name }) => name },
  { title: 'KIND', cell: (finding) => architectureOf(finding) ?? none },
  { title: 'SPEAKERS', cell: ({ speech }) => (speech === undefined ? none : offeredOf(speech)), align: 'right' },
  {
    title: 'SIZE',
    cell: (finding) => {
      const model = anyModel(finding)
      return model === undefined ? none : megabytes(model.sizeBytes)
    },
    align: 'right',
  },
]

const sentence = (problem: string) => `${problem.replace(/\.$/, '')}.`
const refusal = ({ problems }: Finding) => `Refused: ${problems.map(sentence).join(' ')}`

const shortSpeedOf = ({ speed }: Finding): string => {
  if (speed === undefined) return none
  const factor = `${speed.times_real_time.toFixed(1)} ×`
  return isSlow(speed) ? `${factor}, slow` : factor
}

export const listColumns: Column<Finding>[] = [
  ...describeModel,
  { title: 'SPEED', cell: shortSpeedOf, align: 'right' },
  {
    title: 'LANGUAGES',
    cell: (finding) => {
      if (finding.problems.length > 0) return refusal(finding)
      const languages = anyModel(finding)?.languages ?? []
      return languages.length === 0 ? none : languages.join(', ')
    },
  },
]

const outcomeOf = (finding: Finding): string => {
  const { trial, problems } = finding
  if (problems.length > 0) return refusal(finding)
  if (trial === undefined) return 'Its files are valid.'
  const loaded = `Loaded in ${(trial.loadMs / 1000).toFixed(1)} s`
  const memory = `takes ${trial.memoryMegabytes} MB.`
  if ('recognitionMs' in trial) {
    return `${loaded}, recognizes speech ${times(trial.audioMs / Math.max(trial.recognitionMs, 1))}, ${memory}`
  }
  if ('detectMs' in trial) return `${loaded}, judges a turn in ${trial.detectMs} ms, ${memory}`
  const { threads = 1 } = finding.speed ?? {}
  const spoken = `${loaded}, speaks ${times(timesRealTimeOf(trial))} with ${threads === 1 ? 'a thread' : `${threads} threads`}, ${memory}`
  const warning = warningOf(finding)
  return warning === undefined ? spoken : `${spoken} ${warning}`
}
export const verifyColumns: Column<Finding>[] = [...describeModel, { title: 'OUTCOME', cell: outcomeOf }]

const exitCodeOfRefusal = 2

export const answerOf = (
  findings: readonly Finding[],
  columns: readonly Column<Finding>[],
  modelsDir: string,
): Answer => {
  const refused = findings.filter(({ problems }) => problems.length > 0).length
  const summary =
    refused === 0 ? `All ${findings.length} can be used.` : `${refused} of ${findings.length} cannot be used.`
  const none = `There is no model in ${modelsDir}.`
  return {
    json: { models: findings.map(jsonOf) },
    text: (width) =>
      findings.length === 0
        ? `${none}\n\n\`parlance models install\` and \`parlance models import\` add one.`
        : `${table(columns, findings, width)}\n\n${summary}`,
    exitCode: refused === 0 ? 0 : exitCodeOfRefusal,
  }
}
