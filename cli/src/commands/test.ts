import { writeFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { TestedPlatform } from '../agent-tests/run-scenario.js'
import { folderName } from '../arguments.js'
import { addCommand, type OutputOptions, type Progress, type Runner } from '../command.js'

/** Finds the running Parlance and a key. Rejects with `StartupError` when there is none. */
export type OpenTestedPlatform = () => Promise<TestedPlatform & { close(): Promise<void> }>

interface TestOptions extends OutputOptions {
  readonly repeat: number
  readonly junit?: string
  readonly recordings: string
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
        const { jsonOf, junitOf, runAll, textOf } = await import('../agent-tests/test-report.js')
        // All files are checked before anything runs.
        const files = await Promise.all(paths.map(readScenarioFile))
        const platform = await openTestedPlatform()
        try {
          const reports = await runAll(platform, files, options, progress)
          if (options.junit !== undefined) await writeFile(options.junit, junitOf(reports))
          const json = jsonOf(reports)
          return { json, text: () => textOf(reports), exitCode: json.passed ? 0 : 1 }
        } finally {
          await platform.close()
        }
      }),
    )
}
