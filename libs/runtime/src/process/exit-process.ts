import { isatty } from 'node:tty'

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
