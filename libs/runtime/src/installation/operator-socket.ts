import { connect } from 'node:net'
import { join, relative } from 'node:path'
import { StartupError } from '../process/index.js'

/** Longer than for clients of the API, since a reconciliation of all workspaces takes time. */
export const operatorDeadlineMs = 60_000

/** The maximum length of a socket's path on this operating system. */
const longestPathBytes = process.platform === 'linux' ? 107 : 103

/**
 * The path of the socket for operators of the process that runs on this data folder. It is relative to the working directory
 * when that is shorter; undefined when both paths are too long for a socket.
 */
export const operatorSocketPath = (dataFolder: string): string | undefined => {
  const path = join(dataFolder, 'operator.sock')
  return [path, relative(process.cwd(), path)]
    .filter((way) => Buffer.byteLength(way) <= longestPathBytes)
    .sort((a, b) => a.length - b.length)[0]
}

/**
 * Whether a process answers at the socket; a file that a killed process left behind does not count. Rejects with `StartupError`
 * when this user has no permission to connect.
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
      reject(new StartupError([`${path} belongs to another user. Run this as the user that started Parlance.`]))
    })
  })
