import { isatty } from 'node:tty'

/** Why a process cannot start. Each line is for the operator, and names a problem and its solution. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly lines: readonly string[]

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options)
    this.lines = lines
  }
}

/**
 * The innermost reason of an error, in one line and without a full stop. The message of an adapter is for callers, which
 * must not learn the addresses of servers.
 */
export const reasonOf = (problem: unknown): string => {
  if (!(problem instanceof Error)) return String(problem)
  if (problem.cause instanceof Error) return reasonOf(problem.cause)
  const [first] = problem instanceof AggregateError ? (problem.errors as unknown[]) : []
  if (first instanceof Error) return reasonOf(first)
  const { code } = problem as NodeJS.ErrnoException
  return (problem.message || code || problem.name).trim().replaceAll(/\s+/g, ' ').replace(/\.$/, '')
}

/** Which of standard input, output and error were a terminal when this process started. */
const terminals = [0, 1, 2].filter(isatty)

/**
 * `process.exit` that also works after the terminal was closed: Node would then fail to restore the settings of the terminal,
 * and crash. No process reads the exit code in this case, so the process kills itself.
 */
export const exitProcess = (code: number): never => {
  if (!terminals.every((fd) => isatty(fd))) process.once('exit', () => process.kill(process.pid, 'SIGKILL'))
  return process.exit(code)
}

/** The address of a server, or several separated by commas, without users, passwords and parameters, for messages. */
export const withoutCredentials = (url: string): string => url.replaceAll(/\/\/[^@/]*@/g, '//').replace(/\?.*$/, '')
