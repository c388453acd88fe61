import { setMaxListeners } from 'node:events'
import type { ServiceError } from '@parlance/contracts'
import { type AdmittedRequest, Scheduler, type SchedulerOptions, type WaitingRequest } from '../src/scheduler.js'

export const { signal } = new AbortController()
setMaxListeners(0, signal)

/** By default, requests are texts in one request, and wait for as long as such a text may. */
export const createScheduler = (options: SchedulerOptions) => {
  const scheduler = new Scheduler(options)
  const admit = (workspaceId: string, options: Partial<WaitingRequest> = {}) =>
    scheduler.admit({ workspaceId, purpose: 'one_shot', deadlineMs: 10_000, ...options })
  return {
    admit,
    drain: () => scheduler.drain(),
    isFull: () => scheduler.isFull(),
    hasRoom: () => scheduler.hasRoom(),
    running: () => scheduler.running(),
    waiting: () => scheduler.waiting(),
  }
}

/** Resolves after the promises of granted engines have resolved. */
export const settled = () => new Promise(setImmediate)

export const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return (error as ServiceError).code
  }
  return 'ok'
}

/** Segments by name, started in `started` and ended by name. */
export const createWork = () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    ask(request: AdmittedRequest, name: string, given = new AbortController().signal): Promise<void> {
      const asked = request.engine(given).then((end) => {
        started.push(name)
        ends.set(name, end)
      })
      // Some wait until after their test.
      asked.catch(() => undefined)
      return asked
    },
    async end(name: string) {
      ends.get(name)!()
      await settled()
    },
  }
}
