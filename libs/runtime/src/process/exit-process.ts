import { isatty } from 'node:tty'

/** Where this process began on a terminal, of its input, output and errors. */
const terminals = [0, 1, 2].filter(isatty)

/**
 * `process.exit`, also after the terminal has gone: Node would then fail to put the terminal's settings back, and crash
 * on it. No process reads the exit code then, so the process kills itself.
 */
export const exitProcess = (code: number): never => {
  if (!terminals.every((fd) => isatty(fd))) process.once('exit', () => process.kill(process.pid, 'SIGKILL'))
  return process.exit(code)
}
