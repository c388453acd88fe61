/**
 * Indexes files: takes those that are due from the database, one at a time, and reads each in a process of its own with a limited
 * time and memory and an empty environment.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Sweep, startSweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { DueFile, KnowledgeRepository } from './knowledge-repository.js'
import type { TextReport, TextTask } from './text-process.js'

const timeoutMs = 120_000
/** The extra time is for the database. */
const leaseMs = timeoutMs + 60_000
const maxAttempts = 3
const everyMs = 10_000

const program = () => fileURLToPath(import.meta.resolve('@parlance/service-agents/text-process'))

/** Rejects with the reason of the signal, and with an error when the process fails. */
const readInProcess = async ({ contentType, content }: TextTask, signal: AbortSignal): Promise<TextReport> => {
  const child = fork(program(), {
    env: {},
    execArgv: ['--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const slow = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  let abandon = () => {}
  try {
    return await new Promise((resolve, reject) => {
      abandon = () => reject(signal.reason)
      signal.addEventListener('abort', abandon, { once: true })
      child.once('message', (report: TextReport) => resolve(report))
      child.once('error', reject)
      child.once('exit', (code, by) => reject(new Error(`the process ended (${by ?? code})`)))
      child.send({ contentType, content } satisfies TextTask, (error) => error !== null && reject(error))
    })
  } finally {
    clearTimeout(slow)
    signal.removeEventListener('abort', abandon)
    child.kill('SIGKILL')
  }
}

interface IndexerOptions {
  readonly knowledge: Pick<KnowledgeRepository, 'take' | 'index' | 'fail'>
  readonly logger: Pick<Logger, 'warn'>
}

/** To be woken when a file was added. */
export const startIndexer = ({ knowledge, logger }: IndexerOptions): Sweep => {
  const index = async (file: DueFile, signal: AbortSignal): Promise<void> => {
    try {
      const report = await readInProcess(file, signal)
      if (report.kind === 'failed') throw new Error(report.reason)
      if (report.kind === 'passages') await knowledge.index(file, report.passages)
      else await knowledge.fail(file, report.detail)
    } catch (err) {
      if (signal.aborted) return
      const { workspaceId, attempts: count } = file
      logger.warn({ workspaceId, count, err }, 'A knowledge file could not be indexed')
      if (count >= maxAttempts) await knowledge.fail(file, 'The file could not be read, or took too long.')
    }
  }
  const sweep = startSweep(
    async (signal) => {
      for (let file = await knowledge.take(leaseMs); file !== undefined; file = await knowledge.take(leaseMs)) {
        await index(file, signal)
        if (signal.aborted) return
      }
    },
    { everyMs, onFailed: (err) => logger.warn({ err }, 'Knowledge files could not be read from the database') },
  )
  sweep.wake()
  return sweep
}
