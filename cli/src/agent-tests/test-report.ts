import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failureText, hasPassed, type Scenario, type ScenarioRun, type TurnResult } from '@parlance/agent-tests'
import XMLBuilder from 'fast-xml-builder'
import type { Progress } from '../command.js'
import { openScenarioRunner, type TestedPlatform, type TestFile } from './run-scenario.js'

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

export const textOf = (reports: readonly ScenarioReport[]): string => {
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

export const jsonOf = (reports: readonly ScenarioReport[]) => ({
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
export const junitOf = (reports: readonly ScenarioReport[]): string => {
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

export const runAll = async (
  platform: TestedPlatform,
  files: readonly TestFile[],
  { repeat, recordings }: { readonly repeat: number; readonly recordings: string },
  progress: Progress,
): Promise<readonly ScenarioReport[]> => {
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
