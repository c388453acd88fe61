import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failureText, hasPassed, type Scenario, type ScenarioRun, type TurnResult } from '@parlance/agent-tests'
import { type Command, InvalidArgumentError } from 'commander'
import type { TestedPlatform, TestFile } from '../agent-tests/run-scenario.js'
import { folderName } from '../arguments.js'
import { addCommand, type OutputOptions, type Progress, type Runner } from '../command.js'

/** Finds the running Parlance and a key. Rejects with `StartupError` when there is none. */
export type OpenTestedPlatform = () => Promise<TestedPlatform & { close(): Promise<void> }>

interface TestOptions extends OutputOptions {
  readonly repeat: number
  readonly junit?: string
  readonly recordings: string
}

/** A run without its recording, which is in a file where it failed. */
interface RunReport extends ScenarioRun {
  readonly recordingFile: string | undefined
}

interface ScenarioReport {
  readonly file: TestFile
  readonly scenario: Scenario
  readonly runs: readonly RunReport[]
}

const passesOf = ({ runs }: ScenarioReport): number => runs.filter(hasPassed).length

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

const printedMs = (ms: number | undefined): string => (ms === undefined ? '' : ` (after ${Math.round(ms)} ms)`)

/** A line for each message and call of a turn. */
const transcriptOf = (turns: readonly TurnResult[]): readonly string[] =>
  turns.flatMap(({ messages, tools, delayMs }) => {
    const firstReply = messages.find(({ role }) => role === 'agent')
    return [
      ...messages.map(
        (message) => `${message.role}: ${message.text}${message === firstReply ? printedMs(delayMs) : ''}`,
      ),
      ...tools.map((name) => `tool: ${name}`),
    ]
  })

const failureLinesOf = ({ failures, turns, recordingFile }: RunReport): readonly string[] => [
  ...failures.map(failureText),
  ...transcriptOf(turns).map((line) => `  ${line}`),
  ...(recordingFile === undefined ? [] : [`  recording: ${recordingFile}`]),
]

const percent = (share: number): string => `${Math.round(100 * share)} %`

const textOf = (reports: readonly ScenarioReport[]): string => {
  const passed = reports.filter((report) => passesOf(report) === report.runs.length).length
  const lines = reports.flatMap((report) => {
    const { file, scenario, runs } = report
    const passes = passesOf(report)
    const rate = runs.length === 1 ? '' : `, ${passes} of ${runs.length} runs passed (${percent(passes / runs.length)})`
    return [
      `${passes === runs.length ? 'passed' : 'FAILED'}  ${file.path}: ${scenario.name}${rate}`,
      ...runs.filter((run) => !hasPassed(run)).flatMap((run) => failureLinesOf(run).map((line) => `    ${line}`)),
    ]
  })
  return [...lines, `${passed} of ${reports.length} scenarios passed.`].join('\n')
}

const jsonOf = (reports: readonly ScenarioReport[]) => ({
  passed: reports.every((report) => passesOf(report) === report.runs.length),
  scenarios: reports.map((report) => ({
    file: report.file.path,
    name: report.scenario.name,
    agent: report.file.agent,
    pass_rate: passesOf(report) / report.runs.length,
    runs: report.runs.map((run) => ({
      passed: hasPassed(run),
      failures: run.failures.map(failureText),
      duration_ms: Math.round(run.durationMs),
      recording: run.recordingFile ?? null,
      turns: run.turns.map(({ messages, tools, delayMs }) => ({
        messages: messages.map(({ role, text }) => ({ role, text })),
        tools,
        reply_after_ms: delayMs === undefined ? null : Math.round(delayMs),
      })),
    })),
  })),
})

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** A suite for each file, and a case for each run. */
const junitOf = async (reports: readonly ScenarioReport[]): Promise<string> => {
  const { default: XMLBuilder } = await import('fast-xml-builder')
  const files = [...new Set(reports.map(({ file }) => file))]
  const suites = files.map((file) => {
    const cases = reports
      .filter((report) => report.file === file)
      .flatMap(({ scenario, runs }) =>
        runs.map((run, index) => ({ run, name: runs.length === 1 ? scenario.name : `${scenario.name} #${index + 1}` })),
      )
    return {
      '@name': file.path,
      '@tests': cases.length,
      '@failures': cases.filter(({ run }) => !hasPassed(run)).length,
      '@time': seconds(cases.reduce((sum, { run }) => sum + run.durationMs, 0)),
      testcase: cases.map(({ run, name }) => ({
        '@classname': file.path,
        '@name': name,
        '@time': seconds(run.durationMs),
        ...(!hasPassed(run) && {
          failure: { '@message': run.failures.map(failureText).join('; '), '#text': failureLinesOf(run).join('\n') },
        }),
      })),
    }
  })
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ testsuites: { testsuite: suites } })}`
}

const runAll = async (
  platform: TestedPlatform,
  files: readonly TestFile[],
  { repeat, recordings }: TestOptions,
  progress: Progress,
): Promise<readonly ScenarioReport[]> => {
  const { openScenarioRunner } = await import('../agent-tests/run-scenario.js')
  const reports: ScenarioReport[] = []
  for (const file of files) {
    const run = await openScenarioRunner(platform, file)
    for (const scenario of file.scenarios) {
      const runs: RunReport[] = []
      for (let number = 1; number <= repeat; number++) {
        progress(`${file.path}: ${scenario.name}${repeat === 1 ? '' : ` (${number} of ${repeat})`} …`)
        const { recording, ...result } = await run(scenario)
        let recordingFile: string | undefined
        if (!hasPassed(result) && recording !== undefined) {
          recordingFile = join(recordings, `${slugOf(scenario.name)}-${number}.ogg`)
          await mkdir(recordings, { recursive: true })
          await writeFile(recordingFile, recording)
        }
        runs.push({ ...result, recordingFile })
      }
      reports.push({ file, scenario, runs })
    }
  }
  return reports
}

const repetitions = (value: string): number => {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a number from 1 to 9999.')
}

const help = `
Each scenario is a conversation with the draft of an Agent. docs/agent-tests.md describes the files.
It needs the running Parlance: the npm start of this folder with its key, or NATS_URL, PUBLIC_URL and PARLANCE_API_KEY.

Exit codes:
  0  all scenarios passed
  1  a scenario failed, or could not run`

export const addTestCommand = (
  program: Command,
  { answerAlone }: Runner,
  openTestedPlatform: OpenTestedPlatform,
  progress: Progress,
): void => {
  addCommand(program, 'test <files...>', 'run scenarios against the drafts of Agents', [
    'front-desk.yaml',
    'tests/*.yaml --repeat 5 --junit report.xml',
  ])
    .option('--repeat <number>', 'run each scenario so many times, and print the share that passed', repetitions, 1)
    .option('--junit <file>', 'also write a report in the format of JUnit')
    .option('--recordings <folder>', 'where the recordings of failed runs are saved', folderName, 'failed-recordings')
    .addHelpText('after', help)
    .action((paths: string[], options: TestOptions) =>
      answerAlone(options, async () => {
        const { readScenarioFile } = await import('../agent-tests/run-scenario.js')
        // All files are checked before anything runs.
        const files = await Promise.all(paths.map(readScenarioFile))
        const platform = await openTestedPlatform()
        try {
          const reports = await runAll(platform, files, options, progress)
          if (options.junit !== undefined) await writeFile(options.junit, await junitOf(reports))
          const json = jsonOf(reports)
          return { json, text: () => textOf(reports), exitCode: json.passed ? 0 : 1 }
        } finally {
          await platform.close()
        }
      }),
    )
}
