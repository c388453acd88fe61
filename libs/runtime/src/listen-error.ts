import { StartupError } from './process/startup-error.js'

interface ListenError {
  code: string
  syscall: string
  port: number
  address?: string
}

const isListenError = (error: unknown): error is ListenError =>
  typeof error === 'object' && (error as Partial<ListenError> | null)?.syscall === 'listen'

/**
 * Explains how to fix a port that cannot be bound; returns any other error unchanged. `variable` sets the port, `command`
 * started the process.
 */
export const explainListenError = (error: unknown, variable: string, command: string): unknown => {
  if (!isListenError(error)) return error
  const { code, port, address } = error
  const another = (choice: number) => `Choose another: ${`${variable}=${choice} ${command}`.trim()}`
  const lines: Partial<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use. ${another(port < 65535 ? port + 1 : 8080)}`,
    EACCES: `This user may not listen on port ${port}. ${another(port < 1024 ? 8080 : port + 1)}`,
    EADDRNOTAVAIL: `${address} is not an address of this machine. Choose another with HOST, e.g. HOST=127.0.0.1.`,
  }
  const line = lines[code]
  return line === undefined ? error : new StartupError([line], { cause: error })
}
