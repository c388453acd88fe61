import { ServiceError } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime/process'
import { Command, CommanderError } from 'commander'
import { type Answer, addGroup, explainErrors, type OutputOptions, type Progress, type Runner } from './command.js'
import { addCreditCommands } from './commands/credit.js'
import { addDoctorCommand, type Diagnose } from './commands/doctor.js'
import { addKeyCommands } from './commands/key.js'
import { addMeasureCommand } from './commands/measure.js'
import { addMigrateCommand, type MigratedSchema } from './commands/migrate.js'
import type { Confirm } from './commands/models-options.js'
import { addNatsAccountsCommand } from './commands/nats-accounts.js'
import { addReconcileCommand } from './commands/reconcile.js'
import { addTestCommand, type OpenTestedPlatform } from './commands/test.js'
import { addToolsCommands } from './commands/tools.js'
import { addUserCommands, type FindGatewayUrl } from './commands/user.js'
import { addWorkspaceCommands } from './commands/workspace.js'
import type { ModelTools } from './models/model-tools.js'
import type { OperatorCalls } from './operator-calls.js'

/** The parts of the process and the installation that the command line needs. */
export interface CommandLineEnvironment {
  openCalls(): Promise<OperatorCalls>
  openRunningCalls(): Promise<OperatorCalls | undefined>
  openTestedPlatform: OpenTestedPlatform
  migrate(): Promise<readonly MigratedSchema[]>
  openModels(): Promise<ModelTools>
  /** The models folder of the installation. */
  modelsDir: string
  /** The public key for calls of tools. */
  findToolKey(): Promise<string>
  findGatewayUrl: FindGatewayUrl
  diagnose: Diagnose
  progress: Progress
  /** Undefined when no person is at a terminal. */
  confirm?: Confirm | undefined
  /** Both print complete lines. */
  print(text: string): void
  printError(text: string): void
  /** The number of columns of the terminal; undefined when the output is not a terminal. */
  width: number | undefined
  /** Whether the output may have colors. */
  isColored: boolean
}

/** Without line breaks: the help is wrapped to the width of the terminal. */
const description = `What operators of Parlance do: workspaces, their people, credit and keys; local speech models; tests of Agents; checks.

It works on the services behind NATS_URL where that is set; else on the npm start that runs in this folder, or on \
PARLANCE_DATA; else on the data that it left there.`

/** A `StartupError`, or an `InstallError` of the models, which are not loaded for that. */
const isExplained = (error: unknown): error is Error & { lines: readonly string[] } =>
  error instanceof StartupError || (error instanceof Error && error.name === 'InstallError')

const linesOf = (error: unknown): readonly string[] => {
  if (isExplained(error)) return error.lines
  if (error instanceof ServiceError) return [error.detail]
  const reason = error instanceof Error ? error.message : String(error)
  return [`Unexpected error: ${reason.replaceAll(/\s+/g, ' ')}`]
}

/**
 * Resolves to the exit code: 0 for success, 1 for an error, which is printed, 2 for a check that found a fault. Those of
 * `doctor` are its own.
 */
export const runCommandLine = async (args: readonly string[], environment: CommandLineEnvironment): Promise<number> => {
  const { openCalls, migrate, openModels, modelsDir, findToolKey, findGatewayUrl, diagnose, progress, confirm } =
    environment
  const { print, printError, width, isColored } = environment
  let exitCode = 0

  const printAnswer = ({ json }: OutputOptions, answer: Answer) => {
    print(`${json ? JSON.stringify(answer.json, null, 2) : answer.text(width)}\n`)
    exitCode = answer.exitCode ?? 0
  }
  const runner: Runner = {
    async answer(options, work) {
      const calls = await openCalls()
      const answer = await work(calls, progress).finally(calls.close)
      printAnswer(options, answer)
    },
    async answerAlone(options, work) {
      printAnswer(options, await work())
    },
  }

  const program = explainErrors(new Command('parlance').description(description))
    .exitOverride()
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({ writeOut: print, writeErr: printError })
  addWorkspaceCommands(program, runner)
  addCreditCommands(program, runner)
  addKeyCommands(program, runner)
  addUserCommands(program, runner, findGatewayUrl)
  addReconcileCommand(program, runner)
  addMigrateCommand(program, runner, migrate)
  const models = addGroup(program, 'models', 'local models that speak and recognize speech')
  if (args.includes(models.name())) {
    const { addModelsCommands } = await import('./commands/models.js')
    const note = (line: string) => printError(`${line}\n`)
    addModelsCommands(models, runner, await openModels(), { modelsDir, progress, note, confirm })
  }
  if (args.includes('setup') || !args.some((arg) => !arg.startsWith('-'))) {
    const { addSetupCommand } = await import('./commands/setup.js')
    const note = (line: string) => printError(`${line}\n`)
    const { openRunningCalls } = environment
    addSetupCommand(program, runner, await openModels(), { modelsDir, progress, note, confirm, openRunningCalls })
  }
  addToolsCommands(program, runner, findToolKey)
  addNatsAccountsCommand(program, runner)
  addDoctorCommand(program, runner, diagnose, isColored)
  addTestCommand(program, runner, environment.openTestedPlatform, progress)
  addMeasureCommand(program, runner)

  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has already printed the help or the error.
    if (error instanceof CommanderError) return error.exitCode
    for (const line of linesOf(error)) printError(`error: ${line}\n`)
    return 1
  }
}
