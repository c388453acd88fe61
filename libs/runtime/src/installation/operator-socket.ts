import { connect } from 'node:net'
import { join, relative } from 'node:path'
import { StartupError } from '../process/startup-error.js'

/** An operator waits longer than a client of the API: for a reconciliation of all workspaces, say. */
export const operatorDeadlineMs = 60_000

/** What the operating system has room for in the address of a socket. */
const longestPathBytes = process.platform === 'linux' ? 107 : 103

/**
 * Where the process that runs on this data folder answers its operator. Seen from the working directory when that is
 * shorter; undefined when both ways to say it are too long for a socket.
 */
export const operatorSocketPath = (dataFolder: string): string | undefined => {
  const path = join(dataFolder, 'operator.sock')
  return [path, relative(process.cwd(), path)]
    .filter((way) => Buffer.byteLength(way) <= longestPathBytes)
    .sort((a, b) => a.length - b.length)[0]
}

/**
 * Whether a process answers at the socket; a file that a killed process left behind does not count. Rejects with
 * `StartupError` when that is not for this user to know.
 */
export const isOperatorSocketAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      const isForbidden = code === 'EACCES' || code === 'EPERM'
      if (!isForbidden) return resolve(false)
      reject(new StartupError([`${path} belongs to another user. Run this as the one who started Parlance.`]))
    })
  })
