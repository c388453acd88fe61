import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { withTimeout } from '@parlance/async'

/** A TURN server over UDP, with credentials. */
export interface TurnServer {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly credential: string
}

/** The result of the process of one allocation. */
export interface TurnAnswer {
  /** As `address:port`; undefined when the server allocates none. */
  readonly relayed?: string | undefined
}

const allocateWithinMs = 8_000

/** The same from this file in `src` and in `dist`. */
const program = fileURLToPath(new URL('../../../dist/doctor/network/turn-process.js', import.meta.url))

/**
 * Whether a TURN server over UDP allocates a relayed address for these credentials. Resolves with the address as
 * `address:port`, or undefined.
 *
 * Each allocation has a separate process: the threads of the library end only by a `cleanup` that closes all connections of a
 * process, and a process that connects again after it may abort.
 */
export const allocateTurn = async (server: TurnServer): Promise<string | undefined> => {
  const child = fork(program, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const relayed = new Promise<string | undefined>((resolve, reject) => {
    child.once('message', (answer: TurnAnswer) => resolve(answer.relayed))
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`the process of the TURN check ended (${signal ?? code})`)))
    child.send(server, (error) => error !== null && reject(error))
  })
  try {
    return await withTimeout(relayed, allocateWithinMs, () => undefined)
  } finally {
    child.kill('SIGKILL')
  }
}
