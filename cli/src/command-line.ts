import { ServiceError } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime'
import { Command, CommanderError } from 'commander'
import type { Answer } from './answer.js'
import { explainErrors, type OutputOptions, type Runner } from './command.js'
import { addCreditCommands } from './commands/credit.js'
import { addKeyCommands } from './commands/key.js'
import { addMigrateCommand, type MigratedSchema } from './commands/migrate.js'
import { addModelsCommands, type ModelTools } from './commands/models.js'
import { addReconcileCommand } from './commands/reconcile.js'
import { addToolsCommands } from './commands/tools.js'
import { addWorkspaceCommands } from './commands/workspace.js'
import type { OperatorCalls } from './operator-calls.js'
import type { Progress } from './progress.js'

/** What the command line stands on. */
export interface Surroundings {
  openCalls(): Promise<OperatorCalls>
  migrate(): Promise<readonly MigratedSchema[]>
  models: ModelTools
  /** The public half of the key that calls of tools are signed with. */
  findToolKey(): Promise<string>
  progress: Progress
  /** Both take whole lines. */
  print(text: string): void
  printError(text: string): void
  /** How many columns the terminal has; undefined when the output goes elsewhere. */
  width: number | undefined
}

/** The terminal's width breaks the lines. */
const description = `What operators of Parlance do: workspaces, their credit and their keys; local speech models.

It works on the services behind NATS_URL where that is set; else on the npm start that runs in this folder, or on \
PARLANCE_DATA; else on the data that it left there.`

const linesOf = (error: unknown): readonly string[] => {
  if (error instanceof StartupError) return error.lines
  if (error instanceof ServiceError) return [error.detail]
  const reason = error instanceof Error ? error.message : String(error)
  return [`Something unexpected went wrong: ${reason.replaceAll(/\s+/g, ' ')}`]
}

/** Resolves to the exit code: 0 done, 1 an error, which is told, 2 something examined that is not as it should be. */
export const runCommandLine = async (args: readonly string[], surroundings: Surroundings): Promise<number> => {
  const { openCalls, migrate, models, findToolKey, progress, print, printError, width } = surroundings
  let exitCode = 0

  const give = ({ json }: OutputOptions, answer: Answer) => {
    print(`${json ? JSON.stringify(answer.json, null, 2) : answer.text(width)}\n`)
    exitCode = answer.exitCode ?? 0
  }
  const runner: Runner = {
    async answer(options, work) {
      const calls = await openCalls()
      const answer = await work(calls, progress).finally(calls.close)
      give(options, answer)
    },
    async answerAlone(options, work) {
      give(options, await work())
    },
  }

  const program = explainErrors(new Command('parlance').description(description))
    .exitOverride()
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({ writeOut: print, writeErr: printError })
  addWorkspaceCommands(program, runner)
  addCreditCommands(program, runner)
  addKeyCommands(program, runner)
  addReconcileCommand(program, runner)
  addMigrateCommand(program, runner, migrate)
  addModelsCommands(program, runner, models, progress)
  addToolsCommands(program, runner, findToolKey)

  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // The help was asked for, or what was wrong has been told.
    if (error instanceof CommanderError) return error.exitCode
    for (const line of linesOf(error)) printError(`error: ${line}\n`)
    return 1
  }
}
