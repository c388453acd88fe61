import type { WriteStream } from 'node:tty'
import type { Command } from 'commander'
import type { OperatorCalls } from './operator-calls.js'

/** Shows the current step. The empty string removes it. */
export type Progress = (text: string) => void

const eraseLine = '\r\x1b[K'

/** Shows one line on a terminal, which the next text replaces. Writes nothing to a file or another program. */
export const createProgress = (stream: WriteStream): Progress => {
  if (!stream.isTTY) return () => {}
  let shown = ''
  return (text) => {
    if (text === shown) return
    // A line that the terminal wraps could not be erased.
    stream.write(`${eraseLine}${text.slice(0, Math.max(stream.columns - 1, 0))}`)
    shown = text
  }
}

export interface OutputOptions {
  json?: true
}

/** The result of a command, for scripts and for people. */
export interface Answer {
  readonly json: unknown
  /** `width` is the number of columns of the terminal; undefined when the output is not a terminal. */
  readonly text: (width: number | undefined) => string
  /** Default 0. */
  readonly exitCode?: number
}

/** Runs the work of a command, prints the result, and stores its exit code. */
export interface Runner {
  /** Runs work with calls to the services. */
  answer(options: OutputOptions, work: (calls: OperatorCalls, progress: Progress) => Promise<Answer>): Promise<void>
  /** Runs work without the services. */
  answerAlone(options: OutputOptions, work: () => Promise<Answer>): Promise<void>
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

/** Prints usage errors as one line that refers to the help of the command. */
export const explainErrors = (command: Command): Command =>
  command.configureOutput({
    outputError: (text, write) => {
      const problem = text.trim().replace(/\s*\n\s*/g, ' ')
      write(`${problem}${/[.?)]$/.test(problem) ? '' : '.'} \`${pathOf(command)} --help\` shows more.\n`)
    },
  })

/** A group of commands, such as `workspace`. */
export const addGroup = (parent: Command, name: string, description: string): Command =>
  explainErrors(parent.command(name).description(description))

/** Adds a command without its action. An example is the part of a command line after the name of the command. */
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
