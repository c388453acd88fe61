import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** By the clock of the system, in whole seconds. */
  readonly startedAtMs: number
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const commandLine = async (pid: number): Promise<string> => {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
  }
  return (await run('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }))).stdout
}

/**
 * The Postgres that runs on this data, whichever process started it. A file that a killed Postgres left behind may contain the
 * pid of another process, and the next Postgres would then refuse to start. Such a file is removed.
 */
export const findPostmaster = async (data: string): Promise<Postmaster | undefined> => {
  const file = join(data, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  const command = isAlive(pid) ? await commandLine(pid) : ''
  if (command.includes('postgres') && command.includes(data))
    return { pid, port: Number(lines[3]), startedAtMs: Number(lines[2]) * 1_000 }
  await rm(file, { force: true })
  return undefined
}
