import type { Command } from 'commander'
import type { Answer } from './answer.js'
import type { OperatorCalls } from './operator-calls.js'
import type { Progress } from './progress.js'

export interface OutputOptions {
  json?: true
}

/** Runs what a command was asked for, prints the answer, and keeps its exit code. */
export interface Runner {
  /** With the services at hand. */
  answer(options: OutputOptions, work: (calls: OperatorCalls, progress: Progress) => Promise<Answer>): Promise<void>
  /** Without. */
  answerAlone(options: OutputOptions, work: () => Promise<Answer>): Promise<void>
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

/** Errors in how a command is called: one line, which names the help that is of use. */
export const explainErrors = (command: Command): Command =>
  command.configureOutput({
    outputError: (text, write) => {
      const problem = text.trim().replace(/\s*\n\s*/g, ' ')
      write(`${problem}${/[.?)]$/.test(problem) ? '' : '.'} \`${pathOf(command)} --help\` tells more.\n`)
    },
  })

/** A word that others follow, such as `workspace`. */
export const addGroup = (parent: Command, name: string, description: string): Command =>
  explainErrors(parent.command(name).description(description))

/** A command; its action is the caller's to add. An example is what comes after `parlance` and the command's own words. */
export const addCommand = (
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command => {
  const command = explainErrors(parent.command(usage).description(description))
  const shown = examples.map((example) => `  ${pathOf(command)} ${example}`.trimEnd())
  return command
    .option('--json', 'print one JSON value, for scripts')
    .addHelpText('after', `\nExamples:\n${shown.join('\n')}`)
}
