import { ServiceError } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime/process'
import { Command, CommanderError } from 'commander'
import type { ApiAccess } from './api.js'
import { type Answer, explainErrors, type OutputOptions, type Progress, type Runner } from './command.js'
import { addApiCommands } from './commands/api.js'
import { addCreditCommands } from './commands/credit.js'
import { addKeyCommands } from './commands/key.js'
import { addMeasureCommand } from './commands/measure.js'
import { addNatsAccountsCommand } from './commands/nats-accounts.js'
import { addProfileCommands, type ProfileStore } from './commands/profile.js'
import { addReconcileCommand } from './commands/reconcile.js'
import { addTestCommand, type OpenTestedPlatform } from './commands/test.js'
import { addToolsCommands } from './commands/tools.js'
import { addUserCommands, type FindGatewayUrl } from './commands/user.js'
import { addWorkspaceCommands } from './commands/workspace.js'
import type { OperatorCalls } from './operator-calls.js'

/** The parts of the process and the installation that the command line needs. */
export interface CommandLineEnvironment {
  openCalls(): Promise<OperatorCalls>
  openTestedPlatform: OpenTestedPlatform
  /** The public key for calls of tools. */
  findToolKey(): Promise<string>
  findGatewayUrl: FindGatewayUrl
  /** Rejects with `StartupError`. */
  findApi: () => Promise<ApiAccess>
  profiles: ProfileStore
  progress: Progress
  /** Both print complete lines. */
  print(text: string): void
  printError(text: string): void
  /** The number of columns of the terminal; undefined when the output is not a terminal. */
  width: number | undefined
  /** Adds the commands that only a checkout or an image has. */
  addCommands?: ((program: Command, runner: Runner, args: readonly string[]) => Promise<void>) | undefined
}

/** Without line breaks: the help is wrapped to the width of the terminal. */
const description = `Work with Parlance: Agents, conversations and speech with an API key; workspaces, people, credit and keys as an operator.

It works on the installation of the profile in use; without one on the services behind NATS_URL where that is set, else on \
the npm start that runs in this folder, or on PARLANCE_DATA.`

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
  const { openCalls, findToolKey, findGatewayUrl, findApi, progress, print, printError, width } = environment
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
  addToolsCommands(program, runner, findToolKey)
  addNatsAccountsCommand(program, runner)
  addTestCommand(program, runner, environment.openTestedPlatform, progress)
  addMeasureCommand(program, runner)
  addApiCommands(program, runner, findApi)
  addProfileCommands(program, runner, environment.profiles)
  await environment.addCommands?.(program, runner, args)

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
