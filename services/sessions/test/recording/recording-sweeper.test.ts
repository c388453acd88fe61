import { randomUUID } from 'node:crypto'
import type { Logger } from '@parlance/telemetry'
import { startRecordingSweeper } from '../../src/recording/recording-sweeper.js'

const dayMs = 86_400_000

/** A sweeper of one recording that is due, whose storage answers `removeUnfinished` by `answer`. */
const sweep = (answer: (signal: AbortSignal) => Promise<number>) => {
  const seen = { sweeps: 0, removed: 0, askedBefore: [] as Date[], logged: [] as string[] }
  const due = [{ workspaceId: randomUUID(), sessionId: randomUUID() }]
  const log = (_fields: object, message: string) => void seen.logged.push(message)
  const sweeper = startRecordingSweeper({
    due: {
      failOrphans: async () => 0,
      async list() {
        seen.sweeps += 1
        return due.splice(0)
      },
      removed: async () => {},
    },
    storage: {
      async remove() {
        seen.removed += 1
      },
      removeUnfinished(before, signal) {
        seen.askedBefore.push(before)
        return answer(signal)
      },
    },
    logger: { info: log, warn: log } as unknown as Logger,
  })
  return { sweeper, seen }
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}

test('objects that are unfinished for two days are removed when the sweeper starts, and not at each sweep', async () => {
  const startedMs = Date.now()
  const { sweeper, seen } = sweep(async () => 3)
  await until(() => seen.logged.length > 0)
  sweeper.wake()
  await until(() => seen.sweeps === 2)
  await sweeper.stop()
  expect(seen).toMatchObject({ removed: 1, logged: ['Recordings that were never finished were removed'] })
  expect(seen.askedBefore).toHaveLength(1)
  const ageMs = startedMs - seen.askedBefore[0]!.getTime()
  expect(Math.abs(ageMs - 2 * dayMs)).toBeLessThan(dayMs / 24)
})

test('a storage that refuses to list unfinished objects is logged once, and due recordings are removed', async () => {
  const { sweeper, seen } = sweep(() => Promise.reject(new Error('403')))
  await until(() => seen.logged.length > 0)
  sweeper.wake()
  await until(() => seen.sweeps === 2)
  await sweeper.stop()
  expect(seen.removed).toBe(1)
  expect(seen.logged).toEqual(['Recordings that were never finished could not be removed; it is tried again in a day'])
})

test('a sweeper that stops ends the removal of unfinished objects, without a log message', async () => {
  const { sweeper, seen } = sweep(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  await until(() => seen.askedBefore.length > 0)
  await sweeper.stop()
  expect(seen.logged).toEqual([])
})
