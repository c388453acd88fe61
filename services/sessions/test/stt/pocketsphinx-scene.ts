import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '@parlance/telemetry'
import { openPocketsphinxRecognizer, type PocketsphinxOptions } from '../../src/stt/pocketsphinx-recognizer.js'
import { patienceMs } from './describe-recognizer.js'

/** A recognizer with the ids of its processes from its log, the latest last. */
export const openScene = async (options: Partial<PocketsphinxOptions> = {}) => {
  const pids: number[] = []
  let onReady = () => {}
  const write = (line: string) => {
    const { msg, pid } = JSON.parse(line)
    if (msg !== 'An engine process is ready') return
    pids.push(pid)
    onReady()
  }
  const logger = createLogger({ name: 'test', destination: { write } })
  const recognizer = await openPocketsphinxRecognizer({
    logger,
    maxProcesses: 1,
    finishTimeoutMs: patienceMs,
    ...options,
  })
  const ready = (count: number) =>
    new Promise<void>((resolve) => {
      onReady = () => pids.length >= count && resolve()
      onReady()
    })
  return { recognizer, pids, ready }
}

export const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Resolves when the process has ended. */
export const gone = async (pid: number) => {
  while (isRunning(pid)) await delay(10)
}
